package codegen

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

//go:embed tests.py
var testsProgram string

// The time of tests, and of the cell around them.
const (
	testTimeout = 5 * time.Minute
	testGrace   = time.Minute
)

// run is what came of one run of the tests with a script.
type run struct {
	ran    bool
	exit   int
	ended  map[string]string // how each test ended
	output string
	idle   []string // tests that pass with a script that does nothing as well
}

// test runs the tests with scripts, and with one that does nothing, at the same
// time. A test that passes there as well shows nothing.
func (g *generation) test(ctx context.Context, all []*solution) error {
	nothing := &solution{packages: all[0].packages, system: all[0].system}
	running := all
	if _, known := g.idle[g.tests]; !known {
		running = append(slices.Clone(all), nothing)
	}
	batch := make([]*call, len(running))
	for i, s := range running {
		batch[i] = g.testing(s)
	}
	if err := g.calls.all(ctx, batch...); err != nil {
		return err
	}
	for i, s := range running {
		r, err := readRun(batch[i].answer)
		if err != nil {
			return err
		}
		s.last = r
	}
	if nothing.last.ran {
		g.idle[g.tests] = nothing.last
	}
	idle := g.idle[g.tests]
	for _, s := range all {
		s.last.idle = idle.passed()
	}
	return nil
}

// testing is a run of the tests. What the script may reach, its tests may not.
func (g *generation) testing(s *solution) *call {
	task := g.inCell("tests", testsProgram, "outcome", text("solution"), text("tests"), value.Param{Name: "seconds", Type: value.Type{Kind: value.KindFloat}})
	task.Image = g.imageOf(s)
	limit := cmp.Or(g.spec.Script.Timeout, testTimeout)
	task.Timeout = limit + testGrace
	return &call{task: task, inputs: map[string]any{"solution": s.code, "tests": g.tests, "seconds": limit.Seconds()}}
}

// readRun reads what came of a run. A cell that ended under its tests, such as one
// without memory left, is a run in which none passed.
func readRun(answer api.Answer) (run, error) {
	if e := answer.Err; e != nil {
		if e.Retryable && e.Code != api.OutOfMemory && e.Code != api.Timeout { // not of what ran there
			return run{}, e
		}
		return run{ran: true, exit: -1, output: e.Message}, nil
	}
	given, _ := answer.Value.(string)
	var said struct {
		Exit   int               `json:"exit"`
		Over   bool              `json:"over"`
		Ended  map[string]string `json:"ended"`
		Output string            `json:"output"`
	}
	if err := json.Unmarshal([]byte(given), &said); err != nil {
		return run{ran: true, exit: -1, output: "the tests left no outcome"}, nil
	}
	r := run{ran: true, exit: said.Exit, ended: said.Ended, output: strings.ToValidUTF8(said.Output, "\uFFFD")}
	if said.Over {
		r.output += "\n[the tests took too long and were ended]"
	}
	return r, nil
}

// passed are the tests that passed, sorted.
func (r *run) passed() (names []string) {
	for name, how := range r.ended {
		if how == "passed" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// telling are the tests that passed and do not without the script.
func (r *run) telling() []string {
	return slices.DeleteFunc(r.passed(), func(name string) bool { return slices.Contains(r.idle, name) })
}

// failing are the tests that did not pass, sorted.
func (r *run) failing() (names []string) {
	for name, how := range r.ended {
		if how != "passed" && how != "skipped" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// passes reports whether the run shows that the script does what it shall.
func (r *run) passes() bool { return r.exit == 0 && len(r.failing()) == 0 && len(r.telling()) > 0 }

func (r *run) score() int { return len(r.telling()) }

// collected reports whether the file of tests could be read.
func (r *run) collected() bool { return r.ended["(collection)"] == "" && len(r.ended) > 0 }

// say tells of a run in one line.
func (s *solution) say() string {
	r := &s.last
	words := fmt.Sprintf("candidate %d: %d of %s passed", s.number, len(r.passed()), counted(len(r.ended), "test"))
	if idle := len(r.passed()) - len(r.telling()); idle > 0 {
		words += fmt.Sprintf(", of which %d pass without the script as well", idle)
	}
	if failing := r.failing(); len(failing) > 0 {
		words += "; failed: " + strings.Join(failing, ", ")
	}
	return value.Shorten(words, maxQuoted)
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
