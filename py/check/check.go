// Package check finds what is wrong with a program without running it, and
// tells a model how to write one that is right.
//
// Forbidden refuses what the dialect does not have; every compilation asks it.
// Check adds what would certainly fail when the program runs: unknown names,
// calls that do not fit their signatures, values of the wrong type, a missing
// await, a missing result. It says nothing where it is not certain. Prompt
// describes the dialect, the inputs and the tools. All three read the same
// tables, so that a model is told exactly what is enforced.
package check

import (
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
)

// Options is what a program is checked against.
type Options struct {
	Dialect Dialect
	Inputs  []api.Param // variables that are defined before the program begins
	Tools   []tool.Tool
	Output  api.Type // of the result; a zero Type means that none is declared
	Modules Modules  // bundled modules; nil means that there are none
	Limits  Limits   // for the prompt
	Grants  Grants
}

// Limits are the limits of a run, as far as the writer of a program should
// know them. Zero means that nothing is said.
type Limits struct {
	Memory int64         // bytes
	Time   time.Duration // without the time of tools
	Depth  int           // of calls within calls
	Output int64         // bytes that are printed
	Calls  int           // of tools
}

// Validate reports what is wrong with the options themselves, as invalid_task
// or invalid_type: a bad tool, or one name that means two things.
func (o Options) Validate() error {
	if err := (api.Signature{Inputs: o.Inputs}).Check(true); err != nil {
		return err
	}
	seen := make(map[string]string, len(o.Inputs)+len(o.Tools))
	for _, p := range o.Inputs {
		seen[p.Name] = "an input"
	}
	for _, t := range o.Tools {
		if err := t.Validate(); err != nil {
			return err
		}
		if IsBuiltin(t.Name) {
			return api.Errorf(api.InvalidTask, "tool %s has the name of a Python built-in", t.Name).
				WithHint("give it another name")
		}
		if what, taken := seen[t.Name]; taken {
			return api.Errorf(api.InvalidTask, "tool %s has the name of %s", t.Name, what).
				WithHint("give every input and every tool a name of its own")
		}
		seen[t.Name] = "another tool"
	}
	return nil
}

// Check finds everything that is wrong with the program. It runs in time and
// memory proportional to the source.
func Check(file *syntax.File, o Options) *Report {
	report := Forbidden(file, o)
	if report == nil {
		report = new(Report)
	}
	c := newChecker(file, o, report)
	c.module(file.Body)
	report.sort()
	return report
}
