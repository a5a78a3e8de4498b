package pool

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// plan compares what is there with what should be, begins and ends what differs,
// and sets the timer to when that changes by itself. Called with the lock held,
// after everything that may change it.
func (p *Pool[T]) plan() {
	if p.closed {
		return
	}
	now := time.Now()
	p.expire(now)
	p.forget(now)
	next := p.allot(now)
	for _, s := range p.shelves {
		p.trim(s, now)
	}
	p.fill(now)
	p.refuse()
	p.sleep(p.next(now, next))
}

// expire discards items that wait for too long, and gives up starts that take
// too long and are not waited for.
func (p *Pool[T]) expire(now time.Time) {
	for _, s := range p.shelves {
		for e := s.expired(now); e != nil; e = s.expired(now) {
			p.retire(s, e)
			s.trouble = trouble{}
		}
		for s.spare() > 0 && now.Sub(s.starts[0].began) >= p.cfg.StartLimit {
			p.drop(s, s.starts[0])
			s.err = fmt.Errorf("it had not started after %s", p.cfg.StartLimit)
			s.trouble.failed(now)
			p.cfg.Logger.Warn("a warm cell did not start in time", "class", s.class, "limit", p.cfg.StartLimit)
		}
	}
}

// forget drops what holds nothing and has no recent history.
func (p *Pool[T]) forget(now time.Time) {
	for class, s := range p.shelves {
		n, _ := s.demand.wanted(now, p.cfg)
		if n == 0 && s.empty() && !s.demand.since(now.Add(-p.cfg.Window)) {
			delete(p.shelves, class)
		}
	}
}

// shelf returns the shelf of a class, a new one if it has none. Start is how its
// items are started from now on.
func (p *Pool[T]) shelf(class cell.Class, start Start[T]) *shelf[T] {
	s, ok := p.shelves[class]
	if !ok {
		p.makeRoom()
		s = &shelf[T]{class: class, name: class.String()}
		p.shelves[class] = s
	}
	s.start = start
	return s
}

// makeRoom forgets the coldest empty shelf if there are too many. Shelves that
// hold something are bounded by other means.
func (p *Pool[T]) makeRoom() {
	if len(p.shelves) < maxShelves {
		return
	}
	now, least := time.Now(), 0.0
	var coldest *shelf[T]
	for _, s := range p.shelves {
		if heat := s.demand.heatAt(now, p.cfg); s.empty() && (coldest == nil || heat < least) {
			coldest, least = s, heat
		}
	}
	if coldest != nil {
		delete(p.shelves, coldest.class)
	}
}

// allot sets the target of every shelf and says when less will be wanted, zero
// if never.
func (p *Pool[T]) allot(now time.Time) (next time.Time) {
	var wanting []applicant[T]
	for _, s := range p.shelves {
		n, until := s.demand.wanted(now, p.cfg)
		next = earlier(next, until)
		s.target = 0
		if n = max(n, s.asked); n > 0 {
			wanting = append(wanting, p.applicant(s, n, now))
		}
	}
	slices.SortFunc(wanting, applicant[T].compare)
	claims := make([]claim, len(wanting))
	for i, a := range wanting {
		claims[i] = a.claim
	}
	for i, n := range share(claims, hold{p.cfg.Cells, p.cfg.Memory}) {
		wanting[i].shelf.target = n
	}
	return next
}

// applicant is a shelf with its claim.
type applicant[T Item] struct {
	shelf *shelf[T]
	claim claim
	heat  float64
}

// applicant makes the claim of a shelf. Who holds something counts as twice as
// much taken: to tear down for one class and build up for another is worth it for
// a clear difference only.
func (p *Pool[T]) applicant(s *shelf[T], wanted int, now time.Time) applicant[T] {
	heat := s.demand.heatAt(now, p.cfg)
	if s.have() > 0 {
		heat *= 2
	}
	return applicant[T]{s, claim{cost: s.cost(p.cfg), asked: s.asked, wanted: wanted}, heat}
}

// compare orders shelves as they are served where they have equal rights: what
// was asked for in the order of asking, then the most taken.
func (a applicant[T]) compare(b applicant[T]) int {
	switch {
	case a.claim.asked > 0 && b.claim.asked > 0:
		return cmp.Compare(a.shelf.order, b.shelf.order)
	case a.claim.asked > 0 || b.claim.asked > 0:
		return cmp.Compare(b.claim.asked, a.claim.asked)
	}
	return cmp.Or(cmp.Compare(b.heat, a.heat), cmp.Compare(a.shelf.name, b.shelf.name))
}

// trim gives up what is above the target, what is only on its way first.
func (p *Pool[T]) trim(s *shelf[T], now time.Time) {
	for s.have() > s.target && s.spare() > 0 {
		p.drop(s, s.leastPromising(now))
	}
	for s.have() > s.target {
		p.retire(s, s.idle[0])
	}
}

// fill begins starts ahead, as many as may run at once. Takers that wait have
// the right of way: their starts count, but one start ahead may always run, so
// that demand for one class keeps no other from what was asked for.
func (p *Pool[T]) fill(now time.Time) {
	free := p.free()
	for p.ahead < max(1, p.cfg.Starts-p.owed) && free.cells > 0 {
		s := p.neediest(now, free.memory)
		if s == nil {
			return
		}
		free.cells--
		free.memory -= s.cost(p.cfg)
		s.begun = now
		p.begin(s, true)
	}
}

// free is what the bounds leave for starts ahead. What is being discarded is
// still there: without it, slow discards could pile up beyond every bound.
func (p *Pool[T]) free() hold {
	free := hold{p.cfg.Cells - p.leaving.cells, p.cfg.Memory - p.leaving.memory}
	for _, s := range p.shelves {
		free.cells -= s.have()
		free.memory -= int64(s.spare()) * s.cost(p.cfg)
		for _, e := range s.idle {
			free.memory -= e.memory
		}
	}
	return free
}

// neediest is the shelf to start for: one that has less than was asked for, then
// the one that has the smallest part of its target; where that is equal, the one
// that has waited longest for a start ahead.
func (p *Pool[T]) neediest(now time.Time, memory int64) *shelf[T] {
	limit := p.startsOfOne()
	var best *shelf[T]
	for _, s := range p.shelves {
		if s.have() >= s.target || now.Before(s.trouble.until) || s.startsAhead() >= limit || s.cost(p.cfg) > memory {
			continue
		}
		if best == nil || s.needier(best) {
			best = s
		}
	}
	return best
}

func (s *shelf[T]) needier(other *shelf[T]) bool {
	if lacks := s.have() < s.asked; lacks != (other.have() < other.asked) {
		return lacks
	}
	return cmp.Or(
		cmp.Compare(s.have()*other.target, other.have()*s.target),
		s.begun.Compare(other.begun),
		cmp.Compare(s.name, other.name),
	) < 0
}

// startsOfOne is how many of the starts ahead one class may have: where there are
// others, one is left for them, so that starts that hang block no other class.
func (p *Pool[T]) startsOfOne() int {
	wanting := 0
	for _, s := range p.shelves {
		if s.target > 0 {
			wanting++
		}
	}
	if wanting > 1 {
		return max(1, p.cfg.Starts-1)
	}
	return p.cfg.Starts
}

// refuse answers calls of Keep for which there is no room.
func (p *Pool[T]) refuse() {
	for _, s := range p.shelves {
		if s.target == 0 && len(s.keepers) > 0 {
			s.answerKeepers(p.noRoom(s))
		}
	}
}

func (s *shelf[T]) expired(now time.Time) *entry[T] {
	for _, e := range s.idle {
		if !now.Before(e.expiry) {
			return e
		}
	}
	return nil
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
