package orchestrator

import (
	"fmt"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// The dialects, as tasks name them.
const (
	strict   = "strict"
	extended = "extended"
)

// Bounds of a task.
const (
	maxTools   = 500     // of one orchestrator
	maxNesting = 16      // of orchestrators that are tools of orchestrators
	maxTasks   = 10_000  // tools of tools included
	maxSource  = 1 << 20 // bytes
)

// Bounds of the limits of a task: an orchestrator shares its process with
// others.
const (
	maxMemory   = 8 << 30 // bytes
	maxDepth    = 100_000
	maxTime     = 24 * time.Hour
	maxPrinted  = 64 << 20 // bytes
	maxCalls    = 1_000_000
	maxParallel = 10_000
)

// Validate reports what is wrong with a task before it is started or kept: its
// fields, its tools and theirs, whether its code compiles, and what the checker
// finds in it. A resumed run is not validated again, so that no later checker
// can refuse it.
func (r *Runner) Validate(task *api.Task) error {
	if err := r.validate(task, 1, new(int)); err != nil {
		return err
	}
	return r.programs.check(task)
}

// validate checks everything but the code. count is how many tasks were seen.
func (r *Runner) validate(task *api.Task, depth int, count *int) error {
	if err := checkShape(task); err != nil {
		return err
	}
	if err := task.CheckPolicy(); err != nil {
		return err
	}
	if err := checkSignature(task.Signature); err != nil {
		return err
	}
	return r.validateGrants(specOf(task), depth, count)
}

// ValidateGrants checks what the code of a task is granted, whoever writes it: the
// tools, the limits, the clock and the randomness.
func (r *Runner) ValidateGrants(task *api.Task) error {
	return r.validateGrants(specOf(task), 1, new(int))
}

func (r *Runner) validateGrants(spec api.Orchestrator, depth int, count *int) error {
	if err := checkWorld(spec); err != nil {
		return err
	}
	if err := checkLimits(spec.Limits); err != nil {
		return err
	}
	return r.validateTools(spec.Tools, depth, count)
}

func checkShape(task *api.Task) error {
	switch spec := specOf(task); {
	case task.KindOf() != api.KindOrchestrator:
		return invalid("kind", string(api.KindOrchestrator), string(task.KindOf()))
	case task.Code == "":
		return invalid("code", "Python source", "nothing")
	case len(task.Code) > maxSource:
		return invalid("code", fmt.Sprintf("at most %d bytes", maxSource), fmt.Sprintf("%d bytes", len(task.Code)))
	case spec.Dialect != "" && spec.Dialect != strict && spec.Dialect != extended:
		return invalid("orchestrator.dialect", strict+" or "+extended, fmt.Sprintf("%.100q", spec.Dialect))
	case len(spec.Tools) > maxTools:
		return invalid("orchestrator.tools", fmt.Sprintf("at most %d tools", maxTools), fmt.Sprint(len(spec.Tools)))
	}
	return task.CheckForeign("an orchestrator computes and calls tools; give it to a tool", "orchestrator", "code", "file")
}

func checkSignature(s api.Signature) error {
	if err := s.Check(true); err != nil {
		return err
	}
	if len(s.Outputs) > 1 {
		return invalid("signature.outputs", "at most one output", fmt.Sprint(len(s.Outputs))).
			WithHint("the value of the last expression is the output: declare one of type dict and end the code with a dict")
	}
	return nil
}

func checkLimits(l api.OrchestratorLimits) error {
	for _, c := range []struct {
		name        string
		value, most int64
	}{
		{"memory", l.Memory, maxMemory},
		{"depth", int64(l.Depth), maxDepth},
		{"time_ns", int64(l.Time), int64(maxTime)},
		{"steps", l.Steps, 1 << 60},
		{"output", int64(l.Output), maxPrinted},
		{"calls", int64(l.Calls), maxCalls},
		{"parallel", int64(l.Parallel), maxParallel},
	} {
		if c.value < 0 || c.value > c.most {
			return invalid("orchestrator.limits."+c.name, fmt.Sprintf("0 (the default) to %d", c.most), fmt.Sprint(c.value))
		}
	}
	if l.Memory > 0 && l.Memory < leastMemory {
		return invalid("orchestrator.limits.memory", fmt.Sprintf("at least %d", leastMemory), fmt.Sprint(l.Memory))
	}
	return nil
}

// leastMemory is what the interpreter needs for a program of a few lines.
const leastMemory = 64 << 10 // bytes

func (r *Runner) validateTools(tools []api.Task, depth int, count *int) error {
	seen := make(map[string]bool, len(tools))
	for i := range tools {
		t := &tools[i]
		if err := checkToolName(t.Name, seen); err != nil {
			return err
		}
		if *count++; *count > maxTasks {
			return invalid("orchestrator.tools", fmt.Sprintf("at most %d, tools of tools included", maxTasks), "more")
		}
		if err := r.validateTool(t, depth, count); err != nil {
			return inTool(t.Name, err)
		}
	}
	return nil
}

func checkToolName(name string, seen map[string]bool) error {
	if err := api.CheckName(name, true); err != nil {
		e := *api.AsError(err)
		e.Message = "tool " + e.Message
		e.Hint = "code calls a tool by its name: give it one like those of Python functions"
		return &e
	}
	if seen[name] {
		return invalid("orchestrator.tools", "tools with names that are all different", "two tools named "+name)
	}
	seen[name] = true
	return nil
}

func (r *Runner) validateTool(t *api.Task, depth int, count *int) error {
	if err := t.Signature.Check(false); err != nil {
		return err
	}
	if t.KindOf() != api.KindOrchestrator {
		if r.config.Check == nil {
			return nil
		}
		return r.config.Check(t)
	}
	if depth == maxNesting {
		return invalid("orchestrator.tools", fmt.Sprintf("orchestrators nested at most %d deep", maxNesting), "more")
	}
	if err := r.validate(t, depth+1, count); err != nil {
		return err
	}
	return r.programs.check(t)
}

func invalid(field, expected, got string) *api.Error {
	return api.Errorf(api.InvalidTask, "%s: expected %s, got %s", field, expected, got).
		WithDetails(api.Details{Field: field, Expected: expected, Got: got})
}

// inTool says in which tool an error is.
func inTool(name string, err error) error {
	e := *api.AsError(err)
	e.Message = "tool " + name + ": " + e.Message
	return &e
}
