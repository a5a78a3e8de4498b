package orchestrator

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// World is what the code learns of time and chance. Its clock stands still
// while the code computes: it shows when the last answer came, as the journal
// has it, and a tick more at each look. So a repeated attempt sees the same
// times without a record of them, and code cannot measure its own speed.
type World struct {
	clock api.Clock
	began time.Time // the attempt
	seed  []byte    // of all randomness; nil is none
	first *int64    // of the module random

	Now   time.Time `json:"now"`   // of the last answer
	Shown time.Time `json:"shown"` // the last time that the code saw
	Drawn uint64    `json:"drawn"` // blocks of randomness
}

// tick is between two looks at the clock.
const tick = time.Microsecond

// NewWorld is the world of an attempt.
func NewWorld(req *api.Request) World {
	spec := specOf(req.Task)
	w := World{clock: spec.Clock}
	if req.Caller != nil {
		w.began = req.Caller.Began().Truncate(tick)
		w.seed = req.Caller.Seed()
	}
	if n, ok := spec.Random.Seed(); ok {
		w.first = &n
		w.seed = mac([]byte("glovebox seeded randomness"), binary.BigEndian.AppendUint64(nil, uint64(n)))
	}
	w.Now = w.began
	return w
}

// restore goes back to what the world was like at a snapshot.
func (w *World) restore(was World) { w.Now, w.Shown, w.Drawn = was.Now, was.Shown, was.Drawn }

// Reach takes in when an answer came, and returns the time since the beginning.
// The clock of the host may go back; that of the code does not.
func (w *World) Reach(at time.Time) time.Duration {
	if at = at.Truncate(tick); at.After(w.Now) {
		w.Now = at
	}
	return w.elapsed()
}

func (w *World) elapsed() time.Duration { return w.Now.Sub(w.began) }

// Host is what the code may use of it.
func (w *World) Host() py.Host {
	h := py.Host{Timers: w.clock.Sleeps(), Fields: true}
	if w.first != nil {
		h.Seed = *w.first
	}
	if w.clock.Readable() {
		h.Clock = w.read
	}
	if w.seed != nil {
		h.Entropy = w.draw
	}
	return h
}

// read returns the time that the code sees. The interpreter itself adds the
// time slept to a fixed clock.
func (w *World) read() time.Time {
	if t, ok := w.clock.Fixed(); ok {
		return t
	}
	if next := w.Shown.Add(tick); w.Now.After(next) {
		w.Shown = w.Now
	} else {
		w.Shown = next
	}
	return w.Shown
}

// draw gives bytes of a stream that the seed alone decides.
func (w *World) draw(b []byte) error {
	for len(b) > 0 {
		h := hmac.New(sha256.New, w.seed)
		h.Write(binary.BigEndian.AppendUint64([]byte("entropy"), w.Drawn))
		w.Drawn++
		b = b[copy(b, h.Sum(nil)):]
	}
	return nil
}

// checkWorld reports a clock or randomness that there is not.
func checkWorld(spec api.Orchestrator) error {
	if err := spec.Clock.Check(); err != nil {
		return err
	}
	return spec.Random.Check()
}
