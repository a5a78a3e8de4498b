package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// compareOp is a comparison; its values are those of syntax.CompareOp.
type compareOp = syntax.CompareOp

const (
	compareEq    = syntax.Eq
	compareNotEq = syntax.NotEq
	compareLt    = syntax.Lt
	compareLtE   = syntax.LtE
	compareGt    = syntax.Gt
	compareGtE   = syntax.GtE
)

// nesting is how deep built-in values may be nested when the machine compares,
// hashes or prints them.
const nesting = 400

// ErrForeign says that code of the program has to decide.
var ErrForeign = raise.Runtime("code of the program decides")

var errDeepCompare = raise.New("RecursionError", "maximum recursion depth exceeded in comparison")

// compare is x op y. When code of the program decides, it returns errEntered
// and the answer goes where cont says.
func (m *Machine) compare(op compareOp, x, y Value, cont continuation) (Value, error) {
	if x.Kind() == KindInstance {
		if ok, err := m.ownComparison(op, x, y, cont); ok {
			return Value{}, err
		}
	}
	yes, err := m.compareNative(op, x, y, 0)
	switch err {
	case nil:
		return Bool(yes), nil
	case ErrForeign:
		return m.compareForeign(op, x, y, cont)
	}
	return Value{}, err
}

// compareTruth is compare for a test.
func (m *Machine) compareTruth(op compareOp, x, y Value) (bool, error) {
	if x.Kind() == KindInstance {
		if ok, err := m.ownComparison(op, x, y, contTest); ok {
			return false, err
		}
	}
	yes, err := m.compareNative(op, x, y, 0)
	if err != ErrForeign {
		return yes, err
	}
	v, err := m.compareForeign(op, x, y, contTest)
	if err != nil {
		return false, err
	}
	return m.truth(v, contTest)
}

// compareForeign is x op y when one of them, or something inside, is an
// instance.
func (m *Machine) compareForeign(op compareOp, x, y Value, cont continuation) (Value, error) {
	if !HasMethods(x) && !HasMethods(y) {
		return m.enter(m.Intrinsic("compare_deep"), cont, Value{}, x, y, SharedStr(op.String()).Ref())
	}
	cx, cy := ClassOf(x), ClassOf(y)
	left, hasLeft := m.Lookup(cx, compareNames[op])
	right, hasRight := m.Lookup(cy, reflectedCompare[op])
	if hasLeft && left.Kind() == KindFunction && (!hasRight || cx == cy || right.Kind() == KindNative) && op != compareNotEq {
		if direct, ok := m.atComparison(cont); ok {
			return m.enter(left, direct, Value{}, x, y)
		}
	}
	return m.enter(m.Intrinsic("compare"), cont, Value{}, OrNone(left), OrNone(right), x, y, SharedStr(op.String()).Ref(),
		Bool(cy != cx && cy.IsSubclass(cx)))
}

// OrNone returns v, or None when v is unbound.
func OrNone(v Value) Value {
	if v.Bound() {
		return v
	}
	return None
}

// HasMethods reports whether the comparison methods of v may be the program's.
func HasMethods(v Value) bool {
	k := v.Kind()
	return k == KindInstance || k == KindOpaque || k == KindClass && v.Class().meta != nil
}

// compareNative is x op y of built-in values. It returns errForeign when it
// comes to a value that the program may compare in its own way.
func (m *Machine) compareNative(op compareOp, x, y Value, depth int) (bool, error) {
	if op == compareEq || op == compareNotEq {
		same, err := m.equal(x, y, depth)
		return same == (op == compareEq), err
	}
	c, ok, err := m.order(op, x, y, depth)
	if err != nil {
		return false, err
	}
	if !ok {
		return false, nil // NaN
	}
	return holds(op, c), nil
}

// equal is x == y.
func (m *Machine) equal(x, y Value, depth int) (bool, error) {
	if x.o == y.o && x.n == y.n && x.o != &floatTag {
		if x.Kind() != KindInstance {
			return true, nil
		}
		if m.ownEq(x) {
			return false, ErrForeign
		}
		if m.opsOf(x, nameEq) == nil {
			return true, nil
		}
	}
	switch a := x.Self().(type) {
	case nil:
		return m.equalNumber(x, y)
	case *bigInt:
		return m.equalNumber(x, y)
	case *Str:
		if b := y.Str(); b != nil {
			if len(a.s) != len(b.s) {
				return false, nil
			}
			m.look(len(a.s))
			return a.s == b.s, nil
		}
	case *List:
		if b := y.List(); b != nil {
			return m.equalItems(a.items, b.items, depth)
		}
	case *Tuple:
		if b := y.Tuple(); b != nil {
			return m.equalItems(a.items, b.items, depth)
		}
	case *Dict:
		if b := y.Dict(); b != nil {
			return m.equalDicts(a, b, depth)
		}
	case *Instance:
		if m.ownEq(x) || HasMethods(y) && m.ownEq(y) {
			return false, ErrForeign
		}
		if same, known, err := m.equalValues(x, y); known || err != nil {
			return same, err
		}
		if a.payload.Bound() && a.class.layout != KindException {
			return m.equal(a.payload, Plain(y), depth)
		}
		return false, nil
	default:
		return m.equalRare(x, y, depth)
	}
	return m.equalOther(x, y, depth)
}

// equalOther compares a built-in x with a y of another type.
func (m *Machine) equalOther(x, y Value, depth int) (bool, error) {
	if !HasMethods(y) {
		return false, nil
	}
	if m.ownEq(y) {
		return false, ErrForeign
	}
	if same, known, err := m.equalValues(x, y); known || err != nil {
		return same, err
	}
	if p := Plain(y); !p.Is(y) {
		return m.equal(x, p, depth)
	}
	return false, nil
}

// ownEq reports whether the class of v defines __eq__ or __ne__ outside of the
// machine.
func (m *Machine) ownEq(v Value) bool {
	c := ClassOf(v)
	if v.Kind() == KindOpaque {
		_, ok := m.Lookup(c, nameEq)
		return ok
	}
	fn, ok := m.Lookup(c, nameEq)
	if ok && fn.Kind() != KindNative && opsIn(fn) == nil {
		return true
	}
	fn, ok = m.Lookup(c, nameNe)
	return ok && fn.Kind() != KindNative
}

func (m *Machine) equalNumber(x, y Value) (bool, error) {
	switch y.Kind() {
	case KindInt, KindBool, KindFloat, KindBigInt:
	default:
		if x.Kind() == KindNone {
			return m.equalOther(x, y, 0)
		}
		return m.equalOther(x, y, 0)
	}
	if x.Kind() == KindNone {
		return false, nil
	}
	m.LookBig(x, y)
	c, ok := compareNumbers(x, y)
	return ok && c == 0, nil
}

// look pays for comparing so many bytes. The next jump or call looks at the
// clock.
func (m *Machine) look(bytes int) { m.budget -= int64(bytes) / (16 * WorkPerStep) }

// LookBig pays for comparing two numbers.
func (m *Machine) LookBig(x, y Value) {
	for _, v := range [...]Value{x, y} {
		if b := v.big(); b != nil {
			m.look(b.v.BitLen() / 8)
		}
	}
}

// compareNumbers orders two numbers; ok is false when one is NaN.
func compareNumbers(x, y Value) (c int, ok bool) {
	if x.IsFloat() && y.IsFloat() {
		return compareFloats(x.Float(), y.Float())
	}
	if x.IsFloat() {
		c, ok = compareNumbers(y, x)
		return -c, ok
	}
	if y.IsFloat() {
		f := y.Float()
		if f != f {
			return 0, false
		}
		if b := x.big(); b != nil {
			return num.CompareFloatBig(b.v, f), true
		}
		return num.CompareFloat(int64(x.n), f), true
	}
	a, b := x.big(), y.big()
	if a == nil && b == nil {
		switch {
		case int64(x.n) < int64(y.n):
			return -1, true
		case int64(x.n) > int64(y.n):
			return 1, true
		}
		return 0, true
	}
	return BigOf(x).Cmp(BigOf(y)), true
}

func compareFloats(a, b float64) (int, bool) {
	switch {
	case a < b:
		return -1, true
	case a > b:
		return 1, true
	case a == b:
		return 0, true
	}
	return 0, false
}

func (m *Machine) equalItems(a, b []Value, depth int) (bool, error) {
	if len(a) != len(b) {
		return false, nil
	}
	if depth > nesting {
		return false, errDeepCompare
	}
	m.look(len(a) * ValueBytes)
	for i := range a {
		if i >= len(b) {
			return false, nil
		}
		if a[i].Is(b[i]) {
			continue // identical items are equal, whatever they say
		}
		if err := m.Work(WorkPerStep); err != nil {
			return false, err
		}
		same, err := m.equal(a[i], b[i], depth+1)
		if err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

func (m *Machine) equalDicts(a, b *Dict, depth int) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	if depth > nesting {
		return false, errDeepCompare
	}
	for i := a.Next(0); i >= 0; i = a.Next(i + 1) {
		e := &a.entries[i]
		j, err := m.findHash(&b.table, e.key, e.hash)
		if err != nil || j < 0 {
			return false, err
		}
		if err := m.Work(4 * WorkPerStep); err != nil {
			return false, err
		}
		if e.value.Is(b.entries[j].value) {
			continue
		}
		same, err := m.equal(e.value, b.entries[j].value, depth+1)
		if err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

func (m *Machine) equalSets(a, b *Set) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	return m.subset(a, b)
}

// subset reports whether every item of a is in b.
func (m *Machine) subset(a, b *Set) (bool, error) {
	for i := a.Next(0); i >= 0; i = a.Next(i + 1) {
		if err := m.Work(4 * WorkPerStep); err != nil {
			return false, err
		}
		j, err := m.findHash(&b.table, a.entries[i].key, a.entries[i].hash)
		if err != nil || j < 0 {
			return false, err
		}
	}
	return true, nil
}

// equalRare compares the kinds that programs seldom compare.
func (m *Machine) equalRare(x, y Value, depth int) (bool, error) {
	switch a := x.Self().(type) {
	case *Bytes:
		if b := y.Bytes(); b != nil {
			m.look(len(a.b))
			return a.b == b.b, nil
		}
	case *Set:
		if b := y.set(); b != nil {
			return m.equalSets(a, b)
		}
		if y.Kind() == KindView {
			return m.equalView(y, x)
		}
	case *rangeObject:
		if b := y.rangeOf(); b != nil {
			return a.n == b.n && (a.n == 0 || a.start == b.start && (a.n == 1 || a.step == b.step)), nil
		}
	case *method:
		if b := y.method(); b != nil {
			return a.fn.Is(b.fn) && a.self.Is(b.self), nil
		}
	case *view:
		return m.equalView(x, y)
	case *sliceObject:
		if b := y.slice(); b != nil {
			return m.equalItems([]Value{a.start, a.stop, a.step}, []Value{b.start, b.stop, b.step}, depth)
		}
	case *Opaque:
		if p, q := x.alias(), y.alias(); p != nil && q != nil {
			return m.equalAliases(p, q, depth)
		}
		if m.ownEq(x) {
			return false, ErrForeign
		}
	case *Class:
		if HasMethods(x) && m.ownEq(x) {
			return false, ErrForeign
		}
	}
	return m.equalOther(x, y, depth)
}

func (m *Machine) equalView(x, y Value) (bool, error) {
	if y.Kind() != KindSet && y.Kind() != KindFrozenSet && y.Kind() != KindView {
		return false, nil
	}
	a, err := m.setOf(x)
	if err != nil || a == nil {
		return false, err
	}
	b, err := m.setOf(y)
	if err != nil || b == nil {
		return false, err
	}
	return m.equalSets(a, b)
}
