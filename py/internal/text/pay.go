package text

import (
	"math"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

const (
	portion = 1 << 18 // units of work in one payment
	element = 16      // bytes of a string in a list, without its text
	maxSize = 1 << 46 // bytes that no machine has: refused without asking
)

// work pays n units in portions.
func work(m budget.Meter, n int) error {
	for ; n > portion; n -= portion {
		if err := m.Work(portion); err != nil {
			return err
		}
	}
	return m.Work(n)
}

// alloc pays for n bytes and for filling them.
func alloc(m budget.Meter, n int) error {
	if n < 0 || n > maxSize {
		return raise.New("MemoryError", "")
	}
	if err := m.Alloc(n); err != nil {
		return err
	}
	return work(m, n/4)
}

// times is a*b for sizes, or a size that is refused.
func times(a, b int) int {
	if b != 0 && a > maxSize/b {
		return math.MaxInt
	}
	return a * b
}

// pace pays for a loop over text as it goes: a few units for each byte.
type pace struct {
	m    budget.Meter
	next int
}

// at tells the pace how far the loop is.
func (p *pace) at(i int) error {
	if i < p.next {
		return nil
	}
	return p.pay()
}

func (p *pace) pay() error {
	p.next += portion / 8
	return p.m.Work(portion / 2)
}

// pacing returns the pace of a loop over n bytes. Short loops are paid in one step.
func pacing(m budget.Meter, n int) (pace, error) {
	if n < portion/8 {
		return pace{m, n + 1}, m.Work(4 * n)
	}
	return pace{m: m}, nil
}

// own returns a copy of a part of a text, so that the part does not keep the
// whole in memory.
func own(m budget.Meter, part string) (string, error) {
	if len(part) <= 1 {
		return string([]byte(part)), nil
	}
	if err := alloc(m, len(part)); err != nil {
		return "", err
	}
	return strings.Clone(part), nil
}

// ownPart is own for a part that may be the whole.
func ownPart(m budget.Meter, part, whole string) (string, error) {
	if len(part) == len(whole) {
		return whole, nil
	}
	return own(m, part)
}

// builder makes a text of which the size is not known before. What it reserves
// is paid for.
type builder struct {
	strings.Builder
	m budget.Meter
}

// reserve makes room for n bytes.
func (b *builder) reserve(n int) error {
	if n >= 0 && b.Cap()-b.Len() >= n {
		return nil
	}
	if err := alloc(b.m, 2*b.Cap()+n); err != nil {
		return err
	}
	b.Grow(n)
	return nil
}

func (b *builder) text(s string) error {
	if err := b.reserve(len(s)); err != nil {
		return err
	}
	b.WriteString(s)
	return nil
}

func (b *builder) rune(r rune) error {
	if err := b.reserve(4); err != nil {
		return err
	}
	b.write(r)
	return nil
}

// write appends r, for which there is room.
func (b *builder) write(r rune) {
	if !Surrogate(r) {
		b.WriteRune(r)
		return
	}
	var a [3]byte
	b.Write(AppendRune(a[:0], r))
}

// fill appends s n times.
func (b *builder) fill(s string, n int) error {
	if n <= 0 || s == "" {
		return nil
	}
	if err := b.reserve(times(len(s), n)); err != nil {
		return err
	}
	b.repeat(s, n)
	return nil
}

// repeat writes s n times, for which there is room.
func (b *builder) repeat(s string, n int) {
	const block = 256
	if len(s) <= 16 && n > block {
		wide := strings.Repeat(s, block)
		for ; n >= block; n -= block {
			b.WriteString(wide)
		}
	}
	for ; n > 0; n-- {
		b.WriteString(s)
	}
}
