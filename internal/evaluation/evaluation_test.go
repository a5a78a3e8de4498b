package evaluation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/evaluation"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/value"
)

// tools are one function, for each tool.
type tools func(ctx context.Context, tool string, x int64) (any, error)

func (f tools) Call(ctx context.Context, tool *api.Task, inputs value.Fields, _ func(string)) (map[string]any, error) {
	x, _ := inputs.Value("x")
	v, err := f(ctx, tool.Name, x.(int64))
	if v == nil {
		return nil, err
	}
	return map[string]any{"result": v}, err
}

// only is a runner of orchestrators.
func only(r evaluation.Runner) map[api.TaskKind]evaluation.Runner {
	return map[api.TaskKind]evaluation.Runner{api.KindOrchestrator: r}
}

func evaluator(t testing.TB, f tools, limit int) *evaluation.Evaluator {
	e := evaluation.New(evaluation.Config{Runners: only(orchestrator.New(orchestrator.Config{})), Tools: f, Limit: limit})
	t.Cleanup(e.Close)
	return e
}

// flow is code with the tool f, and g, which is async.
func flow(code string) *api.Task {
	integer := value.Type{Kind: value.KindInt}
	f := api.Task{
		Name: "f", Kind: api.KindFunction, Function: &api.Function{ID: "f"},
		Signature: api.Signature{Inputs: []value.Param{{Name: "x", Type: integer}}, Outputs: []value.Param{{Name: "result", Type: integer}}},
	}
	g := f
	g.Name, g.Signature.Async = "g", true
	return &api.Task{
		Name: "flow", Kind: api.KindOrchestrator, Code: code, Orchestrator: &api.Orchestrator{Dialect: "extended", Tools: []api.Task{f, g}},
		Signature: api.Signature{Outputs: []value.Param{{Name: "result", Type: value.Type{Kind: value.KindAny}}}},
	}
}

func evaluate(t testing.TB, e *evaluation.Evaluator, code string) (*api.Result, error) {
	return e.Evaluate(t.Context(), api.Evaluation{Task: flow(code)})
}

func wantCode(t *testing.T, err error, code api.Code) {
	t.Helper()
	if !errors.Is(err, &api.Error{Code: code}) {
		t.Errorf("got %v, want %s", err, code)
	}
}

// TestParallel shows that calls are made at the same time, as many as the task
// allows.
func TestParallel(t *testing.T) {
	var under, most atomic.Int64
	e := evaluator(t, func(_ context.Context, _ string, x int64) (any, error) {
		most.Store(max(most.Load(), under.Add(1)))
		time.Sleep(5 * time.Millisecond)
		under.Add(-1)
		return x, nil
	}, 0)
	task := flow("import asyncio\nsum(await asyncio.gather(*[g(i) for i in range(20)]))")
	task.Orchestrator.Limits.Parallel = 3
	result, err := e.Evaluate(t.Context(), api.Evaluation{Task: task})
	if err != nil || result.Outputs[0].Value != int64(190) || result.CallsMade != 20 {
		t.Fatal(result, err)
	}
	if most.Load() < 2 || most.Load() > 3 {
		t.Errorf("%d calls at the same time, want 2 or 3", most.Load())
	}
}

// TestGivenUp shows that a call ends when the code gives it up.
func TestGivenUp(t *testing.T) {
	var ended atomic.Bool
	e := evaluator(t, func(ctx context.Context, _ string, x int64) (any, error) {
		if x == 1 {
			<-ctx.Done()
			ended.Store(true)
			return nil, ctx.Err()
		}
		return x, nil
	}, 0)
	result, err := evaluate(t, e, "import asyncio\ntry:\n    await asyncio.wait_for(g(1), 0.01)\nexcept TimeoutError:\n    pass\nf(2)")
	if err != nil || result.Outputs[0].Value != int64(2) || !ended.Load() {
		t.Error(result, err, ended.Load())
	}
}

// TestLeftBehind shows that calls end that the code did not wait for.
func TestLeftBehind(t *testing.T) {
	var ended atomic.Int64
	e := evaluator(t, func(ctx context.Context, _ string, x int64) (any, error) {
		if x == 0 {
			return nil, api.Errorf(api.FunctionFailed, "no")
		}
		<-ctx.Done()
		ended.Add(1)
		return nil, ctx.Err()
	}, 0)
	_, err := evaluate(t, e, "import asyncio\nawait asyncio.gather(g(1), g(2), g(0))")
	wantCode(t, err, api.CallFailed)
	if ended.Load() != 2 {
		t.Errorf("%d of 2 calls have ended", ended.Load())
	}
}

func TestFailures(t *testing.T) {
	unknown := api.Errorf(api.WorkerLost, "the worker is gone")
	unknown.Outcome = api.Unknown
	e := evaluator(t, func(_ context.Context, _ string, x int64) (any, error) {
		switch x {
		case 0:
			return nil, nil // no output
		case 1:
			return nil, unknown
		}
		return nil, api.Errorf(api.FunctionFailed, "it failed")
	}, 0)
	for code, want := range map[string]api.Code{"f(0)": api.CallFailed, "try:\n    f(1)\nexcept Exception:\n    pass": api.OutcomeUnknown, "f(2)": api.CallFailed} {
		result, err := evaluate(t, e, code)
		wantCode(t, err, want)
		if result.ExitCode != -1 || result.Calls[0].Error == nil {
			t.Errorf("%s: result %+v", code, result)
		}
	}
}

// TestManyCalls shows that the list of calls is bounded, and that they are counted.
func TestManyCalls(t *testing.T) {
	e := evaluator(t, func(_ context.Context, _ string, x int64) (any, error) { return x, nil }, 0)
	result, err := evaluate(t, e, "for i in range(1200):\n    f(i)")
	if err != nil || result.CallsMade != 1200 || len(result.Calls) != api.MaxMadeCalls || result.Calls[999].ID != 1000 {
		t.Error(len(result.Calls), result.CallsMade, err)
	}
}

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := evaluation.New(evaluation.Config{Runners: only(orchestrator.New(orchestrator.Config{}))})
		began := time.Now()
		if _, err := e.Evaluate(t.Context(), api.Evaluation{Task: flow("import time\ntime.sleep(7200)")}); err != nil {
			t.Error(err)
		}
		if slept := time.Since(began); slept != 2*time.Hour {
			t.Errorf("it took %s", slept)
		}
		e.Close()
	})
}

// TestLimit shows that evaluations beyond the limit wait, and can be given up.
func TestLimit(t *testing.T) {
	begun, open := make(chan struct{}), make(chan struct{})
	e := evaluator(t, func(_ context.Context, _ string, x int64) (any, error) {
		begun <- struct{}{}
		<-open
		return x, nil
	}, 1)
	var first sync.WaitGroup
	first.Go(func() {
		if _, err := evaluate(t, e, "f(1)"); err != nil {
			t.Error(err)
		}
	})
	<-begun
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	_, err := e.Evaluate(ctx, api.Evaluation{Task: flow("1")})
	wantCode(t, err, api.Canceled)
	close(open)
	first.Wait()
	if _, err := evaluate(t, e, "1"); err != nil {
		t.Error(err)
	}
}

// TestClose shows that closing ends what is under way, and that nothing begins
// afterwards.
func TestClose(t *testing.T) {
	begun := make(chan struct{})
	e := evaluator(t, func(ctx context.Context, _ string, _ int64) (any, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	}, 0)
	ended := make(chan error, 1)
	go func() {
		_, err := evaluate(t, e, "f(1)")
		ended <- err
	}()
	<-begun
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if err := e.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("drained: %v", err)
	}
	e.Close()
	wantCode(t, <-ended, api.ServerUnavailable)
	_, err := evaluate(t, e, "1")
	wantCode(t, err, api.ServerUnavailable)
}

// broken is a runner whose attempts panic.
type broken struct{}

func (broken) Prepare(*api.Task) (func(context.Context, *api.Request) (*api.Result, error), error) {
	return func(context.Context, *api.Request) (*api.Result, error) { panic("a defect") }, nil
}

func TestPanicEndsOneEvaluation(t *testing.T) {
	e := evaluation.New(evaluation.Config{Runners: only(broken{})})
	defer e.Close()
	result, err := evaluate(t, e, "1")
	wantCode(t, err, api.Internal)
	if result == nil || !strings.Contains(fmt.Sprint(err), "a defect") {
		t.Error(result, err)
	}
}

// BenchmarkEvaluate is an expression, and BenchmarkCall one call of a tool.
func BenchmarkEvaluate(b *testing.B) { benchmark(b, "1 + 1") }

// BenchmarkCall is the same with a call.
func BenchmarkCall(b *testing.B) { benchmark(b, "f(1)") }

// BenchmarkCalls is the same with fifty.
func BenchmarkCalls(b *testing.B) { benchmark(b, "for i in range(50):\n    f(i)") }

func benchmark(b *testing.B, code string) {
	e := evaluator(b, func(_ context.Context, _ string, x int64) (any, error) { return x, nil }, 0)
	asked := api.Evaluation{Task: flow(code)}
	for b.Loop() {
		if _, err := e.Evaluate(b.Context(), asked); err != nil {
			b.Fatal(err)
		}
	}
}
