package monty

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/py"
)

// A dump is what the client configured, what the session counted, and its
// snapshot, with a tag by the key of the worker at the end.

// dumpMagic begins a dump; its last byte is the number of the format.
const dumpMagic = "GBM\x02"

// The fields of a dump.
const (
	dumpConfig   = 1
	dumpFeeds    = 2
	dumpTotal    = 3
	dumpPassed   = 4
	dumpSnapshot = 5
	dumpCwd      = 6
	dumpFile     = 7
)

var errForged = errors.New("the dump was not made by this worker: it is of another one, or was changed")

// dump answers with the state of the session, or with the name under which it
// was stored.
func (w *worker) dump() (event, error) {
	var state []byte
	var err error
	if w.session.stored != "" {
		var name string
		name, err = w.record()
		state = []byte(name)
	} else {
		state, err = w.session.state(w.options.Key)
	}
	if err != nil {
		return failed("RuntimeError", err.Error()), nil
	}
	return event{kind: eventDump, body: bytesOf(1, state)}, nil
}

// state is the session as bytes.
func (s *session) state(key func() ([]byte, error)) ([]byte, error) {
	k, err := key()
	if err != nil {
		return nil, err
	}
	saved, err := s.py.Snapshot()
	if err != nil {
		return nil, err
	}
	b := append([]byte(dumpMagic), join(
		bytesOf(dumpConfig, s.raw), number(dumpFeeds, uint64(s.feeds)), number(dumpTotal, uint64(s.total)),
		number(dumpPassed, uint64(s.passed)), text(dumpCwd, s.cwd), text(dumpFile, s.file), bytesOf(dumpSnapshot, saved))...)
	return append(b, tag(k, b)...), nil
}

func tag(key, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(data)
	return h.Sum(nil)
}

// load makes the session of a dump, which may come from anyone. A client may
// have configured a session that has run nothing: the dump takes its place.
func (w *worker) load(_ context.Context, body []byte) (event, error) {
	var state []byte
	err := fields(body, func(x field) (err error) {
		if x.is(1) {
			state, err = x.message()
		}
		return err
	})
	if err != nil {
		return event{}, err
	}
	if w.session != nil && w.session.feeds > 0 {
		return event{}, fatalf("a dump for a session that has run code")
	}
	if state, err = w.stateOf(state); err != nil {
		return failed("RuntimeError", "the session cannot be loaded: "+err.Error()), nil
	}
	s, err := w.restore(state)
	if err != nil {
		return failed("RuntimeError", "the dump cannot be loaded: "+err.Error()), nil
	}
	w.name(s)
	w.session = s
	if s.py.Status() != py.Waiting {
		return event{kind: eventOK, begun: true, restored: true}, nil
	}
	ev, err := s.suspended()
	ev.begun, ev.restored = true, true
	return ev, err
}

func (w *worker) restore(state []byte) (*session, error) {
	key, err := w.options.Key()
	if err != nil {
		return nil, err
	}
	n := len(state) - sha256.Size
	if n < len(dumpMagic) || string(state[:len(dumpMagic)]) != dumpMagic || !hmac.Equal(state[n:], tag(key, state[:n])) {
		return nil, errForged
	}
	s := &session{}
	var saved []byte
	err = fields(state[len(dumpMagic):n], func(x field) error {
		switch x.number {
		case dumpConfig:
			s.raw = x.bytes
		case dumpFeeds:
			s.feeds = int(x.word)
		case dumpTotal:
			s.total = time.Duration(x.word)
		case dumpPassed:
			s.passed = time.Duration(x.word)
		case dumpCwd:
			s.cwd = string(x.bytes)
		case dumpFile:
			s.file = string(x.bytes)
		case dumpSnapshot:
			saved = x.bytes
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.configure(w.conn); err != nil {
		return nil, err
	}
	if s.py, err = py.LoadSession(saved, s.runOptions(w.options)); err != nil {
		return nil, err
	}
	s.py.Advance(s.passed)
	return s, nil
}
