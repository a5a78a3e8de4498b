package worker

import (
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
	for _, check := range []func(*api.Task) error{(*api.Task).CheckPolicy, checkLimits} {
		if err := check(task); err != nil {
			return err
		}
	}
	if err := task.CheckForeign("a function runs in the process that offers it, not in a cell", "function", "report"); err != nil {
		return err
	}
	return task.Signature.Check(false)
}

func checkLimits(t *api.Task) error {
	if l := t.Limits; l.Outputs < 0 || l.OutputFiles < 0 || l.Logs < 0 {
		return api.WrongField("limits", "negative", "positive numbers, or 0 for the defaults")
	}
	return nil
}
