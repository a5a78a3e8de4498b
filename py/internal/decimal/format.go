package decimal

import (
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// format is a parsed format specification.
type format struct {
	fill      string
	align     byte // '<', '>', '=', '^'
	sign      byte // '-', '+', ' '
	noMinus   bool // no minus on what rounds to zero
	zeros     bool // pad the number itself
	width     int64
	commas    bool
	precision int64 // -1 if there is none
	kind      byte  // 'e', 'f', 'g', '%'
	letter    string
}

// Format returns format(d, spec). The context says how to round.
func (c *Context) Format(m budget.Meter, d *Decimal, spec string) (string, error) {
	if err := m.Work(min(len(spec), 1000)); err != nil {
		return "", err
	}
	f, ok := parseFormat(spec)
	if !ok {
		return "", raise.Value("invalid format string")
	}
	if d.isSpecial() {
		body, err := d.special(m)
		if f.kind == '%' {
			body += "%"
		}
		if f.zeros {
			f.fill, f.align = " ", '>'
		}
		if err != nil {
			return "", err
		}
		return f.pad(m, f.signOf(d), body)
	}
	if f.kind == '%' {
		d = newFinite(d.negative, d.coef, d.exp+2)
	}
	rounded, err := c.roundFor(m, f, d)
	if err != nil {
		return "", err
	}
	if f.noMinus && rounded.isZero() {
		rounded.negative = false
	}
	whole, rest, err := f.parts(m, rounded)
	if err != nil {
		return "", err
	}
	if f.kind == '%' {
		rest += "%"
	}
	return f.assemble(m, f.signOf(rounded), whole, rest)
}

// parseFormat reads [[fill]align][sign][z][0][width][,][.precision][type].
func parseFormat(s string) (format, bool) {
	f := format{fill: " ", align: '>', sign: '-', precision: -1, kind: 'g', letter: "E"}
	aligned := false
	if _, n := utf8.DecodeRuneInString(s); n < len(s) && strings.IndexByte("<>=^", s[n]) >= 0 {
		f.fill, f.align, aligned, s = s[:n], s[n], true, s[n+1:]
	} else if s != "" && strings.IndexByte("<>=^", s[0]) >= 0 {
		f.align, aligned, s = s[0], true, s[1:]
	}
	if s != "" && strings.IndexByte("-+ ", s[0]) >= 0 {
		f.sign, s = s[0], s[1:]
	}
	if s, f.noMinus = strings.CutPrefix(s, "z"); strings.HasPrefix(s, "0") {
		if aligned {
			return f, false
		}
		f.zeros, s = true, s[1:]
	}
	var ok bool
	if s != "" && isDigit(s[0]) {
		first := s[0]
		if f.width, s, ok = number(s); !ok || first == '0' {
			return f, false
		}
	}
	s, f.commas = strings.CutPrefix(s, ",")
	if rest, has := strings.CutPrefix(s, "."); has {
		if f.precision, s, ok = number(rest); !ok {
			return f, false
		}
	}
	return f, f.setKind(s)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// number reads a number of a specification. What is larger than any text may be
// is refused here.
func number(s string) (n int64, rest string, ok bool) {
	i := 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		if n > MaxEmax/10 { // ten times that may not fit
			return 0, s, false
		}
		if n = 10*n + int64(s[i]-'0'); n > MaxEmax {
			return 0, s, false
		}
	}
	return n, s[i:], i > 0
}

func (f *format) setKind(s string) bool {
	switch s {
	case "":
		return true
	case "E", "G", "F":
		f.kind = s[0] + 'a' - 'A'
	case "e", "g", "f":
		f.kind, f.letter = s[0], "e"
	case "n":
		f.letter = "e"
		return !f.commas
	case "%":
		f.kind = '%'
	default:
		return false
	}
	return true
}

// roundFor rounds d to the digits that are shown. The result is not shared.
func (c *Context) roundFor(m budget.Meter, f format, d *Decimal) (*Decimal, error) {
	z := *d
	if d.isZero() && (f.kind == 'f' || f.kind == '%') {
		z.exp = min(z.exp, 0)
	}
	if f.precision < 0 {
		return &z, nil
	}
	exp := -f.precision
	if f.kind == 'e' || f.kind == 'g' {
		if d.isZero() {
			return &z, nil
		}
		adjusted, err := d.Adjusted(m)
		if err != nil {
			return nil, err
		}
		significant := f.precision + 1
		if f.kind == 'g' {
			significant = max(f.precision, 1)
		}
		exp = adjusted - significant + 1
		if f.kind == 'g' && exp <= d.exp {
			return &z, nil
		}
	}
	coef, _, err := rescale(m, d, exp, c.Rounding)
	if err != nil {
		return nil, err
	}
	z.coef, z.exp = coef, exp
	if f.kind != 'e' && f.kind != 'g' {
		return &z, nil
	}
	return c.dropCarry(m, &z, f)
}

// dropCarry takes back the digit that rounding 9.99 up adds.
func (c *Context) dropCarry(m budget.Meter, z *Decimal, f format) (*Decimal, error) {
	significant := f.precision + 1
	if f.kind == 'g' {
		significant = max(f.precision, 1)
	}
	n, err := digits(m, z.coef)
	if err != nil || n <= significant {
		return z, err
	}
	z.coef, _, err = dropDigits(m, z.coef, 1)
	z.exp++
	return z, err
}

// parts returns the digits in front of the point, and all that follows them.
func (f format) parts(m budget.Meter, d *Decimal) (whole, rest string, err error) {
	s, err := text(m, d.coef)
	if err != nil {
		return "", "", err
	}
	left := d.exp + int64(len(s))
	point := left
	switch {
	case f.kind == 'e' && d.isZero() && f.precision >= 0:
		point = 1 - f.precision
	case f.kind == 'e':
		point = 1
	case f.kind == 'g' && (d.exp > 0 || left <= -6):
		point = 1
	}
	length := max(int64(len(s)), point, int64(len(s))-point)
	if err := payText(m, length); err != nil {
		return "", "", err
	}
	whole, fraction, found := strings.Cut(withPoint(s, point), ".")
	if found {
		rest = "." + fraction
	}
	if f.kind == 'e' || left != point {
		rest += exponent(f.letter, left-point)
	}
	return whole, rest, nil
}

// maxText is a length that no machine has.
const maxText = 1 << 46

// payText pays for a text of a length that a program chose.
func payText(m budget.Meter, length int64) error {
	length = min(length, maxText)
	if err := m.Alloc(int(2*length) + 64); err != nil {
		return err
	}
	for ; length > 500_000; length -= 500_000 {
		if err := m.Work(500_000); err != nil {
			return err
		}
	}
	return m.Work(int(max(length, 0)))
}

func (f format) signOf(d *Decimal) string {
	switch {
	case d.negative:
		return "-"
	case f.sign != '-':
		return string(f.sign)
	}
	return ""
}

// assemble groups the digits, and pads.
func (f format) assemble(m budget.Meter, sign, whole, rest string) (string, error) {
	if f.zeros {
		if err := payText(m, f.width); err != nil {
			return "", err
		}
		room := int(f.width) - len(sign) - len(rest)
		return sign + zeroFilled(whole, room, f.commas) + rest, nil
	}
	if f.commas {
		if err := payText(m, int64(len(whole))); err != nil {
			return "", err
		}
		whole = grouped(whole)
	}
	return f.pad(m, sign, whole+rest)
}

// zeroFilled puts zeros in front until the digits, with their commas, fill the
// room; a comma is not put first, so they may need one more.
func zeroFilled(whole string, room int, commas bool) string {
	if !commas {
		return strings.Repeat("0", max(0, room-len(whole))) + whole
	}
	need := room - room/4 // digits that fill the room with a comma every three
	if room%4 == 0 && room > 0 {
		need = room - room/4 + 1
	}
	return grouped(strings.Repeat("0", max(0, need-len(whole))) + whole)
}

func grouped(digits string) string {
	var b strings.Builder
	b.Grow(len(digits) + len(digits)/3)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// pad fills up to the width.
func (f format) pad(m budget.Meter, sign, body string) (string, error) {
	room := f.width - int64(len(sign)+len(body))
	if room <= 0 {
		return sign + body, nil
	}
	if err := payText(m, int64(len(f.fill))*min(room, maxText)); err != nil {
		return "", err
	}
	left := room
	switch f.align {
	case '<':
		left = 0
	case '^':
		left = room / 2
	case '=':
		return sign + strings.Repeat(f.fill, int(room)) + body, nil
	}
	return strings.Repeat(f.fill, int(left)) + sign + body + strings.Repeat(f.fill, int(room-left)), nil
}
