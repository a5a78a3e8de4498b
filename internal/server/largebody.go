package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/internal/budget"
)

// largeBody is the size from which the inputs are taken out of a body before
// the rest is decoded, so that they are in memory once. What reads the inputs
// checks their grammar again, and encoding/json would go through them twice.
const largeBody = 64 << 10

// apart are the inputs that were taken out of the body of a request.
type apart struct{ inputs json.RawMessage }

type apartKey struct{}

// takeApart returns the body without its inputs, if they can be taken out.
func (a *apart) takeApart(body *budget.Text) (rest io.Reader, size int64, err error) {
	if body.Size() < largeBody {
		return body.Reader(), body.Size(), nil
	}
	text, err := body.Bytes()
	if err != nil {
		return nil, 0, err
	}
	text, a.inputs = cutInputs(text)
	return bytes.NewReader(text), int64(len(text)), nil
}

// takeInputs gives the submission the inputs that were taken out of its body.
func (given *submission) takeInputs(ctx context.Context) {
	if a, ok := ctx.Value(apartKey{}).(*apart); ok && a.inputs != nil {
		given.Inputs, a.inputs = a.inputs, nil
	}
}

// cutInputs returns a body in which the inputs are empty, and the inputs. Their
// grammar is judged by whoever reads them, see firstFault. Without inputs that
// can be cut out, the body is as it is.
func cutInputs(text []byte) (rest, inputs []byte) {
	start, end, ok := findInputs(text)
	if !ok || !utf8.Valid(text[start:end]) {
		return text, nil
	}
	return slices.Concat(text[:start], []byte("{}"), text[end:]), text[start:end:end]
}

// firstFault returns what is wrong with the JSON of the inputs, else err.
func (given *submission) firstFault(err error) error {
	if len(given.Inputs) == 0 {
		return err
	}
	if wrong := decodeStrictly(given.Inputs, new(json.RawMessage)); wrong != nil {
		return wrong
	}
	return err
}

// findInputs finds the object that is the member inputs of an object. It does
// not check the grammar: ok says that brackets and strings close, that there is
// one such member and that no escapes hide another.
func findInputs(text []byte) (start, end int, ok bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			after := endOfString(text, i)
			if after < 0 {
				return 0, 0, false
			}
			if depth == 1 && nextByte(text, after) == ':' {
				key := string(text[i+1 : after-1])
				switch {
				case key == "inputs" && start == 0:
					start = after
				case strings.EqualFold(key, "inputs") || strings.ContainsRune(key, '\\'):
					return 0, 0, false
				}
			}
			i = after - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 1 && start > 0 && end == 0 {
				end = i + 1
			}
		case ',':
			if depth == 1 && start > 0 && end == 0 {
				return 0, 0, false // it is no object
			}
		}
	}
	if end == 0 || depth != 0 {
		return 0, 0, false
	}
	for start++; start < end && text[start-1] != '{'; start++ {
		if !strings.ContainsRune(": \t\r\n", rune(text[start-1])) {
			return 0, 0, false
		}
	}
	return start - 1, end, start < end
}

// endOfString returns where the string that begins at i has ended, or -1.
func endOfString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// nextByte returns the first byte from i that is no white space.
func nextByte(text []byte, i int) byte {
	if text = bytes.TrimLeft(text[i:], " \t\r\n"); len(text) == 0 {
		return 0
	}
	return text[0]
}
