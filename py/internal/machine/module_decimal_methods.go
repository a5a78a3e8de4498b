package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/decimal"
)

// The usual methods of the class Decimal of lib/decimal.py. They work in the
// current context as long as nothing happens that it traps, on Decimals and
// ints; everything else stays with the methods of Python.

// numberName is the attribute that holds the number.
var numberName = known.str("_v")

// decimalNames is what the module decimal of an instance has.
type decimalNames struct {
	mod        *module
	class      *class // Decimal
	conditions *tuple // the classes of the bits of decimal.Condition
	current    int    // the slot of the current context
	seen       [6]Value
	context    decimal.Context // of what was seen, to work in
}

// decimals returns what the module decimal has, or nil while there is none.
func (m *Machine) decimals() *decimalNames {
	if m.decimalModule.mod != nil {
		return &m.decimalModule
	}
	mod := m.modules["decimal"]
	if mod == nil {
		return nil
	}
	class, err1 := mod.member(known.str("Decimal"))
	conditions, err2 := mod.member(known.str("_conditions"))
	slot, ok := mod.code.slots["_current"]
	if err1 != nil || err2 != nil || !ok || class.class() == nil || conditions.tuple() == nil {
		return nil
	}
	m.decimalModule = decimalNames{mod: mod, class: class.class(), conditions: conditions.tuple(), current: slot}
	return &m.decimalModule
}

// begin returns the current context, to look at and to work in.
func (n *decimalNames) begin() (*instance, *decimal.Context) {
	o := n.mod.globals[n.current].instance()
	if o == nil {
		return nil, nil
	}
	for i, name := range contextNames {
		if v := o.fieldAt(i, name); !v.is(n.seen[i]) || !v.bound() {
			return n.look(o)
		}
	}
	n.context.Flags = 0
	return o, &n.context
}

// look reads a context that is not the one of the last time.
func (n *decimalNames) look(o *instance) (*instance, *decimal.Context) {
	var v [6]Value
	for i, name := range contextNames {
		v[i] = o.fieldAt(i, name)
	}
	mode, err := rounding(v[1])
	if err != nil || !v[0].isInt() || !v[2].isInt() || !v[3].isInt() || !v[4].isInt() || !v[5].isInt() {
		return nil, nil
	}
	c := decimal.Context{Prec: v[0].int(), Rounding: mode, Emin: v[2].int(), Emax: v[3].int(), Clamp: v[5].n != 0}
	if c.Validate() != nil {
		return nil, nil
	}
	n.seen, n.context = v, c
	return o, &n.context
}

var contextNames = [...]*str{known.str("prec"), known.str("rounding"), known.str("Emin"), known.str("Emax"), known.str("capitals"), known.str("clamp")}

var flagsName, trapsName = known.str("flags"), known.str("traps")

// note sets the flags of what happened; it reports false, with nothing set,
// when something of it is trapped.
func (n *decimalNames) note(o *instance, happened decimal.Condition) bool {
	if happened == 0 {
		return true
	}
	flags, traps := o.fieldAt(6, flagsName).dict(), o.fieldAt(7, trapsName).dict()
	if flags == nil || traps == nil {
		return false
	}
	var places [16]int
	count := 0
	for bit, class := range n.conditions.items {
		if happened>>bit&1 == 0 {
			continue
		}
		if bit < 5 {
			class = n.conditions.items[0]
		}
		trap, flag := placeOf(traps, class), placeOf(flags, class)
		if trap < 0 || flag < 0 || !traps.entries[trap].value.is(False) || count == len(places) {
			return false
		}
		places[count] = flag
		count++
	}
	for _, at := range places[:count] {
		flags.entries[at].value = True
	}
	return true
}

// placeOf finds one of the few classes in a dict of conditions.
func placeOf(d *dict, class Value) int {
	for i := range d.entries {
		if d.entries[i].key.o == class.o {
			return i
		}
	}
	return -1
}

// numberOf returns the number of a Decimal, or nil.
func (n *decimalNames) numberOf(v Value) *decimal.Decimal {
	o := v.instance()
	if n == nil || o == nil || o.class != n.class && !o.class.isSubclass(n.class) {
		return nil
	}
	if box := o.fieldAt(0, numberName).opaque(); box != nil {
		if x, ok := box.box.(*number); ok {
			return x.d
		}
	}
	return nil
}

// operandOf is numberOf of a Decimal or an int.
func (n *decimalNames) operandOf(v Value) *decimal.Decimal {
	switch v.kind() {
	case kindInt, kindBool:
		return decimal.FromInt64(v.int())
	case kindBigInt:
		return decimal.FromInt(bigOf(v))
	}
	return n.numberOf(v)
}

// numberInstance is a Decimal with its number beside it, in one allocation.
type numberInstance struct {
	instance
	array [1]entry
	box   numberObject
}

// newDecimal makes an instance of c.
func (m *Machine) newDecimal(c *class, d *decimal.Decimal) (Value, bool, error) {
	if err := m.Alloc(instanceBytes + entryBytes + opaqueBytes + d.Size()); err != nil {
		return Value{}, false, err
	}
	with := &numberInstance{}
	with.array[0] = entry{numberName.ref(), with.box.of(d), numberName.tableHash()}
	o := &with.instance
	o.class, o.flags = c, roomy
	o.own.entries, o.own.count = with.array[:1], 1
	return o.value(), true, nil
}

func defineDecimalMethods(mod *moduleMaker) {
	for _, name := range []string{"add", "sub", "mul", "truediv", "floordiv", "mod", "pow"} {
		operation := name
		if name == "truediv" {
			operation = "div"
		}
		fn := decimalBinaries[operation]
		most := 2
		if name == "pow" {
			most = 3
		}
		mod.swift("Decimal.__"+name+"__", 2, most, "_slow_"+name, decimalOperator(fn, false))
		mod.swift("Decimal.__r"+name+"__", 2, 2, "_slow_r"+name, decimalOperator(fn, true))
	}
	mod.swift("Decimal.__neg__", 1, 1, "_slow_neg", decimalSign("minus"))
	mod.swift("Decimal.__abs__", 1, 1, "_slow_abs", decimalSign("abs"))
	mod.swift("Decimal.__new__", 1, -1, "_slow_new", decimalNew)
	mod.swift("Decimal.__str__", 1, 1, "_slow_str", decimalStr)
	mod.swift("Decimal.__format__", 2, 2, "_slow_format", decimalSpec)
	mod.swift("Decimal.__bool__", 1, 1, "_slow_bool", func(m *Machine, a Args) (Value, bool, error) {
		d := m.decimals().numberOf(a.v[0])
		return Bool(d != nil && !d.IsZero()), d != nil, nil
	})
	mod.swift("Decimal.__round__", 1, 2, "_slow_round", decimalRounded)
	mod.swift("Decimal.quantize", 1, -1, "_slow_quantize", decimalQuantized)
	mod.comparisons("Decimal", &valueOps{equal: equalDecimals, order: orderDecimals, hash: hashDecimal})
}

// decimalDone makes a Decimal of what an operation in the context of o gave.
func (m *Machine) decimalDone(n *decimalNames, o *instance, d *decimal.Decimal, err error) (Value, bool, error) {
	if err != nil {
		return Value{}, false, err
	}
	if !n.note(o, n.context.Flags) {
		return no()
	}
	return m.newDecimal(n.class, d)
}

func decimalOperator(fn decimalBinary, swapped bool) swiftFunc {
	return func(m *Machine, a Args) (Value, bool, error) {
		n := m.decimals()
		if n == nil || len(a.v) != 2 {
			return no()
		}
		x, y := n.numberOf(a.v[0]), n.operandOf(a.v[1])
		if x == nil || y == nil {
			return no()
		}
		if swapped {
			x, y = y, x
		}
		o, c := n.begin()
		if o == nil {
			return no()
		}
		d, err := fn(c, m, x, y)
		return m.decimalDone(n, o, d, err)
	}
}

func decimalSign(operation string) swiftFunc {
	fn := decimalUnaries[operation]
	return func(m *Machine, a Args) (Value, bool, error) {
		n := m.decimals()
		x := n.numberOf(a.v[0])
		if x == nil {
			return no()
		}
		o, c := n.begin()
		if o == nil {
			return no()
		}
		d, err := fn(c, m, x)
		return m.decimalDone(n, o, d, err)
	}
}

var decimalParams = []*str{known.str("value"), known.str("context")}

// decimalNew is Decimal(value) of a str without frills, an int or a Decimal.
func decimalNew(m *Machine, a Args) (Value, bool, error) {
	if err := named(a, "function", 2, decimalParams); err != nil {
		return Value{}, false, err
	}
	c, n := a.v[0].class(), m.decimals()
	if c == nil || n == nil || len(a.v) != 2 || a.names != nil || c.layout != kindInstance || !c.isSubclass(n.class) {
		return no()
	}
	if s := a.v[1].str(); s != nil {
		if !s.flat() || strings.ContainsAny(s.s, "_ \t\n\r\f\v\x1c\x1d\x1e\x1f") {
			return no()
		}
		o, k := n.begin()
		if o == nil {
			return no()
		}
		d, err := k.Parse(m, s.s)
		if err != nil {
			return Value{}, false, err
		}
		if k.Flags != 0 {
			return no()
		}
		return m.newDecimal(c, d)
	}
	if d := n.operandOf(a.v[1]); d != nil {
		return m.newDecimal(c, d)
	}
	return no()
}

// decimalStr is str(x) in a context that writes E.
func decimalStr(m *Machine, a Args) (Value, bool, error) {
	n := m.decimals()
	d := n.numberOf(a.v[0])
	if d == nil {
		return no()
	}
	o, _ := n.begin()
	if o == nil || !o.fieldAt(4, contextNames[4]).is(Int(1)) {
		return no()
	}
	s, err := d.String(m)
	if err != nil {
		return Value{}, false, err
	}
	v, err := m.str(s)
	return v, err == nil, err
}

// decimalSpec is format(x, spec).
func decimalSpec(m *Machine, a Args) (Value, bool, error) {
	n := m.decimals()
	d, spec := n.numberOf(a.v[0]), a.v[1].str()
	if d == nil || spec == nil {
		return no()
	}
	_, c := n.begin()
	if c == nil {
		return no()
	}
	s, err := c.Format(m, d, spec.s)
	if err != nil {
		return Value{}, false, err
	}
	v, err := m.str(s)
	return v, err == nil, err
}

// decimalRounded is round(x, places).
func decimalRounded(m *Machine, a Args) (Value, bool, error) {
	n := m.decimals()
	x := n.numberOf(a.v[0])
	if x == nil || len(a.v) != 2 || !a.v[1].isInt() {
		return no()
	}
	o, c := n.begin()
	if o == nil {
		return no()
	}
	d, err := c.Round(m, x, a.v[1].int())
	return m.decimalDone(n, o, d, err)
}

var quantizeParams = []*str{known.str("exp"), known.str("rounding"), known.str("context")}

// decimalQuantized is x.quantize(exp, rounding=None).
func decimalQuantized(m *Machine, a Args) (Value, bool, error) {
	if err := named(a, "function", 3, quantizeParams); err != nil {
		return Value{}, false, err
	}
	n := m.decimals()
	if n == nil || a.len() < 2 || len(a.v) > 3 {
		return no()
	}
	x, y := n.numberOf(a.v[0]), n.operandOf(a.v[1])
	if x == nil || y == nil || a.named() == 1 && a.names.items[0].str().s != "rounding" {
		return no()
	}
	o, c := n.begin()
	if o == nil {
		return no()
	}
	mode := c.Rounding
	if len(a.v) == 3 && !a.v[2].isNone() {
		var err error
		if mode, err = rounding(a.v[2]); err != nil {
			return Value{}, false, err
		}
	}
	d, err := c.Quantize(m, x, y, mode)
	return m.decimalDone(n, o, d, err)
}

// twoDecimals returns the operands of a comparison, and what becomes of it.
func twoDecimals(m *Machine, x, y Value) (a, b *decimal.Decimal, state comparable2) {
	n := m.decimals()
	if a = n.numberOf(x); a == nil {
		return nil, nil, compareSlow
	}
	if b = n.operandOf(y); b == nil {
		if k := y.kind(); k == kindFloat || hasMethods(y) {
			return nil, nil, compareSlow
		}
		return nil, nil, compareUnknown
	}
	if a.IsNaN() || b.IsNaN() {
		return nil, nil, compareSlow
	}
	return a, b, compareKnown
}

func equalDecimals(m *Machine, x, y Value) (bool, bool, error) {
	a, b, state := twoDecimals(m, x, y)
	if state != compareKnown {
		return false, false, state.err()
	}
	same, err := new(decimal.Context).Equal(m, a, b)
	return same, true, err
}

func orderDecimals(m *Machine, x, y Value) (int, bool, bool, error) {
	a, b, state := twoDecimals(m, x, y)
	if state != compareKnown {
		return 0, false, false, state.err()
	}
	order, ordered, err := new(decimal.Context).Order(m, a, b)
	return order, ordered, true, err
}

func hashDecimal(m *Machine, x Value) (uint64, error) {
	d := m.decimals().numberOf(x)
	if d == nil || d.IsSNaN() {
		return 0, errForeign
	}
	h, err := d.Hash(m)
	return mix(uint64(h)), err
}
