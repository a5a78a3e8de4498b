package machine

import (
	"math"
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// defineQuickMakers gives the classes that convert most often a quick form: of
// one argument of a type that they expect. It returns no value for everything
// that it leaves to the maker.
func defineQuickMakers() {
	strType.quick, intType.quick, floatType.quick = quickStr, quickInt, quickFloat
}

func quickStr(m *Machine, v Value) Value {
	switch v.Kind() {
	case KindStr:
		return v
	case KindInt:
		return m.intStr(v.Int())
	case KindFloat:
		m.look(quickBytes)
		return m.Message(text.FloatRepr(v.Float()))
	}
	return Value{}
}

func quickInt(m *Machine, v Value) Value {
	switch v.Kind() {
	case KindInt:
		return v
	case KindFloat:
		if f := v.Float(); math.Abs(f) < 1<<53 {
			return Int(int64(f))
		}
	case KindStr:
		return shortInt(v.Str().s)
	}
	return Value{}
}

// shortInt is the number that digits stand for, when it is sure to have 64 bits
// and only digits are there.
func shortInt(s string) Value {
	const longest = 18
	digits := s
	if s != "" && s[0] == '-' {
		digits = s[1:]
	}
	if digits == "" || len(digits) > longest {
		return Value{}
	}
	n := int64(0)
	for i := range len(digits) {
		if !asciiDigit(digits[i]) {
			return Value{}
		}
		n = 10*n + int64(digits[i]-'0')
	}
	if len(digits) < len(s) {
		n = -n
	}
	return Int(n)
}

func quickFloat(m *Machine, v Value) Value {
	switch v.Kind() {
	case KindFloat:
		return v
	case KindInt:
		return Float(float64(v.Int()))
	case KindStr:
		return shortFloat(v.Str().s)
	}
	return Value{}
}

// shortFloat is the number that digits with a point stand for.
func shortFloat(s string) Value {
	const longest = 24
	if len(s) > longest {
		return Value{}
	}
	for i := range len(s) {
		if c := s[i]; !asciiDigit(c) && c != '.' && (c != '-' || i > 0) {
			return Value{}
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return Value{}
	}
	return Float(f)
}
