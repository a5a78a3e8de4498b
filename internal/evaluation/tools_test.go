package evaluation

import (
	"context"
	"errors"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// here offers every function.
type here struct{ called int }

func (*here) Here(*api.Task) bool { return true }

func (h *here) Run(context.Context, string, *api.Request) (*api.Result, error) {
	h.called++
	return &api.Result{}, nil
}

var errRun = errors.New("it is a run")

// runs makes a run of every call.
type runs struct{}

func (runs) Call(context.Context, *api.Task, value.Fields, func(string)) (map[string]any, error) {
	return nil, errRun
}

// TestApprovalIsARun holds that a function that asks for approval is never called
// directly, since a run alone asks.
func TestApprovalIsARun(t *testing.T) {
	h := new(here)
	d := Direct{Functions: h, Else: runs{}}
	task := &api.Task{Name: "pay", Kind: api.KindFunction, Approval: &api.Approval{}}
	if _, err := d.Call(t.Context(), task, value.Fields{}, nil); !errors.Is(err, errRun) || h.called != 0 {
		t.Errorf("got %v, called %d times", err, h.called)
	}
	task.Approval = nil
	if _, err := d.Call(t.Context(), task, value.Fields{}, nil); err != nil || h.called != 1 {
		t.Errorf("got %v, called %d times", err, h.called)
	}
}
