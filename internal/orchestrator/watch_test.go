package orchestrator

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// deafRunner has an interpreter whose meter is switched off: it notices neither
// its time limit nor the end of its context.
func deafRunner() *Runner {
	r := testRunner(never)
	r.deaf, r.timeGrace, r.cancelGrace = true, 10*time.Millisecond, 10*time.Millisecond
	return r
}

// long is code that is in the interpreter for a while, and then makes a call.
const long = "n = 0\nwhile n < 30_000_000:\n    n += 1\nadd(1, 1)"

// untilReturned waits until the interpreters that were given up are back.
func untilReturned(r *Runner) {
	for r.Stray() != 0 {
		time.Sleep(time.Millisecond)
	}
}

func TestCanceledWithoutAMeter(t *testing.T) {
	r, e := deafRunner(), newEngine(funcs())
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(10*time.Millisecond, func() { cancel(errors.New("enough")) })
	_, err := r.Run(ctx, "run", &api.Request{Task: task(long, "int"), Caller: e})
	if !errors.Is(err, &api.Error{Code: api.Canceled}) || r.Stray() != 1 {
		t.Fatalf("got %v with %d astray", err, r.Stray())
	}
	untilReturned(r)
	if len(e.starts) > 0 {
		t.Errorf("a run that has ended made the calls %v", e.starts)
	}
}

func TestTimeLimitWithoutAMeter(t *testing.T) {
	r, e := deafRunner(), newEngine(funcs())
	flow := task(long, "int")
	flow.Orchestrator.Limits.Time = time.Millisecond
	result, err := r.Run(context.Background(), "run", &api.Request{Task: flow, Caller: e})
	if !errors.Is(err, &api.Error{Code: api.Timeout}) || result.RunID != "run" {
		t.Fatalf("got %v, %v", result, err)
	}
	untilReturned(r)
	if len(e.starts) > 0 {
		t.Errorf("a run that has ended made the calls %v", e.starts)
	}
}

// An attempt in the goroutine of its caller takes that with it, and its error
// comes from elsewhere.
func TestHereWithoutAMeter(t *testing.T) {
	for name, test := range map[string]struct {
		limit time.Duration
		want  api.Code
	}{
		"time limit": {time.Millisecond, api.Timeout},
		"canceled":   {time.Hour, api.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			r, e := deafRunner(), newEngine(funcs())
			flow := task(long, "int")
			flow.Orchestrator.Limits.Time = test.limit
			attempt, err := r.PrepareHere(flow)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			if test.want == api.Canceled {
				time.AfterFunc(10*time.Millisecond, func() { cancel(errors.New("enough")) })
			}
			hung, ended := make(chan error, 1), make(chan bool, 1)
			go func() {
				goesOn := false
				defer func() { ended <- goesOn }()
				attempt(ctx, &api.Request{Task: flow, Caller: e}, func(err error) { hung <- err })
				goesOn = true
			}()
			if err := <-hung; !errors.Is(err, &api.Error{Code: test.want}) || r.Stray() != 1 {
				t.Errorf("got %v with %d astray", err, r.Stray())
			}
			if <-ended {
				t.Error("the caller goes on after its attempt was given up")
			}
			if len(e.starts) > 0 || r.Stray() != 0 {
				t.Errorf("the calls %v, %d astray", e.starts, r.Stray())
			}
			cancel(nil)
		})
	}
}

func TestHere(t *testing.T) {
	r := testRunner(never)
	attempt, err := r.PrepareHere(task("add(1, 1)", "int"))
	if err != nil {
		t.Fatal(err)
	}
	result, err := attempt(t.Context(), &api.Request{Task: task("add(1, 1)", "int"), Caller: newEngine(funcs())}, func(err error) { t.Error(err) })
	if err != nil || result.Outputs[0].Value != int64(2) {
		t.Errorf("got %v, %v", result, err)
	}
}

// A run that waits is not in the interpreter, however long it takes.
func TestWaitingIsNotHanging(t *testing.T) {
	r := deafRunner()
	flow := task("add(1, 1)", "int")
	flow.Orchestrator.Limits.Time = time.Millisecond
	slow := &slowly{pause: 100 * time.Millisecond}
	result, err := r.Run(context.Background(), "run", &api.Request{Task: flow, Caller: slow})
	if err != nil || result.Outputs[0].Value != int64(1) {
		t.Errorf("got %v, %v", result, err)
	}
}

// slowly is instant with a pause.
type slowly struct {
	instant
	pause time.Duration
}

func (c *slowly) Next(ctx context.Context, wake time.Time) (api.Answer, error) {
	time.Sleep(c.pause)
	return c.instant.Next(ctx, wake)
}

// A panic outside of the interpreter is the engine's.
func TestPanicOfTheCallerIsPassedOn(t *testing.T) {
	defer func() {
		if p := recover(); p != "the caller" {
			t.Errorf("got %v", p)
		}
	}()
	_, _ = New(Config{}).Run(context.Background(), "run", &api.Request{Task: task("add(1, 1)", "int"), Caller: panicking{}})
}

type panicking struct{ *instant }

func (panicking) Start(context.Context, api.Call) error { panic("the caller") }
