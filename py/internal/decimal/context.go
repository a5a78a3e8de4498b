package decimal

import (
	"math/big"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Condition is a set of what can happen in an operation.
type Condition uint16

// The first five are kinds of InvalidOperation, and trapped as such.
const (
	InvalidOperation Condition = 1 << iota
	ConversionSyntax
	DivisionImpossible
	DivisionUndefined
	InvalidContext
	FloatOperation
	DivisionByZero
	Overflow
	Underflow
	Subnormal
	Inexact
	Rounded
	Clamped

	invalid = InvalidOperation | ConversionSyntax | DivisionImpossible | DivisionUndefined | InvalidContext
)

// conditions has the names in the order of CPython's messages.
var conditions = [...]string{
	"InvalidOperation", "ConversionSyntax", "DivisionImpossible", "DivisionUndefined", "InvalidContext",
	"FloatOperation", "DivisionByZero", "Overflow", "Underflow", "Subnormal", "Inexact", "Rounded", "Clamped",
}

// Names returns the names of the conditions in the set, in the order in which
// CPython lists them.
func (c Condition) Names() []string {
	var names []string
	for i, name := range conditions {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Signal is a trapped condition: an exception of the decimal module.
type Signal struct {
	Class     string // "InvalidOperation"
	Condition Condition
}

// Message returns the exception's text.
func (s *Signal) Message() string {
	names := s.Condition.Names()
	for i, name := range names {
		names[i] = "<class 'decimal." + name + "'>"
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// Error returns the exception as the last line of a traceback shows it.
func (s *Signal) Error() string { return "decimal." + s.Class + ": " + s.Message() }

// Rounding says where a result goes that has too many digits.
type Rounding uint8

// The modes, in the order of CPython's messages.
const (
	RoundCeiling Rounding = iota
	RoundFloor
	RoundUp
	RoundDown
	RoundHalfUp
	RoundHalfDown
	RoundHalfEven
	Round05Up
)

var roundings = [...]string{
	"ROUND_CEILING", "ROUND_FLOOR", "ROUND_UP", "ROUND_DOWN",
	"ROUND_HALF_UP", "ROUND_HALF_DOWN", "ROUND_HALF_EVEN", "ROUND_05UP",
}

// String returns the mode's name in Python.
func (r Rounding) String() string { return roundings[r] }

// ParseRounding returns the mode of that name.
func ParseRounding(name string) (Rounding, bool) {
	for i, r := range roundings {
		if r == name {
			return Rounding(i), true
		}
	}
	return 0, false
}

// Context says how results are rounded and which conditions are errors.
type Context struct {
	Prec       int64 // digits of a result, from 1 to MaxPrec
	Rounding   Rounding
	Emin, Emax int64 // of the first digit
	Clamp      bool  // exponents are at most Emax - Prec + 1
	Traps      Condition
	Flags      Condition // what happened so far
	Room       *Room     // for the next number with a short coefficient, or nil
}

// NewContext returns the context that a Python program begins with.
func NewContext() *Context {
	return &Context{
		Prec: 28, Rounding: RoundHalfEven, Emin: -999_999, Emax: 999_999,
		Traps: invalid | DivisionByZero | Overflow,
	}
}

// Validate says which field is out of its range. A context must be valid before
// it computes.
func (c *Context) Validate() error {
	switch {
	case c.Prec < 1 || c.Prec > MaxPrec:
		return raise.Value("valid range for prec is [1, MAX_PREC]")
	case c.Emin < MinEmin || c.Emin > 0:
		return raise.Value("valid range for Emin is [MIN_EMIN, 0]")
	case c.Emax < 0 || c.Emax > MaxEmax:
		return raise.Value("valid range for Emax is [0, MAX_EMAX]")
	case int(c.Rounding) >= len(roundings):
		return raise.Type("valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]")
	}
	return nil
}

// work returns a context for steps of an operation: conditions are not errors,
// and exponents are wide.
func (c *Context) work(prec int64) *Context {
	return &Context{Prec: prec, Rounding: RoundHalfEven, Emin: MinEmin, Emax: MaxEmax}
}

// signal notes conditions, and returns the error of those that are trapped.
func (c *Context) signal(happened Condition) error {
	c.Flags |= happened
	trapped := happened & c.Traps
	if trapped == 0 {
		return nil
	}
	class := "InvalidOperation"
	if trapped&invalid == 0 {
		class = (trapped & -trapped).Names()[0]
	}
	return &Signal{class, trapped}
}

// answer returns a result unless a condition that came with it is trapped.
func (c *Context) answer(d *Decimal, happened Condition) (*Decimal, error) {
	if err := c.signal(happened); err != nil {
		return nil, err
	}
	return d, nil
}

// refuse answers NaN, for an operation that has no result.
func (c *Context) refuse(kind Condition) (*Decimal, error) { return c.answer(newNaN(), kind) }

func (c *Context) etiny() int64 { return c.Emin - c.Prec + 1 }
func (c *Context) etop() int64  { return c.Emax - c.Prec + 1 }

// nan returns the NaN that operands make of an operation, nil if there is none.
func (c *Context) nan(m budget.Meter, operands ...*Decimal) (*Decimal, error) {
	var chosen *Decimal
	for _, d := range operands {
		if d.form == signaling && (chosen == nil || chosen.form != signaling) || d.form == quiet && chosen == nil {
			chosen = d
		}
	}
	if chosen == nil {
		return nil, nil
	}
	happened := Condition(0)
	if chosen.form == signaling {
		happened = InvalidOperation
	}
	z, err := c.fitPayload(m, chosen)
	if err != nil {
		return nil, err
	}
	return c.answer(z, happened)
}

// fitPayload returns a quiet NaN with the last digits of d's payload.
func (c *Context) fitPayload(m budget.Meter, d *Decimal) (*Decimal, error) {
	room := c.Prec
	if c.Clamp {
		room--
	}
	n, err := digits(m, d.coef)
	if err != nil {
		return nil, err
	}
	z := &Decimal{form: quiet, negative: d.negative, coef: d.coef}
	if n <= room {
		return z, nil
	}
	power, err := pow10(m, room)
	if err != nil {
		return nil, err
	}
	z.coef, err = num.ModBig(m, d.coef, power)
	return z, err
}

// finish rounds a result to the context and answers it.
func (c *Context) finish(m budget.Meter, d *Decimal) (*Decimal, error) {
	z, happened, err := c.round(m, d)
	if err != nil {
		return nil, err
	}
	return c.answer(z, happened)
}

// perOperation is what an operation costs however small its operands are.
const perOperation = 300

// round fits a number to precision and exponents.
func (c *Context) round(m budget.Meter, d *Decimal) (*Decimal, Condition, error) {
	if err := m.Work(perOperation); err != nil {
		return nil, 0, err
	}
	if d.isSpecial() {
		return d, 0, nil
	}
	if d.isZero() {
		z, happened := c.roundZero(d)
		return z, happened, nil
	}
	n, err := digits(m, d.coef)
	if err != nil {
		return nil, 0, err
	}
	adjusted := d.exp + n - 1
	if adjusted > c.Emax {
		z, err := c.overflow(m, d.negative)
		return z, Overflow | Inexact | Rounded, err
	}
	last := max(d.exp, adjusted-c.Prec+1)
	if adjusted < c.Emin {
		return c.roundSubnormal(m, d, max(last, c.etiny()))
	}
	if last == d.exp {
		return c.clamp(m, d)
	}
	coef, lost, err := rescale(m, d, last, c.Rounding)
	if err != nil {
		return nil, 0, err
	}
	happened := lost.conditions()
	z := newFinite(d.negative, coef, last)
	if lost == nothing {
		z, more, err := c.clamp(m, z)
		return z, happened | more, err
	}
	return c.carry(m, z, happened)
}

// carry takes back the digit that rounding 99.9 up adds.
func (c *Context) carry(m budget.Meter, z *Decimal, happened Condition) (*Decimal, Condition, error) {
	n, err := digits(m, z.coef)
	if err != nil {
		return nil, 0, err
	}
	if n > c.Prec {
		if z.coef, err = num.FloorDivBig(m, z.coef, big.NewInt(10)); err != nil {
			return nil, 0, err
		}
		z.exp++
		n--
	}
	if z.exp+n-1 > c.Emax {
		z, err := c.overflow(m, z.negative)
		return z, Overflow | Inexact | Rounded, err
	}
	z, more, err := c.clamp(m, z)
	return z, happened | more, err
}

func (c *Context) roundZero(d *Decimal) (*Decimal, Condition) {
	top := c.Emax
	if c.Clamp {
		top = c.etop()
	}
	exp := min(max(d.exp, c.etiny()), top)
	if exp == d.exp {
		return d, 0
	}
	return newFinite(d.negative, d.coef, exp), Clamped
}

func (c *Context) roundSubnormal(m budget.Meter, d *Decimal, last int64) (*Decimal, Condition, error) {
	happened := Subnormal
	if last == d.exp {
		return d, happened, nil
	}
	coef, lost, err := rescale(m, d, last, c.Rounding)
	if err != nil {
		return nil, 0, err
	}
	happened |= lost.conditions()
	if lost != nothing {
		happened |= Underflow
	}
	if coef.Sign() == 0 {
		happened |= Clamped
	}
	return newFinite(d.negative, coef, last), happened, nil
}

// clamp pads a coefficient so that the exponent is not above its top.
func (c *Context) clamp(m budget.Meter, d *Decimal) (*Decimal, Condition, error) {
	if !c.Clamp || d.exp <= c.etop() {
		return d, 0, nil
	}
	coef, err := shiftLeft(m, d.coef, d.exp-c.etop())
	return newFinite(d.negative, coef, c.etop()), Clamped, err
}

// overflow returns what takes the place of a result that is too large.
func (c *Context) overflow(m budget.Meter, negative bool) (*Decimal, error) {
	switch c.Rounding {
	case RoundDown, Round05Up:
	case RoundCeiling:
		if !negative {
			return newInfinity(false), nil
		}
	case RoundFloor:
		if negative {
			return newInfinity(true), nil
		}
	default:
		return newInfinity(negative), nil
	}
	power, err := pow10(m, c.Prec)
	if err != nil {
		return nil, err
	}
	return newFinite(negative, power.Sub(power, big.NewInt(1)), c.etop()), nil
}
