package jsontext

import (
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// Saved is the state of a Decoder between two tokens, for snapshots.
type Saved struct {
	Pos   int
	State uint8
	Stack string // the brackets of what is open
}

// Save returns the state of d.
func (d *Decoder) Save() Saved { return Saved{d.pos, uint8(d.state), string(d.stack)} }

// Restore returns a decoder that resumes where Save was called. It reports false
// for a state that no decoder of text can have.
func Restore(m budget.Meter, text string, depth int, s Saved) (*Decoder, bool) {
	d := NewDecoderAt(m, text, s.Pos, depth)
	d.state, d.stack = state(s.State), []byte(s.Stack)
	ok := s.Pos >= 0 && s.Pos <= len(text) && (s.Pos == len(text) || utf8.RuneStart(text[s.Pos])) &&
		len(s.Stack) <= depth && strings.Trim(s.Stack, "[{") == "" && d.state.fits(s.Stack)
	return d, ok
}

// fits reports whether a state is possible inside of the containers of stack.
func (st state) fits(stack string) bool {
	switch st {
	case wantValue, afterValue:
		return true
	case wantFirst:
		return strings.HasSuffix(stack, "[")
	case wantKey, wantFirstKey:
		return strings.HasSuffix(stack, "{")
	}
	return false
}
