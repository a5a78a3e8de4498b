package codegen

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
)

// generation is one attempt of one run.
type generation struct {
	req     *api.Request
	spec    *api.Codegen
	prompt  string
	samples []string // names, in order
	calls   calls
	system  string // what the model hears before every question

	context string            // what it hears of the samples
	schemas map[string]string // of those that are tables
	plan    api.CodegenPlan
	tests   string

	solutions []*solution
	best      *solution      // nil until there is one
	idle      map[string]run // runs of tests with a script that does nothing, by the tests
	flips     map[string]int // by the words of a failure, how often it was mended
	attempts  int
	success   bool
	failure   string // why there is none

	said   bytes.Buffer // what it printed, step by step
	report report
}

// solution is one script, and what it needs.
type solution struct {
	number   int // of the candidate, from 1
	code     string
	packages []string // beside those of the declared image
	system   []string
	asked    map[string]bool // modules whose packages the model was asked for
	built    string          // what it needed when its image was built
	last     run             // of the tests
}

// needs is all that its image must have.
func (s *solution) needs() string {
	return fmt.Sprintf("%q %q %q", imported(s.code), s.packages, s.system)
}

func newGeneration(req *api.Request) (*generation, error) {
	g := &generation{
		req: req, spec: req.Task.Codegen, schemas: map[string]string{}, idle: map[string]run{}, flips: map[string]int{},
	}
	given, _ := req.Inputs.Value(api.CodegenPrompt)
	g.prompt, _ = given.(string)
	for _, p := range req.Inputs.Params() {
		if p.Name != api.CodegenPrompt {
			g.samples = append(g.samples, p.Name)
		}
	}
	budget := g.spec.Budget
	g.calls = calls{caller: req.Caller, spent: spent{budget: budget}}
	if budget.Time > 0 {
		g.calls.deadline = req.Caller.Began().Add(budget.Time)
	}
	if g.prompt == "" {
		return nil, api.Errorf(api.InvalidInput, "prompt is empty: say what the script shall do").WithDetails(api.Details{Field: api.CodegenPrompt})
	}
	return g, nil
}

// run takes the way to its end. That there is no script is no error of the run.
func (g *generation) run(ctx context.Context) error {
	err := g.generate(ctx)
	var over *ended
	if errors.As(err, &over) {
		g.failure = over.reason
		g.note("It ends without success: %s.", g.failure)
		return nil
	}
	return err
}

func (g *generation) generate(ctx context.Context) error {
	if err := g.describe(ctx); err != nil {
		return err
	}
	if g.byAgent() {
		return g.agentWrites(ctx)
	}
	g.system = g.rules(answerRule)
	if err := g.makePlan(ctx); err != nil {
		return err
	}
	if err := g.write(ctx); err != nil {
		return err
	}
	if err := g.findPackages(ctx, g.solutions...); err != nil {
		return err
	}
	if err := g.build(ctx, g.solutions...); err != nil {
		return err
	}
	if g.spec.SkipTests {
		g.success = true
		return nil
	}
	return g.iterate(ctx)
}

// iterate runs the tests and mends what fails, until none does.
func (g *generation) iterate(ctx context.Context) error {
	most := cmp.Or(g.spec.MaxIterations, api.DefaultMaxIterations)
	running := g.solutions
	for {
		g.attempts++
		g.progress("tests", fmt.Sprintf("running the tests, time %d of at most %d", g.attempts, most))
		if err := g.test(ctx, running); err != nil {
			return err
		}
		g.best = best(running)
		g.reportRuns(running)
		if g.best.last.passes() {
			g.success = true
			return nil
		}
		if g.attempts == most {
			return endedf("the tests fail after %d runs of them", most)
		}
		if err := g.mend(ctx); err != nil {
			return err
		}
		running = []*solution{g.best}
	}
}

// best is the script with the most tests that pass, the first of several.
func best(all []*solution) *solution {
	return slices.MaxFunc(all, func(a, b *solution) int {
		return cmp.Or(cmp.Compare(a.last.score(), b.last.score()), cmp.Compare(b.number, a.number))
	})
}

// result is what came of it, also where that is no script.
func (g *generation) result() *api.CodegenResult {
	r := &api.CodegenResult{
		Success: g.success, Error: g.failure, Plan: g.plan, Tests: g.tests, Attempts: g.attempts, ExitCode: -1,
		Schemas: g.schemas, Context: g.context, Usage: g.calls.spent.models, Report: g.reportText(),
	}
	if s := g.best; s != nil {
		r.Code, r.Packages, r.SystemPackages, r.Image = s.code, s.packages, s.system, g.imageOf(s)
		r.Output, r.ExitCode = s.last.output, s.last.exit
	}
	if g.spec.SkipTests && g.success {
		r.ExitCode = 0
	}
	return r
}

// note says a step of the generation, in what the run prints and in its report.
func (g *generation) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	fmt.Fprintln(&g.said, line)
	if g.req.Stdout != nil {
		_, _ = io.WriteString(g.req.Stdout, line+"\n") // an error loses only the stream
	}
	g.report.note(line)
}

func (g *generation) progress(stage, message string) {
	if g.req.Progress != nil {
		g.req.Progress(api.Progress{Stage: stage, Message: message})
	}
}
