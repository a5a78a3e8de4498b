// Package runlog keeps what a run prints: a file of JSON lines, one api.LogEntry
// each, which others may read while it grows. It holds the beginning; the result
// of the run has the end.
//
// A Log writes the file, through one Writer for each stream of an attempt. A
// process may be killed while it writes, so a Reader passes over torn lines, and
// the Log of a later attempt begins a new line.
package runlog

import (
	"cmp"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

const (
	maxEntry = 32 << 10 // of text, in one entry
	// sure is what the file of each run may have whatever room there is, in bytes; it is
	// asked for once for each further room.
	sure, room = 16 << 20, 4 << 20
)

// DefaultBytes is what a run keeps of its log where a Bound names nothing else.
const DefaultBytes = 256 << 20

// Bound says how large a log may become. No entry begins behind it.
type Bound struct {
	Bytes int64       // of the file; 0 means DefaultBytes
	Room  func() bool // whether the disk has room for a long one; nil is always
}

// Log writes the log of one run. The file appears with the first entry. It is safe
// for concurrent use.
type Log struct {
	path  string
	wake  func()
	bound Bound

	mu    sync.Mutex
	file  *os.File
	seq   int64
	lines counting
	bytes int64 // of the file
	next  int64 // the size at which room is asked for again
	full  bool
	err   error
}

// New returns the log in the file at path. Wake is called after each addition.
func New(path string, wake func(), bound Bound) *Log {
	bound.Bytes = cmp.Or(bound.Bytes, DefaultBytes)
	return &Log{path: path, wake: wake, bound: bound, next: sure}
}

// open continues the log of earlier attempts.
func (l *Log) open() error {
	if l.file != nil || l.err != nil {
		return l.err
	}
	if l.err = os.MkdirAll(filepath.Dir(l.path), 0o700); l.err != nil {
		return l.err
	}
	last := lastEntries(l.path)
	if l.lines = continued(last); len(last) > 0 {
		l.seq = last[len(last)-1].Seq
	}
	l.file, l.err = os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if l.err != nil {
		return l.err
	}
	return l.endLine()
}

// endLine closes a line that a killed process left unfinished.
func (l *Log) endLine() error {
	size, err := l.file.Seek(0, io.SeekEnd)
	l.bytes = size
	if err == nil && size == 0 {
		l.lines.next = 1
	}
	if err != nil || size == 0 {
		return err
	}
	last := make([]byte, 1)
	whole, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer whole.Close()
	if _, err := whole.ReadAt(last, size-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = l.file.Write([]byte{'\n'})
	return err
}

// Add appends text to the log. Trouble with the log never stops a run: what is
// lost is lost to later readers only.
func (l *Log) Add(stream string, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(text) > 0 && !l.full && l.open() == nil {
		piece := text[:cut(text)]
		text = text[len(piece):]
		if why := l.ends(); why != "" {
			l.full = true
			l.append(api.LogEntry{Stream: "system", Text: "the log ends here: " + why + "\n", Cut: true})
			break
		}
		l.write(stream, piece)
	}
	l.wake()
}

// ends says why no further entry begins, if so.
func (l *Log) ends() string {
	switch {
	case l.bytes >= l.bound.Bytes:
		return "a run keeps " + quantity.FormatSize(l.bound.Bytes) + " of it"
	case l.bytes < l.next || l.bound.Room == nil:
		return ""
	case !l.bound.Room():
		return "the disk has no room for a longer one"
	}
	l.next = l.bytes + room
	return ""
}

// cut returns how much of text goes into one entry, without tearing a character.
func cut(text []byte) int {
	if len(text) <= maxEntry {
		return len(text)
	}
	for n := maxEntry; n > maxEntry-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) {
			return n
		}
	}
	return maxEntry
}

func (l *Log) write(stream string, piece []byte) {
	entry := api.LogEntry{Stream: stream}
	if utf8.Valid(piece) {
		entry.Text = string(piece)
	} else {
		entry.Data = piece
	}
	l.append(entry)
}

func (l *Log) append(entry api.LogEntry) {
	l.seq++
	entry.Seq, entry.Time = l.seq, time.Now().UTC()
	l.lines.mark(&entry)
	l.lines.pass(&entry, entry.Bytes())
	line, err := json.Marshal(entry)
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
		l.bytes += int64(len(line)) + 1
	}
	if err != nil {
		l.err = err
	}
}

// Close ends the log; what is added later is lost.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
	}
	l.file, l.err = nil, fs.ErrClosed
}
