package codegen

import (
	"context"
	"fmt"
	"strings"
)

// mend changes what the last run shows to be wrong: tests, packages or code.
func (g *generation) mend(ctx context.Context) error {
	s, idle := g.best, g.idle[g.tests]
	switch r := &s.last; {
	case !r.collected() && !idle.collected(): // else it is the script that ended them
		return g.rewriteTests(ctx, "no test of them was run:\n"+clip(r.output))
	case r.exit == 0 && len(r.failing()) == 0:
		return g.rewriteTests(ctx, "they pass with a script that does nothing as well, so they show nothing: "+strings.Join(r.idle, ", "))
	}
	d, err := g.diagnose(ctx, s)
	if err != nil {
		return err
	}
	code, tests := g.sort(d)
	before := len(s.packages) + len(s.system)
	s.packages = merge(s.packages, g.notDeclared(packageNames(d.Packages)))
	s.system = merge(s.system, systemPackageNames(d.SystemPackages))
	if len(code)+len(tests) == 0 && len(s.packages)+len(s.system) == before { // what is missing is there already, so it is the code that is wrong
		code = d.Failures
	}
	if err := g.patch(ctx, s, code, tests); err != nil {
		return err
	}
	if err := g.findPackages(ctx, s); err != nil {
		return err
	}
	if s.built == s.needs() {
		return nil
	}
	return g.build(ctx, s)
}

// diagnose asks why tests failed.
func (g *generation) diagnose(ctx context.Context, s *solution) (*diagnosis, error) {
	g.progress("diagnosis", "asking why tests fail")
	d := &diagnosis{}
	if err := g.ask(ctx, &asking{text: g.diagnosisPrompt(s), schema: diagnosisSchema, into: d, check: d.check}); err != nil {
		return nil, err
	}
	for _, f := range d.Failures {
		g.note("%s: %s error: %s", oneLine(f.Test), f.ErrorType, oneLine(f.Cause))
	}
	return d, nil
}

// sort says which failures are the code's and which the tests'. A failure that was
// mended on one side and is still there is taken to be of the other.
func (g *generation) sort(d *diagnosis) (code, tests []failure) {
	for _, f := range d.Failures {
		if f.ErrorType == environmentError {
			continue
		}
		key := bareTest(f.Test) + "\n" + strings.TrimSpace(f.Message)
		side, other := f.ErrorType, map[string]string{logicError: testError, testError: logicError}[f.ErrorType]
		if g.flips[side+key] > 0 && g.flips[other+key] < g.flips[side+key] {
			g.note("%s fails as before, so the other side is mended: %s", oneLine(f.Test), other)
			side = other
			f.Cause = fmt.Sprintf("it was taken for a %s error and mended, and fails in the same way; before: %s", f.ErrorType, f.Cause)
		}
		g.flips[side+key]++
		if side == logicError {
			code = append(code, f)
		} else {
			tests = append(tests, f)
		}
	}
	return code, tests
}

// patch asks for what mends the code, and the tests, at the same time.
func (g *generation) patch(ctx context.Context, s *solution, code, tests []failure) error {
	var questions []*asking
	var mended codeAnswer
	var parts struct {
		Patches []patch `json:"patches"`
	}
	if len(code) > 0 {
		questions = append(questions, &asking{text: g.patchPrompt(s, code), schema: codeSchema, into: &mended, check: mended.check})
	}
	if len(tests) > 0 {
		questions = append(questions, &asking{text: g.testPatchPrompt(s, tests), schema: patchesSchema, into: &parts})
	}
	if len(questions) == 0 {
		return nil
	}
	g.progress("patch", "asking for corrections")
	if err := g.ask(ctx, questions...); err != nil {
		return err
	}
	if len(code) > 0 {
		g.report.change(fmt.Sprintf("Script of candidate %d", s.number), s.code, mended.Code)
		s.code, s.system = mended.Code, merge(s.system, systemPackageNames(mended.SystemPackages))
	}
	if len(tests) > 0 {
		g.setTests(splice(g.tests, parts.Patches))
	}
	return nil
}
