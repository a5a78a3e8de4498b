package sandbox

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/secret"
)

// What of the end of a stream goes into an error.
const (
	excerptBytes = 64 << 10
	lastLineMax  = 20
	lastLineByte = 8 << 10
)

// logs are the two output streams of a program.
type logs struct {
	stdout, stderr *stream
}

// newLogs sends the streams through the redactor to the writers of the caller,
// either of which may be nil, and keeps up to limit bytes of the end of each.
func newLogs(ctx context.Context, stdout, stderr io.Writer, limit int64, r *secret.Redactor) *logs {
	out := newOptionalForwarder(ctx, stdout)
	err := out
	if !sameWriter(stdout, stderr) {
		err = newOptionalForwarder(ctx, stderr)
	}
	return &logs{stdout: newStream(out, limit, r), stderr: newStream(err, limit, r)}
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

// close flushes both streams before it waits for the writers.
func (l *logs) close() {
	l.stdout.redacted.Close()
	l.stderr.redacted.Close()
	for _, s := range []*stream{l.stdout, l.stderr} {
		if s.forward != nil {
			s.forward.close()
		}
	}
}

// stream is one output of a program. Its Write never fails.
type stream struct {
	redacted io.WriteCloser
	forward  *forwarder // nil: nobody listens
	tail     *tail      // for the result, as long as the caller wants it
	excerpt  *tail      // for errors, whatever the caller wants kept
}

func newStream(forward *forwarder, limit int64, r *secret.Redactor) *stream {
	s := &stream{forward: forward, tail: newTail(limit), excerpt: newTail(excerptBytes)}
	sinks := []io.Writer{s.tail, s.excerpt}
	if forward != nil {
		sinks = append(sinks, forward)
	}
	s.redacted = r.Writer(io.MultiWriter(sinks...))
	return s
}

// Write implements io.Writer.
func (s *stream) Write(p []byte) (int, error) { return s.redacted.Write(p) }

// lastLines returns the end of the stream as text for a message.
func (s *stream) lastLines() string {
	text := bytes.TrimRight(s.excerpt.kept(), "\n")
	lines := bytes.Split(text, []byte("\n"))
	lines = lines[max(0, len(lines)-lastLineMax):]
	end := bytes.Join(lines, []byte("\n"))
	return clean(string(end[max(0, len(end)-lastLineByte):]), lastLineByte)
}

// clean makes text from a cell fit for a message on a terminal: valid UTF-8
// of at most limit bytes, without control characters but newline and tab.
func clean(text string, limit int) string {
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
func isBidi(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }
