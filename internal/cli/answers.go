package cli

import (
	"context"
	"io"
	"strings"
	"sync"
)

// answers lets two readers take turns at standard input: a program that is
// attached to it, and the questions after it. What one of them is waiting for when
// its turn ends is the other's.
type answers struct {
	in     io.Reader
	start  sync.Once
	pieces chan []byte // closed at the end of the input
	rest   []byte      // of a piece that was not taken as a whole
}

func newAnswers(in io.Reader) *answers { return &answers{in: in, pieces: make(chan []byte)} }

// pump passes on what comes. It waits for the terminal for as long as the process
// lives, since a read of it cannot be ended.
func (a *answers) pump() {
	defer close(a.pieces)
	buffer := make([]byte, inputPiece)
	for {
		n, err := a.in.Read(buffer)
		if n > 0 {
			a.pieces <- append([]byte(nil), buffer[:n]...)
		}
		if err != nil {
			return
		}
	}
}

// read waits until ctx ends.
func (a *answers) read(ctx context.Context, p []byte) (int, error) {
	a.start.Do(func() { go a.pump() })
	if len(a.rest) == 0 {
		select {
		case <-ctx.Done():
			return 0, io.EOF
		case piece, more := <-a.pieces:
			if !more {
				return 0, io.EOF
			}
			a.rest = piece
		}
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// until is the input up to the end of ctx.
func (a *answers) until(ctx context.Context) io.Reader { return turn{a, ctx} }

type turn struct {
	*answers
	ctx context.Context
}

func (t turn) Read(p []byte) (int, error) { return t.read(t.ctx, p) }

// Fd is that of the terminal behind it, if there is one.
func (t turn) Fd() uintptr {
	if f, ok := t.in.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// maxAnswer bounds a line, in bytes.
const maxAnswer = 1 << 10

// line reads one line, without spaces around it and in lower case. ok is false at
// the end of the input.
func (a *answers) line(ctx context.Context) (text string, ok bool) {
	var line []byte
	for one := make([]byte, 1); len(line) < maxAnswer; {
		if _, err := a.read(ctx, one); err != nil {
			return "", false
		}
		if one[0] == '\n' {
			break
		}
		line = append(line, one[0])
	}
	return strings.ToLower(strings.TrimSpace(string(line))), true
}
