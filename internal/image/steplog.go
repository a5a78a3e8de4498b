package image

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
)

// maxLogLine bounds a line that is shown as progress, in bytes.
const maxLogLine = 200

// stepLog keeps the end of what a step printed and hands on its lines.
type stepLog struct {
	mu   sync.Mutex
	tail []byte
	max  int
	line []byte
	show func(string)
}

func newStepLog(limit int, show func(string)) *stepLog { return &stepLog{max: limit, show: show} }

// Write never fails: a log must not end a build.
func (l *stepLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keep(p)
	for rest := p; len(rest) > 0; {
		n := bytes.IndexAny(rest, "\r\n")
		if n < 0 {
			l.line = append(l.line, rest[:min(len(rest), maxLogLine-min(len(l.line), maxLogLine))]...)
			break
		}
		l.line = append(l.line, rest[:min(n, maxLogLine-min(len(l.line), maxLogLine))]...)
		l.flush()
		rest = rest[n+1:]
	}
	return len(p), nil
}

// keep holds between max and twice max bytes, so that copying stays rare.
func (l *stepLog) keep(p []byte) {
	if len(p) > l.max {
		p = p[len(p)-l.max:]
	}
	l.tail = append(l.tail, p...)
	if len(l.tail) > 2*l.max {
		l.tail = append(l.tail[:0], l.tail[len(l.tail)-l.max:]...)
	}
}

func (l *stepLog) flush() {
	text := strings.TrimSpace(printable(string(l.line)))
	l.line = l.line[:0]
	if text != "" && l.show != nil {
		l.show(text)
	}
}

// String is the end of the log, fit to be shown: escape sequences and control
// characters are gone.
func (l *stepLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	tail := l.tail
	if len(tail) > l.max {
		tail = tail[len(tail)-l.max:]
	}
	return strings.TrimSpace(printable(string(tail)))
}

// printable drops what could do something to a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// lastLine is the last line of a log that says something.
func lastLine(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// lastLines is the end of a log, of at most n lines.
func lastLines(log string, n int) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
