package runlog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/glovebox-dev/glovebox/api"
)

// ErrTorn is a line that a killed process left unfinished. The ones after it
// are whole.
var ErrTorn = errors.New("a line of the log is no entry")

// Read yields the entries of a log file. The error is ErrTorn, or the last
// that it yields.
func Read(path string) iter.Seq2[api.LogEntry, error] {
	return func(yield func(api.LogEntry, error) bool) {
		r := NewReader(path)
		defer r.Close()
		for {
			entry, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(entry, err) || err != nil && !errors.Is(err, ErrTorn) {
				return
			}
		}
	}
}

// Reader reads a log that may still grow.
type Reader struct {
	path    string
	file    *os.File
	lines   *bufio.Reader
	decoder decoder
	partial []byte
}

// NewReader returns a reader of the file at path, which need not be there yet.
func NewReader(path string) *Reader { return &Reader{path: path} }

// open opens the file, or returns io.EOF while there is none.
func (r *Reader) open() (err error) {
	if r.file != nil {
		return nil
	}
	if r.file, err = os.Open(r.path); err != nil {
		r.file = nil
		if errors.Is(err, fs.ErrNotExist) {
			return io.EOF
		}
		return err
	}
	r.lines = bufio.NewReaderSize(r.file, 64<<10)
	return nil
}

// Next returns the next entry, ErrTorn, or io.EOF if there is none yet.
func (r *Reader) Next() (entry api.LogEntry, err error) {
	if err := r.open(); err != nil {
		return entry, err
	}
	for {
		line, err := r.line()
		if err != nil {
			return entry, err
		}
		if len(line) == 0 {
			continue
		}
		if entry, err = r.decoder.decode(line); err != nil {
			return entry, ErrTorn
		}
		return entry, nil
	}
}

// line returns the next whole line, without spaces around it. It holds until the next one is
// read.
func (r *Reader) line() ([]byte, error) {
	for whole := false; !whole; {
		piece, err := r.lines.ReadSlice('\n')
		if whole = err == nil; whole && len(r.partial) == 0 {
			return bytes.TrimSpace(piece), nil
		}
		if len(r.partial)+len(piece) > 8*maxEntry {
			r.partial = r.partial[:0]
			return nil, ErrTorn
		}
		r.partial = append(r.partial, piece...)
		if !whole && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
	line := bytes.TrimSpace(r.partial)
	r.partial = r.partial[:0]
	return line, nil
}

// Close closes the file.
func (r *Reader) Close() {
	if r.file != nil {
		r.file.Close()
	}
}
