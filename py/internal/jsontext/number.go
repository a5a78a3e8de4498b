package jsontext

import (
	"math"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// maxDigits is the longest int that CPython converts.
const maxDigits = 4300

// word reads null, true, false and the constants that JSON has not.
func (d *Decoder) word() (Token, error) {
	rest := d.text[d.pos:]
	for _, w := range [...]struct {
		text  string
		token Token
	}{
		{"null", Token{Kind: Null}},
		{"true", Token{Kind: True}},
		{"false", Token{Kind: False}},
		{"NaN", Token{Kind: Constant, Float: math.NaN(), Text: "NaN"}},
		{"Infinity", Token{Kind: Constant, Float: math.Inf(1), Text: "Infinity"}},
		{"-Infinity", Token{Kind: Constant, Float: math.Inf(-1), Text: "-Infinity"}},
	} {
		if strings.HasPrefix(rest, w.text) {
			d.pos += len(w.text)
			return w.token, nil
		}
	}
	return Token{}, d.fail("Expecting value", d.pos)
}

// number reads a number. What does not continue one is left for the caller.
func (d *Decoder) number() (Token, error) {
	start := d.pos
	i := start
	if d.text[i] == '-' {
		i++
	}
	first := i
	switch c := d.at(i); {
	case c == '0':
		i++
	case '1' <= c && c <= '9':
		i = d.digits(i)
	default:
		return d.word()
	}
	end := d.fraction(i)
	d.pos = end
	if err := d.pay(end); err != nil {
		return Token{}, err
	}
	text := d.text[start:end]
	if end > i {
		f, _ := strconv.ParseFloat(text, 64) // out of range is infinite, as in Python
		return Token{Kind: Float, Float: f, Text: text}, nil
	}
	return integer(text, i-first)
}

// digits returns where the digits from i on end.
func (d *Decoder) digits(i int) int {
	for i < len(d.text) && '0' <= d.text[i] && d.text[i] <= '9' {
		i++
	}
	return i
}

// fraction returns where the number whose integer part ends at i ends.
func (d *Decoder) fraction(i int) int {
	if d.at(i) == '.' {
		if j := d.digits(i + 1); j > i+1 {
			i = j
		}
	}
	if c := d.at(i); c != 'e' && c != 'E' {
		return i
	}
	j := i + 1
	if c := d.at(j); c == '+' || c == '-' {
		j++
	}
	if k := d.digits(j); k > j {
		return k
	}
	return i
}

// integer converts text, which has so many digits.
func integer(text string, digits int) (Token, error) {
	if digits > maxDigits {
		return Token{}, raise.Value("Exceeds the limit (%d digits) for integer string conversion: value has %d digits; "+
			"use sys.set_int_max_str_digits() to increase the limit", maxDigits, digits)
	}
	if digits < 19 {
		return Token{Kind: Int, Int: short(text), Text: text}, nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return Token{Kind: BigInt, Text: text}, nil
	}
	return Token{Kind: Int, Int: v, Text: text}, nil
}

// short converts up to 18 digits.
func short(text string) int64 {
	digits := strings.TrimPrefix(text, "-")
	var v int64
	for i := range len(digits) {
		v = 10*v + int64(digits[i]-'0')
	}
	if len(digits) < len(text) {
		return -v
	}
	return v
}
