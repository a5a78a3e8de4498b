package decimal

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Parse returns Decimal(s), exactly: the context is asked only what to do with
// a text that is no number.
func (c *Context) Parse(m budget.Meter, s string) (*Decimal, error) {
	if err := m.Work(4 * min(len(s), 250_000)); err != nil {
		return nil, err
	}
	if d := c.short(s); d != nil {
		return d, nil
	}
	if len(s) > 3*MaxPrec {
		return nil, raise.Overflow("too many digits in integer")
	}
	clean, ok := ascii(s)
	if !ok {
		return c.refuse(ConversionSyntax)
	}
	p := parser{rest: clean}
	d, err := p.decimal(m)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return c.refuse(ConversionSyntax)
	}
	if ok, err := d.representable(m); err != nil || !ok {
		if err != nil {
			return nil, err
		}
		return c.refuse(InvalidOperation)
	}
	return d, nil
}

// short reads what most texts are: some digits, with a sign and a point at most.
// It returns nil for all others.
func (c *Context) short(s string) *Decimal {
	negative := s != "" && s[0] == '-'
	if negative || s != "" && s[0] == '+' {
		s = s[1:]
	}
	if len(s) > len(smallPowers) { // of digits, those of 64 bits, and the point
		return nil
	}
	n, point := uint64(0), -1
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			n = 10*n + uint64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return nil
		}
	}
	places := 0
	if point >= 0 {
		places = len(s) - point - 1
	}
	if s == "" || s == "." || len(s) == len(smallPowers) && point < 0 {
		return nil
	}
	return c.newWide(negative, wide{lo: n}, -int64(places))
}

// ascii trims space, drops underscores and writes the digits of other scripts
// as ASCII.
func ascii(s string) (string, bool) {
	s = strings.TrimFunc(s, isSpace)
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < 0x80 && s[i] != '_'
	}
	if plain {
		return s, true
	}
	ok := true
	return strings.Map(func(r rune) rune {
		if r == '_' {
			return -1
		}
		if r < 0x80 {
			return r
		}
		n, isDigit := digitOf(r)
		ok = ok && isDigit
		return n
	}, s), ok
}

// isSpace says whether Python strips r: also the separators from U+001C on.
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

// digitOf returns the ASCII digit of the same value. Decimal digits come in runs
// of ten in Unicode.
func digitOf(r rune) (rune, bool) {
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	if 0x1d7ce <= r && r <= 0x1d7ff { // mathematical digits: five runs side by side
		return '0' + (r-0x1d7ce)%10, true
	}
	zero := r
	for n := 0; n < 9 && unicode.Is(unicode.Nd, zero-1); n++ {
		zero--
	}
	return '0' + r - zero, true
}

// parser reads one number of ASCII text.
type parser struct{ rest string }

// decimal returns nil if the text is no number.
func (p *parser) decimal(m budget.Meter) (*Decimal, error) {
	d := &Decimal{coef: new(big.Int)}
	if p.rest != "" && (p.rest[0] == '-' || p.rest[0] == '+') {
		d.negative = p.rest[0] == '-'
		p.rest = p.rest[1:]
	}
	switch lower := strings.ToLower(p.rest[:min(len(p.rest), 8)]); {
	case p.rest == "":
		return nil, nil
	case len(p.rest) <= 8 && (lower == "inf" || lower == "infinity"):
		d.form = infinite
		return d, nil
	case strings.HasPrefix(lower, "nan"):
		d.form = quiet
		return p.payload(m, d, p.rest[3:])
	case strings.HasPrefix(lower, "snan"):
		d.form = signaling
		return p.payload(m, d, p.rest[4:])
	}
	return p.number(m, d)
}

func (p *parser) payload(m budget.Meter, d *Decimal, s string) (*Decimal, error) {
	p.rest = s
	if p.digits() != s {
		return nil, nil
	}
	if s == "" {
		return d, nil
	}
	var err error
	d.coef, err = parseDigits(m, s)
	return d, err
}

func (p *parser) number(m budget.Meter, d *Decimal) (*Decimal, error) {
	whole, fraction := p.digits(), ""
	if strings.HasPrefix(p.rest, ".") {
		p.rest = p.rest[1:]
		fraction = p.digits()
	}
	if whole == "" && fraction == "" || !p.exponent(d) {
		return nil, nil
	}
	d.exp -= int64(len(fraction))
	if err := m.Alloc(len(whole) + len(fraction)); err != nil {
		return nil, err
	}
	var err error
	d.coef, err = parseDigits(m, whole+fraction)
	return d, err
}

// digits takes the digits at the front.
func (p *parser) digits() string {
	n := 0
	for n < len(p.rest) && '0' <= p.rest[n] && p.rest[n] <= '9' {
		n++
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}

// exponent takes what must be an exponent or nothing.
func (p *parser) exponent(d *Decimal) bool {
	if p.rest == "" {
		return true
	}
	if p.rest[0] != 'e' && p.rest[0] != 'E' {
		return false
	}
	s := p.rest[1:]
	p.rest = strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	if len(s)-len(p.rest) > 1 || p.rest == "" || p.digits() == "" || p.rest != "" {
		return false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > 2*MaxEmax || n < 2*MinEmin { // far out, and refused as such
		n = min(max(n, 3*MinEmin), 3*MaxEmax)
	}
	d.exp = n
	return true
}

// representable says whether the exponent of an exact value is within the
// limits of all contexts.
func (d *Decimal) representable(m budget.Meter) (bool, error) {
	if d.isSpecial() {
		return true, nil
	}
	adjusted, err := d.Adjusted(m)
	return adjusted <= MaxEmax && d.exp >= MinEtiny, err
}

// FromTuple returns Decimal((sign, digits, exponent)). The digits must be 0 to 9.
// kind is 0 for a number, whose exponent then counts, or the letter of a special
// value: 'F', 'n' or 'N'.
func (c *Context) FromTuple(m budget.Meter, negative bool, digits []byte, exp int64, kind byte) (*Decimal, error) {
	if kind == 'F' {
		return newInfinity(negative), nil
	}
	if err := m.Alloc(len(digits)); err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, n := range digits {
		b.WriteByte('0' + n)
	}
	coef := new(big.Int)
	if len(digits) > 0 {
		var err error
		if coef, err = parseDigits(m, b.String()); err != nil {
			return nil, err
		}
	}
	switch kind {
	case 'n':
		return &Decimal{form: quiet, negative: negative, coef: coef}, nil
	case 'N':
		return &Decimal{form: signaling, negative: negative, coef: coef}, nil
	}
	d := newFinite(negative, coef, min(max(exp, 3*MinEmin), 3*MaxEmax))
	if ok, err := d.representable(m); err != nil || !ok {
		if err != nil {
			return nil, err
		}
		return c.refuse(InvalidOperation)
	}
	return d, nil
}
