package modules

import (
	"math/bits"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/decimal"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
)

// The usual methods of the class Decimal of lib/decimal.py. They work in the
// current context as long as nothing happens that it traps, on Decimals and
// ints; everything else stays with the methods of Python.

// decimalNames is what the module decimal of an instance has.
type decimalNames struct {
	mod        *machine.ModuleObject
	class      *machine.Class // Decimal
	conditions *machine.Tuple // the classes of the bits of decimal.Condition
	current    int            // the slot of the current context
	seen       [6]machine.Value
	context    decimal.Context // of what was seen, to work in
}

var decimalState = machine.NewState(func() machine.State { return new(decimalNames) })

// Size is nothing: the instance pays for what the module has.
func (n *decimalNames) Size() int { return 0 }

// Each visits nothing: the module holds the classes and the context.
func (n *decimalNames) Each(func(machine.Value)) {}

// decimalsOf returns what the module decimal has, or nil while there is none.
func decimalsOf(m *machine.Machine) *decimalNames {
	found := decimalState.Of(m).(*decimalNames)
	if found.mod != nil {
		return found
	}
	mod := m.Imported("decimal")
	if mod == nil {
		return nil
	}
	class, err1 := mod.Member(machine.SharedName("Decimal"))
	conditions, err2 := mod.Member(machine.SharedName("_conditions"))
	slot, ok := mod.Slot("_current")
	if err1 != nil || err2 != nil || !ok || class.Class() == nil || conditions.Tuple() == nil {
		return nil
	}
	*found = decimalNames{mod: mod, class: class.Class(), conditions: conditions.Tuple(), current: slot}
	return found
}

// begin returns the current context, to look at and to work in.
func (n *decimalNames) begin() (*machine.Instance, *decimal.Context) {
	o := n.mod.Global(n.current).Instance()
	if o == nil {
		return nil, nil
	}
	if !o.Begins(contextNames[:], n.seen[:]) {
		return n.look(o)
	}
	n.context.Flags = 0
	return o, &n.context
}

// look reads a context that is not the one of the last time.
func (n *decimalNames) look(o *machine.Instance) (*machine.Instance, *decimal.Context) {
	var v [6]machine.Value
	for i, name := range contextNames {
		v[i] = o.FieldAt(i, name)
	}
	mode, err := rounding(v[1])
	if err != nil || !v[0].IsInt() || !v[2].IsInt() || !v[3].IsInt() || !v[4].IsInt() || !v[5].IsInt() {
		return nil, nil
	}
	c := decimal.Context{Prec: v[0].Int(), Rounding: mode, Emin: v[2].Int(), Emax: v[3].Int(), Clamp: v[5].Int() != 0}
	if c.Validate() != nil {
		return nil, nil
	}
	n.seen, n.context = v, c
	return o, &n.context
}

var contextNames = [...]*machine.Str{machine.SharedName("prec"), machine.SharedName("rounding"), machine.SharedName("Emin"), machine.SharedName("Emax"), machine.SharedName("capitals"), machine.SharedName("clamp")}

var flagsName, trapsName = machine.SharedName("flags"), machine.SharedName("traps")

// note sets the flags of what happened; it reports false, with nothing set,
// when something of it is trapped.
func (n *decimalNames) note(o *machine.Instance, happened decimal.Condition) bool {
	if happened == 0 {
		return true
	}
	flags, traps := o.FieldAt(6, flagsName).Dict(), o.FieldAt(7, trapsName).Dict()
	if flags == nil || traps == nil {
		return false
	}
	var places [16]int
	count := 0
	for classes := n.conditions.Items(); happened != 0; happened &= happened - 1 {
		bit := bits.TrailingZeros(uint(happened))
		if bit >= len(classes) {
			break
		}
		class := classes[bit]
		if bit < 5 {
			class = classes[0]
		}
		trap, flag := traps.PlaceOf(class), flags.PlaceOf(class)
		if trap < 0 || flag < 0 || !traps.ValueAt(trap).Is(machine.False) || count == len(places) {
			return false
		}
		places[count] = flag
		count++
	}
	for _, at := range places[:count] {
		flags.PutAt(at, machine.True)
	}
	return true
}

// numberOf returns the number of a Decimal, or nil.
func (n *decimalNames) numberOf(v machine.Value) *decimal.Decimal {
	o := v.Instance()
	if n == nil || o == nil || o.Class() != n.class && !o.Class().IsSubclass(n.class) {
		return nil
	}
	return machine.DecimalIn(o)
}

// operandOf is numberOf of a Decimal or an int.
func (n *decimalNames) operandOf(v machine.Value) *decimal.Decimal {
	switch v.Kind() {
	case machine.KindInt, machine.KindBool:
		return decimal.FromInt64(v.Int())
	case machine.KindBigInt:
		return decimal.FromInt(machine.BigOf(v))
	}
	return n.numberOf(v)
}

func defineDecimalMethods(mod *machine.ModuleBuilder) {
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
		mod.Swift("Decimal.__"+name+"__", 2, most, "_slow_"+name, decimalOperator(fn, false))
		mod.Swift("Decimal.__r"+name+"__", 2, 2, "_slow_r"+name, decimalOperator(fn, true))
	}
	mod.Swift("Decimal.__neg__", 1, 1, "_slow_neg", decimalSign("minus"))
	mod.Swift("Decimal.__abs__", 1, 1, "_slow_abs", decimalSign("abs"))
	mod.Swift("Decimal.__new__", 1, -1, "_slow_new", decimalNew)
	mod.Swift("Decimal.__str__", 1, 1, "_slow_str", decimalStr)
	mod.Swift("Decimal.__format__", 2, 2, "_slow_format", decimalSpec)
	mod.Swift("Decimal.__bool__", 1, 1, "_slow_bool", func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		d := decimalsOf(m).numberOf(a.Arg(0))
		return machine.Bool(d != nil && !d.IsZero()), d != nil, nil
	})
	mod.Swift("Decimal.__round__", 1, 2, "_slow_round", decimalRounded)
	mod.Swift("Decimal.quantize", 1, -1, "_slow_quantize", decimalQuantized)
	mod.Comparisons("Decimal", &machine.ValueOps{Equal: equalDecimals, Order: orderDecimals, Hash: hashDecimal})
}

// inContext makes the Decimal of an operation in the current context.
func (n *decimalNames) inContext(m *machine.Machine, work func(c *decimal.Context) (*decimal.Decimal, error)) (machine.Value, bool, error) {
	o, c := n.begin()
	if o == nil {
		return no()
	}
	made, err := m.NewDecimal(n.class)
	if err != nil {
		return machine.Value{}, false, err
	}
	c.Room = &made.Room
	d, err := work(c)
	c.Room = nil
	if err != nil {
		return machine.Value{}, false, err
	}
	if !n.note(o, c.Flags) {
		return no()
	}
	v, err := made.Of(m, d)
	return v, err == nil, err
}

func decimalOperator(fn decimalBinary, swapped bool) machine.SwiftFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		n := decimalsOf(m)
		if n == nil || len(a.All()) != 2 {
			return no()
		}
		x, y := n.numberOf(a.Arg(0)), n.operandOf(a.Arg(1))
		if x == nil || y == nil {
			return no()
		}
		if swapped {
			x, y = y, x
		}
		return n.inContext(m, func(c *decimal.Context) (*decimal.Decimal, error) { return fn(c, m, x, y) })
	}
}

func decimalSign(operation string) machine.SwiftFunc {
	fn := decimalUnaries[operation]
	return func(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
		n := decimalsOf(m)
		x := n.numberOf(a.Arg(0))
		if x == nil {
			return no()
		}
		return n.inContext(m, func(c *decimal.Context) (*decimal.Decimal, error) { return fn(c, m, x) })
	}
}

var decimalParams = []*machine.Str{machine.SharedName("value"), machine.SharedName("context")}

// decimalNew is Decimal(value) of a str without frills, an int or a Decimal.
func decimalNew(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	if err := named(a, "function", 2, decimalParams); err != nil {
		return machine.Value{}, false, err
	}
	c, n := a.Arg(0).Class(), decimalsOf(m)
	if c == nil || n == nil || len(a.All()) != 2 || a.Named() > 0 || c.BuiltInBase() || !c.IsSubclass(n.class) {
		return no()
	}
	if s := a.Arg(1).Str(); s != nil {
		return n.parsed(m, c, s)
	}
	d := n.numberOf(a.Arg(1))
	if d == nil && !machine.IsIntegral(a.Arg(1)) {
		return no()
	}
	made, err := m.NewDecimal(c)
	if err != nil {
		return machine.Value{}, false, err
	}
	if d == nil {
		d = intIn(&made.Room, a.Arg(1))
	}
	v, err := made.Of(m, d)
	return v, err == nil, err
}

// intIn returns the number of an int, in the room when it is short.
func intIn(room *decimal.Room, v machine.Value) *decimal.Decimal {
	if v.Kind() == machine.KindBigInt {
		return decimal.FromInt(machine.BigOf(v))
	}
	return room.FromInt64(v.Int())
}

// parsed is Decimal(s) of the class c, when s is a number without frills.
func (n *decimalNames) parsed(m *machine.Machine, c *machine.Class, s *machine.Str) (machine.Value, bool, error) {
	if !s.Flat() || strings.ContainsAny(s.Text(), "_ \t\n\r\f\v\x1c\x1d\x1e\x1f") {
		return no()
	}
	o, k := n.begin()
	if o == nil {
		return no()
	}
	made, err := m.NewDecimal(c)
	if err != nil {
		return machine.Value{}, false, err
	}
	k.Room = &made.Room
	d, err := k.Parse(m, s.Text())
	k.Room = nil
	if err != nil {
		return machine.Value{}, false, err
	}
	if k.Flags != 0 {
		return no()
	}
	v, err := made.Of(m, d)
	return v, err == nil, err
}

// decimalStr is str(x) in a context that writes E.
func decimalStr(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	n := decimalsOf(m)
	d := n.numberOf(a.Arg(0))
	if d == nil {
		return no()
	}
	o, _ := n.begin()
	if o == nil || !o.FieldAt(4, contextNames[4]).Is(machine.Int(1)) {
		return no()
	}
	s, err := d.String(m)
	if err != nil {
		return machine.Value{}, false, err
	}
	v, err := m.Str(s)
	return v, err == nil, err
}

// decimalSpec is format(x, spec).
func decimalSpec(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	n := decimalsOf(m)
	d, spec := n.numberOf(a.Arg(0)), a.Arg(1).Str()
	if d == nil || spec == nil {
		return no()
	}
	_, c := n.begin()
	if c == nil {
		return no()
	}
	s, err := c.Format(m, d, spec.Text())
	if err != nil {
		return machine.Value{}, false, err
	}
	v, err := m.Str(s)
	return v, err == nil, err
}

// decimalRounded is round(x, places).
func decimalRounded(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	n := decimalsOf(m)
	x := n.numberOf(a.Arg(0))
	if x == nil || len(a.All()) != 2 || !a.Arg(1).IsInt() {
		return no()
	}
	places := a.Arg(1).Int()
	return n.inContext(m, func(c *decimal.Context) (*decimal.Decimal, error) { return c.Round(m, x, places) })
}

var quantizeParams = []*machine.Str{machine.SharedName("exp"), machine.SharedName("rounding"), machine.SharedName("context")}

// decimalQuantized is x.quantize(exp, rounding=None).
func decimalQuantized(m *machine.Machine, a machine.Args) (machine.Value, bool, error) {
	if err := named(a, "function", 3, quantizeParams); err != nil {
		return machine.Value{}, false, err
	}
	n := decimalsOf(m)
	if n == nil || a.Len() < 2 || len(a.All()) > 3 {
		return no()
	}
	x, y := n.numberOf(a.Arg(0)), n.operandOf(a.Arg(1))
	if x == nil || y == nil || a.Named() == 1 && a.NameAt(0).Text() != "rounding" {
		return no()
	}
	return n.inContext(m, func(c *decimal.Context) (*decimal.Decimal, error) {
		mode := c.Rounding
		if len(a.All()) == 3 && !a.Arg(2).IsNone() {
			var err error
			if mode, err = rounding(a.Arg(2)); err != nil {
				return nil, err
			}
		}
		return c.Quantize(m, x, y, mode)
	})
}

// twoDecimals returns the operands of a comparison, and what becomes of it.
func twoDecimals(m *machine.Machine, x, y machine.Value) (a, b *decimal.Decimal, state comparable2) {
	n := decimalsOf(m)
	if a = n.numberOf(x); a == nil {
		return nil, nil, compareSlow
	}
	if b = n.operandOf(y); b == nil {
		if k := y.Kind(); k == machine.KindFloat || machine.HasMethods(y) {
			return nil, nil, compareSlow
		}
		return nil, nil, compareUnknown
	}
	if a.IsNaN() || b.IsNaN() {
		return nil, nil, compareSlow
	}
	return a, b, compareKnown
}

func equalDecimals(m *machine.Machine, x, y machine.Value) (bool, bool, error) {
	a, b, state := twoDecimals(m, x, y)
	if state != compareKnown {
		return false, false, state.err()
	}
	same, err := new(decimal.Context).Equal(m, a, b)
	return same, true, err
}

func orderDecimals(m *machine.Machine, x, y machine.Value) (int, bool, bool, error) {
	a, b, state := twoDecimals(m, x, y)
	if state != compareKnown {
		return 0, false, false, state.err()
	}
	order, ordered, err := new(decimal.Context).Order(m, a, b)
	return order, ordered, true, err
}

func hashDecimal(m *machine.Machine, x machine.Value) (uint64, error) {
	d := decimalsOf(m).numberOf(x)
	if d == nil || d.IsSNaN() {
		return 0, machine.ErrForeign
	}
	h, err := d.Hash(m)
	return machine.SpreadHash(uint64(h)), err
}
