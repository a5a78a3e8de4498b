package pool

import (
	"cmp"
	"slices"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// Stat is what a pool has of one class.
type Stat struct {
	Class    cell.Class
	Asked    int   // what Keep asked for
	Wanted   int   // what is to be ready now, by what was asked for and seen, within the bounds
	Idle     int   // what is ready
	Starting int   // what is on its way to be ready
	Memory   int64 // bytes that the ready ones hold
	Taken    int64 // items handed out that were ready
	Cold     int64 // items handed out that had to be waited for
	Died     int64 // items that ended while they were ready
	Err      error // why the last start failed, until one succeeds, or why fewer are kept than asked for
}

// Stats says what the pool has, in the order of the classes. Classes of which nothing
// is or should be kept are not in it.
func (p *Pool[T]) Stats() []Stat {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := []Stat{}
	for _, s := range p.shelves {
		if s.asked > 0 || s.target > 0 || s.have() > 0 {
			all = append(all, p.stat(s))
		}
	}
	slices.SortFunc(all, func(a, b Stat) int { return cmp.Compare(a.Class.String(), b.Class.String()) })
	return all
}

func (p *Pool[T]) stat(s *shelf[T]) Stat {
	st := Stat{
		Class: s.class, Asked: s.asked, Wanted: s.target, Idle: len(s.idle), Starting: s.spare(),
		Taken: s.taken, Cold: s.cold, Died: s.died, Err: s.err,
	}
	for _, e := range s.idle {
		st.Memory += e.memory
	}
	if s.err == nil && s.target < s.asked {
		st.Err = p.noRoom(s)
	}
	return st
}
