package text

import (
	"math"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Percent reads the format string of the % operator directive by directive, so
// that arguments are taken and errors come in CPython's order:
//
//	for {
//		literal, more, err := p.Literal(m) // write it
//		if p.KeyNext() { the value must be a mapping }
//		d, err := p.Start(m)               // key, flags, maybe a star
//		if d.StarWidth { d, err = p.Width(d, argument) }
//		d, err = p.Middle(d)
//		if d.StarPrecision { d, err = p.Precision(d, argument) }
//		d, err = p.End(d)                  // the type
//	}
type Percent struct {
	format string
	raw    bool
	at     int // offset in format
}

// NewPercent returns the reader of format, a str or a bytes object.
func NewPercent(format Str) *Percent { return &Percent{format: format.S, raw: format.Raw} }

// Offset returns how far the format has been read, in bytes.
func (p *Percent) Offset() int { return p.at }

// Seek continues reading at an offset, which it clamps to the format.
func (p *Percent) Seek(offset int) { p.at = max(0, min(offset, len(p.format))) }

// KeyNext reports whether a key begins here, so that a value that is no mapping
// is refused before the key is read.
func (p *Percent) KeyNext() bool { return p.peek() == '(' }

// Directive is one conversion. A width or precision of a star is an argument,
// which is taken before the value.
type Directive struct {
	HasKey        bool
	Key           string // of the mapping
	StarWidth     bool
	StarPrecision bool
	// Type is one of d i u o x X e E f F g G c r s a b %, or another code point,
	// which is refused after the value has been taken: see Unsupported.
	Type rune

	start, position int // offsets of what follows the percent sign, and of the type

	minus, plus, blank, alternate, zero bool

	width, precision int // precision is -1 when not given
}

// Literal returns the text before the next directive, and whether there is one.
func (p *Percent) Literal(m budget.Meter) (string, bool, error) {
	rest := p.format[p.at:]
	n := strings.IndexByte(rest, '%')
	if n < 0 {
		p.at = len(p.format)
		return rest, false, work(m, len(rest)/4)
	}
	p.at += n + 1
	return rest[:n], true, work(m, 8+n/4)
}

// Start reads the key, the flags and the width of a directive.
func (p *Percent) Start(m budget.Meter) (Directive, error) {
	d := Directive{precision: -1, start: p.at}
	if p.KeyNext() {
		if err := p.key(m, &d); err != nil {
			return d, err
		}
	}
	p.flags(&d)
	if p.peek() == '*' {
		p.at++
		d.StarWidth = true
		return d, nil
	}
	var err error
	d.width, err = p.number(math.MaxInt, "width too big")
	return d, err
}

// Width sets the width to an argument that is an int.
func (p *Percent) Width(d Directive, i Int) (Directive, error) {
	if i.Big != nil {
		return d, raise.Overflow("Python int too large to convert to C ssize_t")
	}
	if d.width = int(i.Small); d.width < 0 {
		d.minus = true
		d.width = -max(d.width, -math.MaxInt)
	}
	return d, nil
}

// Middle reads the precision.
func (p *Percent) Middle(d Directive) (Directive, error) {
	if p.peek() != '.' {
		return d, nil
	}
	p.at++
	if p.peek() == '*' {
		p.at++
		d.StarPrecision = true
		return d, nil
	}
	var err error
	d.precision, err = p.number(math.MaxInt32, "precision too big")
	return d, err
}

// Precision sets the precision to an argument that is an int.
func (p *Percent) Precision(d Directive, i Int) (Directive, error) {
	if i.Big != nil || i.Small > math.MaxInt32 || i.Small < math.MinInt32 {
		return d, raise.Overflow("Python int too large to convert to C int")
	}
	d.precision = max(0, int(i.Small))
	return d, nil
}

// StarNotInt is the error of a width or precision that is no int.
func StarNotInt() error { return raise.Type("* wants int") }

// End reads the length modifier, which means nothing, and the type. When
// Sign, no value is taken.
func (p *Percent) End(d Directive) (Directive, error) {
	if c := p.peek(); c == 'h' || c == 'l' || c == 'L' {
		p.at++
	}
	if p.at == len(p.format) {
		return d, raise.Value("incomplete format")
	}
	r, size := DecodeRune(p.format[p.at:])
	if p.raw {
		r, size = rune(p.format[p.at]), 1
	}
	d.Type = r
	d.position = p.at
	p.at += size
	return d, nil
}

// Unsupported is the error of a type that there is not.
func (p *Percent) Unsupported(d Directive) error {
	shown := d.Type
	if shown < ' ' || shown > 0x7E {
		shown = '?'
	}
	return raise.Value("unsupported format character '%c' (0x%x) at index %d",
		shown, d.Type, Str{S: p.format[:d.position], Flat: p.raw}.Len())
}

// Sign reports whether d is a plain percent sign: %%.
func (d Directive) Sign() bool {
	return d.Type == '%' && d.position == d.start
}

// peek returns the next byte, 0 at the end.
func (p *Percent) peek() byte {
	if p.at < len(p.format) {
		return p.format[p.at]
	}
	return 0
}

// key reads the name in parentheses, which may contain balanced ones.
func (p *Percent) key(m budget.Meter, d *Directive) error {
	p.at++
	depth := 1
	for i := p.at; i < len(p.format); i++ {
		switch p.format[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			d.HasKey, d.Key = true, p.format[p.at:i]
			p.at = i + 1
			return work(m, len(d.Key))
		}
	}
	return raise.Value("incomplete format key")
}

func (p *Percent) flags(d *Directive) {
	for {
		switch p.peek() {
		case '-':
			d.minus = true
		case '+':
			d.plus = true
		case ' ':
			d.blank = true
		case '#':
			d.alternate = true
		case '0':
			d.zero = true
		default:
			return
		}
		p.at++
	}
}

func (p *Percent) number(limit int, message string) (int, error) {
	n := 0
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		if n > (limit-int(c-'0'))/10 {
			return 0, raise.Value("%s", message)
		}
		n = 10*n + int(c-'0')
		p.at++
	}
	return n, nil
}
