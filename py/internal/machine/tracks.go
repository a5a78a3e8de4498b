package machine

import (
	"math"
	"sort"
)

// tracks is what keeps the iterators over a table right while entries move: an
// iterator counts entries, with the gaps.
type tracks struct {
	moves uint32    // how often entries moved together
	top   uint32    // no iterator is beyond this entry
	gaps  *[]uint32 // where the gaps were before the last move
}

const gapBytes = 4

// noteBytes is what note will allocate.
func (t *table) noteBytes() int {
	if t.top == 0 {
		return 0
	}
	return (len(t.entries) - t.live) * gapBytes
}

// note writes down the gaps, which the entries are about to close.
func (t *table) note() {
	if t.live == len(t.entries) {
		return
	}
	t.moves++
	t.gaps = nil
	if t.top == 0 {
		return
	}
	gaps := make([]uint32, 0, len(t.entries)-t.live)
	for i := range t.entries {
		if t.entries[i].key.o == nil {
			gaps = append(gaps, uint32(i))
		}
	}
	before := sort.Search(len(gaps), func(i int) bool { return gaps[i] >= t.top })
	t.gaps, t.top = &gaps, t.top-uint32(before)
}

// shrunk loses the iterators that are beyond the end: new entries would come
// where they have been.
func (t *table) shrunk() {
	if uint32(len(t.entries)) < t.top {
		t.moves += 2
		t.top, t.gaps = 0, nil
	}
}

// follow brings an iterator to where its next entry is now, and reports whether
// that is known.
func (it *iterator) follow(t *table) bool {
	if it.moves == t.moves {
		return true
	}
	if it.moves+1 != t.moves || t.gaps == nil && it.pos != 0 {
		return false
	}
	it.moves = t.moves
	if t.gaps != nil {
		it.pos -= it.gapsBefore(*t.gaps)
	}
	return true
}

// gapsBefore counts the gaps that are before pos; one at pos is where an
// iterator from the end has nothing any more.
func (it *iterator) gapsBefore(gaps []uint32) int64 {
	last := it.pos
	if it.what == iterSet || it.what == iterKeys || it.what == iterValues || it.what == iterItems {
		last--
	}
	return int64(sort.Search(len(gaps), func(i int) bool { return int64(gaps[i]) > last }))
}

// lostStep is the step of an iterator in a snapshot that has lost its place.
const lostStep = -1

// overTable reports whether an iterator goes over a table.
func (it *iterator) overTable() bool {
	switch it.what {
	case iterKeys, iterValues, iterItems, iterReversedKeys, iterReversedValues, iterReversedItems, iterSet:
		return true
	}
	return false
}

// settle makes the position of an iterator right for a snapshot, which has no
// record of moves, and returns the step to write.
func (it *iterator) settle() int64 {
	if it.overTable() && !it.follow(tableOf(it.seq)) {
		return lostStep
	}
	return it.step
}

// unsettle has an iterator from a snapshot and its table know of each other.
func (it *iterator) unsettle() {
	if !it.overTable() {
		return
	}
	t := tableOf(it.seq)
	t.top = max(t.top, uint32(min(it.pos+1, int64(len(t.entries)))))
	if it.step == lostStep {
		it.moves = math.MaxUint32
	}
}
