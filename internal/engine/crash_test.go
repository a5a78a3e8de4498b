package engine

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/value"
)

// arithmetic are the tools of the documents' pipeline.
func (h *host) arithmetic() []api.Task {
	h.functions.code["add"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"].(int64) + in["y"].(int64), nil }
	h.functions.code["multiply"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"].(int64) * in["y"].(int64), nil }
	h.functions.code["fib"] = func(_ context.Context, in map[string]any) (any, error) {
		a, b := int64(0), int64(1)
		for range in["n"].(int64) {
			a, b = b, a+b
		}
		return a, nil
	}
	h.functions.code["fail"] = func(_ context.Context, in map[string]any) (any, error) {
		e := api.Errorf(api.PythonException, "ValueError: %d", in["x"])
		return nil, e.WithDetails(api.Details{Exception: &api.Exception{Type: "ValueError", Message: fmt.Sprint(in["x"])}})
	}
	h.functions.code["never"] = func(ctx context.Context, _ map[string]any) (any, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	h.functions.code["pay"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"].(int64) * 10, nil }
	return []api.Task{
		function("add", "x", "y"), function("multiply", "x", "y"), function("fib", "n"), function("fail", "x"), function("never", "x"),
		approved(function("pay", "x"), api.Approval{}), signalOf("vote", "x"),
	}
}

// programs are orchestrators whose result does not depend on chance.
var programs = map[string]string{
	"pipeline": `
fib_result = fib(n)
linear_result = add(multiply(n, 2), 5)
total = add(fib_result, linear_result)
{"fib": fib_result, "linear": linear_result, "total": total}`,
	"gather": `
parts = await gather(*[multiply(i, i) for i in range(n)])
sum(parts) + add(1, 2)`,
	"chains": `
async def chain(i):
    a = await add(i, 1)
    b = await multiply(a, 2)
    return await add(b, i)
await gather(chain(1), chain(2), chain(3))`,
	"map":      `glovebox_map("multiply", list(range(n)), [2] * n)`,
	"handled":  "results = []\nfor i in range(4):\n    try:\n        results.append(fail(i))\n    except ValueError as e:\n        results.append(add(i, 10))\nresults",
	"no calls": `n * 2`,
	"sleeping": "import asyncio, time\nx = add(n, 1)\ntime.sleep(0.002)\ny = add(x, 1)\nawait asyncio.sleep(0.3)\n" +
		"async def slow():\n    await asyncio.sleep(0.001)\n    return 5\n" +
		"try:\n    await asyncio.wait_for(asyncio.sleep(60), timeout=0.002)\nexcept TimeoutError:\n    y = add(y, 100)\n" +
		"y + await asyncio.wait_for(slow(), timeout=60)",
	// A call is the same only if what it is given is.
	"world": "import random, time, uuid\nfrom datetime import datetime\nseen = [time.time()]\nfor i in range(3):\n" +
		"    add(time.time_ns(), random.getrandbits(60))\n    add(uuid.uuid4().int % 2 ** 60, i)\n    time.sleep(0.003)\n    seen.append(datetime.now().timestamp())\n" +
		"    print(seen[-1], random.random())\n(seen == sorted(set(seen)), seen[3] - seen[0] >= 0.009, abs(time.time() - seen[3]) < 60)",
	"given up": `
import asyncio
async def main():
    tasks = [asyncio.create_task(never(i)) for i in range(3)]
    x = await add(n, 1)
    tasks[0].cancel()
    work = sum(i % 7 for i in range(100000))  # enough for a snapshot to be worth it
    y = await add(x, 1)
    tasks[2].cancel()
    work = sum(i % 7 for i in range(100000))
    z = await add(y, 1)
    tasks[1].cancel()
    await asyncio.sleep(0)
    return [z, [t.cancelled() for t in tasks]]
asyncio.run(main())`,
	"signaled": `
votes = await gather(vote(n), vote(2), add(1, 2))
votes + [vote(add(votes[0], 1))]`,
	"approved": `
paid = [pay(n)]
for x in 100, 7:
    try:
        paid.append(pay(x) + add(x, 1))
    except PermissionError as e:
        paid.append(str(e))
paid`,
	"printing": "for i in range(3):\n    print('step', i, add(i, i))\nn",
}

func withN(task *api.Task) *api.Task {
	task.Signature.Inputs = ints("n")
	return task
}

var anything = value.Type{Kind: value.KindAny}

// TestCrashAtEveryStep kills the process after each submission to the journal
// and resumes in another: the outputs are those of a straight run, and no call
// whose end was kept is executed again.
func TestCrashAtEveryStep(t *testing.T) {
	for name, code := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			straight := newHost(t)
			e := straight.engine("a", nil)
			defer e.Close()
			defer decideAll(t, e)()
			result, err := run1(t, e, inTheWorld(withN(orchestrate(code, anything, idempotent(straight.arithmetic())...))), map[string]any{"n": 6})
			want := valueFrom(t, result, err)
			steps := straight.journal.(*memory).changes
			for left := range steps {
				crashOnce(t, straight.anew(), code, "k", left, want, straight.functions.done)
			}
			for left := range steps { // without a key, it goes ahead of its creation
				crashOnce(t, straight.anew(), code, "", left, want, straight.functions.done)
			}
		})
	}
}

// inTheWorld grants the clock and the randomness of the host.
func inTheWorld(task *api.Task) *api.Task {
	task.Orchestrator.Clock, task.Orchestrator.Random = api.RealClock, api.RealRandom
	return task
}

func idempotent(tasks []api.Task) []api.Task {
	for i := range tasks {
		tasks[i].Idempotent = true
	}
	return tasks
}

func crashOnce(t *testing.T, h *host, code, key string, left int, want any, calls []string) {
	t.Helper()
	dying := newCrashing(h.journal, left)
	first := h.engine("a", dying)
	task := inTheWorld(withN(orchestrate(code, anything, idempotent(h.arithmetic())...)))
	leave := decideAll(t, first)
	ctx, cancel := context.WithCancel(t.Context())
	submitted := make(chan error, 1)
	go func() {
		_, err := first.Submit(ctx, api.Submission{Task: task, Inputs: map[string]any{"n": 6}, IdempotencyKey: key})
		submitted <- err
	}()
	select {
	case <-dying.died:
	case <-time.After(30 * time.Second):
		t.Fatalf("the process did not die after %d submissions", left)
	}
	close(dying.gone)
	leave()
	h.kill("a", first)
	cancel()
	<-submitted
	kept := len(h.journal.(*memory).ended())

	second := h.engine("b", nil)
	defer second.Close()
	defer decideAll(t, second)()
	if _, err := second.Recover(t.Context(), true); err != nil {
		t.Fatalf("recover after %d submissions: %v", left, err)
	}
	id := h.journal.(*memory).first()
	if left == 0 && (id != "" || len(h.functions.done) > 0) {
		t.Errorf("before anything was durable: run %q, done %v", id, h.functions.done)
	}
	if key != "" || id == "" {
		run, err := second.Submit(t.Context(), api.Submission{Task: task, Inputs: map[string]any{"n": 6}, IdempotencyKey: key})
		if err != nil {
			t.Fatalf("submit again after %d submissions: %v", left, err)
		}
		id = run.ID
	}
	result, err := second.Wait(t.Context(), id)
	if err != nil {
		t.Fatalf("after %d submissions: %v", left, err)
	}
	if diff := cmp.Diff(want, valueFrom(t, result, err), cmp.AllowUnexported(value.Dict{})); diff != "" {
		t.Errorf("after %d submissions (-straight +resumed):\n%s", left, diff)
	}
	// Calls that ended but were not kept execute again; kept ones do not.
	if done := len(h.functions.done); done < len(calls) || done-len(calls) > api.DefaultParallel {
		t.Errorf("after %d submissions: %d calls done, %d in a straight run", left, done, len(calls))
	}
	if total := len(h.journal.(*memory).ended()); total < kept {
		t.Errorf("calls were lost: %d, then %d", kept, total)
	}
	checkCharged(t, h, id)
	if result.Usage.Models != h.journal.(*memory).all(nil)[0].Usage.Models {
		t.Errorf("the result has usage %+v", result.Usage.Models)
	}
}

// checkCharged reports whether a run that has ended has the sum of what its calls
// asked of models, each once.
func checkCharged(t interface{ Errorf(string, ...any) }, h *host, id string) {
	var want api.ModelUsage
	rec, err := h.journal.Load(context.Background(), id)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	for _, call := range h.journal.(*memory).all(nil) {
		if call.Parent == id {
			want = want.Add(call.Usage.Models)
		}
		if call.Parent == id && call.Kind != api.KindSignal && call.Status == api.StatusSucceeded && !call.Cached && call.Usage.Models != oneToken {
			t.Errorf("call %s has usage %+v", call.ID, call.Usage.Models)
		}
	}
	if rec.Usage.Models != want {
		t.Errorf("run %s has usage %+v, its calls have %+v", id, rec.Usage.Models, want)
	}
}

// first is the run that was made first, or "".
func (m *memory) first() string {
	for _, rec := range m.all(nil) {
		return rec.ID
	}
	return ""
}

// TestCrashOfACellAtEveryStep kills the process of a cell that works ahead of
// the journal: either nothing of the run was seen outside, or the run is in the
// journal and can be resumed.
func TestCrashOfACellAtEveryStep(t *testing.T) {
	for _, mode := range []api.CacheMode{api.CacheDisable, api.CacheOverride} {
		for left := 0; crashCell(t, mode, left); left++ {
			if left == 20 {
				t.Fatal("a run takes 20 submissions")
			}
		}
	}
}

// crashCell reports whether there was something to crash.
func crashCell(t *testing.T, mode api.CacheMode, left int) bool {
	t.Helper()
	h := newHost(t)
	db, err := sqlite.Open(t.Context(), h.dir+"/journal.db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	cell := runnerFunc(func(ctx context.Context, _ string, req *api.Request) (*api.Result, error) {
		if _, err := req.Stdout.Write([]byte("hello")); err != nil {
			return nil, err
		}
		return &api.Result{Outputs: []api.Output{{Name: "result", Type: integer, Value: int64(1)}}}, ctx.Err()
	})
	start := func(owner string, j journal.Journal) *Engine {
		h.mu.Lock()
		h.alive[owner] = true
		h.mu.Unlock()
		config := h.config(owner, j)
		config.Kinds[api.KindSandbox], config.Cache = cell, db.Cache()
		return New(config)
	}
	task := plain("main", 0)
	task.Cache, task.Signature.Outputs = mode, ints("result")
	dying := newCrashing(h.journal, left)
	first := start("a", dying)
	var shown bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		run, err := first.Submit(ctx, api.Submission{Task: task, Stdout: &shown})
		if err == nil {
			_, err = first.Wait(ctx, run.ID)
		}
		ended <- err
	}()
	died := false
	select {
	case <-dying.died:
		died = true
		close(dying.gone)
	case err = <-ended:
	}
	h.kill("a", first)
	if !died {
		return err != nil
	}
	<-ended

	second := start("b", h.journal)
	defer second.Close()
	id := h.journal.(*memory).first()
	if id == "" {
		if shown.Len() > 0 {
			t.Errorf("%s, after %d submissions: nobody knows of a run that has shown %q", mode, left, shown.String())
		}
		return true
	}
	if _, err := second.Recover(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Resume(t.Context(), id, api.ResumeOptions{RetryUnknown: true}); err != nil {
		t.Fatalf("%s, after %d submissions: %v", mode, left, err)
	}
	result, err := second.Wait(t.Context(), id)
	if got := valueFrom(t, result, err); got != int64(1) {
		t.Errorf("%s, after %d submissions: got %v", mode, left, got)
	}
	second.checkRest(t)
	checkAllOf(t, h)
	return true
}

// ended are the calls whose end the journal holds.
func (m *memory) ended() (ids []string) {
	for _, rec := range m.all(func(*journal.Record) bool { return true }) {
		if rec.Call != 0 && rec.Status.Ended() {
			ids = append(ids, rec.ID)
		}
	}
	return ids
}
