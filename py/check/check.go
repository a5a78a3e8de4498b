// Package check finds what is wrong with a program without running it, and
// tells a model how to write one that is right.
//
// It has three entries, which read the same tables, so that the prompt says
// exactly what is enforced:
//
//   - Forbidden refuses what the dialect does not have. Every compilation asks
//     it, so it is quick: one walk over the tree (the guard), which allocates
//     nothing for a program that may run.
//   - Check adds what would certainly fail when the program runs: unknown names,
//     calls that do not fit their signatures, values of the wrong type, a missing
//     await, a missing result.
//   - Prompt describes the dialect, the inputs and the tools to the writer of a
//     program.
//
// # How Check is certain
//
// A finding that is wrong is worse than none: a model would mend what is good.
// So the checker says nothing where it is not certain. It walks the program in
// the order in which it would run, functions after what is around them, and
// computes for each expression the set of kinds that its value may have (kinds).
// The set only grows: what is not known may be anything, and nothing is said of
// it. What a variable holds is known only if the source binds it once; package
// resolve says so.
//
// # What a problem says
//
// A Problem has a code, a place, a message that says what is wrong, and a hint
// that says what to write instead, with the names of the program where that is
// possible (rewrite.go). Problems are bounded in number and length, and the
// effort is in proportion to the source.
//
// # Reading order
//
//	check.go problem.go dialect.go        options, problems
//	construct.go attribute.go builtin.go  the tables: what a dialect has
//	module.go modulehints.go
//	forbidden.go guardstmt.go guardexpr.go pattern.go
//	excerpt.go rewrite.go                 what to write instead
//	checker.go variable.go                the walk of Check, and what it knows
//	checkstmt.go checkexpr.go kinds.go operatorkinds.go
//	call.go builtincall.go signature.go   calls, and what they are compared with
//	await.go import.go granted.go caught.go
//	misfit.go result.go                   types: arguments, the result
//	prompt.go promptworld.go              the prompt
package check

import (
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// Options is what a program is checked against.
type Options struct {
	Dialect Dialect
	Inputs  []value.Param // variables that are defined before the program begins
	Names   []string      // further ones, of which nothing is known
	Tools   []tool.Tool
	Output  value.Type // of the result; a zero Type means that none is declared
	Modules Modules    // bundled modules; nil means that there are none
	Limits  Limits     // for the prompt
	Pieces  bool       // for the prompt: the program comes in pieces
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
