package engine

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// machine is a host on which anything may happen, in any order.
type machine struct {
	h      *host
	task   *api.Task
	engine *Engine
	owners int

	mu      sync.Mutex
	failing map[int64]bool       // arguments that step fails with now
	done    map[int64]int        // how often step succeeded, by argument
	runs    map[string]*modelRun // by id
	keys    map[string]string    // ids by key
}

// modelRun is what must come of a run.
type modelRun struct {
	base     int64 // its calls have the arguments base, base+1, ...
	calls    int64
	canceled int // times
}

func newMachine(h *host) *machine {
	m := &machine{h: h, failing: map[int64]bool{}, done: map[int64]int{}, runs: map[string]*modelRun{}, keys: map[string]string{}}
	step := function("step", "x")
	step.Idempotent = true
	m.h.functions.code["step"] = m.step
	m.task = orchestrate("for i in range(n): step(base + i)\nbase", integer, step)
	m.task.Signature.Inputs = ints("base", "n")
	m.start()
	return m
}

func (m *machine) step(ctx context.Context, in map[string]any) (any, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	x := in["x"].(int64)
	if m.failing[x] {
		return nil, api.Errorf(api.FunctionFailed, "step %d fails", x)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	m.done[x]++
	return x, nil
}

func (m *machine) start() {
	m.owners++
	m.engine = m.h.engine(fmt.Sprintf("process-%d", m.owners), nil)
}

// submit makes a run, some of whose calls fail for now.
func (m *machine) submit(t *rapid.T) {
	base := int64(len(m.runs)+1) * 1000
	r := &modelRun{base: base, calls: rapid.Int64Range(0, 5).Draw(t, "calls")}
	m.mu.Lock()
	for i := range r.calls {
		m.failing[base+i] = rapid.IntRange(0, 5).Draw(t, "fails") == 0
	}
	m.mu.Unlock()
	key := fmt.Sprintf("key-%d", base)
	run, err := m.engine.Submit(context.Background(), m.submission(r, key))
	if err != nil {
		t.Fatalf("submit: %v", err)
	}
	m.runs[run.ID], m.keys[key] = r, run.ID
}

func (m *machine) submission(r *modelRun, key string) api.Submission {
	return api.Submission{Task: m.task, Inputs: map[string]any{"base": r.base, "n": r.calls}, IdempotencyKey: key}
}

// again submits with a key that is known.
func (m *machine) again(t *rapid.T) {
	id := m.some(t)
	key := fmt.Sprintf("key-%d", m.runs[id].base)
	run, err := m.engine.Submit(context.Background(), m.submission(m.runs[id], key))
	if err != nil && api.AsError(err).Code != api.Conflict || err == nil && run.ID != id {
		t.Fatalf("submit again: %v, %v, want run %s", run, err, id)
	}
}

func (m *machine) some(t *rapid.T) string {
	if len(m.runs) == 0 {
		t.Skip("no runs")
	}
	ids := make([]string, 0, len(m.runs))
	for id := range m.runs {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return int(m.runs[a].base - m.runs[b].base) })
	return rapid.SampledFrom(ids).Draw(t, "run")
}

func (m *machine) cancel(t *rapid.T) {
	id := m.some(t)
	if err := m.engine.Cancel(context.Background(), id, "any reason"); err == nil {
		m.runs[id].canceled++
	} else if api.AsError(err).Code != api.Conflict {
		t.Fatalf("cancel: %v", err)
	}
}

// resume resumes a run; what failed before does not fail any more.
func (m *machine) resume(t *rapid.T) {
	id := m.some(t)
	m.mend(m.runs[id])
	if _, err := m.engine.Resume(context.Background(), id, api.ResumeOptions{}); err != nil && api.AsError(err).Code != api.Conflict {
		t.Fatalf("resume: %v", err)
	}
}

func (m *machine) mend(r *modelRun) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range r.calls {
		delete(m.failing, r.base+i)
	}
}

func (m *machine) wait(t *rapid.T) {
	id := m.some(t)
	_, _ = m.engine.Wait(context.Background(), id)
	rec, err := m.h.journal.Load(context.Background(), id)
	if err != nil || !rec.Status.Ended() && rec.Status != api.StatusInterrupted {
		t.Fatalf("run %s is %s after waiting for it: %v", id, rec.Status, err)
	}
}

// crash ends the process, and starts another.
func (m *machine) crash(t *rapid.T) {
	m.h.kill(m.engine.config.Owner, m.engine)
	m.start()
	if _, err := m.engine.Recover(context.Background(), rapid.Bool().Draw(t, "resume")); err != nil {
		t.Fatalf("recover: %v", err)
	}
}

// settle brings every run to its end, and checks what came of it.
func (m *machine) settle(t *testing.T, rt *rapid.T) {
	ctx := context.Background()
	for id, r := range m.runs {
		m.mend(r)
		_, err := m.engine.Wait(ctx, id)
		// The first time may end an attempt in which a failure was kept already.
		for tries := 0; err != nil && tries < 2; tries++ {
			if _, err := m.engine.Resume(ctx, id, api.ResumeOptions{}); err != nil {
				rt.Fatalf("resume at the end: %v", err)
			}
			_, err = m.engine.Wait(ctx, id)
		}
		if err != nil {
			rt.Fatalf("run %s: %v", id, err)
		}
		checkCharged(rt, m.h, id)
		m.mu.Lock()
		for i := range r.calls {
			// Only an end that was not kept makes a call be done again.
			if n := m.done[r.base+i]; n < 1 || n > m.owners+r.canceled {
				rt.Errorf("call %d of run %s was carried out %d times by %d processes", i+1, id, n, m.owners)
			}
		}
		m.mu.Unlock()
	}
	m.engine.checkRest(t)
	for _, rec := range m.h.journal.(*memory).all(nil) {
		checkEvents(t, m.h.journal, rec)
	}
}

// TestModel does anything in any order. In the end every run can be brought to
// success, events and records agree, and nothing is left in the engine.
func TestModel(t *testing.T) {
	before, h := runtime.NumGoroutine(), newHost(t)
	rapid.Check(t, func(rt *rapid.T) {
		m := newMachine(h.anew())
		rt.Repeat(map[string]func(*rapid.T){
			"submit": m.submit, "submit again": m.again, "cancel": m.cancel, "resume": m.resume, "wait": m.wait, "crash": m.crash,
		})
		m.settle(t, rt)
		m.engine.Close()
	})
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i > 1_000_000 {
			t.Fatalf("%d goroutines, %d at first", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}

// TestReuse draws programs, runs them with failures, and then resumes or reruns
// them: calls are reused if and only if the same call succeeded before, and is
// not one that is to be done again.
func TestReuse(t *testing.T) {
	host := newHost(t)
	rapid.Check(t, func(rt *rapid.T) {
		h := host.anew()
		e := h.engine("a", nil)
		defer e.Close()
		calls := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 8).Draw(rt, "arguments")
		fails := rapid.IntRange(0, len(calls)).Draw(rt, "the call that fails") // the last is none
		count, mended := 0, false
		h.functions.code["step"] = func(_ context.Context, in map[string]any) (any, error) {
			if count++; count == fails+1 && !mended {
				return nil, api.Errorf(api.FunctionFailed, "not yet")
			}
			return in["x"], nil
		}
		run, err := e.Submit(t.Context(), api.Submission{Task: orchestrate(sequence(calls), integer, function("step", "x"))})
		if err != nil {
			rt.Fatal(err)
		}
		if _, err = e.Wait(t.Context(), run.ID); (err == nil) != (fails == len(calls)) {
			rt.Fatalf("first: %v", err)
		}
		count, mended = 0, true
		if err != nil && rapid.Bool().Draw(rt, "resume") {
			expect(rt, h, afterResume(t, rt, e, run.ID), &count, len(calls)-fails)
			return
		}
		o := api.RerunOptions{Fresh: rapid.Bool().Draw(rt, "fresh")}
		next := calls
		if rapid.Bool().Draw(rt, "other code") {
			next = rapid.SliceOfN(rapid.IntRange(0, 3), 1, 8).Draw(rt, "other arguments")
			o.Code = sequence(next)
		}
		if !o.Fresh {
			o.From = uint64(rapid.IntRange(0, min(len(calls), fails+1)).Draw(rt, "from")) // of those that it made
		}
		again, err := e.Rerun(t.Context(), run.ID, o)
		if err != nil {
			rt.Fatal(err)
		}
		expect(rt, h, resultOf(t, rt, e, again.ID), &count, len(next)-reusable(calls[:fails], next, o))
	})
}

// reusable is how many calls of next are answered by the calls that succeeded.
func reusable(succeeded, next []int, o api.RerunOptions) (n int) {
	if o.Fresh {
		return 0
	}
	if o.From > 0 {
		succeeded = succeeded[:min(len(succeeded), int(o.From)-1)]
	}
	left := map[int]int{}
	for _, x := range succeeded {
		left[x]++
	}
	for _, x := range next {
		if left[x] > 0 {
			left[x]--
			n++
		}
	}
	return n
}

func sequence(arguments []int) string {
	var code strings.Builder
	for _, x := range arguments {
		fmt.Fprintf(&code, "step(%d)\n", x)
	}
	return code.String() + "7"
}

func afterResume(t *testing.T, rt *rapid.T, e *Engine, id string) *journal.Record {
	if _, err := e.Resume(t.Context(), id, api.ResumeOptions{}); err != nil {
		rt.Fatal(err)
	}
	return resultOf(t, rt, e, id)
}

func resultOf(t *testing.T, rt *rapid.T, e *Engine, id string) *journal.Record {
	if _, err := e.Wait(t.Context(), id); err != nil {
		rt.Fatalf("run %s: %v", id, err)
	}
	rec, err := e.config.Journal.Load(t.Context(), id)
	if err != nil {
		rt.Fatal(err)
	}
	return rec
}

// expect checks how many calls were executed, and that the others are marked.
func expect(rt *rapid.T, h *host, rec *journal.Record, count *int, want int) {
	if *count != want {
		rt.Errorf("%d calls were carried out, want %d", *count, want)
	}
	all, err := h.journal.Calls(context.Background(), rec.ID)
	if err != nil {
		rt.Fatal(err)
	}
	origins := map[string]bool{}
	for _, call := range all {
		if call.Cached && origins[call.CachedRun] {
			rt.Errorf("call %s answers twice", call.CachedRun)
		}
		if call.Cached {
			origins[call.CachedRun] = true
		}
	}
}
