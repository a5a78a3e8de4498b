package machine

import (
	"math"
	"math/bits"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

func defineRange(r *Registry) {
	r.maker(rangeType, 1, 3, rangeMake)
	onRange := func(name string, fn func(m *Machine, o *rangeObject, a Args) (Value, error)) NativeFunc {
		return func(m *Machine, a Args) (Value, error) {
			o := a.v[0].rangeOf()
			if o == nil {
				return Value{}, WrongReceiver(name, rangeType, a.v[0])
			}
			return fn(m, o, a)
		}
	}
	for _, p := range []struct {
		name  string
		field func(o *rangeObject) int64
	}{
		{"start", func(o *rangeObject) int64 { return o.start }},
		{"stop", func(o *rangeObject) int64 { return o.stop }},
		{"step", func(o *rangeObject) int64 { return o.step }},
	} {
		r.Property(rangeType, p.name, onRange(p.name, func(m *Machine, o *rangeObject, a Args) (Value, error) {
			return Int(p.field(o)), nil
		}))
	}
	r.method(rangeType, "index", 2, 2, onRange("index", rangeIndex))
	r.method(rangeType, "count", 2, 2, onRange("count", func(m *Machine, o *rangeObject, a Args) (Value, error) {
		yes, err := m.containsRange(o, a.v[1])
		if err == ErrForeign {
			return m.Then(m.Intrinsic("count_of"), a.v[0], a.v[1])
		}
		if yes {
			return Int(1), err
		}
		return Int(0), err
	}))
}

// rangeMake is range(stop) and range(start, stop, step=1).
func rangeMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("range"); err != nil {
		return Value{}, err
	}
	var n [3]int64
	for i, v := range a.v[1:] {
		var err error
		if n[i], err = m.wantIndex(v); err == ErrForeign {
			return m.reindexed("range maker", a, i+1)
		} else if err != nil {
			return Value{}, rangeBound(v, err)
		}
	}
	start, stop, step := n[0], n[1], n[2]
	switch a.Len() {
	case 2:
		start, stop, step = 0, start, 1
	case 3:
		step = 1
	}
	count, err := rangeLen(start, stop, step)
	if err != nil {
		return Value{}, err
	}
	m.Spend(rangeBytes)
	return (&rangeObject{start: start, stop: stop, step: step, n: count}).value(), nil
}

// rangeBound is the error of a bound that is no int of 64 bits.
func rangeBound(v Value, err error) error {
	if Plain(v).Kind() == KindBigInt {
		return errRangeWide
	}
	return err
}

func rangeIndex(m *Machine, o *rangeObject, a Args) (Value, error) {
	v := Plain(a.v[1])
	yes, err := m.containsRange(o, v)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("range_index"), a.v[0], v)
	}
	if err != nil {
		return Value{}, err
	}
	switch {
	case yes && v.IsFloat():
		i, _ := o.placeOf(int64(v.Float()))
		return Int(i), nil
	case yes:
		i, _ := o.placeOf(int64(v.n))
		return Int(i), nil
	case IsIntegral(v):
		text, err := m.IntText(v)
		if err != nil {
			return Value{}, err
		}
		return Value{}, raise.Value("%s is not in range", text)
	}
	return Value{}, raise.Value("sequence.index(x): x not in sequence")
}

// rangeSlice is a range of some of the items of another. Its bounds are those
// of the slice, even where no item is near them.
func (m *Machine) rangeSlice(r *rangeObject, s *sliceObject) (Value, error) {
	bounds, err := m.sliceFor(s, r.n)
	if err == ErrForeign {
		return m.withIndex(Value{o: &r.Object}, s.value())
	}
	if err != nil {
		return Value{}, err
	}
	var at [3]int64
	for i, from := range [3]int64{r.start, r.start, 0} {
		n, ok := scaled(from, bounds[i].Int(), r.step)
		if !ok {
			return Value{}, errRangeWide
		}
		at[i] = n
	}
	n, err := rangeLen(at[0], at[1], at[2])
	if err != nil {
		return Value{}, err
	}
	m.Spend(rangeBytes)
	return (&rangeObject{start: at[0], stop: at[1], step: at[2], n: n}).value(), nil
}

// scaled is from + n*by; ok is false when that is beyond 64 bits.
func scaled(from, n, by int64) (sum int64, ok bool) {
	high, low := bits.Mul64(magnitude(n), magnitude(by))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	product := int64(low)
	if (n < 0) != (by < 0) {
		product = -product
	}
	sum = from + product
	return sum, (sum > from) == (product > 0)
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

var errRangeIndex = raise.Index("range object index out of range")

var errRangeWide = raise.Overflow("range of an int beyond 64 bits is not supported")

// reversed returns an iterator over the range from its end.
func (o *rangeObject) reversed() *Iterator {
	return &Iterator{what: iterRange, pos: o.start + (o.n-1)*o.step, end: o.n, step: -o.step}
}

func defineSlice(r *Registry) {
	r.maker(sliceType, 1, 3, sliceMake)
	for i, name := range strings.Fields("start stop step") {
		r.Property(sliceType, name, func(m *Machine, a Args) (Value, error) {
			o := a.v[0].slice()
			if o == nil {
				return Value{}, WrongReceiver(name, sliceType, a.v[0])
			}
			return [3]Value{o.start, o.stop, o.step}[i], nil
		})
	}
	r.method(sliceType, "indices", 2, 2, sliceIndices)
	r.attr(sliceType, "__hash__", None)
}

// sliceMake is slice(stop) and slice(start, stop, step=None).
func sliceMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("slice"); err != nil {
		return Value{}, err
	}
	o := &sliceObject{start: a.v[1], stop: OrNone(a.At(2)), step: OrNone(a.At(3))}
	if a.Len() == 2 {
		o.start, o.stop = None, a.v[1]
	}
	m.Spend(SliceBytes)
	return o.value(), nil
}

// sliceIndices is slice.indices(length).
func sliceIndices(m *Machine, a Args) (Value, error) {
	o := a.v[0].slice()
	if o == nil {
		return Value{}, WrongReceiver("indices", sliceType, a.v[0])
	}
	n, err := m.wantIndex(a.v[1])
	if err == ErrForeign {
		return m.reindexed("slice.indices", a, 1)
	}
	if err != nil {
		return Value{}, err
	}
	if n < 0 {
		return Value{}, raise.Value("length should not be negative")
	}
	bounds, err := m.sliceFor(o, n)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("slice_indices"), a.v[0], a.v[1])
	}
	if err != nil {
		return Value{}, err
	}
	return m.NewTuple(bounds[:])
}

// sliceFor fits a slice to a length: start, stop and step.
func (m *Machine) sliceFor(o *sliceObject, n int64) (bounds [3]Value, err error) {
	step, err := m.sliceIndex(o.step, 1)
	if err != nil {
		return bounds, err
	}
	if step == 0 {
		return bounds, errSliceStep
	}
	first, last := int64(0), n
	if step < 0 {
		first, last = n-1, -1
	}
	start, err := m.sliceEdge(o.start, first, n, step < 0)
	if err != nil {
		return bounds, err
	}
	stop, err := m.sliceEdge(o.stop, last, n, step < 0)
	return [3]Value{Int(start), Int(stop), Int(step)}, err
}
