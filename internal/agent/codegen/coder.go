package codegen

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/box"
)

// byAgent reports whether a coding agent writes the script.
func (g *generation) byAgent() bool { return g.spec.Backend == api.BackendClaude }

// agentWrites has a coding agent write the script and its tests, and again with what
// is wrong with them, until the tests pass. Each of its works is one call. What it
// says of its tests does not count: they are run in cells, as those of a model.
func (g *generation) agentWrites(ctx context.Context) error {
	most := cmp.Or(g.spec.MaxIterations, api.DefaultMaxIterations)
	s, problem := &solution{number: 1}, ""
	for round := 1; ; round++ {
		before := s.needs() + s.code + g.tests
		wrong, err := g.letWork(ctx, s, problem)
		if err != nil {
			return err
		}
		if problem != "" && before == s.needs()+s.code+g.tests {
			return endedf("the agent changed nothing of its work, although it is not right: %s", oneLine(problem))
		}
		if problem = wrong; problem == "" {
			problem, err = g.try(ctx, s)
		}
		if err != nil || g.success {
			return err
		}
		if round == most {
			return endedf("the work of the agent is not right after %s: %s", counted(most, "time"), oneLine(problem))
		}
	}
}

// letWork has the agent work once. A problem is what is missing of its work.
func (g *generation) letWork(ctx context.Context, s *solution, wrong string) (problem string, err error) {
	turns, err := g.calls.spent.mayWork(cmp.Or(g.spec.AgentTurns, api.DefaultAgentTurns))
	if err != nil {
		return "", err
	}
	g.progress("agent", "a coding agent is at work")
	c := &call{}
	if c.task, c.inputs, err = g.agentTask(s, wrong, turns); err != nil {
		return "", err
	}
	if err := g.calls.all(ctx, c); err != nil {
		return "", err
	}
	var w box.Work
	if c.answer.Err == nil {
		w, err = box.ReadWork(c.answer.Value)
	}
	g.calls.spent.worked(c.answer.Models, w.Cost, g.spec.Model.Model.Price)
	if e := c.answer.Err; e != nil && e.Code == api.Timeout {
		return "", endedf("the agent did not end its work: %s", e.Message)
	} else if e != nil {
		return "", e
	}
	if err != nil {
		return "", err
	}
	g.note("The agent worked, with %s to its model, and says: %s", counted(int(c.answer.Models.Asked), "question"), oneLine(w.Said))
	return g.takeWork(s, w)
}

// takeWork takes what the agent left. An agent that fails before it has left a script
// will not do better the next time.
func (g *generation) takeWork(s *solution, w box.Work) (problem string, err error) {
	code, problem := textOf(w, solutionFile)
	if problem != "" && w.Status != 0 {
		return "", endedf("the agent ended with status %d and left no script: %s", w.Status, oneLine(w.Said))
	}
	if problem != "" {
		return problem, nil
	}
	g.showChange("Script", "python", s.code, code)
	s.code = code
	s.packages = merge(nil, g.notDeclared(packageNames(strings.Split(w.Texts[packagesFile], "\n"))))
	s.system = merge(nil, systemPackageNames(strings.Split(w.Texts[systemFile], "\n")))
	g.best = s
	first, rest, _ := strings.Cut(strings.TrimSpace(w.Texts[planFile]), "\n")
	g.plan = api.CodegenPlan{Description: oneLine(first), Approach: strings.TrimSpace(rest)}
	if g.spec.SkipTests {
		return "", nil
	}
	tests, problem := textOf(w, testsFile)
	if problem != "" {
		return problem, nil
	}
	g.showChange("Tests", "python", g.tests, tests)
	g.tests = tests
	return "", nil
}

func (g *generation) showChange(title, language, before, after string) {
	if before == "" {
		g.report.add(title, 0, language, after)
		return
	}
	g.report.change(title, before, after)
}

// textOf is a file that the agent had to leave.
func textOf(w box.Work, name string) (text, problem string) {
	if reason := w.Problems[name]; reason != "" {
		return "", fmt.Sprintf("%s cannot be taken: %s", name, oneLine(reason))
	}
	text = oneNewline(w.Texts[name])
	if err := checkCode(name, text); err != nil {
		return "", err.Error()
	}
	return text, ""
}

// try builds the image of the agent's script and runs its tests. A problem is for the
// agent.
func (g *generation) try(ctx context.Context, s *solution) (problem string, err error) {
	g.progress("image", "building the image")
	built, err := g.building(s)
	if err != nil {
		return "", err
	}
	if err := g.calls.all(ctx, built); err != nil {
		return "", err
	}
	if problem, err = unbuilt(built.answer); problem != "" || err != nil {
		return problem, err
	}
	if g.spec.SkipTests {
		g.success = true
		return "", nil
	}
	g.attempts++
	g.progress("tests", fmt.Sprintf("running the tests, time %d", g.attempts))
	if err := g.test(ctx, []*solution{s}); err != nil {
		return "", err
	}
	g.reportRuns([]*solution{s})
	if g.success = s.last.passes(); g.success {
		return "", nil
	}
	return s.last.problem(), nil
}

// unbuilt is what is wrong with the packages of a script.
func unbuilt(answer api.Answer) (problem string, err error) {
	if e := answer.Err; e != nil && wrongPackage(e) {
		return "no image could be made with what packages.txt and system_packages.txt name: " + e.Message, nil
	} else if e != nil {
		return "", e
	}
	modules, err := notFound(answer)
	if err != nil || len(modules) == 0 {
		return "", err
	}
	return "solution.py imports modules that no package has which is named in packages.txt: " + strings.Join(modules, ", "), nil
}

// problem is what a run of tests shows to be wrong.
func (r *run) problem() string {
	switch {
	case !r.collected():
		return "no test was run:\n" + clip(r.output)
	case r.exit == 0 && len(r.failing()) == 0:
		return "the tests pass with an empty solution.py as well, so they show nothing: " + strings.Join(r.idle, ", ")
	}
	return "tests fail:\n" + clip(r.output)
}
