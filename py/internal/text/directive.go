package text

import (
	"math"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// FormatStr writes the text of a value for %s, %r, %a, %b and %c.
func (d Directive) FormatStr(m budget.Meter, s Str) (string, error) {
	if d.precision >= 0 && d.precision < len(s.S) && d.Type != 'c' {
		var err error
		if s.S, err = sliceRun(m, s, 0, min(d.precision, s.Len())); err != nil {
			return "", err
		}
	}
	return d.spec(' ').pad(m, s)
}

// spec is the padding of d.
func (d Directive) spec(fill rune) Spec {
	s := Spec{fill: fill, align: '>', width: d.width, precision: -1}
	switch {
	case d.minus:
		s.fill, s.align = ' ', '<'
	case fill == '0':
		s.align = '='
	}
	return s
}

func (d Directive) signed() Spec {
	fill := ' '
	if d.zero {
		fill = '0'
	}
	s := d.spec(fill)
	switch {
	case d.plus:
		s.sign = '+'
	case d.blank:
		s.sign = ' '
	}
	return s
}

// FormatInt writes an int for %d %i %u %o %x %X.
func (d Directive) FormatInt(m budget.Meter, i Int) (string, error) {
	base, prefix := 10, ""
	switch d.Type {
	case 'o':
		base, prefix = 8, "0o"
	case 'x':
		base, prefix = 16, "0x"
	case 'X':
		base, prefix = 16, "0X"
	}
	if d.precision > math.MaxInt32-3 {
		return "", raise.Overflow("precision too large")
	}
	digits, err := i.digits(m, base)
	if err != nil {
		return "", err
	}
	if lack := d.precision - len(digits); lack > 0 {
		if digits, err = surround(m, digits, "0", lack, 0); err != nil {
			return "", err
		}
	}
	if d.Type == 'X' {
		if err := alloc(m, len(digits)); err != nil {
			return "", err
		}
		digits = strings.ToUpper(digits)
	}
	if !d.alternate {
		prefix = ""
	}
	return d.signed().assemble(m, numeral{whole: digits, prefix: prefix}, i.Negative())
}

// FormatFloat writes a float for %e %E %f %F %g %G.
func (d Directive) FormatFloat(m budget.Meter, f float64) (string, error) {
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	digits, err := floatDigits(m, math.Abs(f), byte(d.Type), precision, d.alternate)
	if err != nil {
		return "", err
	}
	negative := math.Signbit(f) && !math.IsNaN(f)
	return d.signed().assemble(m, numeral{whole: digits}, negative)
}

// FormatChar writes the code point of an int for %c.
func (d Directive) FormatChar(m budget.Meter, i Int) (string, error) {
	if i.Big != nil || i.Small < 0 || i.Small > 0x10FFFF {
		return "", raise.Overflow("%%c arg not in range(0x110000)")
	}
	return d.FormatStr(m, Of(Chr(rune(i.Small))))
}

// FormatByte writes the byte of an int for %c of a bytes format.
func (d Directive) FormatByte(m budget.Meter, i Int) (string, error) {
	if i.Big != nil || i.Small < 0 || i.Small > 0xFF {
		return "", raise.Overflow("%%c arg not in range(256)")
	}
	return d.FormatStr(m, Bytes(string([]byte{byte(i.Small)})))
}

// NotReal is the error of %d and %i of a value that is no number.
func (d Directive) NotReal(typeName string) error {
	return raise.Type("%%%c format: a real number is required, not %s", d.Type, typeName)
}

// NotInt is the error of %o, %x and %X of a value that is no int.
func (d Directive) NotInt(typeName string) error {
	return raise.Type("%%%c format: an integer is required, not %s", d.Type, typeName)
}

// NotFloat is the error of %e, %f and %g of a value that is no number.
func NotFloat(typeName string) error { return raise.Type("must be real number, not %s", typeName) }

// NotChar is the error of %c of a value that is neither an int nor one character.
func NotChar() error { return raise.Type("%%c requires int or char") }

// NotMapping is the error of a key when the value is no mapping.
func NotMapping() error { return raise.Type("format requires a mapping") }

// TooFewArguments is the error of a directive without a value.
func TooFewArguments() error { return raise.Type("not enough arguments for format string") }

// TooManyArguments is the error of a value without a directive.
func TooManyArguments() error {
	return raise.Type("not all arguments converted during string formatting")
}
