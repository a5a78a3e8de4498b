package machine

import (
	"math"
	"slices"
)

// moves is how often the entries of t moved together, which iterators have to
// know: they count entries, with the gaps. It is behind the end of the slots,
// where a table that is not changed while it is iterated has nothing; then comes
// where the gaps were before the last move. top says how far iterators are.
func (t *table) moves() uint32 {
	n := len(t.slots)
	if n == cap(t.slots) {
		return 0
	}
	return t.slots[:n+1][n]
}

// gaps is where the gaps were before the last move.
func (t *table) gaps() []uint32 {
	n := len(t.slots)
	if n == cap(t.slots) {
		return nil
	}
	return t.slots[n+1 : cap(t.slots)]
}

// noteBytes is what note will need.
func (t *table) noteBytes() int {
	if t.top == 0 && cap(t.slots) == len(t.slots) {
		return 0
	}
	return (1 + len(t.entries) - t.Len()) * slotBytes
}

// note returns the record of a table whose entries are about to close the gaps.
func (t *table) note() []uint32 {
	moves := t.moves()
	if t.Len() == len(t.entries) || t.top == 0 {
		if moves == 0 {
			return nil
		}
		return append([]uint32{moves}, t.gaps()...)
	}
	record := make([]uint32, 1, 1+len(t.entries)-t.Len())
	record[0] = moves + 1
	for i := range t.entries {
		if t.entries[i].key.o == nil {
			record = append(record, uint32(i))
		}
	}
	gaps := record[1:]
	before, _ := slices.BinarySearch(gaps, t.top)
	t.top -= uint32(before)
	return record
}

// setMoves loses the gaps.
func (t *table) setMoves(moves uint32) {
	if moves == t.moves() {
		return
	}
	n := len(t.slots)
	t.slots = append(append(make([]uint32, 0, n+1), t.slots...), moves)[:n]
}

// shrunk loses the iterators that are beyond the end: new entries would come
// where they have been.
func (t *table) shrunk() {
	if uint32(len(t.entries)) < t.top {
		t.setMoves(t.moves() + 2)
		t.top = 0
	}
}

// follow brings an iterator to where its next entry is now, and reports whether
// that is known.
func (it *Iterator) follow(t *table) bool {
	moves := t.moves()
	if it.moves == moves {
		return true
	}
	if it.moves+1 != moves {
		return false
	}
	it.moves = moves
	it.pos -= it.gapsBefore(t.gaps())
	return true
}

// gapsBefore counts the gaps that are before pos; one at pos is where an
// iterator from the end has nothing any more.
func (it *Iterator) gapsBefore(gaps []uint32) int64 {
	last := it.pos
	if it.what == iterSet || it.what == iterKeys || it.what == iterValues || it.what == iterItems {
		last--
	}
	before, _ := slices.BinarySearchFunc(gaps, last, func(gap uint32, last int64) int {
		if int64(gap) > last {
			return 1
		}
		return -1
	})
	return int64(before)
}

// lostStep is the step of an iterator in a snapshot that has lost its place.
const lostStep = -1

// overTable reports whether an iterator goes over a table.
func (it *Iterator) overTable() bool {
	switch it.what {
	case iterKeys, iterValues, iterItems, iterReversedKeys, iterReversedValues, iterReversedItems, iterSet:
		return true
	}
	return false
}

// settle makes the position of an iterator right for a snapshot, which has no
// record of moves, and returns the step to write.
func (it *Iterator) settle() int64 {
	if it.overTable() && !it.follow(tableOf(it.seq)) {
		return lostStep
	}
	return it.step
}

// unsettle has an iterator from a snapshot and its table know of each other.
func (it *Iterator) unsettle() {
	if !it.overTable() {
		return
	}
	t := tableOf(it.seq)
	t.top = max(t.top, uint32(min(it.pos+1, int64(len(t.entries)))))
	if it.step == lostStep {
		it.moves = math.MaxUint32 / 2
	}
}
