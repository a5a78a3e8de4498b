package worker

import (
	"fmt"
	"reflect"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
)

// maxRetries bounds the attempts of a task. More is a slip of the pen.
const maxRetries = 1000

// Validate reports what is wrong with a task as far as that can be known before
// anything starts. It returns invalid_task or invalid_type.
func (r *Runner) Validate(task *api.Task) error { return CheckTask(task) }

// CheckTask is Validate, for who has no runner.
func CheckTask(task *api.Task) error {
	if task.Function == nil {
		return bad("function", "missing", "the id of the function")
	}
	if err := wire.CheckFunctionID(task.Function.ID); err != nil {
		return err
	}
	for _, check := range []func(*api.Task) error{checkForeign, checkPolicy} {
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
	} {
		v := reflect.ValueOf(f.value)
		empty := v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
		if !empty {
			return bad(f.field, "set", "nothing: a function runs in the process that offers it, not in a cell")
		}
	}
	return nil
}

func checkPolicy(t *api.Task) error {
	if t.Timeout < 0 {
		return bad("timeout", t.Timeout.String(), "a positive duration, or 0 for an hour")
	}
	if t.Retries < 0 || t.Retries > maxRetries {
		return bad("retries", fmt.Sprint(t.Retries), fmt.Sprintf("0 to %d", maxRetries))
	}
	if l := t.Limits; l.Outputs < 0 || l.OutputFiles < 0 || l.Logs < 0 {
		return bad("limits", "negative", "positive numbers, or 0 for the defaults")
	}
	switch t.Cache {
	case "", api.CacheAuto, api.CacheOverride, api.CacheDisable:
		return nil
	}
	return bad("cache", fmt.Sprintf("%.60q", t.Cache), `"auto", "override" or "disable"`)
}

// bad is the error of one field of a task.
func bad(field, got, expected string) *api.Error {
	return api.Errorf(api.InvalidTask, "%s is %s, expected %s", field, got, expected).
		WithDetails(api.Details{Field: field, Got: got, Expected: expected})
}
