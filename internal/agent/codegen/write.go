package codegen

import (
	"context"
	"errors"
	"strings"
)

// makePlan asks how it is to be solved.
func (g *generation) makePlan(ctx context.Context) error {
	g.progress("plan", "asking for a plan")
	plan := &g.plan
	err := g.ask(ctx, &asking{text: g.planPrompt(), schema: planSchema, into: plan, check: func() error {
		if strings.TrimSpace(plan.Approach) == "" && strings.TrimSpace(plan.Description) == "" {
			return errors.New("description and approach are empty")
		}
		return nil
	}})
	if err == nil {
		g.note("The plan: %s", oneLine(plan.Description))
	}
	return err
}

// write asks for the scripts and the tests at the same time. The tests are of what
// the script must do, and not of how a candidate does it, so they fit every one.
func (g *generation) write(ctx context.Context) error {
	g.progress("code", "asking for code and tests")
	codes := make([]codeAnswer, max(g.spec.Candidates, 1))
	var questions []*asking
	for i := range codes {
		questions = append(questions, &asking{text: g.codePrompt(i+1, len(codes)), schema: codeSchema, into: &codes[i], check: codes[i].check})
	}
	var tests testsAnswer
	if !g.spec.SkipTests {
		questions = append(questions, &asking{text: g.testsPrompt(""), schema: testsSchema, into: &tests, check: tests.check})
	}
	if err := g.ask(ctx, questions...); err != nil {
		return err
	}
	for i := range codes {
		g.solutions = append(g.solutions, &solution{
			number: i + 1, code: codes[i].Code, system: merge(nil, systemPackageNames(codes[i].SystemPackages)), asked: map[string]bool{},
		})
		g.report.add("Script of candidate", i+1, "python", codes[i].Code)
	}
	g.best, g.tests = g.solutions[0], tests.Tests
	g.report.add("Tests", 0, "python", g.tests)
	g.note("The model wrote %s.", counted(len(codes), "script"))
	return nil
}

// rewriteTests asks for other tests than there are, for a reason.
func (g *generation) rewriteTests(ctx context.Context, reason string) error {
	g.note("The tests are written again: %s", oneLine(reason))
	g.progress("tests", "asking for other tests")
	var tests testsAnswer
	if err := g.ask(ctx, &asking{text: g.testsPrompt(reason), schema: testsSchema, into: &tests, check: tests.check}); err != nil {
		return err
	}
	g.setTests(tests.Tests)
	return nil
}

func (g *generation) setTests(tests string) {
	g.report.change("Tests", g.tests, tests)
	g.tests = tests
}
