package engine

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/signal"
	"github.com/glovebox-dev/glovebox/value"
)

// oneToken is what each function says that it asked of a model.
var oneToken = api.ModelUsage{Input: 1, Cost: 0.5}

// functions is a Runner of Go functions by the id of the task's function.
type functions struct {
	mu   sync.Mutex
	code map[string]func(ctx context.Context, inputs map[string]any) (any, error)
	done []string            // runs that were executed to their end, by id of the function
	keys map[string][]string // that each function was given, in the order of the attempts
}

func newFunctions() *functions {
	return &functions{code: map[string]func(context.Context, map[string]any) (any, error){}, keys: map[string][]string{}}
}

func (*functions) Validate(task *api.Task) error {
	if task.Function == nil {
		return api.Errorf(api.InvalidTask, "the task has no function")
	}
	return nil
}

func (*functions) Identity(_ context.Context, task *api.Task, _ func(api.Progress)) (string, error) {
	return task.Function.ID, nil
}

// theReport is the key of what keeps the report of a function.
type theReport struct{}

// theRun is the key of the id of the run in the context of a function.
type theRun struct{}

func (f *functions) Run(ctx context.Context, id string, req *api.Request) (*api.Result, error) {
	ctx = context.WithValue(context.WithValue(ctx, theRun{}, id), theReport{}, req.Report)
	f.mu.Lock()
	f.keys[req.Task.Function.ID] = append(f.keys[req.Task.Function.ID], req.IdempotencyKey)
	f.mu.Unlock()
	v, err := f.code[req.Task.Function.ID](ctx, req.Inputs.Map())
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.done = append(f.done, req.Task.Function.ID)
	f.mu.Unlock()
	result := &api.Result{ExitCode: -1, Usage: api.Usage{Models: oneToken}}
	for _, p := range req.Task.Signature.Outputs {
		result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: v})
	}
	return result, nil
}

// count returns how often a function was executed.
func (f *functions) count(id string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, done := range f.done {
		if done == id {
			n++
		}
	}
	return n
}

var integer = value.Type{Kind: value.KindInt}

func ints(names ...string) (params []value.Param) {
	for _, name := range names {
		params = append(params, value.Param{Name: name, Type: integer})
	}
	return params
}

// function makes a task of ints to an int.
func function(name string, inputs ...string) api.Task {
	return api.Task{
		Name: name, Kind: api.KindFunction, Function: &api.Function{ID: name},
		Signature: api.Signature{Inputs: ints(inputs...), Outputs: ints("result")},
	}
}

func orchestrate(code string, output value.Type, tools ...api.Task) *api.Task {
	return &api.Task{
		Name: "main", Kind: api.KindOrchestrator, Code: code, Orchestrator: &api.Orchestrator{Tools: tools, Dialect: "extended"},
		Signature: api.Signature{Outputs: []value.Param{{Name: "result", Type: output}}},
	}
}

// host is what outlives the processes of a test.
type host struct {
	t         *testing.T
	journal   journal.Journal
	functions *functions
	blobs     blob.Store
	dir       string
	mu        sync.Mutex
	alive     map[string]bool
}

func newHost(t *testing.T) *host {
	dir := t.TempDir()
	blobs, err := file.Open(dir + "/blobs")
	if err != nil {
		t.Fatal(err)
	}
	return &host{t: t, journal: newMemory(), functions: newFunctions(), blobs: blobs, dir: dir, alive: map[string]bool{}}
}

// anew is a host on which nothing has happened yet, on the same disk.
func (h *host) anew() *host {
	return &host{t: h.t, journal: newMemory(), functions: newFunctions(), blobs: h.blobs, dir: h.dir, alive: map[string]bool{}}
}

// engine starts a process. J is the host's journal unless it is given.
func (h *host) engine(owner string, j journal.Journal) *Engine {
	if j == nil {
		j = h.journal
	}
	h.mu.Lock()
	h.alive[owner] = true
	h.mu.Unlock()
	return New(h.config(owner, j))
}

func (h *host) config(owner string, j journal.Journal) Config {
	return Config{
		Kinds: map[api.TaskKind]Runner{
			api.KindFunction:     h.functions,
			api.KindSignal:       signal.Runner{},
			api.KindOrchestrator: orchestrator.New(orchestrator.Config{SnapshotKey: []byte("the key of this host, 32 bytes..")}),
		},
		Journal: j, Blobs: h.blobs, FileDir: h.dir + "/runs", LogDir: h.dir + "/logs", Owner: owner, Alive: h.lives,
		Logger: strictLogger(),
	}
}

func (h *host) lives(owner string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.alive[owner]
}

// kill ends a process, and returns when all of it stands still.
func (h *host) kill(owner string, e *Engine) {
	h.mu.Lock()
	h.alive[owner] = false
	h.mu.Unlock()
	e.Close()
}

// run submits a task and waits for its result.
func run1(t *testing.T, e *Engine, task *api.Task, inputs map[string]any) (*api.Result, error) {
	t.Helper()
	r, err := e.Submit(t.Context(), api.Submission{Task: task, Inputs: inputs})
	if err != nil {
		return nil, err
	}
	return e.Wait(t.Context(), r.ID)
}

func valueFrom(t *testing.T, result *api.Result, err error) any {
	t.Helper()
	if err != nil {
		t.Fatalf("the run failed: %v", err)
	}
	if len(result.Outputs) == 0 {
		return nil
	}
	return result.Outputs[0].Value
}

// strict drops what is logged, but for changes of phase that are not allowed:
// these are bugs.
type strict struct{ slog.Handler }

func strictLogger() *slog.Logger { return slog.New(strict{slog.DiscardHandler}) }

func (strict) Enabled(context.Context, slog.Level) bool { return true }

func (strict) Handle(_ context.Context, r slog.Record) error {
	if r.Message == forbidden {
		r.Attrs(func(a slog.Attr) bool { r.Message += " " + a.String(); return true })
		panic(r.Message)
	}
	return nil
}
