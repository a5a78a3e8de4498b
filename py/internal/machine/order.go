package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// order compares x and y for op; ok is false when they are not ordered (NaN).
func (m *Machine) order(op compareOp, x, y Value, depth int) (c int, ok bool, err error) {
	switch a := x.Self().(type) {
	case nil, *bigInt:
		if isNumber(x) && isNumber(y) {
			m.LookBig(x, y)
			c, ok = compareNumbers(x, y)
			return c, ok, nil
		}
	case *Str:
		if b := y.Str(); b != nil {
			m.look(min(len(a.s), len(b.s)))
			return strings.Compare(a.s, b.s), true, nil
		}
	case *Bytes:
		if b := y.Bytes(); b != nil {
			m.look(min(len(a.b), len(b.b)))
			return strings.Compare(a.b, b.b), true, nil
		}
	case *List:
		if b := y.List(); b != nil {
			return m.orderItems(op, a.items, b.items, depth)
		}
	case *Tuple:
		if b := y.Tuple(); b != nil {
			return m.orderItems(op, a.items, b.items, depth)
		}
	case *Set, *view:
		if k := Plain(y).Kind(); k != KindInstance && k != KindOpaque {
			return m.orderSets(op, x, y)
		}
	}
	if HasMethods(x) || HasMethods(y) {
		return m.orderInstances(op, x, y, depth)
	}
	return 0, false, m.unordered(op, x, y)
}

// orderInstances orders instances of subclasses of built-in types that keep
// its methods.
func (m *Machine) orderInstances(op compareOp, x, y Value, depth int) (int, bool, error) {
	if ClassOf(x) == ClassOf(y) {
		if ops := m.opsOf(x, compareNames[op]); ops != nil {
			if c, ordered, known, err := ops.Order(m, x, y); known || err != nil {
				return c, ordered, err
			}
		}
	}
	for _, p := range []struct {
		v    Value
		name *Str
	}{{x, compareNames[op]}, {y, reflectedCompare[op]}} {
		if HasMethods(p.v) {
			fn, _ := m.Lookup(ClassOf(p.v), p.name)
			if own, _ := objectType.find(p.name); fn.Is(own) {
				continue
			}
			if fn.Kind() != KindNative || p.v.Kind() == KindOpaque {
				return 0, false, ErrForeign
			}
		}
	}
	if c, ordered, known, err := m.orderValues(op, x, y); known || err != nil {
		return c, ordered, err
	}
	px, py := Plain(x), Plain(y)
	if px.Is(x) && py.Is(y) {
		return 0, false, m.unordered(op, x, y)
	}
	return m.order(op, px, py, depth)
}

func (m *Machine) unordered(op compareOp, x, y Value) error {
	return raise.Type("'%s' not supported between instances of '%s' and '%s'", op, TypeName(x), TypeName(y))
}

func isNumber(v Value) bool {
	switch v.Kind() {
	case KindInt, KindBool, KindFloat, KindBigInt:
		return true
	}
	return false
}

func (m *Machine) orderItems(op compareOp, a, b []Value, depth int) (int, bool, error) {
	if depth > nesting {
		return 0, false, errDeepCompare
	}
	m.look(min(len(a), len(b)) * ValueBytes)
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i].Is(b[i]) {
			continue
		}
		if err := m.Work(WorkPerStep); err != nil {
			return 0, false, err
		}
		if c, ok := m.orderPlain(a[i], b[i]); ok {
			if c == 0 {
				continue
			}
			return c, true, nil
		}
		same, err := m.equal(a[i], b[i], depth+1)
		if err != nil {
			return 0, false, err
		}
		if !same {
			return m.order(op, a[i], b[i], depth+1)
		}
	}
	return len(a) - len(b), true, nil
}

// orderPlain orders two ints of 64 bits, floats or strs; ok is false for
// others, and for NaN.
func (m *Machine) orderPlain(x, y Value) (c int, ok bool) {
	switch {
	case x.IsInt() && y.IsInt():
		return compareNumbers(x, y)
	case x.IsFloat() && y.IsFloat():
		return compareFloats(x.Float(), y.Float())
	}
	if x.Kind() != KindStr || y.Kind() != KindStr {
		return 0, false
	}
	return m.orderStrs(x, y), true
}

func (m *Machine) orderStrs(x, y Value) int {
	a, b := x.Str().s, y.Str().s
	m.look(min(len(a), len(b)))
	return strings.Compare(a, b)
}

// orderSets answers op by c and ok: sets are ordered by inclusion.
func (m *Machine) orderSets(op compareOp, x, y Value) (int, bool, error) {
	a, err := m.setOf(x)
	if err != nil {
		return 0, false, err
	}
	b, err := m.setOf(y)
	if err != nil {
		return 0, false, err
	}
	if a == nil || b == nil {
		return 0, false, m.unordered(op, x, y)
	}
	under, over := a, b
	if op == compareGt || op == compareGtE {
		under, over = b, a
	}
	yes, err := m.subset(under, over)
	if err != nil || !yes {
		return 0, false, err
	}
	c := 0
	if under.Len() != over.Len() {
		c = -1
	}
	if op == compareGt || op == compareGtE {
		c = -c
	}
	return c, true, nil
}
