package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// cells is a Runner of programs in Go, by the name of the task. It counts those
// under way.
type cells struct {
	engine   *Engine
	programs map[string]func(ctx context.Context, c cells, run string, req *api.Request) error
	now      *atomic.Int64
	most     *atomic.Int64
}

func (cells) Validate(*api.Task) error { return nil }

func (cells) Identity(context.Context, *api.Task, func(api.Progress)) (string, error) { return "", nil }

func (c *cells) Run(ctx context.Context, run string, req *api.Request) (*api.Result, error) {
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
	result := &api.Result{}
	for _, p := range req.Task.Signature.Outputs {
		result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: int64(1)})
	}
	return result, c.programs[req.Task.Name](ctx, *c, run, req)
}

// start starts a task below a run.
func (c cells) start(ctx context.Context, parent string, task *api.Task, inputs map[string]any) (*api.Run, error) {
	return c.engine.Submit(ctx, api.Submission{Task: task, Parent: parent, Inputs: inputs})
}

// call starts a task below a run and waits for it.
func (c cells) call(ctx context.Context, parent string, task *api.Task, inputs map[string]any) error {
	run, err := c.start(ctx, parent, task, inputs)
	if err == nil {
		_, err = c.engine.Wait(ctx, run.ID)
	}
	return err
}

// withCells makes an engine with so many slots for cells and for orchestrators.
func withCells(t *testing.T, h *host, owner string, slots, orchestrators int) (*Engine, *cells) {
	c := &cells{
		programs: map[string]func(context.Context, cells, string, *api.Request) error{}, now: new(atomic.Int64), most: new(atomic.Int64),
	}
	c.programs["leaf"] = func(context.Context, cells, string, *api.Request) error { return nil }
	config := h.config(owner, h.journal)
	config.Kinds[api.KindSandbox] = c
	config.Limits = map[api.TaskKind]int{api.KindSandbox: slots, api.KindOrchestrator: orchestrators, api.KindFunction: 1}
	h.mu.Lock()
	h.alive[owner] = true
	h.mu.Unlock()
	c.engine = New(config)
	t.Cleanup(c.engine.Close)
	return c.engine, c
}

func program(name string) *api.Task {
	return &api.Task{Name: name, StartsRuns: true, Cache: api.CacheDisable, Signature: api.Signature{Outputs: ints("n")}}
}

// builds is a Runner of cells whose images take a while.
type builds struct{ runnerFunc }

const buildTakes = 20 * time.Millisecond

func (builds) Identity(context.Context, *api.Task, func(api.Progress)) (string, error) {
	time.Sleep(buildTakes)
	return "an image", nil
}

// TestBuildIsCounted: the cache asks for the image before the attempt does, and that is
// time for the image all the same.
func TestBuildIsCounted(t *testing.T) {
	h := newHost(t)
	db, err := sqlite.Open(t.Context(), h.dir+"/journal.db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	config := h.config("a", h.journal)
	config.Cache = db.Cache()
	config.Kinds[api.KindSandbox] = builds{func(context.Context, string, *api.Request) (*api.Result, error) {
		out := api.Output{Name: "n", Type: integer, Value: int64(1)}
		return &api.Result{Timings: api.Timings{Image: time.Second}, Outputs: []api.Output{out}}, nil
	}}
	e := New(config)
	defer e.Close()
	for mode, least := range map[api.CacheMode]time.Duration{api.CacheOverride: time.Second + buildTakes, api.CacheDisable: time.Second} {
		result, err := run1(t, e, &api.Task{Name: "cell", Cache: mode, Signature: api.Signature{Outputs: ints("n")}}, nil)
		if err != nil || result.Timings.Image < least {
			t.Errorf("%s: %+v, %v", mode, result.Timings, err)
		}
	}
}

// TestNestedCells has a cell start a cell, five deep, in one slot.
func TestNestedCells(t *testing.T) {
	h := newHost(t)
	e, c := withCells(t, h, "a", 1, 1)
	nested := program("nested")
	nested.Signature.Inputs = ints("depth")
	c.programs["nested"] = func(ctx context.Context, c cells, run string, req *api.Request) error {
		depth := req.Inputs.Map()["depth"].(int64)
		if depth == 0 {
			return nil
		}
		first := c.call(ctx, run, nested, map[string]any{"depth": depth - 1})
		return errors.Join(first, c.call(ctx, run, program("leaf"), nil))
	}
	if _, err := run1(t, e, nested, map[string]any{"depth": 5}); err != nil {
		t.Error(err)
	}
	if most := c.most.Load(); most != 6 {
		t.Errorf("%d cells at once", most)
	}
	e.checkRest(t)
	checkAllOf(t, h)
}

// TestCellsOfOneParent (C06) has one cell start many: of all, as many are under
// way as there are slots, and one more in the slot that the parent lends.
func TestCellsOfOneParent(t *testing.T) {
	h := newHost(t)
	e, c := withCells(t, h, "a", 2, 1)
	c.programs["many"] = func(ctx context.Context, c cells, run string, _ *api.Request) error {
		errs := make([]error, 50)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = c.call(ctx, run, program("leaf"), nil) })
		}
		all.Wait()
		return errors.Join(errs...)
	}
	var all sync.WaitGroup
	for range 3 { // also beside others
		all.Go(func() {
			if _, err := run1(t, e, program("many"), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most := c.most.Load(); most > 4 {
		t.Errorf("%d cells at once in 2 slots, each of which lends one", most)
	}
	c.most.Store(0)
	if _, err := run1(t, e, program("many"), nil); err != nil || c.most.Load() > 3 {
		t.Errorf("%d cells at once: %v", c.most.Load(), err)
	}
	e.checkRest(t)
	checkAllOf(t, h)
}

// TestKindsWaitForEachOther has cells wait for orchestrators that call cells, and
// orchestrators for cells that start orchestrators, with one slot of each kind.
func TestKindsWaitForEachOther(t *testing.T) {
	h := newHost(t)
	tools := h.arithmetic()
	e, c := withCells(t, h, "a", 1, 1)
	leaf := *program("leaf")
	inner := orchestrate("add(leaf(), 1)", integer, leaf, tools[0])
	c.programs["starts"] = func(ctx context.Context, c cells, run string, _ *api.Request) error {
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = c.call(ctx, run, inner, nil) })
		}
		all.Wait()
		return errors.Join(errs...)
	}
	starts := *program("starts")
	outer := orchestrate("sum(await gather(starts(), starts()))", integer, starts)
	var all sync.WaitGroup
	for _, task := range []*api.Task{&starts, outer, &starts, outer} {
		all.Go(func() {
			if _, err := run1(t, e, task, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	e.checkRest(t)
	checkAllOf(t, h)
}

// TestStartedEndsWithItsAttempt (C05): what an attempt started has ended when the
// next one begins, whether it ran or waited, and when the run ends.
func TestStartedEndsWithItsAttempt(t *testing.T) {
	h := newHost(t)
	e, c := withCells(t, h, "a", 2, 1)
	var below []string
	running := make(chan struct{}, 200)
	c.programs["stays"] = func(ctx context.Context, _ cells, _ string, _ *api.Request) error {
		running <- struct{}{}
		<-ctx.Done()
		return context.Cause(ctx)
	}
	attempts := 0
	c.programs["fails"] = func(ctx context.Context, c cells, run string, _ *api.Request) error {
		for _, id := range below {
			if rec, err := h.journal.Load(ctx, id); err != nil || rec.Status != api.StatusCanceled {
				t.Errorf("in attempt %d, what the one before started is %s: %v", attempts+1, rec.Status, err)
			}
		}
		attempts++
		for range 100 { // more than its queue lets pass at the same time
			started, err := c.start(ctx, run, program("stays"), nil)
			if err != nil {
				t.Error(err)
				return err
			}
			below = append(below, started.ID)
		}
		<-running
		return api.Errorf(api.PythonException, "attempt %d", attempts)
	}
	task := program("fails")
	task.Retries = 1
	if _, err := run1(t, e, task, nil); api.AsError(err).Code != api.PythonException || attempts != 2 {
		t.Errorf("after %d attempts: %v", attempts, err)
	}
	for _, id := range below {
		if rec, err := h.journal.Load(t.Context(), id); err != nil || rec.Status != api.StatusCanceled {
			t.Errorf("afterwards, run %s is %s: %v", id, rec.Status, err)
		}
	}
	e.checkRest(t)
	checkAllOf(t, h)
}

// TestParentWithoutAttempt: a run can be put below a cell only while the cell
// has an attempt under way, which ends the run with it.
func TestParentWithoutAttempt(t *testing.T) {
	h := newHost(t)
	e, c := withCells(t, h, "a", 1, 1)
	held, release := make(chan string), make(chan struct{})
	c.programs["holds"] = func(_ context.Context, _ cells, run string, _ *api.Request) error {
		held <- run
		<-release
		return nil
	}
	submit(t, e, api.Submission{Task: program("holds")})
	<-held
	waits := submit(t, e, api.Submission{Task: program("leaf")})
	if _, err := c.start(t.Context(), waits.ID, program("leaf"), nil); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("below a run that waits: %v", err)
	}
	close(release)
	if _, err := e.Wait(t.Context(), waits.ID); err != nil {
		t.Error(err)
	}
	e.checkRest(t)
}

// TestFloodOfSubmissions (C06): what a cell started waits in a queue of its own,
// which has an end, and whose memory holds neither tasks nor inputs.
func TestFloodOfSubmissions(t *testing.T) {
	h := newHost(t)
	e, c := withCells(t, h, "a", 1, 1)
	e.config.MaxQueued = 10
	c.programs["stays"] = func(ctx context.Context, _ cells, _ string, _ *api.Request) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	c.programs["floods"] = func(ctx context.Context, c cells, run string, _ *api.Request) error {
		for i := range api.DefaultParallel + 10 {
			started, err := c.start(ctx, run, program("stays"), nil)
			if err != nil {
				t.Errorf("run %d: %v", i, err)
				return err
			}
			if r := c.engine.liveRun(started.ID); i >= api.DefaultParallel && r.task != nil {
				t.Errorf("run %d waits with its task", i)
			}
		}
		_, err := c.start(ctx, run, program("stays"), nil)
		if !errors.Is(err, &api.Error{Code: api.Overloaded}) {
			t.Errorf("one too many: %v", err)
		}
		return nil
	}
	if _, err := run1(t, e, program("floods"), nil); err != nil {
		t.Error(err)
	}
	if _, err := run1(t, e, program("leaf"), nil); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	e.checkRest(t)
	checkAllOf(t, h)
}

// TestForgottenRuns: when the process of a cell dies, the runs that it started
// do not resume by themselves, and end with the next attempt of the run above.
func TestForgottenRuns(t *testing.T) {
	h := newHost(t)
	e, c := withCells(t, h, "a", 2, 1)
	below := make(chan string, 1)
	c.programs["stays"] = func(ctx context.Context, _ cells, run string, _ *api.Request) error {
		below <- run
		<-ctx.Done()
		return context.Cause(ctx)
	}
	c.programs["starts"] = func(ctx context.Context, c cells, run string, _ *api.Request) error {
		return c.call(ctx, run, program("stays"), nil)
	}
	task := program("starts")
	task.Idempotent = true
	top := submit(t, e, api.Submission{Task: task})
	child := <-below
	h.kill("a", e)
	e2, c2 := withCells(t, h, "b", 2, 1)
	c2.programs["starts"] = func(ctx context.Context, _ cells, _ string, _ *api.Request) error {
		if rec, err := h.journal.Load(ctx, child); err != nil || rec.Status != api.StatusInterrupted {
			t.Errorf("the run of the dead process is %s: %v", rec.Status, err)
		}
		return nil
	}
	if _, err := e2.Recover(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := e2.Wait(t.Context(), top.ID); err != nil {
		t.Error(err)
	}
	if rec, err := h.journal.Load(t.Context(), child); err != nil || rec.Status != api.StatusCanceled {
		t.Errorf("what nobody asked for again is %s: %v", rec.Status, err)
	}
	e2.checkRest(t)
	checkAllOf(t, h)
}

func TestParentOf(t *testing.T) {
	h := newHost(t)
	e, c := withCells(t, h, "a", 2, 1)
	var parents [2]string
	c.programs["starts"] = func(ctx context.Context, c cells, run string, _ *api.Request) error {
		child, err := c.start(ctx, run, program("leaf"), nil)
		if err != nil {
			return err
		}
		parents[0], err = c.engine.ParentOf(ctx, child.ID)
		if parents[0] != run || err != nil {
			t.Errorf("the parent is %q, %v", parents[0], err)
		}
		if _, err := c.engine.Wait(ctx, child.ID); err != nil {
			return err
		}
		parents[1], err = c.engine.ParentOf(ctx, child.ID) // from the journal
		return err
	}
	if _, err := run1(t, e, program("starts"), nil); err != nil || parents[0] != parents[1] {
		t.Errorf("parents %q: %v", parents, err)
	}
	if _, err := e.ParentOf(t.Context(), "none"); !errors.Is(err, &api.Error{Code: api.NotFound}) {
		t.Errorf("of no run: %v", err)
	}
}

// TestSameRunBelowItself has a task that may be answered from the cache call
// itself: it must not wait for its own end.
func TestSameRunBelowItself(t *testing.T) {
	h := newHost(t)
	e, c := withCells(t, h, "a", 1, 1)
	e.config.Cache, e.eviction.Store = emptyCache{}, emptyCache{}
	task := program("itself")
	task.Cache = api.CacheAuto
	depth := 0
	c.programs["itself"] = func(ctx context.Context, c cells, run string, _ *api.Request) error {
		if depth++; depth == 3 {
			return nil
		}
		return c.call(ctx, run, task, nil)
	}
	if _, err := run1(t, e, task, nil); err != nil || depth != 3 {
		t.Errorf("%d deep: %v", depth, err)
	}
	e.checkRest(t)
}

// emptyCache keeps nothing.
type emptyCache struct{ cache.Store }

func (emptyCache) Lookup(context.Context, string) (*cache.Entry, error) {
	return nil, cache.ErrNotFound
}
func (emptyCache) Put(context.Context, cache.Entry) error { return nil }
func (emptyCache) Recent(context.Context, string, int) ([]cache.Entry, error) {
	return nil, nil
}
func (emptyCache) Evict(context.Context, time.Time, int64) (int, error) { return 0, nil }
