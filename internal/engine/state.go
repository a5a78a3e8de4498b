package engine

import (
	"slices"
	"sync/atomic"
)

// phase is how far a run has come in this process. The journal has the status
// of a run, which other processes see; the phase says what of it was submitted
// to the journal, and which goroutine may touch the run.
type phase uint32

const (
	admitted   phase = iota // in Engine.live; this process has submitted no start of it
	queued                  // waits for its turn; its start is not submitted
	resumed                 // waits for its turn; its resumption is submitted
	started                 // its start is submitted: it looks in the cache, waits for a slot, or backs off
	attempting              // the start of its newest attempt is submitted, and no end of it
	asleep                  // the attempt waits for a time, without a goroutine, a slot or a turn
	held                    // waits for a person to decide, without a goroutine, a slot or a turn
	ending                  // its end is being submitted, or it never began; what it holds is given back
	ended                   // gone from Engine.live; the journal has what there is to know
	phases                  // how many there are
)

// transitions are the changes of phase that are allowed; the package comment
// draws them.
var transitions = [phases][]phase{
	admitted:   {queued, resumed, held, started, ending},
	queued:     {started, ending},
	resumed:    {held, started, ending},
	started:    {attempting, ending},
	attempting: {started, asleep, ending},
	asleep:     {resumed, ending},
	held:       {queued, resumed, started, ending},
	ending:     {ended},
	ended:      {},
}

func (p phase) String() string {
	return [phases]string{"admitted", "queued", "resumed", "started", "attempting", "asleep", "held", "ending", "ended"}[p]
}

// state holds the phase of a run. The zero state is admitted.
type state struct{ now atomic.Uint32 }

// in reports whether the run is in one of the phases.
func (s *state) in(any ...phase) bool { return slices.Contains(any, phase(s.now.Load())) }

// to changes the phase. It returns the phase before, and whether the table
// allows the change, which is made in any case.
func (s *state) to(next phase) (from phase, allowed bool) {
	from = phase(s.now.Swap(uint32(next)))
	return from, slices.Contains(transitions[from], next)
}

// forbidden is the message of a change that the table does not allow.
const forbidden = "a run changed its phase in a way that is not allowed"

// to changes the phase of the run. A change that is not allowed is a bug. It is
// logged and made all the same: to stop here would keep a run from its end, and
// the journal guards itself by sequence numbers and fences. In tests the logger
// panics.
func (r *run) to(next phase) {
	if from, allowed := r.state.to(next); !allowed {
		r.engine.config.Logger.Error(forbidden, "run", r.id, "from", from, "to", next)
	}
}
