package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/decimal"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Decimals are here, and not with the module, because they cross the boundary:
// the host's values become instances of decimal.Decimal, and leave as such.

// decimalType is the class of the values of _decimal, which programs never see.
var decimalType = NewClass("value", "_decimal.value")

// number is a decimal number.
type number decimal.Decimal

func (n *number) decimal() *decimal.Decimal { return (*decimal.Decimal)(n) }

// Size is that of the number.
func (n *number) Size() int { return n.decimal().Size() }

// Each visits nothing.
func (n *number) Each(func(Value)) {}

// decimalKind is how snapshots name a number.
const decimalKind = "_decimal.value"

// Save returns the sign, the digits, and the exponent or the letter of a
// special value.
func (n *number) Save() (string, []Value) {
	negative, digits, exp, kind, err := n.decimal().Tuple(budget.Free)
	if err != nil {
		return "", nil
	}
	end := Int(exp)
	if kind != 0 {
		end = SharedStr(string(rune(kind))).Ref()
	}
	return decimalKind, []Value{Bool(negative), (&Str{s: digits, length: -1}).value(), end}
}

func loadNumber(m *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 3 || fields[1].Str() == nil {
		return nil, ErrMalformed
	}
	digits := fields[1].Str().s
	if err := m.Alloc(2 * len(digits)); err != nil {
		return nil, err
	}
	values := []byte(digits)
	for i, c := range values {
		values[i] = c - '0' // decimalOfParts refuses what was no digit
	}
	d, err := m.DecimalOfParts(fields[0].n != 0, string(values), fields[2])
	if err != nil {
		return nil, err
	}
	return (*number)(d), nil
}

// Decimal makes an object of a number.
func (m *Machine) Decimal(d *decimal.Decimal, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	if err := m.Alloc(opaqueBytes + d.Size()); err != nil {
		return Value{}, err
	}
	return new(Opaque).number(d), nil
}

// number makes o the object of a number.
func (o *Opaque) number(d *decimal.Decimal) Value {
	o.class, o.box = decimalType, (*number)(d)
	return o.value()
}

// DecimalOf returns the number of an object that Decimal made.
func DecimalOf(v Value) (*decimal.Decimal, error) {
	if o := v.Opaque(); o != nil {
		if n, ok := o.box.(*number); ok {
			return n.decimal(), nil
		}
	}
	return nil, raise.Type("a decimal value is required, not '%s'", TypeName(v))
}

// DecimalOfParts makes a number of digits, each a byte from 0 to 9, and an
// exponent or the letter of a special value.
func (m *Machine) DecimalOfParts(negative bool, digits string, exponent Value) (*decimal.Decimal, error) {
	var kind byte
	var exp int64
	if s := Plain(exponent).Str(); s != nil {
		if s.s != "F" && s.s != "n" && s.s != "N" {
			return nil, raise.Value("string argument in the third position must be 'F', 'n' or 'N'")
		}
		kind = s.s[0]
	} else {
		var err error
		if exp, err = m.OptionalInt(exponent, 0); err != nil {
			return nil, err
		}
	}
	if err := m.Alloc(len(digits)); err != nil {
		return nil, err
	}
	if err := m.Work(len(digits)); err != nil {
		return nil, err
	}
	values := []byte(digits)
	for _, x := range values {
		if x > 9 {
			return nil, raise.Value("coefficient must be a tuple of digits")
		}
	}
	c := decimal.NewContext()
	c.Traps = 0
	return c.FromTuple(m, negative, values, exp, kind)
}

// numberName is the attribute that holds the number.
var numberName = known.str("_v")

// NewDecimal is a Decimal under way, for a number that may be put into its room:
// all of it is one allocation.
type NewDecimal struct {
	Instance
	array [1]entry
	box   Opaque
	Room  decimal.Room
}

// NewDecimal pays for an instance of c and makes it, without its number.
func (m *Machine) NewDecimal(c *Class) (*NewDecimal, error) {
	if err := m.Alloc(InstanceBytes + entryBytes + opaqueBytes + roomBytes); err != nil {
		return nil, err
	}
	o := &NewDecimal{}
	o.class, o.flags = c, roomy
	return o, nil
}

// roomBytes is what a trace counts for a number in a room.
const roomBytes = 112

// Of makes it the Decimal of a number. Only one that is not in the room is paid for.
func (o *NewDecimal) Of(m *Machine, d *decimal.Decimal) (Value, error) {
	if !o.Room.Holds(d) {
		if err := m.Alloc(d.Size()); err != nil {
			return Value{}, err
		}
	}
	o.array[0] = entry{numberName.Ref(), o.box.number(d), numberName.tableHash()}
	o.own.entries, o.own.count = o.array[:], 1
	return o.Instance.value(), nil
}

// defineDecimals defines the class of the numbers.
func defineDecimals(r *Registry) {
	r.HiddenClass(decimalType)
	r.Unboxer(decimalKind, loadNumber)
}

// DecimalIn returns the number of an instance of decimal.Decimal, or nil.
func DecimalIn(o *Instance) *decimal.Decimal {
	if box := o.FieldAt(0, numberName).Opaque(); box != nil {
		if x, ok := box.box.(*number); ok {
			return x.decimal()
		}
	}
	return nil
}
