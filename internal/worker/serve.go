package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
)

// handshake is how long a worker has to say hello.
const handshake = 10 * time.Second

// Peer says who is at the other end of a stream, as the server knows it.
type Peer struct {
	Owner string // who the worker belongs to, such as the digest of a token
	// Local says that the peer is a process of the same user on this host, so
	// that paths that it names may be read for it.
	Local bool
}

// errBye ends a connection as the worker asked for.
var errBye = errors.New("the worker said bye")

// Serve speaks with a worker until it leaves, its connection breaks or ctx
// ends, and closes the stream. Leaving is no error.
func (r *Runner) Serve(ctx context.Context, stream io.ReadWriteCloser, peer Peer) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	l := &link{conn: wire.NewConn(stream), out: wire.NewOutbox(), end: end}
	defer l.conn.Close()
	var w *remote
	err := l.conn.Within(ctx, handshake, func() (err error) {
		w, err = r.greet(l, peer)
		return err
	})
	if w != nil {
		defer r.detach(w, l)
	}
	if err != nil {
		return err
	}
	err = l.conn.Run(ctx, l.out, r.config.Heartbeat, func(ctx context.Context, m *wire.Message) error {
		return r.handle(ctx, w, l, m)
	})
	if errors.Is(err, errBye) {
		return nil
	}
	return err
}

// greet reads the hello. The worker gets any error about it.
func (r *Runner) greet(l *link, peer Peer) (*remote, error) {
	hello, err := l.conn.Read()
	if err == nil && hello.Type != wire.Hello {
		err = api.Errorf(api.RequestInvalid, "the first message is %q, expected %q", hello.Type, wire.Hello)
	}
	var w *remote
	if err == nil {
		w, err = r.attach(hello, l, peer)
	}
	var e *api.Error
	if errors.As(err, &e) {
		_ = l.conn.Write(wire.Farewell(e)) // the connection ends either way
	}
	return w, err
}

// attach makes l the connection of the worker, instead of any other.
func (r *Runner) attach(hello *wire.Message, l *link, peer Peer) (*remote, error) {
	functions, err := hello.Offered()
	if err != nil {
		return nil, err
	}
	known, err := hello.Known()
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	w, err := r.remote(identity{peer.Owner, hello.Worker})
	if err != nil {
		return nil, err
	}
	if w.link != nil {
		w.link.end(errors.New("the worker connected again"))
	}
	w.link, w.links, w.draining, w.leaving = l, w.links+1, false, false
	w.name, w.capacity, w.files = hello.Name, hello.Capacity, fileModeOf(hello, peer)
	w.functions = signatures(functions)
	l.out.Put(&wire.Message{Type: wire.Welcome, Session: newID(), HeartbeatSeconds: int(r.config.Heartbeat / time.Second)})
	w.recall(known)
	r.match()
	return w, nil
}

// remote returns the worker of that identity, known or new.
func (r *Runner) remote(id identity) (*remote, error) {
	if w := r.remotes[id]; w != nil {
		return w, nil
	}
	if r.closed {
		return nil, errClosed(api.NotStarted)
	}
	if len(r.remotes) >= r.config.MaxWorkers {
		return nil, api.Errorf(api.Overloaded, "%d workers are connected already", len(r.remotes)).
			WithDetails(api.Details{Limit: int64(r.config.MaxWorkers)})
	}
	w := &remote{runner: r, identity: id, since: time.Now(), calls: map[string]*call{}}
	r.remotes[id] = w
	r.providers = append(r.providers, w)
	return w, nil
}

func signatures(functions []wire.Function) map[string]string {
	byID := make(map[string]string, len(functions))
	for _, f := range functions {
		byID[f.ID] = digest(f.Task.Signature)
	}
	return byID
}

// detach keeps the calls of a disconnected worker for a while. Calls that the
// worker cannot have received go to another one immediately.
func (r *Runner) detach(w *remote, l *link) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.link != l {
		return
	}
	w.link, w.seen = nil, l.conn.Seen()
	if w.leaving {
		r.forget(w)
		w.part()
		return
	}
	for _, c := range w.calls {
		switch {
		case !c.written:
			r.end(c, outcome{unsent: true})
		case c.canceled:
			w.loseCall(c, cannotStop)
		}
	}
	links := w.links
	time.AfterFunc(r.config.Grace, func() { r.expire(w, links) })
}

// expire forgets a worker that did not connect again.
func (r *Runner) expire(w *remote, links int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.links != links {
		return
	}
	r.forget(w)
	w.lose("lost its connection and did not connect again within " + r.config.Grace.String())
}

// handle deals with one message of a worker.
func (r *Runner) handle(ctx context.Context, w *remote, l *link, m *wire.Message) error {
	switch m.Type {
	case wire.Log:
		if c := r.find(w, m.Call); c != nil {
			c.print(ctx, m.Stream, m.Text)
		}
		return nil
	case wire.Report:
		if c := r.find(w, m.Call); c != nil {
			c.report(ctx, m.HTML, m.Last)
		}
		return nil
	case wire.Result, wire.Failure:
		return r.receive(w, l, m)
	case wire.Offer:
		return r.change(w, l, m)
	case wire.Started, wire.Drain, wire.Bye:
		return r.note(w, l, m.Type, m.Call)
	case wire.Hello, wire.Welcome, wire.Invoke, wire.Ack, wire.Cancel:
		return api.Errorf(api.RequestInvalid, "a worker does not send %q here", m.Type)
	}
	return nil
}

func (r *Runner) find(w *remote, id string) *call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return w.calls[id]
}

// note takes down what a worker says of a call or of itself.
func (r *Runner) note(w *remote, l *link, t wire.Type, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case w.link != l:
	case t == wire.Drain:
		w.draining = true
	case t == wire.Bye:
		w.leaving = true
		return errBye
	case w.calls[id] != nil:
		w.calls[id].started = true
	}
	return nil
}

// change replaces what a worker offers.
func (r *Runner) change(w *remote, l *link, m *wire.Message) error {
	functions, err := m.Offered()
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.link == l {
		w.functions = signatures(functions)
		r.match()
	}
	return nil
}

// receive ends a call, unless it has ended, and says that its end has come, so
// that the worker does not repeat it.
func (r *Runner) receive(w *remote, l *link, m *wire.Message) error {
	o := reported(m)
	r.mu.Lock()
	defer r.mu.Unlock()
	o.files, o.leaving = w.files, w.draining
	if c := w.calls[m.Call]; c != nil && c.written {
		o.unsent = w.draining && !c.started && refused(o)
		r.end(c, o)
	}
	if l.out.PutSoon(&wire.Message{Type: wire.Ack, Call: m.Call}) > wire.MaxWaiting {
		return api.Errorf(api.Overloaded, "the worker sends results and does not read the answers")
	}
	return nil
}

// refused reports whether the worker says that it takes the call no more, which
// had been on its way when the worker began to drain.
func refused(o outcome) bool {
	return o.err != nil && o.err.Code == api.WorkerUnavailable && o.err.Outcome == api.NotStarted
}

// reported is the outcome that a worker tells.
func reported(m *wire.Message) outcome {
	if m.Type == wire.Result {
		text := slices.Clip(m.Outputs)
		if len(text) == 0 {
			text = json.RawMessage("{}")
		}
		return outcome{text: text}
	}
	failure, err := m.Failed()
	switch {
	case err != nil:
		return outcome{err: api.Errorf(api.FunctionFailed, "the function failed, and its error cannot be read: %w", err)}
	case failure == nil:
		return outcome{err: api.Errorf(api.FunctionFailed, "the function failed without saying why")}
	}
	return outcome{err: passed(failure), stopped: failure.Code == api.Canceled}
}
