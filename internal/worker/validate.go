package worker

import (
	"reflect"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
)

// Validate reports what is wrong with a task as far as that can be known before
// anything starts. It returns invalid_task or invalid_type.
func (r *Runner) Validate(task *api.Task) error { return CheckTask(task) }

// CheckTask is Validate for callers without a runner.
func CheckTask(task *api.Task) error {
	if task.Function == nil {
		return api.WrongField("function", "missing", "the id of the function")
	}
	if err := wire.CheckFunctionID(task.Function.ID); err != nil {
		return err
	}
	for _, check := range []func(*api.Task) error{checkForeign, (*api.Task).CheckPolicy, checkLimits} {
		if err := check(task); err != nil {
			return err
		}
	}
	return task.Signature.Check(false)
}

// checkForeign refuses what a function cannot have: it would be ignored.
func checkForeign(t *api.Task) error {
	for _, f := range []struct {
		field string
		value any
	}{
		{"orchestrator", t.Orchestrator}, {"code", t.Code}, {"file", t.File}, {"verbatim", t.Verbatim}, {"command", t.Command},
		{"arguments", t.Arguments}, {"image", t.Image}, {"resources", t.Resources}, {"env", t.Env}, {"secrets", t.Secrets}, {"network", t.Network},
		{"starts_runs", t.StartsRuns}, {"preload", t.Preload}, {"stdin", t.Stdin},
	} {
		v := reflect.ValueOf(f.value)
		empty := v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
		if !empty {
			return api.WrongField(f.field, "set", "nothing: a function runs in the process that offers it, not in a cell")
		}
	}
	return nil
}

func checkLimits(t *api.Task) error {
	if l := t.Limits; l.Outputs < 0 || l.OutputFiles < 0 || l.Logs < 0 {
		return api.WrongField("limits", "negative", "positive numbers, or 0 for the defaults")
	}
	return nil
}
