package monty

import (
	"context"
	"strings"
	"time"
)

// A server that stores sessions gives each a name. A session is parked under it
// when its connection ends or the server stops, and is loaded by that name as a
// new one. A dump is a record of its own. A client says when it wants none.

// ephemeral says in a Configure that the session is not to be stored.
const ephemeral = 1

// grace is how long a server that stops lets the code under way go on, and how
// long it waits for a request, to answer that the session was parked.
const grace = time.Second

// name gives the session a name, if it is to be stored.
func (w *worker) name(s *session) {
	if w.options.Store != nil && s.config.persistence != ephemeral {
		s.stored = newName()
	}
}

// park stores the session as it is between two turns. Code that was cut off
// leaves nothing to store.
func (w *worker) park() (name string, err error) {
	s := w.session
	if s == nil || s.stored == "" || s.feeds == 0 || w.busy {
		return "", nil
	}
	state, err := s.state(w.options.Key)
	if err != nil {
		return "", err
	}
	return s.stored, w.options.Store.put(s.stored, state)
}

// record stores the session under a name of its own.
func (w *worker) record() (name string, err error) {
	state, err := w.session.state(w.options.Key)
	if err != nil {
		return "", err
	}
	name = newName()
	return name, w.options.Store.put(name, state)
}

// stateOf is the dump that a client loads: itself, or one that is stored.
func (w *worker) stateOf(given []byte) ([]byte, error) {
	if !strings.HasPrefix(string(given), namePrefix) {
		return given, nil
	}
	if w.options.Store == nil {
		return nil, errNotStored
	}
	return w.options.Store.get(string(given))
}

// shutdown answers a request that a server does not run any more.
func (w *worker) shutdown(ctx context.Context) error {
	name, err := w.park()
	ev := event{kind: eventShutdown}
	if err == nil && name != "" {
		ev.body = text(1, name)
	}
	if sent := w.conn.Write(ctx, ev.frame(nil)); err == nil {
		err = sent
	}
	w.session = nil
	return err
}

// outliving ends after ctx: at once, or for a server that stores sessions, after
// its grace.
func (o Options) outliving(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	running, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if o.Store == nil {
			end(context.Cause(ctx))
			return
		}
		late := time.AfterFunc(grace, func() { end(context.Cause(ctx)) })
		context.AfterFunc(running, func() { late.Stop() })
	})
	return running, func(cause error) { stop(); end(cause) }
}
