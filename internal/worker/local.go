package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
	"github.com/glovebox-dev/glovebox/value"
)

// Func is the code of a function. It returns every declared output. When ctx
// ends, it should too.
type Func func(ctx context.Context, call Invocation) (map[string]any, error)

// local is a function of this process. It takes as many calls as come: the
// engine bounds them.
type local struct {
	runner *Runner
	key    key
	fn     Func
	calls  map[*call]context.CancelFunc // nil until begun
}

// Register offers a function of this process until release is called. Calls
// under way then continue. A second function with the same id is a conflict.
func (r *Runner) Register(task api.Task, fn Func) (release func(), err error) {
	if err := r.Validate(&task); err != nil {
		return nil, err
	}
	if fn == nil {
		return nil, api.WrongField("function", "nil", "code")
	}
	l := &local{runner: r, fn: fn, key: keyOf(task.Function.ID, task.Signature, false), calls: map[*call]context.CancelFunc{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed(api.NotStarted)
	}
	for _, p := range r.providers {
		if other, ok := p.(*local); ok && other.key.function == l.key.function {
			return nil, api.Errorf(api.Conflict, "function %q is registered already", l.key.function).
				WithDetails(api.Details{Field: "function.id", Got: l.key.function, Expected: "an id that is not taken"})
		}
	}
	r.providers = append(r.providers, l)
	r.match()
	return func() { r.withdraw(l) }, nil
}

// Here reports whether the function of a task is offered by this process.
func (r *Runner) Here(task *api.Task) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.providers, func(p provider) bool {
		l, ok := p.(*local)
		return ok && l.key.function == task.Function.ID
	})
}

func (r *Runner) withdraw(p provider) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(p)
}

func (l *local) offers(k key) bool {
	k.files = false // every path of this process is one
	return k == l.key
}

func (l *local) free() bool     { return true }
func (l *local) active() int    { return len(l.calls) }
func (l *local) ids() []string  { return []string{l.key.function} }
func (l *local) add(c *call)    { l.calls[c] = nil }
func (l *local) remove(c *call) { delete(l.calls, c) }

func (l *local) begin(ctx context.Context, c *call) {
	a := c.attempt
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.limit())
	l.runner.mu.Lock()
	defer l.runner.mu.Unlock()
	if c.ended {
		cancel()
		return
	}
	c.written, c.started = true, true
	l.calls[c] = cancel
	inputs, _ := value.CheckSome(a.inputs.Params(), a.inputs.Map()) // a copy, which the function may change
	call := Invocation{
		RunID: a.runID, Inputs: inputs.Map(), IdempotencyKey: a.req.IdempotencyKey,
		Stdout: printer{c, "stdout"}, Stderr: printer{c, "stderr"},
	}
	go Call(ctx, l.fn, call, func(outputs map[string]any, err *api.Error) {
		cancel()
		l.runner.mu.Lock()
		defer l.runner.mu.Unlock()
		l.runner.end(c, outcome{outputs: outputs, err: err})
	})
}

func (l *local) stop(c *call) {
	if cancel := l.calls[c]; cancel != nil {
		cancel()
	}
}

func (l *local) close() {
	for c := range l.calls {
		l.stop(c)
		l.runner.end(c, outcome{err: errClosed(api.Unknown)})
	}
}

// printer is what a function of this process prints to.
type printer struct {
	call   *call
	stream string
}

// Write sends text in pieces of a bounded size. It waits as long as the run
// reads them, also after the function was asked to stop.
func (p printer) Write(text []byte) (int, error) {
	n := len(text)
	for len(text) > 0 {
		piece := text[:min(len(text), wire.MaxText)]
		p.call.print(context.Background(), p.stream, string(piece))
		text = text[len(piece):]
	}
	return n, nil
}

// Call calls fn and tells done its end, once, whatever fn does: it may return,
// panic, or end its goroutine.
func Call(ctx context.Context, fn Func, call Invocation, done func(map[string]any, *api.Error)) {
	if call.Stdout == nil {
		call.Stdout = io.Discard
	}
	if call.Stderr == nil {
		call.Stderr = io.Discard
	}
	var outputs map[string]any
	failure := api.Errorf(api.FunctionFailed, "the function ended its goroutine instead of returning")
	defer func() {
		if p := recover(); p != nil {
			outputs, failure = nil, panicked(p)
		}
		done(outputs, failure)
	}()
	returned, err := fn(ctx, call)
	outputs, failure = ending(ctx, returned, err)
}

// ending is how fn ended by returning.
func ending(ctx context.Context, outputs map[string]any, err error) (map[string]any, *api.Error) {
	switch {
	case err == nil && outputs == nil:
		return map[string]any{}, nil
	case err == nil:
		return outputs, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, api.Errorf(api.Timeout, "the function took longer than its limit: %s", err)
	}
	return nil, asFailure(err)
}

// maxStack bounds the stack of a panic in an error.
const maxStack = 64 << 10

func panicked(p any) *api.Error {
	stack := strings.ToValidUTF8(string(debug.Stack()), "\uFFFD")
	return api.Errorf(api.FunctionFailed, "the function panicked: %.4096s", fmt.Sprint(p)).
		WithHint("read the stack in the details").
		WithDetails(api.Details{Log: value.Shorten(stack, maxStack)})
}
