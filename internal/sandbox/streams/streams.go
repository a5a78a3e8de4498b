// Package streams carries what a program prints: from its cell through the
// redactor of secrets to the writers of the caller, which may be slow, stuck or
// broken, while the end of each stream is kept for the result and for errors.
// Nothing of it ever fails, since a run must not fail for its logs.
package streams

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/secret"
)

// Bounds on the end of a stream that goes into an error.
const (
	ExcerptBytes  = 64 << 10 // of what is looked through for a traceback
	LastLineBytes = 8 << 10  // of LastLines
	lastLineMax   = 20
)

// Streams are the two output streams of a program.
type Streams struct {
	Stdout, Stderr *Stream
}

// New sends the streams through the redactor to the writers of the caller,
// either of which may be nil, and keeps up to limit bytes of the end of each.
func New(ctx context.Context, stdout, stderr io.Writer, limit int64, r *secret.Redactor) *Streams {
	out := newOptionalForwarder(ctx, stdout)
	err := out
	if !sameWriter(stdout, stderr) {
		err = newOptionalForwarder(ctx, stderr)
	}
	return &Streams{Stdout: newStream(out, limit, r), Stderr: newStream(err, limit, r)}
}

func newOptionalForwarder(ctx context.Context, w io.Writer) *forwarder {
	if w == nil {
		return nil
	}
	return newForwarder(ctx, w)
}

// sameWriter reports whether both are one writer, whose calls must then not
// overlap. Values that cannot be compared count as two.
func sameWriter(a, b io.Writer) (same bool) {
	defer func() { _ = recover() }()
	return a == b
}

// Close flushes both streams before it waits for the writers.
func (l *Streams) Close() {
	l.Stdout.redacted.Close()
	l.Stderr.redacted.Close()
	for _, s := range []*Stream{l.Stdout, l.Stderr} {
		if s.forward != nil {
			s.forward.close()
		}
	}
}

// Stream is one output of a program.
type Stream struct {
	redacted io.WriteCloser
	forward  *forwarder // nil if the caller wants no output
	tail     *tail      // for the result, as long as the caller wants it
	excerpt  *tail      // for errors, whatever the caller wants kept
}

func newStream(forward *forwarder, limit int64, r *secret.Redactor) *Stream {
	s := &Stream{forward: forward, tail: newTail(limit), excerpt: newTail(ExcerptBytes)}
	sinks := []io.Writer{s.tail, s.excerpt}
	if forward != nil {
		sinks = append(sinks, forward)
	}
	s.redacted = r.Writer(io.MultiWriter(sinks...))
	return s
}

// Write implements io.Writer. It never fails.
func (s *Stream) Write(p []byte) (int, error) { return s.redacted.Write(p) }

// Kept returns the end of the stream, as much as the caller wanted kept, after a
// line that says how much is missing before it.
func (s *Stream) Kept() []byte { return s.tail.Bytes() }

// Excerpt returns the end of the stream, whatever the caller wanted kept.
func (s *Stream) Excerpt() []byte { return s.excerpt.kept() }

// LastLines returns the end of the stream as text for a message.
func (s *Stream) LastLines() string {
	text := bytes.TrimRight(s.excerpt.kept(), "\n")
	lines := bytes.Split(text, []byte("\n"))
	lines = lines[max(0, len(lines)-lastLineMax):]
	end := bytes.Join(lines, []byte("\n"))
	return Clean(string(end[max(0, len(end)-LastLineBytes):]), LastLineBytes)
}

// Clean makes text from a cell fit for a message on a terminal: valid UTF-8
// of at most limit bytes, without control characters but newline and tab.
func Clean(text string, limit int) string {
	if len(text) > limit {
		text = text[:limit]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case r < 0x20 || r >= 0x7f && r < 0xa0 || isBidi(r):
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// isBidi reports the characters that reorder the text around them.
// FirstLine is the first line of a text, with a mark if there are more.
func FirstLine(text string) string {
	first, _, more := strings.Cut(text, "\n")
	if more {
		return first + " [...]"
	}
	return first
}

func isBidi(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }
