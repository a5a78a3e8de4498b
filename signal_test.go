package glovebox

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestSignalIsATask(t *testing.T) {
	got, _, err := define(Signal{
		Name: "paid", Doc: "The amount.", Inputs: []string{"question: str"}, Output: "float", Deadline: time.Hour, Notice: time.Minute,
		Labels: map[string]string{"team": "a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &api.Task{
		Name: "paid", Kind: api.KindSignal, Doc: "The amount.", Labels: map[string]string{"team": "a"},
		Approval: &Approval{Deadline: time.Hour, Notice: time.Minute},
		Signature: api.Signature{
			Inputs:  []value.Param{{Name: "question", Type: value.Type{Kind: value.KindStr}}},
			Outputs: []value.Param{{Name: "result", Type: value.Type{Kind: value.KindFloat}}},
		},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("task (-got +want):\n%s", diff)
	}
	for _, bad := range []Signal{{Name: "x", Output: "robot"}, {Name: "x", Inputs: []string{"a robot"}}} {
		if _, _, err := define(bad); !errors.Is(err, ErrInvalidType) && !errors.Is(err, ErrInvalidTask) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
