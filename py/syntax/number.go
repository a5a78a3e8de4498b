package syntax

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits is how many decimal digits an int literal may have, as in CPython.
const maxDigits = 4300

// number scans a number.
func (s *scanner) number() {
	i := s.pos
	if s.src[i] == '0' {
		switch s.peek(i+1) | 0x20 {
		case 'x':
			s.radix(hexDigit, 0, "hexadecimal")
			return
		case 'o':
			s.radix(digit, '7', "octal")
			return
		case 'b':
			s.radix(digit, '1', "binary")
			return
		}
	}
	end, ok := s.decimal(i)
	if !ok {
		return
	}
	s.fraction(i, end)
}

// radix scans an int with a prefix such as 0x. The digits end at last, if it
// is not 0.
func (s *scanner) radix(class uint8, last byte, what string) {
	i := s.pos + 2
	for first := true; ; first = false {
		if s.peek(i) == '_' {
			i++
		} else if !first {
			break
		}
		if c := s.peek(i); classes[c]&digit != 0 && last != 0 && c > last {
			s.lexical(i, "invalid digit '%c' in %s literal", c, what)
			return
		} else if classes[c]&class == 0 {
			s.lexical(i, "invalid %s literal", what)
			return
		}
		for classes[s.peek(i)]&class != 0 && (last == 0 || s.src[i] <= last) {
			i++
		}
		if c := s.peek(i); classes[c]&digit != 0 {
			s.lexical(i, "invalid digit '%c' in %s literal", c, what)
			return
		}
	}
	s.endNumber(i, what)
}

// decimal scans decimal digits with single underscores between them.
func (s *scanner) decimal(i int) (end int, ok bool) {
	for {
		for classes[s.peek(i)]&digit != 0 {
			i++
		}
		if s.peek(i) != '_' {
			return i, true
		}
		i++
		if classes[s.peek(i)]&digit == 0 {
			s.lexical(i-1, "invalid decimal literal")
			return i, false
		}
	}
}

// fraction scans what follows the digits in front of a number.
func (s *scanner) fraction(begin, i int) {
	float, ok := false, true
	if s.peek(i) == '.' {
		float = true
		i++
		if classes[s.peek(i)]&digit != 0 {
			if i, ok = s.decimal(i); !ok {
				return
			}
		}
	}
	if e := s.peek(i) | 0x20; e == 'e' {
		j := i + 1
		if c := s.peek(j); c == '+' || c == '-' {
			j++
		}
		if classes[s.peek(j)]&digit != 0 {
			float = true
			if i, ok = s.decimal(j); !ok {
				return
			}
		} else {
			s.endNumber(i, "decimal")
			return
		}
	}
	if s.peek(i)|0x20 == 'j' {
		s.endNumber(i+1, "imaginary")
		return
	}
	if !float && s.src[begin] == '0' && strings.Trim(s.src[begin:i], "0_") != "" {
		s.lexical(begin, "leading zeros in decimal integer literals are not permitted; "+
			"use an 0o prefix for octal integers")
		return
	}
	s.endNumber(i, "decimal")
}

// endNumber makes the token, unless a word follows without a space. A keyword
// that can follow a number may, as in "1if x else 2".
func (s *scanner) endNumber(end int, what string) {
	if c := s.peek(end); classes[c]&wordPart == 0 || c >= 0x80 {
		s.emit(number, end)
		return
	}
	for _, word := range [...]string{"and", "else", "for", "if", "in", "is", "not", "or"} {
		if strings.HasPrefix(s.src[end:], word) {
			s.emit(number, end)
			return
		}
	}
	s.lexical(end-1, "invalid %s literal", what)
}

// numberValue returns the value of a number literal: int64, *big.Int, float64
// or complex128, or what is wrong with it.
func numberValue(literal string) (any, string) {
	if len(literal) < 19 && isDigits(literal) {
		var n int64
		for i := 0; i < len(literal); i++ {
			n = n*10 + int64(literal[i]-'0')
		}
		return n, ""
	}
	literal = strings.ReplaceAll(literal, "_", "")
	last := literal[len(literal)-1]
	prefixed := len(literal) > 1 && literal[0] == '0' && classes[literal[1]]&wordStart != 0 &&
		strings.IndexByte("xXoObB", literal[1]) >= 0
	switch {
	case !prefixed && last|0x20 == 'j':
		f, _ := strconv.ParseFloat(literal[:len(literal)-1], 64)
		return complex(0, f), ""
	case !prefixed && strings.ContainsAny(literal, ".eE"):
		f, _ := strconv.ParseFloat(literal, 64) // beyond the range it is infinite, as in Python
		return f, ""
	}
	return intValue(literal, prefixed)
}

// intValue returns the value of an int literal without underscores.
func intValue(literal string, prefixed bool) (any, string) {
	base, digits := 10, literal
	if prefixed {
		base = map[byte]int{'x': 16, 'o': 8, 'b': 2}[literal[1]|0x20]
		digits = literal[2:]
	}
	if n, err := strconv.ParseInt(digits, base, 64); err == nil {
		return n, ""
	}
	if !prefixed && len(digits) > maxDigits {
		return nil, fmt.Sprintf("Exceeds the limit (%d digits) for integer string conversion: "+
			"value has %d digits; use sys.set_int_max_str_digits() to increase the limit"+
			" - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.",
			maxDigits, len(digits))
	}
	if prefixed {
		return powerOfTwo(digits, map[int]int{16: 4, 8: 3, 2: 1}[base]), ""
	}
	n, _ := new(big.Int).SetString(digits, base)
	return n, ""
}

// powerOfTwo converts digits of that many bits each in linear time, which
// big.Int.SetString does not.
func powerOfTwo(digits string, bits int) *big.Int {
	bytes := make([]byte, (len(digits)*bits+7)/8)
	at, have, pending := len(bytes), 0, uint(0)
	for i := len(digits) - 1; i >= 0; i-- {
		d := digits[i]
		if d > '9' {
			d = d&7 + 9 // of a letter
		}
		pending |= uint(d&0xf) << have
		if have += bits; have >= 8 {
			at--
			bytes[at] = byte(pending)
			pending, have = pending>>8, have-8
		}
	}
	if have > 0 {
		bytes[at-1] = byte(pending)
	}
	return new(big.Int).SetBytes(bytes)
}

// isDigits reports whether a literal is nothing but decimal digits.
func isDigits(literal string) bool {
	for i := 0; i < len(literal); i++ {
		if classes[literal[i]]&digit == 0 {
			return false
		}
	}
	return true
}
