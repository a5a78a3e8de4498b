package regex

import "github.com/glovebox-dev/glovebox/py/internal/budget"

// Scratch is the memory of matching. The zero value is ready; keep one for each
// instance and use it again, it grows to what is needed and is paid for once.
// It must not be used by two matches at a time.
type Scratch struct {
	slots  []int // of the match under way, and the result
	jobs   []job
	lists  [2]threads
	adds   []addition
	save   []int
	nested *Scratch // for what is looked for in the middle of a match
}

// attempt is one call of an engine: where it matches what, and who pays.
type attempt struct {
	*Pattern
	s       *Scratch
	m       budget.Meter
	text    string
	begin   int32 // the first instruction
	pos     int   // where the search starts
	whole   bool  // the match must end where the text ends
	advance bool  // the match must not be empty at pos
	tired   bool  // the backtracker gave up
	only    bool  // the match must start at pos
	steps   int   // of the backtracker
	next    int   // when to pay again
	far     int   // how far the backtracker has looked
}

// accepts reports whether a match that ends at pos counts.
func (a *attempt) accepts(pos int) bool {
	return !(a.whole && pos != len(a.text) || a.advance && pos == a.pos)
}

// clearSlots makes n slots, all of them unset.
func (s *Scratch) clearSlots(m budget.Meter, n int) error {
	if cap(s.slots) < n {
		if err := m.Alloc(16 * n); err != nil {
			return err
		}
		s.slots = make([]int, n)
		s.save = make([]int, n)
	}
	s.slots, s.save = s.slots[:n], s.save[:n]
	for i := range s.slots {
		s.slots[i] = -1
	}
	return nil
}

// deeper returns the scratch of a look.
func (s *Scratch) deeper(m budget.Meter) (*Scratch, error) {
	if s.nested == nil {
		if err := m.Alloc(512); err != nil {
			return nil, err
		}
		s.nested = new(Scratch)
	}
	return s.nested, nil
}

// work pays for any number of units.
func work(m budget.Meter, units int) error {
	for ; units > 1_000_000; units -= 1_000_000 {
		if err := m.Work(1_000_000); err != nil {
			return err
		}
	}
	return m.Work(units)
}

// Size is what s occupies, in bytes.
func (s *Scratch) Size() int {
	n := 8*(cap(s.slots)+cap(s.save)) + jobSize*cap(s.jobs) + 16*cap(s.adds)
	for i := range s.lists {
		l := &s.lists[i]
		n += 4*(cap(l.sparse)+cap(l.dense)+cap(l.live)) + 8*cap(l.slots)
	}
	if s.nested != nil {
		n += 512 + s.nested.Size()
	}
	return n
}
