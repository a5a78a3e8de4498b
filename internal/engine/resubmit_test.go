package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// starters are hosts whose functions and cells start runs in the engine that
// carries them out.
type starters struct {
	*host
	engine *Engine
}

func (s *starters) start(owner string) *Engine {
	config := s.config(owner, s.journal)
	config.Kinds[api.KindSandbox] = s.functions
	s.mu.Lock()
	s.alive[owner] = true
	s.mu.Unlock()
	s.engine = New(config)
	s.t.Cleanup(s.engine.Close)
	return s.engine
}

// call starts a task below the run of ctx and waits for it.
func (s *starters) call(ctx context.Context, task *api.Task, x int64) (any, error) {
	run, err := s.engine.Submit(ctx, api.Submission{Task: task, Parent: ctx.Value(theRun{}).(string), Inputs: map[string]any{"x": x}})
	if err != nil {
		return nil, err
	}
	result, err := s.engine.Wait(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	return result.Outputs[0].Value, nil
}

// gather makes concurrent calls of a task, one for each input.
func (s *starters) gather(ctx context.Context, task *api.Task, inputs ...int64) error {
	errs := make([]error, len(inputs))
	var all sync.WaitGroup
	for i, x := range inputs {
		all.Go(func() { _, errs[i] = s.call(ctx, task, x) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// asParents are tasks that start runs, of both kinds.
func asParents(name string) map[string]*api.Task {
	of := function(name)
	cell := of
	cell.Kind, cell.StartsRuns = api.KindSandbox, true
	return map[string]*api.Task{"function": &of, "cell": &cell}
}

// hangs is a function that says that it began, and does not end in this process.
func hangs(began chan<- struct{}) func(context.Context, map[string]any) (any, error) {
	return func(ctx context.Context, _ map[string]any) (any, error) {
		began <- struct{}{}
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
}

func echo(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }

// TestProgramGoesOn kills the process of a program that calls others, directly
// and through an orchestrator, and resumes it: nothing that succeeded is done
// again, and a call that was under way keeps its key.
func TestProgramGoesOn(t *testing.T) {
	for kind, main := range asParents("main") {
		t.Run(kind, func(t *testing.T) {
			s := &starters{host: newHost(t)}
			first := s.start("a")
			step, slow := function("step", "x"), function("slow", "x")
			slow.Idempotent = true
			inner := *orchestrate("slow(step(x))", integer, step, slow)
			inner.Signature.Inputs = ints("x")
			order, began := []int64{1, 2, 2, 3}, make(chan struct{}, 1)
			s.functions.code["step"], s.functions.code["slow"] = echo, hangs(began)
			s.functions.code["main"] = func(ctx context.Context, _ map[string]any) (any, error) {
				if err := s.gather(ctx, &step, order...); err != nil {
					return nil, err
				}
				return s.call(ctx, &inner, 7)
			}
			run := submit(t, first, api.Submission{Task: main})
			<-began
			s.kill("a", first)

			slices.Reverse(order)
			s.functions.code["slow"] = echo
			e := s.start("b")
			if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
				t.Fatal(err)
			}
			result, err := e.Wait(t.Context(), run.ID)
			if got := valueFrom(t, result, err); got != int64(7) {
				t.Errorf("got %v", got)
			}
			if n := len(s.functions.keys["step"]); n != 5 {
				t.Errorf("step was carried out %d times for 5 calls", n)
			}
			if keys := s.functions.keys["slow"]; len(keys) != 2 || keys[0] != keys[1] {
				t.Errorf("the call that was under way had the keys %q", keys)
			}
			if calls, err := e.startedBy(t.Context(), run.ID); err != nil || len(calls) != 5 {
				t.Errorf("the program has %d runs below it instead of 5: %v", len(calls), err)
			}
			e.checkRest(t)
			checkAllOf(t, s.host)
		})
	}
}

// TestProgramMakesAgainWhatFailed has a program fail by itself: its next
// attempt, whoever asks for it, repeats only the calls that did not succeed,
// and makes more if the program asks for more.
func TestProgramMakesAgainWhatFailed(t *testing.T) {
	for _, how := range []string{"retries", "resume", "call", "rerun"} {
		t.Run(how, func(t *testing.T) {
			s := &starters{host: newHost(t)}
			e := s.start("a")
			step, main := function("step", "x"), function("main")
			var mended bool
			s.functions.code["step"] = func(_ context.Context, in map[string]any) (any, error) {
				if in["x"] == int64(2) && !mended {
					mended = true
					return nil, api.Errorf(api.FunctionFailed, "not yet")
				}
				return in["x"], nil
			}
			attempts := 0
			s.functions.code["main"] = func(ctx context.Context, _ map[string]any) (any, error) {
				for range attempts { // one call more than the attempt before
					if _, err := s.call(ctx, &step, 1); err != nil {
						return nil, err
					}
				}
				attempts++
				if _, err := s.call(ctx, &step, 1); err != nil {
					return nil, err
				}
				return s.call(ctx, &step, 2)
			}
			task := &main
			switch how {
			case "retries":
				main.Retries = 1
			case "call":
				task = orchestrate("main()", integer, main)
			}
			run := submit(t, e, api.Submission{Task: task})
			_, err := e.Wait(t.Context(), run.ID)
			if (err == nil) != (how == "retries") {
				t.Fatalf("at first: %v", err)
			}
			again, want := run, 4 // 1 and 2, then another 1, and 2
			switch how {
			case "resume", "call":
				again, err = e.Resume(t.Context(), run.ID, api.ResumeOptions{})
			case "rerun":
				again, err = e.Rerun(t.Context(), run.ID, api.RerunOptions{})
				want = 5
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Wait(t.Context(), again.ID); err != nil {
				t.Fatal(err)
			}
			keys := s.functions.keys["step"]
			if len(keys) != want {
				t.Fatalf("step was carried out %d times, expected %d", len(keys), want)
			}
			if keys[1] == keys[want-1] != (how != "rerun") {
				t.Errorf("the call that failed and was made again had the keys %q", keys)
			}
			checkAllOf(t, s.host)
		})
	}
}

// TestProgramWithACallInDoubt kills the process within a call that is not
// idempotent, however deep: the program does not resume by itself, and when it
// is resumed, only that call is made again.
func TestProgramWithACallInDoubt(t *testing.T) {
	for kind, main := range asParents("main") {
		for _, deep := range []bool{false, true} {
			t.Run(kind, func(t *testing.T) {
				s := &starters{host: newHost(t)}
				first := s.start("a")
				step, pay, inner := function("step", "x"), function("pay", "x"), function("inner", "x")
				began := make(chan struct{}, 1)
				s.functions.code["step"], s.functions.code["pay"] = echo, hangs(began)
				s.functions.code["inner"] = func(ctx context.Context, in map[string]any) (any, error) {
					if err := s.gather(ctx, &step, 4); err != nil {
						return nil, err
					}
					return s.call(ctx, &pay, 5)
				}
				s.functions.code["main"] = func(ctx context.Context, _ map[string]any) (any, error) {
					if err := s.gather(ctx, &step, 1, 2); err != nil {
						return nil, err
					}
					if deep {
						return s.call(ctx, &inner, 0)
					}
					return s.call(ctx, &pay, 5)
				}
				run := submit(t, first, api.Submission{Task: main})
				<-began
				s.kill("a", first)

				s.functions.code["pay"] = echo
				e := s.start("b")
				if _, err := e.Recover(t.Context(), true); err != nil {
					t.Fatal(err)
				}
				_, err := e.Wait(t.Context(), run.ID)
				if !errors.Is(err, &api.Error{Code: api.OutcomeUnknown}) || !strings.Contains(err.Error(), "pay") {
					t.Fatalf("gone on with by itself: %v", err)
				}
				doubt, err := e.Run(t.Context(), api.AsError(err).Details.Run)
				if doubt == nil || doubt.Task != "pay" {
					t.Errorf("the call in doubt is %+v: %v", doubt, err)
				}
				if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); !errors.Is(err, &api.Error{Code: api.Conflict}) {
					t.Errorf("resumed without a word: %v", err)
				}
				if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{RetryUnknown: true}); err != nil {
					t.Fatal(err)
				}
				result, err := e.Wait(t.Context(), run.ID)
				if got := valueFrom(t, result, err); got != int64(5) {
					t.Errorf("got %v", got)
				}
				if keys := s.functions.keys["pay"]; len(keys) != 2 || keys[0] != keys[1] {
					t.Errorf("pay had the keys %q", keys)
				}
				steps := 2
				if deep {
					steps = 3
				}
				if n := len(s.functions.keys["step"]); n != steps {
					t.Errorf("step was carried out %d times for %d calls", n, steps)
				}
				e.checkRest(t)
				checkAllOf(t, s.host)
			})
		}
	}
}

// TestProgramWithoutCallsIsInDoubt: the outcome of a function that made no call
// is unknown, for it may have had effects of its own.
func TestProgramWithoutCallsIsInDoubt(t *testing.T) {
	for kind, main := range asParents("main") {
		t.Run(kind, func(t *testing.T) {
			s := &starters{host: newHost(t)}
			first := s.start("a")
			began := make(chan struct{}, 1)
			s.functions.code["main"] = hangs(began)
			run := submit(t, first, api.Submission{Task: main})
			<-began
			s.kill("a", first)
			s.functions.code["main"] = func(context.Context, map[string]any) (any, error) { return int64(1), nil }
			e := s.start("b")
			if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
				t.Fatal(err)
			}
			_, err := e.Wait(t.Context(), run.ID)
			if inDoubt := errors.Is(err, &api.Error{Code: api.OutcomeUnknown}); inDoubt != (kind == "function") {
				t.Errorf("a %s ended with %v", kind, err)
			}
		})
	}
}

// TestSubmittedTwiceByOneAttempt: a program that runs again and repeats a
// request whose answer was lost gets the same run, and takes no other one's.
func TestSubmittedTwiceByOneAttempt(t *testing.T) {
	s := &starters{host: newHost(t)}
	e := s.start("a")
	step, main := function("step", "x"), function("main")
	main.Retries = 1
	s.functions.code["step"] = echo
	attempt := 0
	var ids [2][]string
	s.functions.code["main"] = func(ctx context.Context, _ map[string]any) (any, error) {
		attempt++
		for _, key := range []string{"first", "first", "second", "second"} {
			run, err := e.Submit(ctx, api.Submission{
				Task: &step, Parent: ctx.Value(theRun{}).(string), Inputs: map[string]any{"x": 1}, IdempotencyKey: key + string(rune('0'+attempt)),
			})
			if err != nil {
				return nil, err
			}
			ids[attempt-1] = append(ids[attempt-1], run.ID)
		}
		if attempt == 1 {
			for _, id := range ids[0] {
				if _, err := e.Wait(ctx, id); err != nil {
					return nil, err
				}
			}
			return nil, api.Errorf(api.FunctionFailed, "once more")
		}
		return int64(1), nil
	}
	if _, err := run1(t, e, &main, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ids[0], ids[1]) || ids[0][0] != ids[0][1] || ids[0][1] == ids[0][2] {
		t.Errorf("the attempts got the runs %q", ids)
	}
}
