package engine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// A run's output is kept in a file of JSON lines, one api.LogEntry each, which
// others may read while it grows. It holds the beginning; the result has the
// end.
const (
	maxLogBytes = 16 << 20 // of the file of each run, after which no entry begins
	maxLogEntry = 32 << 10 // of text, in one entry
)

func (e *Engine) logPath(id string) string { return filepath.Join(e.config.LogDir, id+".jsonl") }

// runLog writes the log of one run. The file appears with the first entry.
type runLog struct {
	path string
	wake func()

	mu    sync.Mutex
	file  *os.File
	seq   int64
	bytes int64 // of the file
	full  bool
	err   error
}

func newRunLog(path string, wake func()) *runLog { return &runLog{path: path, wake: wake} }

// open continues the log of earlier attempts.
func (l *runLog) open() error {
	if l.file != nil || l.err != nil {
		return l.err
	}
	if l.err = os.MkdirAll(filepath.Dir(l.path), 0o700); l.err != nil {
		return l.err
	}
	for entry, err := range readLog(l.path) {
		if err != nil {
			continue // a line that a killed process left unfinished
		}
		l.seq = entry.Seq
	}
	l.file, l.err = os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if l.err != nil {
		return l.err
	}
	return l.endLine()
}

// endLine closes a line that a killed process left unfinished.
func (l *runLog) endLine() error {
	size, err := l.file.Seek(0, io.SeekEnd)
	l.bytes = size
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

// add appends text to the log. Trouble with the log never stops a run: what is
// lost is lost to later readers only.
func (l *runLog) add(stream string, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(text) > 0 && !l.full && l.open() == nil {
		piece := text[:cut(text)]
		text = text[len(piece):]
		if l.bytes >= maxLogBytes {
			l.full = true
			l.append(api.LogEntry{Stream: "system", Text: "the log ends here: a run keeps 16 MiB of it\n", Cut: true})
			break
		}
		l.write(stream, piece)
	}
	l.wake()
}

// cut returns how much of text goes into one entry, without tearing a character.
func cut(text []byte) int {
	if len(text) <= maxLogEntry {
		return len(text)
	}
	for n := maxLogEntry; n > maxLogEntry-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) {
			return n
		}
	}
	return maxLogEntry
}

func (l *runLog) write(stream string, piece []byte) {
	entry := api.LogEntry{Stream: stream}
	if utf8.Valid(piece) {
		entry.Text = string(piece)
	} else {
		entry.Data = piece
	}
	l.append(entry)
}

func (l *runLog) append(entry api.LogEntry) {
	l.seq++
	entry.Seq, entry.Time = l.seq, time.Now().UTC()
	line, err := json.Marshal(entry)
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
		l.bytes += int64(len(line)) + 1
	}
	if err != nil {
		l.err = err
	}
}

func (l *runLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
	}
	l.file, l.err = nil, fs.ErrClosed
}

// printed is how many bytes of standard output the log has of the attempt that
// was under way: since Glovebox itself had something to say.
func printed(path string) (bytes int) {
	for entry, err := range readLog(path) {
		switch {
		case err != nil:
		case entry.Stream == "system":
			bytes = 0
		case entry.Stream == "stdout":
			bytes += len(entry.Bytes())
		}
	}
	return bytes
}

// logWriter passes on what a run prints, and keeps it. When an attempt is
// replayed, the log has its first bytes already.
type logWriter struct {
	log    *runLog
	stream string
	next   io.Writer // may be nil
	known  int       // bytes that the log has
	seen   int       // bytes that next has got before
	passed *int      // bytes that next has got, ever
	durability
}

func (w *logWriter) Write(p []byte) (int, error) {
	if err := w.shown(); err != nil {
		return 0, err
	}
	known := min(w.known, len(p))
	w.known -= known
	w.log.add(w.stream, p[known:])
	if w.next == nil {
		return len(p), nil
	}
	seen := min(w.seen, len(p))
	w.seen -= seen
	if seen == len(p) {
		return len(p), nil
	}
	n, err := w.next.Write(p[seen:])
	*w.passed += n
	return seen + n, err
}

// errTorn is a line that a killed process left unfinished. The ones after it
// are whole.
var errTorn = errors.New("a line of the log is no entry")

// readLog yields the entries of a log file. The error is errTorn, or the last
// that it yields.
func readLog(path string) iter.Seq2[api.LogEntry, error] {
	return func(yield func(api.LogEntry, error) bool) {
		r := &logReader{path: path}
		defer r.close()
		for {
			entry, err := r.next()
			if errors.Is(err, io.EOF) || !yield(entry, err) || err != nil && !errors.Is(err, errTorn) {
				return
			}
		}
	}
}

// logReader reads a log that may still grow.
type logReader struct {
	path    string
	file    *os.File
	lines   *bufio.Reader
	partial []byte
}

// next returns the next entry, errTorn, or io.EOF if there is none yet.
func (r *logReader) next() (entry api.LogEntry, err error) {
	if r.file == nil {
		if r.file, err = os.Open(r.path); errors.Is(err, fs.ErrNotExist) {
			r.file = nil
			return entry, io.EOF
		}
		if err != nil {
			r.file = nil
			return entry, err
		}
		r.lines = bufio.NewReaderSize(r.file, 64<<10)
	}
	for {
		piece, err := r.lines.ReadBytes('\n')
		if len(r.partial)+len(piece) > 8*maxLogEntry {
			r.partial = r.partial[:0]
			return entry, errTorn
		}
		r.partial = append(r.partial, piece...)
		if err != nil {
			return entry, err
		}
		line := bytes.TrimSpace(r.partial)
		r.partial = r.partial[:0]
		switch {
		case len(line) == 0:
		case json.Unmarshal(line, &entry) != nil:
			return api.LogEntry{}, errTorn
		default:
			return entry, nil
		}
	}
}

func (r *logReader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// Logs yields what a run printed, and with follow what it is going to print.
func (e *Engine) Logs(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.LogEntry, error] {
	return func(yield func(api.LogEntry, error) bool) {
		rec, err := e.config.Journal.Load(ctx, id)
		if err != nil {
			yield(api.LogEntry{}, journalError(id, err))
			return
		}
		r := &logReader{path: e.logPath(id)}
		defer r.close()
		for {
			// Whether it has ended is asked before reading: all is written by then.
			w, ended := e.watch(ctx, rec.ID)
			if !yieldLog(r, after, yield) || ended || !follow {
				return
			}
			if err := w.wait(ctx); err != nil {
				yield(api.LogEntry{}, err)
				return
			}
		}
	}
}

// yieldLog yields what there is and reports whether to continue.
func yieldLog(r *logReader, after int64, yield func(api.LogEntry, error) bool) bool {
	for {
		entry, err := r.next()
		switch {
		case errors.Is(err, io.EOF):
			return true
		case errors.Is(err, errTorn):
		case err != nil:
			yield(entry, api.Errorf(api.StorageCorrupt, "the log cannot be read: %w", err))
			return false
		case entry.Seq > after && !yield(entry, nil):
			return false
		}
	}
}
