package machine

import "strings"

// quickTests are the methods that ask what all characters are.
func quickTests() map[string]quickMethod {
	return map[string]quickMethod{
		"isalnum": func(m *Machine, s *Str, a []Value) Value {
			return all(s, func(c byte) bool { return asciiLetter(c) || asciiDigit(c) })
		},
		"isalpha":   func(m *Machine, s *Str, a []Value) Value { return all(s, asciiLetter) },
		"isdigit":   func(m *Machine, s *Str, a []Value) Value { return all(s, asciiDigit) },
		"isdecimal": func(m *Machine, s *Str, a []Value) Value { return all(s, asciiDigit) },
		"isnumeric": func(m *Machine, s *Str, a []Value) Value { return all(s, asciiDigit) },
		"isspace":   func(m *Machine, s *Str, a []Value) Value { return all(s, asciiSpace) },
		"islower":   func(m *Machine, s *Str, a []Value) Value { return oneCase(s, 0x20) },
		"isupper":   func(m *Machine, s *Str, a []Value) Value { return oneCase(s, 0) },
	}
}

// all reports whether s has a character and each is one that is is true of.
func all(s *Str, is func(byte) bool) Value {
	for i := range len(s.s) {
		if !is(s.s[i]) {
			return False
		}
	}
	return Bool(s.s != "")
}

// oneCase reports whether s has a letter and each is of the case of the bit.
func oneCase(s *Str, bit byte) Value {
	yes := false
	for i := range len(s.s) {
		c := s.s[i]
		if !asciiLetter(c) {
			continue
		}
		if c&0x20 != bit {
			return False
		}
		yes = true
	}
	return Bool(yes)
}

// quickSearches are the methods that look for a str in all of another.
func quickSearches() map[string]quickMethod {
	return map[string]quickMethod{
		"find": func(m *Machine, s *Str, a []Value) Value {
			if sub := asciiArgument(a); sub != nil {
				return Int(int64(strings.Index(s.s, sub.s)))
			}
			return Value{}
		},
		"rfind": func(m *Machine, s *Str, a []Value) Value {
			if sub := asciiArgument(a); sub != nil {
				return Int(int64(strings.LastIndex(s.s, sub.s)))
			}
			return Value{}
		},
		"index": func(m *Machine, s *Str, a []Value) Value {
			if sub := asciiArgument(a); sub != nil {
				if i := strings.Index(s.s, sub.s); i >= 0 {
					return Int(int64(i))
				}
			}
			return Value{}
		},
		"count": func(m *Machine, s *Str, a []Value) Value {
			if sub := asciiArgument(a); sub != nil {
				return Int(int64(strings.Count(s.s, sub.s)))
			}
			return Value{}
		},
		"startswith": func(m *Machine, s *Str, a []Value) Value {
			if sub := asciiArgument(a); sub != nil {
				return Bool(strings.HasPrefix(s.s, sub.s))
			}
			return Value{}
		},
		"endswith": func(m *Machine, s *Str, a []Value) Value {
			if sub := asciiArgument(a); sub != nil {
				return Bool(strings.HasSuffix(s.s, sub.s))
			}
			return Value{}
		},
	}
}
