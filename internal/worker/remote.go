package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
)

// identity is the owner of a worker and the worker's id, so that no other owner
// can connect as this worker.
type identity struct{ owner, worker string }

// remote is a worker. It outlives its connections.
type remote struct {
	runner   *Runner
	identity identity
	name     string
	since    time.Time

	// Guarded by Runner.mu.
	functions map[string]string // digest of the signature by id
	capacity  int
	files     fileMode
	draining  bool
	leaving   bool // it said bye
	calls     map[string]*call
	link      *link // nil while it is not connected
	seen      time.Time
	links     int // how often it connected
}

// link is one connection of a worker.
type link struct {
	conn *wire.Conn
	out  *wire.Outbox
	end  context.CancelCauseFunc
}

func (w *remote) offers(k key) bool {
	signature, ok := w.functions[k.function]
	return ok && signature == k.signature && (w.files != noFiles || !k.files) && w.link != nil && !w.draining
}

func (w *remote) free() bool     { return len(w.calls) < w.capacity }
func (w *remote) active() int    { return len(w.calls) }
func (w *remote) add(c *call)    { w.calls[c.id] = c }
func (w *remote) remove(c *call) { delete(w.calls, c.id) }

func (w *remote) ids() []string {
	if w.link == nil || w.draining {
		return nil
	}
	ids := make([]string, 0, len(w.functions))
	for id := range w.functions {
		ids = append(ids, id)
	}
	return ids
}

// begin queues the call for the connection. Until it is about to be written,
// another worker may take it instead.
func (w *remote) begin(_ context.Context, c *call) {
	w.runner.mu.Lock()
	files := w.files
	w.runner.mu.Unlock()
	m, err := c.message(files)
	w.runner.mu.Lock()
	defer w.runner.mu.Unlock()
	switch {
	case c.ended:
	case err != nil:
		w.runner.end(c, outcome{err: err})
	case w.link == nil:
		w.runner.end(c, outcome{unsent: true})
	default:
		l := w.link
		m.Sending = func() bool { return w.sending(c, l) }
		l.out.Put(m)
	}
}

// sending marks the call as one that the worker may know of, unless it has
// ended or moved on already.
func (w *remote) sending(c *call, l *link) bool {
	w.runner.mu.Lock()
	defer w.runner.mu.Unlock()
	if c.ended || w.link != l {
		return false
	}
	c.written = true
	return true
}

func (w *remote) stop(c *call) {
	switch {
	case !c.written:
		w.runner.end(c, outcome{unsent: true})
	case w.link != nil:
		w.link.out.Put(&wire.Message{Type: wire.Cancel, Call: c.id})
	default:
		w.loseCall(c, cannotStop)
	}
}

// cannotStop explains the end of a canceled call whose worker is not connected
// and so cannot be asked to stop.
const cannotStop = "lost its connection and could not be asked to stop"

func (w *remote) close() {
	for _, c := range w.calls {
		w.runner.end(c, outcome{err: errClosed(api.Unknown)})
	}
	w.runner.forget(w)
	if w.link != nil {
		w.link.end(errClosed(api.NotStarted))
	}
}

// lose ends every call under way.
func (w *remote) lose(why string) {
	for _, c := range w.calls {
		w.loseCall(c, why)
	}
}

// part ends the calls of a worker that said bye. All messages from before have
// arrived, so a call that the worker did not report as begun never began, and
// another worker may take it.
func (w *remote) part() {
	for _, c := range w.calls {
		if !c.started {
			w.runner.end(c, outcome{unsent: true})
			continue
		}
		w.loseCall(c, "left before it ended the call")
	}
}

// loseCall ends a call of which the worker will say nothing any more. That it
// did not say that it began is no proof that it did not.
func (w *remote) loseCall(c *call, why string) {
	if !c.written {
		w.runner.end(c, outcome{unsent: true})
		return
	}
	w.runner.end(c, outcome{err: lost(w, why, api.Unknown)})
}

// recall compares the calls under way with those that a worker knows when it
// connects again. A call that was sent, that the worker does not know and never
// reported as begun, never began.
func (w *remote) recall(known map[string]bool) {
	for id, c := range maps.Clone(w.calls) { // a call that ends makes a place for another
		started, ok := known[id]
		switch {
		case ok && c.canceled:
			w.link.out.Put(&wire.Message{Type: wire.Cancel, Call: id})
		case ok:
		case c.written && !c.started:
			w.runner.end(c, outcome{err: lost(w, "connected again and never received the call", api.NotStarted)})
		default:
			w.loseCall(c, "connected again and does not know the call any more")
		}
		c.started = c.started || started
	}
	for id := range known {
		if w.calls[id] == nil {
			w.link.out.Put(&wire.Message{Type: wire.Cancel, Call: id})
		}
	}
}

// forget takes a provider from the list.
func (r *Runner) forget(p provider) {
	if i := slices.Index(r.providers, p); i >= 0 {
		r.providers = slices.Delete(r.providers, i, i+1)
	}
	if w, ok := p.(*remote); ok && r.remotes[w.identity] == w {
		delete(r.remotes, w.identity)
	}
}

// describe tells what people may know of the worker: not its id, with which
// its calls could be taken over.
func (w *remote) describe() api.Worker {
	sum := sha256.Sum256([]byte(w.identity.owner + "\x00" + w.identity.worker))
	functions := make([]string, 0, len(w.functions))
	for id := range w.functions {
		functions = append(functions, id)
	}
	slices.Sort(functions)
	seen := w.seen
	if w.link != nil {
		seen = w.link.conn.Seen()
	}
	return api.Worker{
		ID: hex.EncodeToString(sum[:8]), Name: w.name, Functions: functions, Capacity: w.capacity,
		Active: len(w.calls), Connected: w.link != nil, Since: w.since, Seen: seen,
	}
}

// maxOverhead is what a call message needs beside its inputs, at most.
const maxOverhead = 64 << 10

// message asks a worker to carry the call out.
func (c *call) message(files fileMode) (*wire.Message, *api.Error) {
	a := c.attempt
	values, err := files.outgoing(a.inputs)
	if err != nil {
		return nil, api.AsError(err)
	}
	inputs := values.JSON()
	if len(inputs) > wire.MaxLine-maxOverhead {
		return nil, api.Errorf(api.InvalidInput, "the inputs take %d bytes, more than a worker can be sent", len(inputs)).
			WithHint("pass large data as a File").
			WithDetails(api.Details{Field: "inputs", Expected: fmt.Sprintf("at most %d bytes", wire.MaxLine-maxOverhead), Limit: wire.MaxLine - maxOverhead})
	}
	m := &wire.Message{
		Type: wire.Invoke, Call: c.id, Run: a.runID, Function: a.key.function, Inputs: inputs,
		Timeout: a.limit(), IdempotencyKey: a.req.IdempotencyKey,
	}
	if err := m.Check(); err != nil {
		return nil, api.Errorf(api.InvalidInput, "the call cannot be sent: %w", err)
	}
	return m, nil
}
