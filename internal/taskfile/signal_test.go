package taskfile

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestSignal(t *testing.T) {
	f, err := Parse([]byte(`
environment: {timeout: 5s, retries: 2, cache: auto}
tasks:
  paid: {kind: signal, doc: The amount., inputs: {question: str}, output: float, deadline: 72h, notice: 1h, labels: {team: a}}
`), Options{Path: "f"})
	if err != nil {
		t.Fatal(err)
	}
	got := f.Tasks[0]
	got.Signature = api.Signature{}
	want := api.Task{
		Name: "paid", Kind: api.KindSignal, Doc: "The amount.", Labels: map[string]string{"team": "a"},
		Approval: &api.Approval{Deadline: 72 * time.Hour, Notice: time.Hour},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("task (-got +want):\n%s", diff)
	}
}
