package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// ValueOps is how instances of a bundled class compare and hash without a call:
// the natives that the class has as __eq__, __lt__, __hash__ and their like
// carry it. What it leaves to code of the program is errForeign.
type ValueOps struct {
	// equal is x == y; known is false when x has no answer.
	Equal func(m *Machine, x, y Value) (same, known bool, err error)
	// order compares x and y; ordered is false when neither is before the other.
	Order func(m *Machine, x, y Value) (c int, ordered, known bool, err error)
	// hash is the hash for tables.
	Hash func(m *Machine, x Value) (uint64, error)
}

// opsOf returns the ops of the method of that name of an instance, or nil.
func (m *Machine) opsOf(v Value, name *Str) *ValueOps {
	o := v.Instance()
	if o == nil || o.payload.Bound() {
		return nil
	}
	fn, _ := m.Lookup(o.class, name)
	return opsIn(fn)
}

// opsIn returns the ops of a method, or nil. A function of a bundled module has
// those of the native that it captures first, to which it leaves the work.
func opsIn(fn Value) *ValueOps {
	if f := fn.function(); f != nil && f.code.mod.hidden && len(f.cells) > 0 {
		fn = f.cells[0].v
	}
	if n := fn.native(); n != nil {
		return n.ops
	}
	return nil
}

// equalValues is x == y when one of them has ops for that.
func (m *Machine) equalValues(x, y Value) (same, known bool, err error) {
	if ops := m.opsOf(x, nameEq); ops != nil {
		if same, known, err = ops.Equal(m, x, y); known || err != nil {
			return same, known, err
		}
	}
	if ops := m.opsOf(y, nameEq); ops != nil {
		return ops.Equal(m, y, x)
	}
	return false, false, nil
}

// orderValues orders x and y when one of them has ops for that.
func (m *Machine) orderValues(op compareOp, x, y Value) (c int, ordered, known bool, err error) {
	if ops := m.opsOf(x, compareNames[op]); ops != nil {
		if c, ordered, known, err = ops.Order(m, x, y); known || err != nil {
			return c, ordered, known, err
		}
	}
	if ops := m.opsOf(y, reflectedCompare[op]); ops != nil {
		c, ordered, known, err = ops.Order(m, y, x)
		return -c, ordered, known, err
	}
	return 0, false, false, nil
}

// Swift defines a method of a bundled class that is worked out here when that
// can be done, and else by the method slow of the class, in Python. The name is
// that of the method with the class before it; the counts include self, and
// max < 0 allows keywords, too.
func (mod *ModuleBuilder) Swift(name string, min, max int, slow string, fn SwiftFunc) *Native {
	n := &Native{name: name, min: min, max: max, keywords: max < 0, method: true, id: mod.name + "." + name}
	fallback := known.str(slow)
	n.fn = func(m *Machine, a Args) (Value, error) {
		v, ok, err := fn(m, a)
		if ok || err != nil {
			return v, err
		}
		if fn := m.slowMethod(fallback, a.v[0]); fn.Bound() {
			m.tail = tailCall{fn: fn, args: append([]Value(nil), a.v...), names: a.names}
			return Value{}, errTail
		}
		class, method, _ := strings.Cut(name, ".")
		return Value{}, raise.Type("descriptor '%s' requires a '%s.%s' object but received a '%s'", method, swiftModules[mod.name], class, TypeName(a.v[0]))
	}
	mod.r.identify(n.value(), n.id)
	mod.Define(moduleName(name), n.value())
	return n
}

// SwiftFunc is the body of a swift method; ok is false when Python has to do it.
type SwiftFunc func(m *Machine, a Args) (v Value, ok bool, err error)

// moduleName makes a name of a module of that of a method: date.__add__ is
// date_add there.
func moduleName(method string) string {
	class, name, _ := strings.Cut(method, ".")
	return class + "_" + strings.Trim(name, "_")
}

// swiftModules are the bundled modules whose classes have swift methods, by the
// native ones that have these.
var swiftModules = map[string]string{"_calendar": "datetime", "_decimal": "decimal"}

// slowMethod returns the function of that name of the class of v, or of v when
// that is a class, or unbound.
func (m *Machine) slowMethod(name *Str, v Value) Value {
	c := v.Class()
	if c == nil {
		c = ClassOf(v)
	}
	fn, _ := m.Lookup(c, name)
	if fn.Kind() != KindFunction {
		return Value{}
	}
	return fn
}

// Comparisons defines the comparisons and the hash of a bundled class.
func (mod *ModuleBuilder) Comparisons(class string, ops *ValueOps) {
	for op := compareEq; op <= compareGtE; op++ {
		if op == compareNotEq {
			continue
		}
		mod.Swift(class+"."+compareNames[op].s, 2, 2, "_slow_"+strings.Trim(compareNames[op].s, "_"), ops.comparison(op)).ops = ops
	}
	mod.Swift(class+".__hash__", 1, 1, "_slow_hash", func(*Machine, Args) (Value, bool, error) { return Value{}, false, nil }).ops = ops
}

// comparison is the method of a comparison.
func (ops *ValueOps) comparison(op compareOp) SwiftFunc {
	return func(m *Machine, a Args) (Value, bool, error) {
		if op == compareEq {
			same, known, err := ops.Equal(m, a.v[0], a.v[1])
			return answered(same, known, err)
		}
		c, ordered, known, err := ops.Order(m, a.v[0], a.v[1])
		return answered(ordered && holds(op, c), known, err)
	}
}

func answered(yes, known bool, err error) (Value, bool, error) {
	switch {
	case err == ErrForeign:
		return Value{}, false, nil
	case err != nil:
		return Value{}, false, err
	case !known:
		return notImplemented, true, nil
	}
	return Bool(yes), true, nil
}

// holds reports whether an order fulfils a comparison.
func holds(op compareOp, c int) bool {
	switch op {
	case compareLt:
		return c < 0
	case compareLtE:
		return c <= 0
	case compareGt:
		return c > 0
	}
	return c >= 0
}
