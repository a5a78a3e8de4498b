package secret

// reading is one way to read text as secrets.
type reading interface {
	// next reads the byte at a position. It returns where the secret that ends
	// with it began, or nowhere.
	next(c byte, at int64) int64
	// from returns where what may become a secret began, or nowhere.
	from() int64
}

// plainReading reads text as it is.
type plainReading struct {
	*automaton
	state int32
	read  int64
}

func (p *plainReading) next(c byte, at int64) int64 {
	if p.state == 0 && p.first[c] == 0 {
		return nowhere // most text
	}
	p.read = at + 1
	p.state = p.step(p.state, fold(c))
	n := &p.nodes[p.state]
	if p.state != 0 && p.leaf(p.state) {
		p.state = n.fail
	}
	if n.match == 0 {
		return nowhere
	}
	return p.read - int64(n.match)
}

func (p *plainReading) from() int64 {
	if p.state == 0 {
		return nowhere
	}
	return p.read - int64(p.nodes[p.state].depth)
}

// Encoded text may be interrupted: hexadecimal after each byte, and all of it by
// ends of lines, where the text before is too long to be a word by chance.
const (
	maxGap  = 2
	minLine = 16
)

// hexReading reads hexadecimal digits.
type hexReading struct {
	r      *Redactor
	lanes  [2]lane // one pairs digits from the first on, and one from the second
	digits int     // since the last gap
	run    int     // digits, gaps left out
	gap    int     // the length of the gap before
	last   byte    // the digit before, and its position
	lastAt int64
}

func newHexReading(r *Redactor) *hexReading {
	return &hexReading{r: r, lanes: [2]lane{{automaton: r.automaton}, {automaton: r.automaton}}}
}

func (h *hexReading) next(c byte, at int64) int64 {
	d, ok := unhex(c)
	if !ok {
		h.interrupt(c)
		return nowhere
	}
	found := int64(nowhere)
	if h.digits > 0 {
		found = h.lanes[(h.digits-1)&1].take(h.last<<4|d, h.lastAt)
	}
	h.digits++
	h.run++
	h.gap = 0
	h.last, h.lastAt = d, at
	return found
}

// interrupt ends the run, or begins or extends a gap. In a gap, the lane that
// has whole bytes is the one that continues with the next digit.
func (h *hexReading) interrupt(c byte) {
	if h.run == 0 {
		return
	}
	if !h.separates(c) || h.gap == maxGap {
		h.lanes[0].reset()
		h.lanes[1].reset()
		h.run, h.digits, h.gap = 0, 0, 0
		return
	}
	if h.digits&1 == 1 {
		h.lanes[0], h.lanes[1] = h.lanes[1], h.lanes[0]
	}
	if h.gap == 0 {
		h.lanes[1].reset()
	}
	h.digits = 0
	h.gap++
}

func (h *hexReading) separates(c byte) bool {
	switch c {
	case ':', '-', ' ':
		return true
	case '\r', '\n':
		return h.run >= minLine
	}
	return false
}

func (h *hexReading) from() int64 {
	if h.run == 0 {
		return nowhere
	}
	from := min(h.lanes[0].from(), h.lanes[1].from())
	if h.digits > 0 && h.r.highs[h.last] {
		from = min(from, h.lastAt)
	}
	return from
}

func unhex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= fold(c) && fold(c) <= 'f':
		return fold(c) - 'a' + 10, true
	}
	return 0, false
}

// base64Reading reads the characters of base64, in both alphabets.
type base64Reading struct {
	r      *Redactor
	lanes  [4]lane // by the character of the run that four begin with
	run    int     // characters
	gap    int
	bits   uint32 // of the last characters
	lastAt int64  // where the last one is
}

func newBase64Reading(r *Redactor) *base64Reading {
	b := &base64Reading{r: r}
	for i := range b.lanes {
		b.lanes[i].automaton = r.automaton
	}
	return b
}

func (b *base64Reading) next(c byte, at int64) int64 {
	v := sextet[c]
	if v < 0 {
		b.interrupt(c)
		return nowhere
	}
	b.bits = b.bits<<6 | uint32(v)
	found := int64(nowhere)
	if b.run > 0 {
		// Four characters are three bytes, which end with the second, the
		// third and the fourth. The second and third byte share their first
		// character with the byte before, which need not be secret.
		found = min(
			b.lanes[(b.run-1)&3].take(byte(b.bits>>4), b.lastAt),
			b.lanes[(b.run-2)&3].take(byte(b.bits>>2), at),
			b.lanes[(b.run-3)&3].take(byte(b.bits), at))
	}
	b.run++
	b.gap = 0
	b.lastAt = at
	return found
}

func (b *base64Reading) interrupt(c byte) {
	if b.run == 0 {
		return
	}
	if (c == '\r' || c == '\n') && b.run >= minLine && b.gap < maxGap {
		b.gap++
		return
	}
	for i := range b.lanes {
		b.lanes[i].reset()
	}
	b.run, b.gap = 0, 0
}

func (b *base64Reading) from() int64 {
	if b.run == 0 {
		return nowhere
	}
	from := int64(nowhere)
	for i := range b.lanes {
		from = min(from, b.lanes[i].from())
	}
	if b.r.sextets[b.bits&63] {
		from = min(from, b.lastAt)
	}
	return from
}

// sextet are the values of characters of base64, and -1 of others.
var sextet = func() (values [256]int8) {
	const both = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for i := range values {
		values[i] = -1
	}
	for i, c := range []byte(both) {
		values[c] = int8(i)
	}
	values['+'], values['-'], values['/'], values['_'] = 62, 62, 63, 63
	return values
}()
