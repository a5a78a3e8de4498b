package client

import (
	"context"
	"path/filepath"
	"sync"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of what waits to be sent of the prints of all functions.
const (
	maxLogs  = 64       // pieces
	logPiece = 32 << 10 // bytes
)

// serverCall is a call that the server asked for, until the server has
// acknowledged its end. Its fields are guarded by serving.mu.
type serverCall struct {
	id     string
	cancel context.CancelFunc
	ending *wire.Message // result or failure, once there is one
}

// handle deals with one message of the server.
func (w *serving) handle(l *uplink, m *wire.Message) error {
	switch m.Type {
	case wire.Invoke:
		w.begin(l, m)
	case wire.Cancel:
		w.cancel(m.Call)
	case wire.Ack:
		w.forget(m.Call)
	case wire.Bye:
		return parting(m)
	}
	return nil
}

// underWay lists the calls for a hello.
func (w *serving) underWay() []wire.UnderWay {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := make([]wire.UnderWay, 0, len(w.calls))
	for id := range w.calls {
		list = append(list, wire.UnderWay{Call: id, Started: true})
	}
	return list
}

// begin starts the function of a call. A call that is known is a repetition.
func (w *serving) begin(l *uplink, m *wire.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls[m.Call] != nil {
		return
	}
	ctx, cancel := w.contextOf(m)
	c := &serverCall{id: m.Call, cancel: cancel}
	w.calls[m.Call] = c
	f, inputs, err := w.prepare(m)
	if err != nil {
		w.report(c, failureOf(c.id, err))
		return
	}
	l.out.Put(&wire.Message{Type: wire.Started, Call: c.id})
	out, errs := w.printer(ctx, c.id, "stdout"), w.printer(ctx, c.id, "stderr")
	call := Invocation{RunID: m.Run, Inputs: inputs, IdempotencyKey: m.IdempotencyKey, Stdout: out, Stderr: errs}
	go worker.Call(ctx, f.Call, call, func(outputs map[string]any, err *api.Error) {
		out.flush()
		errs.flush()
		ending := endingOf(c.id, f.Task.Signature.Outputs, outputs, err)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.report(c, ending)
	})
}

func (w *serving) contextOf(m *wire.Message) (context.Context, context.CancelFunc) {
	if m.Timeout > 0 {
		return context.WithTimeout(w.life, m.Timeout)
	}
	return context.WithCancel(w.life)
}

// prepare finds the function of a call and reads its inputs.
func (w *serving) prepare(m *wire.Message) (Function, map[string]any, *api.Error) {
	f, ok := w.functions[m.Function]
	switch {
	case w.draining:
		return f, nil, notStarted(api.Errorf(api.WorkerUnavailable, "this worker is leaving and takes no calls any more"))
	case !ok:
		return f, nil, api.Errorf(api.WorkerUnavailable, "this worker does not offer function %.200q", m.Function)
	}
	if len(w.calls) > w.options.Capacity+maxUnacknowledged {
		return f, nil, api.Errorf(api.Overloaded, "the server asks for more calls at once than the %d that were agreed", w.options.Capacity)
	}
	inputs, err := wire.Values(api.InvalidInput, "input", f.Task.Signature.Inputs, m.Inputs)
	if err == nil {
		inputs, err = api.CompleteInputs(f.Task.Signature.Inputs, inputs)
	}
	if err != nil {
		return f, nil, notStarted(err)
	}
	return f, inputs, nil
}

// maxUnacknowledged bounds the calls that have ended and whose end the server
// has not acknowledged yet.
const maxUnacknowledged = wire.MaxCapacity

func notStarted(err error) *api.Error {
	e := api.AsError(err)
	e.Outcome = api.NotStarted
	return e
}

// report keeps the end of a call until it is acknowledged, and sends it.
func (w *serving) report(c *serverCall, ending *wire.Message) {
	c.cancel()
	c.ending = ending
	if w.link != nil {
		w.link.out.Put(ending)
	}
}

func (w *serving) cancel(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.calls[id]; c != nil {
		c.cancel()
	}
}

// forget drops a call whose end the server has.
func (w *serving) forget(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.calls[id]; c != nil && c.ending != nil {
		delete(w.calls, id)
		w.checkIdle()
	}
}

func (w *serving) stopCalls() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.calls {
		c.cancel()
	}
}

// endingOf is the message that ends a call.
func endingOf(id string, params []value.Param, outputs map[string]any, err *api.Error) *wire.Message {
	if err != nil {
		return failureOf(id, err)
	}
	complete, e := worker.CompleteOutputs(params, outputs)
	if e != nil {
		return failureOf(id, api.AsError(e))
	}
	for name, v := range complete {
		if complete[name], e = value.MapFiles(v, absolute); e != nil {
			return failureOf(id, api.BadValue(api.BadOutput, "output", name, e))
		}
	}
	text, e := api.EncodeFields(params, complete)
	m := &wire.Message{Type: wire.Result, Call: id, Outputs: text}
	if e == nil {
		_, e = m.Encode()
	}
	if e != nil {
		return failureOf(id, api.Errorf(api.OutputTooLarge, "the outputs cannot be sent: %w", e).WithHint("return large data as a File"))
	}
	return m
}

// absolute makes the path of a file one that the server can read.
func absolute(file any) (any, error) {
	ref, _ := value.RefOf(file)
	var err error
	ref.Path, err = filepath.Abs(ref.Path)
	return ref.In(file), err
}

func failureOf(id string, err *api.Error) *wire.Message {
	return &wire.Message{Type: wire.Failure, Call: id, Error: wire.ErrorText(err)}
}

// functionPrinter sends what a function prints, in pieces that do not cut characters.
// It waits while the server is slow; without a connection the text is lost.
type functionPrinter struct {
	serving      *serving
	ctx          context.Context
	call, stream string

	mu   sync.Mutex
	rest []byte // the beginning of a character
}

func (w *serving) printer(ctx context.Context, call, stream string) *functionPrinter {
	return &functionPrinter{serving: w, ctx: ctx, call: call, stream: stream}
}

// Write never fails: a function does not end because its output has no reader.
func (p *functionPrinter) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(text)
	for len(text) > 0 {
		taken := min(len(text), logPiece)
		piece := append(p.rest, text[:taken]...)
		text = text[taken:]
		whole := len(piece) - openRune(piece)
		p.rest = append([]byte(nil), piece[whole:]...)
		p.send(string(piece[:whole]))
	}
	return n, nil
}

func (p *functionPrinter) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.send(string(p.rest))
	p.rest = nil
}

// openRune returns how many bytes at the end of text begin a character that is
// not complete.
func openRune(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		tail := text[len(text)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

func (p *functionPrinter) send(text string) {
	if text == "" {
		return
	}
	p.serving.mu.Lock()
	l := p.serving.link
	p.serving.mu.Unlock()
	if l == nil {
		return
	}
	if !p.reserve(l) {
		return
	}
	sent := func() bool { <-l.logs; return true }
	l.out.Put(&wire.Message{Type: wire.Log, Call: p.call, Stream: p.stream, Text: text, Sending: sent})
}

// reserve waits for a slot in the outbox. A function that was asked to stop
// does not wait.
func (p *functionPrinter) reserve(l *uplink) bool {
	select {
	case l.logs <- struct{}{}:
		return true
	default:
	}
	select {
	case l.logs <- struct{}{}:
		return true
	case <-l.done:
	case <-p.ctx.Done():
	}
	return false
}
