package regex

import (
	"fmt"
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// repeat reads a quantifier and applies it to the last of items. It reports
// false when the brace that comes is only a brace.
func (p *parser) repeat(items []*node) (bool, error) {
	start := p.i
	low, high, ok, err := p.quantifier()
	if err != nil || !ok {
		return false, err
	}
	if len(items) == 0 || items[len(items)-1].kind == kAssert {
		return false, p.fail(start, "nothing to repeat")
	}
	last := len(items) - 1
	if items[last].kind == kRepeat {
		return false, p.fail(start, "multiple repeat")
	}
	if p.accept('+') {
		return false, p.lacks(start, "possessive quantifiers", "drop the + after the quantifier")
	}
	n := &node{kind: kRepeat, min: low, max: high, lazy: p.accept('?'), subs: []*node{items[last]}}
	items[last] = n
	return true, nil
}

// lacks is the error for what can't be matched in linear time.
func (p *parser) lacks(pos int, what, hint string) error {
	return p.fail(pos, fmt.Sprintf("%s are not available, matching takes linear time here: %s", what, hint))
}

// quantifier reads * + ? or {m,n}; high is -1 when there is no end.
func (p *parser) quantifier() (low, high int, ok bool, err error) {
	r := p.next()
	p.i++
	switch r {
	case '*':
		return 0, -1, true, nil
	case '+':
		return 1, -1, true, nil
	case '?':
		return 0, 1, true, nil
	}
	return p.braces()
}

func (p *parser) braces() (low, high int, ok bool, err error) {
	start := p.i
	if p.next() == '}' {
		p.i--
		return 0, 0, false, nil
	}
	lo := p.digits()
	hi := lo
	if p.accept(',') {
		hi = p.digits()
	}
	if !p.accept('}') {
		p.i = start - 1
		return 0, 0, false, nil
	}
	low, high = 0, -1
	if lo != "" {
		low, err = count(lo)
	}
	if hi != "" && err == nil {
		high, err = count(hi)
		if err == nil && high < low {
			err = p.fail(start, "min repeat greater than max repeat")
		}
	}
	return low, high, true, err
}

func (p *parser) digits() string {
	start := p.i
	for p.i < len(p.src) && '0' <= p.src[p.i] && p.src[p.i] <= '9' {
		p.i++
	}
	return string(p.src[start:p.i])
}

func count(digits string) (int, error) {
	n, err := strconv.Atoi(digits)
	if err != nil || n > maxRepeat {
		return 0, raise.Overflow("the repetition number is too large")
	}
	return n, nil
}
