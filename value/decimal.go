package value

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Decimal is a Python Decimal, as str() of it has it: "1.50", "-1E+3", "NaN".
// Numbers that are equal have different texts if their digits differ: 1.5 and
// 1.50.
type Decimal string

// Bounds of the exponents that Python has.
const (
	maxAdjusted = 999_999_999_999_999_999
	minExponent = -1_999_999_999_999_999_997
)

// ParseDecimal reads what Python's Decimal() reads; ok is false for all else,
// and for more than 100000 digits.
func ParseDecimal(text string) (d Decimal, ok bool) {
	if len(text) > maxIntDigits {
		return "", false
	}
	body, negative := cutSign(strings.ReplaceAll(text, "_", ""))
	magnitude, ok := decimalWord(body)
	if !ok {
		magnitude, ok = decimalNumber(body)
	}
	if negative {
		magnitude = "-" + magnitude
	}
	return Decimal(magnitude), ok
}

// decimalWord reads what is not finite.
func decimalWord(body string) (string, bool) {
	lower := strings.ToLower(body)
	if lower == "inf" || lower == "infinity" {
		return "Infinity", true
	}
	for _, word := range []string{"sNaN", "NaN"} {
		if payload, found := strings.CutPrefix(lower, strings.ToLower(word)); found {
			return word + strings.TrimLeft(payload, "0"), payload == "" || isDigits(payload)
		}
	}
	return "", false
}

func decimalNumber(body string) (string, bool) {
	mantissa, power, hasPower := cutExponent(body)
	whole, digits, _ := strings.Cut(mantissa, ".")
	if !isDigits(whole + digits) {
		return "", false
	}
	exponent := int64(0)
	if hasPower {
		var err error
		if exponent, err = strconv.ParseInt(power, 10, 64); err != nil || exponent < 2*minExponent || exponent > 2*maxAdjusted {
			return "", false
		}
	}
	exponent -= int64(len(digits))
	coefficient := strings.TrimLeft(whole+digits, "0")
	if coefficient == "" {
		coefficient = "0"
	}
	if exponent < minExponent || exponent+int64(len(coefficient))-1 > maxAdjusted {
		return "", false
	}
	return decimalText(coefficient, exponent), true
}

// decimalText writes coefficient * 10**exponent as Python does: without an
// exponent where that takes no more than five zeros after the point.
func decimalText(coefficient string, exponent int64) string {
	point := exponent + int64(len(coefficient)) // the digits before the point
	if exponent > 0 || point <= -6 {
		text := coefficient[:1]
		if len(coefficient) > 1 {
			text += "." + coefficient[1:]
		}
		return fmt.Sprintf("%sE%+d", text, point-1)
	}
	switch {
	case exponent == 0:
		return coefficient
	case point <= 0:
		return "0." + strings.Repeat("0", int(-point)) + coefficient
	}
	return coefficient[:point] + "." + coefficient[point:]
}

func naturalDecimal(d Decimal) (any, error) {
	parsed, ok := ParseDecimal(string(d))
	if !ok {
		return nil, &Error{Expected: "Decimal", Got: Quote(string(d))}
	}
	return parsed, nil
}

// fitDecimal takes an int, too, which is a Decimal exactly.
func fitDecimal(t Type, v any, how fitting) (any, error) {
	switch n := v.(type) {
	case Decimal:
		return n, nil
	case int64, *big.Int:
		if !how.exact {
			return Decimal(appendScalar(nil, n)), nil
		}
	}
	return nil, mismatch(t, v)
}
