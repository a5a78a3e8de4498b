package engine

import (
	"cmp"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Validate reports what is wrong with a task of any kind.
func (e *Engine) Validate(task *api.Task) error {
	runner, ok := e.config.Kinds[task.KindOf()]
	if !ok {
		return api.Errorf(api.InvalidTask, "there is no kind of task %q", task.Kind).
			WithDetails(api.Details{Field: "kind", Expected: "sandbox, orchestrator, function, model, agent, codegen, mcp or signal", Got: string(task.Kind)})
	}
	if err := task.CheckPolicy(); err != nil {
		return err
	}
	if err := runner.Validate(task); err != nil {
		return api.AsError(err)
	}
	for _, tool := range task.Callable() {
		if err := e.validateTool(tool); err != nil {
			return err
		}
	}
	return nil
}

// ValidateKept is Validate of a task that is to be started later. A clock and
// randomness that a start can grant may be missing, which it says.
func (e *Engine) ValidateKept(task *api.Task) (warnings []string, _ error) {
	err := e.Validate(task)
	if err == nil || api.AsError(err).Code != api.CheckFailed || task.Orchestrator == nil {
		return nil, err
	}
	granted, grantErr := (&api.Submission{Clock: readable(task.Orchestrator.Clock), Random: cmp.Or(task.Orchestrator.Random, api.RealRandom)}).Granted(task)
	if grantErr != nil {
		return nil, grantErr
	}
	if err := e.Validate(granted); err != nil {
		return nil, err
	}
	return strings.Split(api.AsError(err).Message, "\n"), nil
}

func readable(c api.Clock) api.Clock {
	if c.Readable() {
		return c
	}
	return api.RealClock
}

func (e *Engine) validateTool(tool *api.Task) error {
	err := e.Validate(tool)
	if err == nil {
		return nil
	}
	within := *api.AsError(err)
	within.Message = "tool " + tool.Name + ": " + within.Message
	return &within
}
