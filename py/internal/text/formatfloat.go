package text

import (
	"math"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// FormatFloat is format(f, spec) of a float; typeName is the name of its class
// for errors.
func FormatFloat(m budget.Meter, f float64, spec, typeName string) (string, error) {
	if spec == "" {
		return FloatRepr(f), nil
	}
	s, err := parseSpec(m, spec, typeName)
	if err != nil {
		return "", err
	}
	return s.Float(m, f, typeName)
}

// Float formats a float by a spec that has been parsed.
func (s Spec) Float(m budget.Meter, f float64, typeName string) (string, error) {
	switch s.kind {
	case 0, 'e', 'E', 'f', 'F', 'g', 'G', 'n', '%':
		return s.formatFloat(m, f)
	}
	return "", s.unknownKind(typeName)
}

func (s Spec) formatFloat(m budget.Meter, f float64) (string, error) {
	if s.precision > maxPrecision {
		return "", raise.Value("precision too big")
	}
	kind, precision := s.kind, s.precision
	percent := ""
	switch {
	case kind == '%':
		kind, percent = 'f', "%"
		f *= 100
	case kind == 'n':
		kind = 'g'
	}
	if precision < 0 && kind != 0 {
		precision = 6
	}
	digits, err := floatDigits(m, math.Abs(f), byte(kind), precision, s.alternate)
	if err != nil {
		return "", err
	}
	negative := math.Signbit(f) && !math.IsNaN(f)
	if s.noNegZero && !strings.ContainsAny(mantissaOf(digits), "123456789in") {
		negative = false
	}
	whole := 0
	for whole < len(digits) && '0' <= digits[whole] && digits[whole] <= '9' {
		whole++
	}
	n := numeral{whole: digits[:whole], rest: digits[whole:] + percent, group: 3}
	if whole == 0 {
		n.group = 0 // inf and nan
	}
	return s.assemble(m, n, negative)
}

func mantissaOf(digits string) string {
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		return digits[:i]
	}
	return digits
}

// floatDigits writes f, which is not negative, in the way of kind: 'e', 'f', 'g',
// their capitals, or 0 for what str does, with a precision when it is not
// negative.
func floatDigits(m budget.Meter, f float64, kind byte, precision int, alternate bool) (string, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		s := "inf"
		if math.IsNaN(f) {
			s = "nan"
		}
		if 'A' <= kind && kind <= 'Z' {
			s = strings.ToUpper(s)
		}
		return s, nil
	}
	if err := payDigits(m, f, precision); err != nil {
		return "", err
	}
	var s string
	switch kind {
	case 0:
		return strDigits(f, precision, alternate), nil
	case 'g', 'G':
		s = general(f, max(precision, 1), alternate, false)
	case 'e', 'E':
		s = pythonExponent(strconv.FormatFloat(f, 'e', precision, 64), alternate)
	default:
		s = strconv.FormatFloat(f, 'f', precision, 64)
		if alternate && precision == 0 {
			s += "."
		}
	}
	if 'A' <= kind && kind <= 'Z' {
		s = strings.ToUpper(s)
	}
	return s, nil
}

// payDigits pays for a number with so many digits after the point, of which the
// float itself has at most about 1100.
func payDigits(m budget.Meter, f float64, precision int) error {
	size := max(precision, 0) + 32
	if f >= 1e16 {
		size += 309
	}
	if err := alloc(m, times(3, size)); err != nil {
		return err
	}
	return m.Work(200)
}

// strDigits is what no type means: str, or with a precision 'g' that keeps a
// digit after the point and turns to an exponent one digit earlier.
func strDigits(f float64, precision int, alternate bool) string {
	if precision >= 0 {
		return general(f, max(precision, 1), alternate, true)
	}
	s := FloatRepr(f)
	if alternate {
		return pythonExponent(s, true)
	}
	return s
}

// general is the way of 'g': an exponent when it is below -4 or when the digits
// do not reach the point, and no zeros at the end unless alternate.
func general(f float64, precision int, alternate, point bool) string {
	e := strconv.FormatFloat(f, 'e', precision-1, 64)
	mark := strings.LastIndexByte(e, 'e')
	exponent, _ := strconv.Atoi(e[mark+1:])
	limit := precision
	if point {
		limit--
	}
	if exponent < -4 || exponent >= limit {
		if !alternate {
			e = trimZeros(e[:mark], false) + e[mark:]
		}
		return pythonExponent(e, alternate)
	}
	s := strconv.FormatFloat(f, 'f', precision-1-exponent, 64)
	if !alternate {
		return trimZeros(s, point)
	}
	if !strings.Contains(s, ".") {
		s += "."
	}
	return s
}

// trimZeros cuts the zeros after the point, and the point too unless a digit is
// to follow it.
func trimZeros(s string, point bool) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(s, "0")
		s = strings.TrimSuffix(s, ".")
	}
	if point && !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// pythonExponent puts the point that the alternate form demands before the
// exponent.
func pythonExponent(s string, alternate bool) string {
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !alternate || strings.Contains(mantissa, ".") {
		return s
	}
	if !ok {
		return mantissa + "."
	}
	return mantissa + ".e" + exponent
}
