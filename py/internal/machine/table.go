package machine

import (
	"hash/maphash"
	"math"
	"math/bits"
)

// table is a hash table in insertion order, the body of dicts, sets, the
// attributes of instances and the namespaces of classes.
//
// entries holds the items in order, with gaps where items were deleted. Beyond
// linearTable entries, slots maps hashes to entries by open addressing.
type table struct {
	entries []entry
	slots   []uint32 // index of an entry + 1; 0 is free. A deleted entry keeps its slot. Behind the end is a record, see moves
	count   int32    // of live entries
	top     uint32   // no iterator is beyond this entry
}

type entry struct {
	key, value Value // key is unbound where the item was deleted
	hash       uint64
}

const (
	linearTable = 8
	entryBytes  = 40
	slotBytes   = 4
)

// seed makes the distribution of keys unpredictable for the authors of
// programs. It decides nothing that a program can observe.
var (
	seed    = maphash.MakeSeed()
	seedInt = maphash.String(seed, "int") | 1
)

func floatBits(f float64) uint64 { return math.Float64bits(f) }
func floatFrom(n uint64) float64 { return math.Float64frombits(n) }

// SpreadHash spreads the bits of n; the multiplication folded over itself leaves no
// run of inputs that lands in few slots.
func SpreadHash(n uint64) uint64 {
	hi, lo := bits.Mul64(n^seedInt, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// hashString returns a hash of 32 bits that is not 0.
func hashString(s string) uint64 {
	h := uint32(maphash.String(seed, s))
	if h == 0 {
		return 1
	}
	return uint64(h)
}

func (s *Str) tableHash() uint64 {
	if s.hash != 0 {
		return uint64(s.hash)
	}
	return s.firstHash()
}

// firstHash is apart so that what follows it can be inlined.
func (s *Str) firstHash() uint64 {
	s.hash = uint32(hashString(s.s))
	return uint64(s.hash)
}

// findStr returns the index of the entry whose key is the str s, or -1.
func (t *table) findStr(s *Str) int {
	hash := s.tableHash()
	if len(t.slots) == 0 {
		for i := range t.entries {
			if e := &t.entries[i]; e.hash == hash && e.isStr(s) {
				return i
			}
		}
		return -1
	}
	i, _ := t.lookStrHash(s, hash)
	return i
}

// lookStrHash is findStr with the hash of s; other is true when a key of another
// kind has the same hash, which an instance of a subclass of str has.
func (t *table) lookStrHash(s *Str, hash uint64) (i int, other bool) {
	if len(t.slots) == 0 {
		for i := range t.entries {
			if e := &t.entries[i]; e.hash == hash {
				if e.isStr(s) {
					return i, false
				}
				other = true
			}
		}
		return -1, other
	}
	mask := uint64(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		n := t.slots[at]
		if n == 0 {
			return -1, other
		}
		if e := &t.entries[n-1]; e.hash == hash {
			if e.isStr(s) {
				return int(n - 1), false
			}
			other = true
		}
	}
}

func (e *entry) isStr(s *Str) bool {
	if e.key.o == &s.Object {
		return true
	}
	k := e.key.Str()
	return k != nil && k.s == s.s
}

// findInt returns the index of the entry whose key is the int n, given its
// hash, or -1 when there is none among ints; other is true when a key of
// another kind has the same hash.
func (t *table) findInt(n uint64, hash uint64) (i int, other bool) {
	if len(t.slots) == 0 {
		for i := range t.entries {
			if e := &t.entries[i]; e.hash == hash {
				if e.key.o == &intTag && e.key.n == n {
					return i, false
				}
				other = true
			}
		}
		return -1, other
	}
	if n < uint64(len(t.entries)) { // keys that count from 0 are entries in that order
		if e := &t.entries[n]; e.key.o == &intTag && e.key.n == n {
			return int(n), false
		}
	}
	mask := uint64(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot == 0 {
			return -1, other
		}
		if e := &t.entries[slot-1]; e.hash == hash {
			if e.key.o == &intTag && e.key.n == n {
				return int(slot - 1), false
			}
			other = true
		}
	}
}

// findQuick returns the index of the entry whose key is the str or the int key,
// or -1. It is not sure of other keys, nor when findKey has to look closer.
func (t *table) findQuick(key Value) (i int, sure bool) {
	if key.o == &intTag {
		i, other := t.findInt(key.n, SpreadHash(key.n))
		return i, i >= 0 || !other
	}
	if s := key.Str(); s != nil {
		i, other := t.lookStrHash(s, s.tableHash())
		return i, i >= 0 || !other
	}
	return -1, false
}

// quickHash is the hash of a str or an int.
func quickHash(key Value) uint64 {
	if s := key.Str(); s != nil {
		return s.tableHash()
	}
	return SpreadHash(key.n)
}

// find returns the index of the entry with this hash for which same is true,
// or -1. An error of same ends the search.
func (t *table) find(hash uint64, same func(key Value) (bool, error)) (int, error) {
	if len(t.slots) == 0 {
		for i := 0; i < len(t.entries); i++ {
			if e := &t.entries[i]; e.hash == hash && e.key.o != nil {
				if ok, err := same(e.key); ok || err != nil {
					return i, err
				}
			}
		}
		return -1, nil
	}
	mask := uint64(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		n := t.slots[at]
		if n == 0 {
			return -1, nil
		}
		if e := &t.entries[n-1]; e.hash == hash && e.key.o != nil {
			if ok, err := same(e.key); ok || err != nil {
				return int(n - 1), err
			}
		}
	}
}

// each visits the entries with this hash.
func (t *table) each(hash uint64, visit func(i int)) {
	if len(t.slots) == 0 {
		for i := range t.entries {
			if t.entries[i].hash == hash && t.entries[i].key.o != nil {
				visit(i)
			}
		}
		return
	}
	mask := uint64(len(t.slots) - 1)
	for at := hash & mask; t.slots[at] != 0; at = (at + 1) & mask {
		if e := &t.entries[t.slots[at]-1]; e.hash == hash && e.key.o != nil {
			visit(int(t.slots[at] - 1))
		}
	}
}

// growth returns the bytes that the next insertion will allocate.
func (t *table) growth() int {
	if len(t.entries) < cap(t.entries) {
		return 0
	}
	n := t.nextCap()
	bytes := n * entryBytes
	if n > linearTable {
		bytes += slotCount(n) * slotBytes
	}
	return bytes + t.noteBytes()
}

func (t *table) nextCap() int {
	if t.Len() < len(t.entries)*3/4 {
		return max(4, cap(t.entries)) // compacting makes room enough
	}
	return max(4, 2*cap(t.entries))
}

// slotCount is a power of two that keeps the slots at most two thirds full.
func slotCount(entries int) int { return 1 << bits.Len(uint(entries+entries/2)) }

// insert adds a key that is not in the table. The caller has paid growth.
func (t *table) insert(key, value Value, hash uint64) {
	if len(t.entries) == cap(t.entries) {
		t.resize(t.nextCap())
	}
	t.entries = append(t.entries, entry{key, value, hash})
	t.count++
	if len(t.slots) != 0 {
		t.place(hash, len(t.entries))
	}
}

func (t *table) place(hash uint64, n int) {
	mask := uint64(len(t.slots) - 1)
	at := hash & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = uint32(n)
}

// resize moves the live entries to new storage for n.
func (t *table) resize(n int) {
	record := t.note()
	entries := make([]entry, 0, n)
	for i := range t.entries {
		if t.entries[i].key.o != nil {
			entries = append(entries, t.entries[i])
		}
	}
	t.entries = entries
	t.rebuild(record)
}

// rebuild makes the slots, with a record of moves behind them.
func (t *table) rebuild(record []uint32) {
	n := 0
	if cap(t.entries) > linearTable {
		n = slotCount(cap(t.entries))
	}
	t.slots = nil
	if n+len(record) == 0 {
		return
	}
	t.slots = append(make([]uint32, n, n+len(record)), record...)[:n]
	if n == 0 {
		return
	}
	for i := range t.entries {
		t.place(t.entries[i].hash, i+1)
	}
}

// remove deletes entry i. It leaves no gap at the end, and keeps the length of
// a gap at the beginning in the value of entry 0, so that taking items from
// either end, one by one, is linear.
func (t *table) remove(i int) {
	t.drop(i)
	t.shrunk()
}

// drop is remove for the last entry of a dict, whose place the next one takes.
func (t *table) drop(i int) {
	t.entries[i].key, t.entries[i].value = Value{}, Value{}
	t.count--
	if t.Len() == 0 {
		t.entries = t.entries[:0]
		clear(t.slots)
		return
	}
	for n := len(t.entries); t.entries[n-1].key.o == nil; n-- {
		t.unplace(t.entries[n-1].hash, n)
		t.entries = t.entries[:n-1]
	}
	if i == 0 || i == int(t.entries[0].value.n) {
		t.noteFirst(i)
	}
}

// noteFirst has a deleted first entry say which is the first one after entry i
// that is live, where next begins.
func (t *table) noteFirst(i int) {
	if first := &t.entries[0]; first.key.o == nil {
		first.value.n = uint64(t.nextAfter(i + 1))
	}
}

// unplace frees the slot of the last entry, n-1, and moves those after it that
// could be nearer to where their hash belongs.
func (t *table) unplace(hash uint64, n int) {
	if len(t.slots) == 0 {
		return
	}
	mask := uint64(len(t.slots) - 1)
	at := hash & mask
	for t.slots[at] != uint32(n) {
		at = (at + 1) & mask
	}
	for next := (at + 1) & mask; t.slots[next] != 0; next = (next + 1) & mask {
		home := t.entries[t.slots[next]-1].hash & mask
		if (next-home)&mask >= (next-at)&mask {
			t.slots[at] = t.slots[next]
			at = next
		}
	}
	t.slots[at] = 0
}

// clear empties the table and gives its storage back.
func (t *table) clear() { *t = table{} }

// Len is the number of entries that are not deleted.
func (t *table) Len() int { return int(t.count) }

// replace puts the entries of other in place of those of t. Iterators keep
// their places where these are the same as far as they have come.
func (t *table) replace(other table) {
	moves, top := t.moves(), t.top
	if n := int(top); n > len(other.entries) || n > len(t.entries) || !sameKeys(t.entries[:n], other.entries[:n]) {
		moves, top = moves+2, 0
	}
	*t = other
	t.top = top
	t.setMoves(moves)
}

func sameKeys(a, b []entry) bool {
	for i := range a {
		if a[i].key != b[i].key {
			return false
		}
	}
	return true
}

// clone returns a copy; the caller has paid bytes.
func (t *table) clone() table {
	c := table{entries: make([]entry, 0, t.Len()), count: int32(t.Len())}
	for i := range t.entries {
		if t.entries[i].key.o != nil {
			c.entries = append(c.entries, t.entries[i])
		}
	}
	c.rebuild(nil)
	return c
}

// bytes is what the storage takes.
func (t *table) bytes() int { return cap(t.entries)*entryBytes + cap(t.slots)*slotBytes }

// cloneBytes is what a clone will take.
func (t *table) cloneBytes() int {
	n := t.Len() * entryBytes
	if t.Len() > linearTable {
		n += slotCount(t.Len()) * slotBytes
	}
	return n
}

// Next returns the index of the first live entry at or after i, or -1.
func (t *table) Next(i int) int {
	if i == 0 && len(t.entries) > 0 && t.entries[0].key.o == nil {
		return int(t.entries[0].value.n)
	}
	return t.nextAfter(i)
}

func (t *table) nextAfter(i int) int {
	for ; i < len(t.entries); i++ {
		if t.entries[i].key.o != nil {
			return i
		}
	}
	return -1
}
