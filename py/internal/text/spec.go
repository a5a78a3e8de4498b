package text

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Spec is a format specification taken apart:
// [[fill]align][sign][z][#][0][width][grouping][.precision][type].
type Spec struct {
	fill      rune
	fillGiven bool
	align     byte // of '<', '>', '^', '='; 0 when not given
	sign      byte // of '+', '-', ' '; 0 when not given
	noNegZero bool
	alternate bool
	zeros     bool // a 0 before the width
	width     int
	grouping  byte // ',' or '_'; 0 when there is none
	precision int  // -1 when not given
	kind      rune // the type; 0 when not given
}

// ParseSpec parses the spec of a value whose type is called typeName. A caller
// that formats by one spec often keeps the result; an empty spec is not for it.
func ParseSpec(spec, typeName string) (Spec, error) {
	p := specParser{rest: spec}
	s := Spec{fill: ' ', precision: -1}
	p.alignment(&s)
	if p.next("+- ") {
		s.sign = p.taken
	}
	s.noNegZero = p.next("z")
	s.alternate = p.next("#")
	p.zeros(&s)
	if err := p.widthAndGrouping(&s); err != nil {
		return Spec{}, err
	}
	if err := p.precision(&s); err != nil {
		return Spec{}, err
	}
	if p.rest != "" {
		r, size := DecodeRune(p.rest)
		if size != len(p.rest) {
			return Spec{}, invalidSpec(spec, typeName)
		}
		s.kind = r
	}
	return s, s.checkGrouping()
}

func invalidSpec(spec, typeName string) error {
	const shown = 1 << 10
	if len(spec) > shown {
		spec = spec[:shown]
	}
	return raise.Value("Invalid format specifier '%s' for object of type '%s'", spec, typeName)
}

// specParser reads a spec from left to right.
type specParser struct {
	rest  string
	taken byte
}

// next takes the next byte if it is one of set.
func (p *specParser) next(set string) bool {
	if p.rest == "" {
		return false
	}
	for i := 0; i < len(set); i++ {
		if p.rest[0] == set[i] {
			p.taken, p.rest = set[i], p.rest[1:]
			return true
		}
	}
	return false
}

func (p *specParser) alignment(s *Spec) {
	r, size := DecodeRune(p.rest)
	after := specParser{rest: p.rest[size:]}
	if size > 0 && after.next("<>=^") {
		s.fill, s.fillGiven, s.align, p.rest = r, true, after.taken, after.rest
		return
	}
	if p.next("<>=^") {
		s.align = p.taken
	}
}

// zeros reads the 0 that stands for a fill of zeros after the sign.
func (p *specParser) zeros(s *Spec) {
	if s.fillGiven || !p.next("0") {
		return
	}
	s.zeros = true
	s.fill = '0'
}

func (p *specParser) widthAndGrouping(s *Spec) error {
	width, _, err := p.number()
	if err != nil {
		return err
	}
	s.width = width
	if p.next(",") {
		s.grouping = ','
	}
	if p.next("_") {
		if s.grouping != 0 {
			return bothGroupings()
		}
		s.grouping = '_'
	}
	if p.rest != "" && p.rest[0] == ',' && s.grouping == '_' {
		return bothGroupings()
	}
	return nil
}

func bothGroupings() error { return raise.Value("Cannot specify both ',' and '_'.") }

func (p *specParser) precision(s *Spec) error {
	if !p.next(".") {
		return nil
	}
	n, ok, err := p.number()
	if err != nil {
		return err
	}
	if !ok {
		return raise.Value("Format specifier missing precision")
	}
	s.precision = n
	return nil
}

// number reads digits of any script.
func (p *specParser) number() (n int, ok bool, err error) {
	for p.rest != "" {
		r, size := DecodeRune(p.rest)
		rec := recordFor(r)
		if rec.flags&decimal == 0 {
			break
		}
		if n > (math.MaxInt-int(rec.value))/10 {
			return 0, false, raise.Value("Too many decimal digits in format string")
		}
		n = 10*n + int(rec.value)
		ok = true
		p.rest = p.rest[size:]
	}
	return n, ok, nil
}

// checkGrouping refuses separators where the type has none.
func (s Spec) checkGrouping() error {
	if s.grouping == 0 {
		return nil
	}
	switch s.kind {
	case 0, 'd', 'e', 'f', 'g', 'E', 'G', '%', 'F':
		return nil
	case 'b', 'o', 'x', 'X':
		if s.grouping == '_' {
			return nil
		}
	}
	return s.cannotGroup()
}

func (s Spec) cannotGroup() error {
	kind := s.kind
	if kind == 0 {
		kind = 's'
	}
	return raise.Value("Cannot specify '%c' with %s.", s.grouping, quotedKind(kind))
}

// quotedKind shows a type character as CPython's messages do.
func quotedKind(r rune) string {
	if ' ' < r && r < 0x80 {
		return "'" + string(r) + "'"
	}
	b := builder{m: budget.Free}
	b.WriteString(`'\x`)
	started := false
	for shift := 28; shift >= 0; shift -= 4 {
		if d := r >> shift & 15; d != 0 || started || shift == 0 {
			started = true
			b.WriteByte(hexDigits[d])
		}
	}
	b.WriteString("'")
	return b.String()
}

func (s Spec) unknownKind(typeName string) error {
	return raise.Value("Unknown format code %s for object of type '%s'", quotedKind(s.kind), typeName)
}
