package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// terminal returns the terminal that w is, or nil.
func terminal(w io.Writer) *os.File {
	if watched, ok := w.(watched); ok {
		w = watched.Writer
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// screenWidth is how many columns a terminal has; 80 if it does not say.
func screenWidth(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 1 {
		return 80
	}
	return width
}

// stream takes what a program prints. flush ends it.
type stream interface {
	io.Writer
	flush() error
}

// forTerminal returns w, made safe if where w ends is a terminal.
func forTerminal(w io.Writer, end io.Writer, raw bool) stream {
	if raw || terminal(end) == nil {
		return asItIs{w}
	}
	return &harmless{w: w}
}

// asItIs passes on every byte.
type asItIs struct{ io.Writer }

func (asItIs) flush() error { return nil }

// harmless passes on text with nothing in it that a terminal obeys but ends of
// lines, tabs, carriage returns and colours. Each other control character, and
// what turns the order of reading, becomes U+FFFD.
type harmless struct {
	w        io.Writer
	rest     []byte // of a character or a sequence whose end has not come yet
	coloured bool
}

func (h *harmless) Write(p []byte) (int, error) {
	text := append(h.rest, p...)
	safe := make([]byte, 0, len(text))
	for len(text) > 0 {
		piece, size := h.next(text)
		if size == 0 {
			break
		}
		safe, text = append(safe, piece...), text[size:]
	}
	h.rest = bytes.Clone(text)
	if len(safe) == 0 {
		return len(p), nil
	}
	_, err := h.w.Write(safe)
	return len(p), err
}

// next returns what is shown for the first bytes of text, and how many these
// are; none if their end has not come yet.
func (h *harmless) next(text []byte) (shown []byte, size int) {
	if text[0] == '\x1b' {
		size, whole := colour(text)
		if !whole && size == len(text) {
			return nil, 0
		}
		if whole {
			h.coloured = true
			return text[:size], size
		}
		return []byte(replacement), 1
	}
	if !utf8.FullRune(text) {
		return nil, 0
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case r == '\n', r == '\t', r == '\r':
		return text[:size], size
	case r == utf8.RuneError, tricks(r):
		return []byte(replacement), size
	}
	return text[:size], size
}

// flush shows what had no end, and takes colours back.
func (h *harmless) flush() error {
	tail := bytes.Repeat([]byte(replacement), min(1, len(h.rest)))
	if len(h.rest) > 0 && h.rest[0] == '\x1b' {
		tail = append(tail, h.rest[1:]...)
	}
	if h.coloured {
		tail = append(tail, "\x1b[0m"...)
	}
	h.rest, h.coloured = nil, false
	if len(tail) == 0 {
		return nil
	}
	_, err := h.w.Write(tail)
	return err
}

// longestColour bounds a sequence that sets colours.
const longestColour = 64

// colour returns the length of the sequence at the beginning of text that sets
// colours (ECMA-48 SGR), and whether it is whole. If it is not, the length is
// that of the part that fits.
func colour(text []byte) (size int, whole bool) {
	for i, b := range text[:min(len(text), longestColour)] {
		switch {
		case i == 0, i == 1 && b == '[', i > 1 && (b >= '0' && b <= '9' || b == ';' || b == ':'):
		case i > 1 && b == 'm':
			return i + 1, true
		default:
			return i, false
		}
		size = i + 1
	}
	return size, false
}

// withoutColours takes the sequences out that set colours.
func withoutColours(text []byte) []byte {
	var rest []byte
	for len(text) > 0 {
		size, whole := 1, false
		if text[0] == '\x1b' {
			size, whole = colour(text)
		}
		if !whole {
			rest, size = append(rest, text[0]), 1
		}
		text = text[size:]
	}
	return rest
}

// replacement is shown for what a terminal must not get.
const replacement = string(utf8.RuneError)

// tricks says whether a terminal would obey r, or show what follows in another
// order.
func tricks(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// document returns where a document of JSON is written that ends up in w. On a
// terminal, what plays tricks there is written as \u escapes, which mean the same.
func document(w io.Writer) io.Writer {
	if terminal(w) == nil {
		return w
	}
	return escaped{w}
}

type escaped struct{ io.Writer }

func (e escaped) Write(p []byte) (int, error) {
	var safe bytes.Buffer
	for _, r := range string(p) {
		if tricks(r) && r != '\n' {
			fmt.Fprintf(&safe, "\\u%04x", r)
			continue
		}
		safe.WriteRune(r)
	}
	_, err := e.Writer.Write(safe.Bytes())
	return len(p), err
}
