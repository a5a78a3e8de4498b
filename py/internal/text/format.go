package text

import (
	"cmp"
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// FormatStr is format(s, spec) of a str; typeName is the name of its class for
// errors.
func FormatStr(m budget.Meter, s Str, spec, typeName string) (string, error) {
	if spec == "" {
		return s.S, nil
	}
	f, err := parseSpec(m, spec, typeName)
	if err != nil {
		return "", err
	}
	return f.Str(m, s, typeName)
}

// Str formats a str by a spec that has been parsed.
func (s Spec) Str(m budget.Meter, t Str, typeName string) (string, error) {
	if s.kind == 0 {
		s.kind = 's'
	}
	if s.kind != 's' {
		return "", s.unknownKind(typeName)
	}
	err := cmp.Or(s.checkGrouping(), s.checkStr())
	if err != nil {
		return "", err
	}
	if s.precision >= 0 && s.precision < len(t.S) {
		count := min(s.precision, t.Len())
		if t.S, err = sliceRun(m, t, 0, count); err != nil {
			return "", err
		}
	}
	if s.align == 0 {
		s.align = '<'
	}
	return s.pad(m, t)
}

func parseSpec(m budget.Meter, spec, typeName string) (Spec, error) {
	if err := work(m, 4*len(spec)); err != nil {
		return Spec{}, err
	}
	return ParseSpec(spec, typeName)
}

func (s Spec) checkStr() error {
	switch {
	case s.sign == ' ':
		return raise.Value("Space not allowed in string format specifier")
	case s.sign != 0:
		return raise.Value("Sign not allowed in string format specifier")
	case s.noNegZero:
		return raise.Value("Negative zero coercion (z) not allowed in string format specifier")
	case s.alternate:
		return raise.Value("Alternate form (#) not allowed in string format specifier")
	case s.align == '=':
		return raise.Value("'=' alignment not allowed in string format specifier")
	}
	return nil
}

// pad brings a text that has no sign to the width.
func (s Spec) pad(m budget.Meter, t Str) (string, error) {
	lack := s.width - t.Len()
	if lack <= 0 {
		return t.S, nil
	}
	left, right := s.sides(lack)
	return surround(m, t.S, Chr(s.fill), left, right)
}

func (s Spec) sides(lack int) (left, right int) {
	switch s.align {
	case '<':
		return 0, lack
	case '^':
		return lack / 2, lack - lack/2
	}
	return lack, 0
}

// FormatInt is format(i, spec) of an int or a bool; typeName is the name of its
// class for errors. An empty spec is str, which is the caller's for a bool.
func FormatInt(m budget.Meter, i Int, spec, typeName string) (string, error) {
	if spec == "" {
		return IntText(m, i)
	}
	f, err := parseSpec(m, spec, typeName)
	if err != nil {
		return "", err
	}
	return f.Int(m, i, typeName)
}

// Int formats an int by a spec that has been parsed.
func (s Spec) Int(m budget.Meter, i Int, typeName string) (string, error) {
	switch s.kind {
	case 0, 'b', 'c', 'd', 'o', 'x', 'X', 'n':
		return s.formatInt(m, i)
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		x, err := i.Float()
		if err != nil {
			return "", err
		}
		return s.formatFloat(m, x)
	}
	return "", s.unknownKind(typeName)
}

func (s Spec) formatInt(m budget.Meter, i Int) (string, error) {
	switch {
	case s.precision >= 0:
		return "", raise.Value("Precision not allowed in integer format specifier")
	case s.noNegZero:
		return "", raise.Value("Negative zero coercion (z) not allowed in integer format specifier")
	case s.kind == 'c':
		return s.formatChar(m, i)
	}
	base, prefix := 10, ""
	switch s.kind {
	case 'b':
		base, prefix = 2, "0b"
	case 'o':
		base, prefix = 8, "0o"
	case 'x':
		base, prefix = 16, "0x"
	case 'X':
		base, prefix = 16, "0X"
	}
	digits, err := i.digits(m, base)
	if err != nil {
		return "", err
	}
	if s.kind == 'X' {
		if digits, err = mapBytes(m, digits, upperByte); err != nil {
			return "", err
		}
	}
	n := numeral{whole: digits, group: 3}
	if base != 10 {
		n.group = 4
	}
	if s.alternate {
		n.prefix = prefix
	}
	return s.assemble(m, n, i.Negative())
}

func (s Spec) formatChar(m budget.Meter, i Int) (string, error) {
	if s.sign != 0 {
		return "", raise.Value("Sign not allowed with integer format specifier 'c'")
	}
	if s.alternate {
		return "", raise.Value("Alternate form (#) not allowed with integer format specifier 'c'")
	}
	if i.Big != nil {
		return "", raise.Overflow("Python int too large to convert to C long")
	}
	if i.Small < 0 || i.Small > 0x10FFFF {
		return "", raise.Overflow("%%c arg not in range(0x110000)")
	}
	if s.align == 0 && s.fill == ' ' {
		s.align = '<'
	}
	return s.pad(m, Of(Chr(rune(i.Small))))
}

// numeral is a formatted number before signs and padding.
type numeral struct {
	prefix string // 0x and its like
	whole  string // the digits that may be grouped
	rest   string // what follows them
	group  int    // digits between two separators
}

// maxPrecision is the largest precision that CPython takes.
const maxPrecision = math.MaxInt32

// assemble puts sign, padding and separators to a number.
func (s Spec) assemble(m budget.Meter, n numeral, negative bool) (string, error) {
	lead := n.prefix
	switch {
	case negative:
		lead = "-" + lead
	case s.sign == '+' || s.sign == ' ':
		lead = string(rune(s.sign)) + lead
	}
	if s.align == 0 {
		s.align = '>'
		if s.zeros {
			s.align = '='
		}
	}
	digits := len(n.whole)
	if s.fill == '0' && s.align == '=' {
		digits = s.zeroDigits(len(lead)+len(n.rest), n)
	}
	size := digits + s.separators(digits, n)
	total := len(lead) + size + len(n.rest)
	left, right, inside := 0, 0, 0
	if lack := s.width - total; lack > 0 && s.align == '=' {
		inside = lack
	} else if lack > 0 {
		left, right = s.sides(lack)
	}
	fill := Chr(s.fill)
	b := builder{m: m}
	if err := b.reserve(total + times(len(fill), left+right+inside)); err != nil {
		return "", err
	}
	b.repeat(fill, left)
	b.WriteString(lead)
	b.repeat(fill, inside)
	s.group(&b, n, digits)
	b.WriteString(n.rest)
	b.repeat(fill, right)
	return b.String(), nil
}

// separators returns how many separators are between so many digits.
func (s Spec) separators(digits int, n numeral) int {
	if s.grouping == 0 || n.group == 0 || digits == 0 {
		return 0
	}
	return (digits - 1) / n.group
}

// zeroDigits returns how many digits, with zeros before, make the number as wide
// as asked: a separator is never first.
func (s Spec) zeroDigits(others int, n numeral) int {
	room := s.width - others
	if room <= len(n.whole) {
		return len(n.whole)
	}
	if s.grouping == 0 || n.group == 0 {
		return room
	}
	// room holds k digits and their separators, or one digit more where a
	// separator would be first.
	digits := room / (n.group + 1) * n.group
	digits += max(room%(n.group+1), 0)
	if room%(n.group+1) == 0 {
		digits++
	}
	return max(digits, len(n.whole))
}

// group writes the digits, with zeros before and with separators.
func (s Spec) group(b *builder, n numeral, digits int) {
	zeros := digits - len(n.whole)
	if s.grouping == 0 || n.group == 0 {
		b.repeat("0", zeros)
		b.WriteString(n.whole)
		return
	}
	for i := 0; i < digits; i++ {
		if i > 0 && (digits-i)%n.group == 0 {
			b.WriteByte(s.grouping)
		}
		if i < zeros {
			b.WriteByte('0')
			continue
		}
		b.WriteByte(n.whole[i-zeros])
	}
}
