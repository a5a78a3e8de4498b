package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// limitsOf are what bounds how many runs work beside this one: its task and its labels. A
// run shares the permits of those above it, which wait for it.
func (e *Engine) limitsOf(sub *submission, above *run) (limits []journal.Limit) {
	if n := sub.task.MaxConcurrent; n > 0 {
		limits = append(limits, journal.Limit{Name: "task " + ofOwner(sub.task.Name, sub.rec.Owner), Most: n})
	}
	for _, l := range e.config.LabelLimits {
		if text, has := sub.rec.Labels[l.Name]; has && text == l.Value {
			limits = append(limits, journal.Limit{Name: "label " + l.Name + "=" + l.Value, Most: l.Most})
		}
	}
	for ; above != nil; above = above.parent {
		limits = slices.DeleteFunc(limits, func(l journal.Limit) bool {
			return slices.ContainsFunc(above.record().Limits, func(held journal.Limit) bool { return held.Name == l.Name })
		})
	}
	return limits
}

// ofOwner tells a name from the same of other owners.
func ofOwner(name, owner string) string {
	if owner == "" {
		return name
	}
	return name + " of " + owner
}

// bounded reports whether the run needs permits.
func (r *run) bounded() bool { return len(r.rec.Limits) > 0 }

// gatePoll is how often runs that wait ask again for their permits, beside whenever one is
// given back here or another process says so, and every gateTicks times it is seen whether
// a process that has some is gone.
const (
	gatePoll  = 250 * time.Millisecond
	gateTicks = 8
)

// gate has the runs of this process that wait for permits, in the order in which they are
// due. A goroutine asks for them as long as there are some.
type gate struct {
	mu      sync.Mutex
	waiting []*atGate
	asks    bool // the goroutine is there
	poke    chan struct{}
}

// atGate is a run that waits.
type atGate struct {
	run  *run
	due  time.Time
	pass func() // lets it go on
}

func (g *gate) init() { g.poke = make(chan struct{}, 1) }

// wake has the goroutine ask at once.
func (g *gate) wake() {
	select {
	case g.poke <- struct{}{}:
	default:
	}
}

// awaitPermit has a run that is blocked wait for its permits, and calls pass when it has
// them.
func (e *Engine) awaitPermit(r *run, pass func()) {
	g, w := &e.gate, &atGate{run: r, due: api.Due(time.Now(), r.rec.Priority), pass: pass}
	g.mu.Lock()
	defer g.mu.Unlock()
	i, _ := slices.BinarySearchFunc(g.waiting, w.due, func(other *atGate, due time.Time) int {
		if other.due.After(due) {
			return 1
		}
		return -1 // behind those that are due at the same time
	})
	g.waiting = slices.Insert(g.waiting, i, w)
	if !g.asks {
		g.asks = true
		e.work.Go(e.keepGate)
	}
	g.wake()
}

// keepGate asks for the permits of the runs that wait, until there are none.
func (e *Engine) keepGate() {
	tick := time.NewTicker(gatePoll)
	defer tick.Stop()
	news := e.shared.heard()
	for ticks := 0; e.askForAll(); {
		select {
		case <-e.ctx.Done():
		case <-e.gate.poke:
		case <-news:
			news = e.shared.heard()
		case <-tick.C:
			if ticks++; ticks%gateTicks == 0 {
				e.freePermits()
			}
		}
	}
}

// askForAll lets those runs go on that get their permits, and reports whether others wait
// still. Of a limit that is full, those behind do not ask.
func (e *Engine) askForAll() (more bool) {
	g, full := &e.gate, map[string]bool{}
	g.mu.Lock()
	waiting := slices.Clone(g.waiting)
	g.mu.Unlock()
	gone := map[*atGate]bool{}
	for _, w := range waiting {
		if w.run.ctx.Err() == nil && slices.ContainsFunc(w.run.rec.Limits, func(l journal.Limit) bool { return full[l.Name] }) {
			continue
		}
		found := w.ask(e.ctx)
		for _, name := range found {
			full[name] = true
		}
		switch {
		case w.run.ctx.Err() != nil: // it must not work without a permit, for however short a time
			gone[w] = true
			w.run.withdraw()
		case len(found) == 0:
			gone[w] = true
			w.pass()
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = slices.DeleteFunc(g.waiting, func(w *atGate) bool { return gone[w] })
	g.asks = len(g.waiting) > 0
	return g.asks
}

// ask asks for the permits of a run, and returns the names of limits that are full. One
// that others have taken over is cancelled.
func (w *atGate) ask(ctx context.Context) []string {
	r := w.run
	if r.ctx.Err() != nil {
		return nil
	}
	full, err := r.engine.config.Journal.Permit(ctx, r.id, r.record().Fence, r.rec.Limits)
	switch {
	case err == nil:
		return full
	case errors.Is(err, journal.ErrFenced):
		r.cancel(errTaken)
		return nil
	case ctx.Err() == nil:
		r.engine.config.Logger.Warn("asking whether a run may work beside others", "run", r.id, "error", err)
	}
	return names(r.rec.Limits)
}

func names(limits []journal.Limit) (names []string) {
	for _, l := range limits {
		names = append(names, l.Name)
	}
	return names
}

// freePermits ends what processes held that are gone, if others wait for it.
func (e *Engine) freePermits() {
	g := &e.gate
	g.mu.Lock()
	if len(g.waiting) == 0 {
		g.mu.Unlock()
		return
	}
	limits := g.waiting[0].run.rec.Limits
	g.mu.Unlock()
	for _, name := range names(limits) {
		held, err := e.config.Journal.Permitted(e.ctx, name)
		if err == nil && slices.ContainsFunc(held, func(p journal.Permitted) bool { return p.Holder != e.owner() && !e.config.Alive(p.Holder) }) {
			_, err = e.Recover(e.ctx, false)
		}
		if err != nil && e.ctx.Err() == nil {
			e.config.Logger.Warn("looking who may work beside others", "limit", name, "error", err)
		}
	}
}

// passGate waits for the permits of a run that needs no turn.
func (r *run) passGate() error {
	if !r.ticket.Blocked() {
		return nil
	}
	passed := make(chan struct{})
	r.waitsForPermit.Store(true)
	r.engine.awaitPermit(r, func() { close(passed) })
	defer r.waitsForPermit.Store(false)
	select {
	case <-passed:
		r.ticket.Unblock()
		return context.Cause(r.ctx)
	case <-r.ctx.Done():
		r.engine.gate.wake() // which forgets the run
		return context.Cause(r.ctx)
	}
}

// waitsForPermit says which limit lets no more runs work, or nil.
func (e *Engine) waitsForPermit(ctx context.Context, rec *journal.Record) *api.Waiting {
	for _, l := range rec.Limits {
		held, err := e.config.Journal.Permitted(ctx, l.Name)
		held = slices.DeleteFunc(held, func(p journal.Permitted) bool { return p.Run == rec.ID })
		if err != nil || len(held) < l.Most {
			continue
		}
		kind, name, _ := strings.Cut(l.Name, " ")
		return &api.Waiting{Reason: api.WaitLimit, Message: fmt.Sprintf("at most %d runs of the %s %s work at the same time, and as many do: %s",
			l.Most, kind, name, shortList(held, rec.Owner))}
	}
	return nil
}

// shortList names the first runs of some. Those of other owners are not named to an owner.
func shortList(held []journal.Permitted, owner string) string {
	const most = 3
	var ids []string
	for _, p := range held {
		if len(ids) < most && (owner == "" || p.Owner == owner) {
			ids = append(ids, p.Run)
		}
	}
	if len(ids) < len(held) {
		ids = append(ids, "...")
	}
	return strings.Join(ids, ", ")
}
