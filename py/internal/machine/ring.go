package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// ring is the content of a deque: its items lie in a ring buffer, so that a step
// at either end of the deque costs the same.
type ring struct {
	buf     []Value // a power of two of them, or none
	head    int     // where the first item is
	n       int     // of items
	most    int64   // maxlen, or -1
	changes int64   // counts what iterators must not live through
}

// ringType is the class of rings, which programs never see.
var ringType = NewClass("ring", "_collections.ring")

const (
	ringKind  = "_collections.ring" // how snapshots name a ring
	ringBytes = 64
	ringRoom  = 8 // of the smallest buffer
)

// Size is that of the buffer.
func (r *ring) Size() int { return ringBytes + len(r.buf)*ValueBytes }

// Each visits the items.
func (r *ring) Each(visit func(Value)) {
	for i := range r.n {
		visit(r.at(i))
	}
}

// Save returns maxlen, the count of changes, and the items.
func (r *ring) Save() (string, []Value) {
	fields := make([]Value, 0, r.n+2)
	fields = append(fields, Int(r.most), Int(r.changes))
	r.Each(func(v Value) { fields = append(fields, v) })
	return ringKind, fields
}

func loadRing(m *Machine, fields []Value) (Boxed, error) {
	if len(fields) < 2 || !fields[0].IsInt() || !fields[1].IsInt() {
		return nil, ErrMalformed
	}
	r := &ring{most: fields[0].Int(), changes: fields[1].Int()}
	items := fields[2:]
	if r.most < -1 || r.most >= 0 && int64(len(items)) > r.most {
		return nil, ErrMalformed
	}
	for _, v := range items {
		if !v.Bound() {
			return nil, ErrMalformed
		}
		if err := r.append(m, v); err != nil {
			return nil, err
		}
	}
	r.changes = fields[1].Int()
	return r, nil
}

// at returns item i, which must exist.
func (r *ring) at(i int) Value { return r.buf[(r.head+i)&(len(r.buf)-1)] }

// place returns where item i is.
func (r *ring) place(i int) *Value { return &r.buf[(r.head+i)&(len(r.buf)-1)] }

// resize moves the items to a buffer of that many places.
func (r *ring) resize(m *Machine, size int) error {
	if err := m.Alloc(size * ValueBytes); err != nil {
		return err
	}
	if err := m.Work(r.n); err != nil {
		return err
	}
	buf := make([]Value, size)
	if r.n > 0 {
		k := copy(buf, r.buf[r.head:min(r.head+r.n, len(r.buf))])
		copy(buf[k:], r.buf[:r.n-k])
	}
	r.buf, r.head = buf, 0
	return nil
}

// grow makes room for one more item.
func (r *ring) grow(m *Machine) error {
	if r.n < len(r.buf) {
		return nil
	}
	return r.resize(m, max(ringRoom, 2*len(r.buf)))
}

// shrink gives back a buffer that is mostly empty.
func (r *ring) shrink(m *Machine) error {
	if len(r.buf) <= 8*ringRoom || r.n > len(r.buf)/8 {
		return nil
	}
	return r.resize(m, len(r.buf)/4)
}

func (r *ring) append(m *Machine, v Value) error {
	if r.most >= 0 && int64(r.n) >= r.most {
		if r.most == 0 {
			return nil
		}
		r.drop()
	}
	if err := r.grow(m); err != nil {
		return err
	}
	*r.place(r.n) = v
	r.n++
	r.changes++
	return nil
}

func (r *ring) appendLeft(m *Machine, v Value) error {
	if r.most >= 0 && int64(r.n) >= r.most {
		if r.most == 0 {
			return nil
		}
		r.n--
		*r.place(r.n) = Value{}
	}
	if err := r.grow(m); err != nil {
		return err
	}
	r.head = (r.head - 1) & (len(r.buf) - 1)
	r.buf[r.head] = v
	r.n++
	r.changes++
	return nil
}

// drop takes the first item away.
func (r *ring) drop() Value {
	v := r.buf[r.head]
	r.buf[r.head] = Value{}
	r.head = (r.head + 1) & (len(r.buf) - 1)
	r.n--
	r.changes++
	return v
}

var errRingEmpty = raise.Index("pop from an empty deque")

func (r *ring) pop(m *Machine) (Value, error) {
	if r.n == 0 {
		return Value{}, errRingEmpty
	}
	r.n--
	v := *r.place(r.n)
	*r.place(r.n) = Value{}
	r.changes++
	return v, r.shrink(m)
}

func (r *ring) popLeft(m *Machine) (Value, error) {
	if r.n == 0 {
		return Value{}, errRingEmpty
	}
	return r.drop(), r.shrink(m)
}

func (r *ring) clear() {
	r.buf, r.head, r.n = nil, 0, 0
	r.changes++
}

// rotate moves the items k places to the right.
func (r *ring) rotate(m *Machine, k int64) error {
	if r.n < 2 {
		return nil
	}
	steps := int(k % int64(r.n))
	if steps == 0 {
		return nil
	}
	if steps > r.n/2 {
		steps -= r.n
	} else if steps < -(r.n / 2) {
		steps += r.n
	}
	if err := m.Work(max(steps, -steps) / 2); err != nil {
		return err
	}
	for ; steps > 0; steps-- {
		r.n--
		v := *r.place(r.n)
		*r.place(r.n) = Value{}
		r.head = (r.head - 1) & (len(r.buf) - 1)
		r.buf[r.head] = v
		r.n++
	}
	for ; steps < 0; steps++ {
		v := r.drop()
		*r.place(r.n) = v
		r.n++
	}
	r.changes++
	return nil
}

func (r *ring) reverse(m *Machine) error {
	if err := m.Work(r.n); err != nil {
		return err
	}
	for i, j := 0, r.n-1; i < j; i, j = i+1, j-1 {
		a, b := r.place(i), r.place(j)
		*a, *b = *b, *a
	}
	return nil
}

// insert puts an item before item i, by moving the shorter side.
func (r *ring) insert(m *Machine, i int, v Value) error {
	if err := m.Work(min(i, r.n-i) / 2); err != nil {
		return err
	}
	if i <= r.n/2 {
		if err := r.appendLeft(m, v); err != nil {
			return err
		}
		for k := range i {
			*r.place(k) = r.at(k + 1)
		}
	} else {
		if err := r.append(m, v); err != nil {
			return err
		}
		for k := r.n - 1; k > i; k-- {
			*r.place(k) = r.at(k - 1)
		}
	}
	*r.place(i) = v
	return nil
}

// remove takes item i away, by moving the shorter side.
func (r *ring) remove(m *Machine, i int) error {
	if err := m.Work(min(i, r.n-i) / 2); err != nil {
		return err
	}
	if i < r.n/2 {
		for k := i; k > 0; k-- {
			*r.place(k) = r.at(k - 1)
		}
		r.drop()
		return nil
	}
	for k := i; k < r.n-1; k++ {
		*r.place(k) = r.at(k + 1)
	}
	r.n--
	*r.place(r.n) = Value{}
	r.changes++
	return nil
}

// items returns a copy of the items, which is paid for.
func (r *ring) items(m *Machine) ([]Value, error) {
	if err := m.Alloc(r.n * ValueBytes); err != nil {
		return nil, err
	}
	if err := m.Work(r.n); err != nil {
		return nil, err
	}
	items := make([]Value, 0, r.n)
	r.Each(func(v Value) { items = append(items, v) })
	return items, nil
}
