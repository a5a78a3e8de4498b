package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// engine is a complete little engine in memory: it executes calls, records
// events, and can be cut off at any step and resume from its record.
type engine struct {
	tools map[string]func(in map[string]any) (any, *api.Error)
	order *rand.Rand // of the answers; nil gives them in the order of the calls

	starts   []api.Call     // intents, by the order of their ids
	answers  []api.Answer   // in the order in which they were given
	done     map[uint64]int // how often each call was executed
	snapshot []byte
	covered  int // answers that the snapshot has seen
	made     int // calls that the snapshot has seen

	cut      int // steps until the cut; negative is never
	restarts int
	started  []uint64        // ids passed to Start in this attempt
	next     int             // answers given in this attempt
	unwanted map[uint64]bool // calls that were given up in this attempt
	loaded   bool            // the attempt resumes from the snapshot, and Next has not looked
}

var errCut = errors.New("the process is gone")

func newEngine(tools map[string]func(map[string]any) (any, *api.Error)) *engine {
	return &engine{tools: tools, done: map[uint64]int{}, cut: -1}
}

// again is the engine of the next attempt, which knows what this one wrote.
func (e *engine) again() { e.next, e.started, e.cut, e.unwanted, e.loaded = 0, nil, -1, nil, false }

func (e *engine) step() error {
	if e.cut == 0 {
		return errCut
	}
	e.cut--
	return nil
}

func (e *engine) Snapshot() []byte {
	if e.snapshot != nil {
		e.next, e.loaded = e.covered, true
	}
	return e.snapshot
}

func (e *engine) Restart() {
	e.snapshot, e.next, e.covered, e.made, e.loaded = nil, 0, 0, 0, false
	e.restarts++
}

func (e *engine) Save(s []byte) {
	e.snapshot, e.covered = slices.Clone(s), e.next
	for _, id := range e.started {
		e.made = max(e.made, int(id))
	}
}

func (e *engine) Cancel(call uint64) {
	if e.cut > 0 {
		e.cut--
	}
	e.giveUp(call)
}

func (e *engine) giveUp(call uint64) {
	if e.unwanted == nil {
		e.unwanted = map[uint64]bool{}
	}
	e.unwanted[call] = true
}

// resume finds the calls that were given up before the snapshot.
func (e *engine) resume() {
	answered := map[uint64]bool{}
	for _, a := range e.answers[:e.covered] {
		answered[a.ID] = true
	}
	for _, c := range e.starts[:e.made] {
		if !answered[c.ID] && !slices.Contains(e.started, c.ID) {
			e.giveUp(c.ID)
		}
	}
	e.loaded = false
}

func (e *engine) Began() time.Time { return time.Time{} }

func (e *engine) Seed() []byte { return nil }

func (e *engine) Start(_ context.Context, c api.Call) error {
	c.Line = 0 // a snapshot does not have it
	if err := e.step(); err != nil {
		return err
	}
	if slices.Contains(e.started, c.ID) {
		return fmt.Errorf("call %d was started twice", c.ID)
	}
	e.started = append(e.started, c.ID)
	switch {
	case c.ID <= uint64(len(e.starts)):
		if before := e.starts[c.ID-1]; !cmp.Equal(before, c, compareValues()) {
			return api.Errorf(api.ReplayMismatch, "call %d was %v and is %v", c.ID, before, c)
		}
		return nil
	case c.ID != uint64(len(e.starts))+1:
		return fmt.Errorf("call %d comes after %d", c.ID, len(e.starts))
	}
	e.starts = append(e.starts, c)
	return nil
}

func (e *engine) Next(ctx context.Context, _ time.Time) (api.Answer, error) {
	if err := e.step(); err != nil {
		return api.Answer{}, err
	}
	if ctx.Err() != nil {
		return api.Answer{}, context.Cause(ctx)
	}
	if e.loaded {
		e.resume()
	}
	if e.next == len(e.answers) {
		if err := e.carryOut(); err != nil {
			return api.Answer{}, err
		}
	}
	e.next++
	return e.answers[e.next-1], nil
}

// carryOut does one of the calls that are under way.
func (e *engine) carryOut() error {
	var open []api.Call
	for _, c := range e.starts {
		if e.done[c.ID] == 0 && !e.unwanted[c.ID] {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return errors.New("nothing is under way")
	}
	c := open[0]
	if e.order != nil {
		c = open[e.order.IntN(len(open))]
	}
	e.done[c.ID]++
	v, failed := e.tools[c.Tool](c.Inputs)
	e.answers = append(e.answers, api.Answer{ID: c.ID, Run: fmt.Sprint("run-", c.ID), Value: v, Err: failed})
	return nil
}

func integer(in map[string]any, name string) int64 { n, _ := in[name].(int64); return n }

// funcs are the tools of the tests.
func funcs() map[string]func(map[string]any) (any, *api.Error) {
	return map[string]func(map[string]any) (any, *api.Error){
		"add":      func(in map[string]any) (any, *api.Error) { return integer(in, "x") + integer(in, "y"), nil },
		"multiply": func(in map[string]any) (any, *api.Error) { return integer(in, "x") * integer(in, "y"), nil },
		"fib":      func(in map[string]any) (any, *api.Error) { return fib(integer(in, "n")), nil },
		"echo":     func(in map[string]any) (any, *api.Error) { return in["v"], nil },
		"nothing":  func(map[string]any) (any, *api.Error) { return nil, nil },
		"stats": func(in map[string]any) (any, *api.Error) {
			return value.Tuple{integer(in, "n"), fmt.Sprint("n", in["n"])}, nil
		},
		"make":  func(in map[string]any) (any, *api.Error) { return file(fmt.Sprint(in["name"])), nil },
		"size":  func(in map[string]any) (any, *api.Error) { return in["f"].(value.File).Size, nil },
		"fails": func(in map[string]any) (any, *api.Error) { return nil, failing(fmt.Sprint(in["how"])) },
	}
}

func fib(n int64) int64 {
	a, b := int64(0), int64(1)
	for range n {
		a, b = b, a+b
	}
	return a
}

func file(name string) value.File {
	return value.File{Path: "/secret/place/" + name, Size: 7, SHA256: "5ec2e7"}
}

func failing(how string) *api.Error {
	switch how {
	case "value", "key", "number", "stop", "exit", "own":
		types := map[string]string{"value": "ValueError", "key": "KeyError", "number": "KeyError", "stop": "StopIteration", "exit": "SystemExit", "own": "etl.Broken"}
		message := "no such " + how
		switch how {
		case "key":
			message = "'no such key'"
		case "number":
			message = "404"
		}
		return api.Errorf(api.PythonException, "it raised").
			WithDetails(api.Details{Exception: &api.Exception{Type: types[how], Message: message}})
	}
	return api.Errorf(api.Code(how), "it failed by %s", how)
}

func tool(name, result string, params ...string) api.Task {
	t := api.Task{Name: name, Code: "pass", Doc: "does " + name}
	if result != "" {
		t.Signature.Outputs = []value.Param{{Name: "result", Type: value.MustType(result)}}
	}
	t.Signature.Inputs = typed(params)
	return t
}

// typed makes parameters of names and types by turns.
func typed(words []string) []value.Param {
	var params []value.Param
	for i := 0; i < len(words); i += 2 {
		params = append(params, value.Param{Name: words[i], Type: value.MustType(words[i+1])})
	}
	return params
}

func tools() []api.Task {
	stats := tool("stats", "int", "n", "int")
	stats.Signature.Outputs = typed([]string{"size", "int", "label", "str"})
	return []api.Task{
		tool("add", "int", "x", "int", "y", "int"), tool("multiply", "int", "x", "int", "y", "int"), tool("fib", "int", "n", "int"),
		tool("echo", "Any", "v", "Any"), tool("nothing", ""), stats, tool("make", "File", "name", "str"),
		tool("size", "int", "f", "File"), tool("fails", "int", "how", "str"),
	}
}

// task makes an orchestrator in the extended dialect with all tools.
func task(code, result string, params ...string) *api.Task {
	t := tool("flow", result, params...)
	t.Kind, t.Code, t.Doc = api.KindOrchestrator, code, ""
	t.Orchestrator = &api.Orchestrator{Dialect: extended, Tools: tools()}
	return &t
}

func testRunner(worth func() bool) *Runner {
	r := New(Config{SnapshotKey: []byte("a key of the tests")})
	r.worth = func(_, _ time.Duration) bool { return worth() }
	return r
}

func always() bool { return true }
func never() bool  { return false }

// attemptOn makes one attempt of a run.
func attemptOn(t testing.TB, r *Runner, task *api.Task, inputs map[string]any, e *engine) (*api.Result, error) {
	t.Helper()
	if err := r.Validate(task); err != nil {
		t.Fatal(err)
	}
	params := task.Signature.Inputs
	if task.Orchestrator.SkipTypeCheck {
		params = untyped(params)
	}
	checked, err := (&api.Submission{Inputs: inputs}).CompleteInputs(params)
	if err != nil {
		return nil, err
	}
	return r.Run(context.Background(), "run", &api.Request{Task: task, Inputs: checked, Caller: e})
}
