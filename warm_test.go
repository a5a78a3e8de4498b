package glovebox

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestKeepWarm(t *testing.T) {
	gb, f := newFake()
	ctx := t.Context()
	if err := gb.KeepWarm(ctx, Sandbox{Name: "sum", Code: "r = 1", Outputs: []string{"r: int"}, Preload: []string{"json"}}, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := gb.Deploy(ctx, "math", Sandbox{Name: "add", Code: "r = 1"}); err != nil {
		t.Fatal(err)
	}
	deployed, err := gb.Task(ctx, "math.add")
	if err != nil {
		t.Fatal(err)
	}
	if err := gb.KeepWarm(ctx, deployed, 0); err != nil {
		t.Fatal(err)
	}
	want := []api.WarmRequest{
		{Cells: 2, Task: &api.Task{Name: "sum", Code: "r = 1", Preload: []string{"json"}, Signature: api.Signature{
			Inputs: []value.Param{}, Outputs: []value.Param{{Name: "r", Type: value.Type{Kind: value.KindInt}}}}}},
		{Name: "math.add@2"},
	}
	if diff := cmp.Diff(want, f.warm); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeepWarmRefuses(t *testing.T) {
	gb, f := newFake()
	for name, c := range map[string]struct {
		task  Task
		cells int
		code  api.Code
		field string
	}{
		"nothing":      {nil, 1, api.InvalidTask, "task"},
		"orchestrator": {Orchestrator{Source: "1"}, 1, api.InvalidTask, "kind"},
		"negative":     {Sandbox{Code: "x"}, -1, api.RequestInvalid, "cells"},
	} {
		t.Run(name, func(t *testing.T) {
			var e *Error
			if err := gb.KeepWarm(t.Context(), c.task, c.cells); !errors.As(err, &e) || e.Code != c.code || e.Details.Field != c.field {
				t.Errorf("got %v, want %s about %s", err, c.code, c.field)
			}
		})
	}
	if len(f.warm) > 0 {
		t.Errorf("asked for %v", f.warm)
	}
}
