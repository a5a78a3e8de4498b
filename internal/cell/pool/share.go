package pool

// claim is what one class would hold, if there were no others.
type claim struct {
	cost   int64 // bytes of one item
	asked  int   // items that were asked for; these go first
	wanted int   // items altogether, never less than asked
}

// share says how many items each of the claims gets, within bounds. What was
// asked for goes before what is only seen to be in demand. Beyond that it is
// max-min fair: the class that has least, of cells or of memory, whichever it has
// more of, gets the next item. So a class gets its fair share or all that it wants,
// whatever the others want, and what some leave is for the rest. Where two have
// equally little, the earlier in the list is served.
func share(claims []claim, bounds hold) []int {
	s := sharing{claims: claims, bounds: bounds, free: bounds, got: make([]int, len(claims))}
	s.fill(func(c claim) int { return c.asked })
	s.fill(func(c claim) int { return c.wanted })
	return s.got
}

// sharing is a sharing-out under way.
type sharing struct {
	claims []claim
	bounds hold
	free   hold
	got    []int
}

// fill gives until every claim has its limit, or nothing fits.
func (s *sharing) fill(limit func(claim) int) {
	if s.freely(limit) {
		return
	}
	for {
		next := -1
		for i, c := range s.claims {
			if s.got[i] < limit(c) && c.cost <= s.free.memory && (next < 0 || s.has(i) < s.has(next)) {
				next = i
			}
		}
		if next < 0 || s.free.cells == 0 {
			return
		}
		s.give(next, 1)
	}
}

// freely gives all claims their limit together, if there is enough for all.
func (s *sharing) freely(limit func(claim) int) bool {
	need := hold{}
	for i, c := range s.claims {
		n := limit(c) - s.got[i]
		need.cells += n
		need.memory += int64(n) * c.cost
		// Looked at each time, so that no sum can overflow.
		if need.cells > s.free.cells || need.memory > s.free.memory {
			return false
		}
	}
	for i, c := range s.claims {
		s.give(i, limit(c)-s.got[i])
	}
	return true
}

func (s *sharing) give(i, n int) {
	s.got[i] += n
	s.free.cells -= n
	s.free.memory -= int64(n) * s.claims[i].cost
}

// has is the part of the bounds that a claim has got, of cells or of memory,
// whichever is larger.
func (s *sharing) has(i int) float64 {
	n := float64(s.got[i])
	return max(n/float64(s.bounds.cells), n*float64(s.claims[i].cost)/float64(s.bounds.memory))
}
