package budget

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// shortText is how much of a text is kept in memory, in bytes.
const shortText = 256 << 10

// Text is a text that waits to be decoded: a long one in a file without a name.
// The zero value with a directory is empty. It is not safe for concurrent use.
type Text struct {
	Dir string // where the file goes; it is made. Empty: that of the system
	// Space calls what writes again if that found no space; nil does not.
	Space func(write func() error) error

	short []byte
	file  *os.File
	size  int64
	scale Scale
}

// Write adds to the text.
func (t *Text) Write(p []byte) (int, error) {
	if t.file == nil && len(t.short)+len(p) > shortText {
		if err := t.patiently(t.spill); err != nil {
			return 0, err
		}
	}
	if t.file != nil {
		written := 0
		err := t.patiently(func() error {
			n, err := t.file.Write(p[written:])
			written += n
			return err
		})
		if err != nil {
			return written, err
		}
	} else {
		t.short = append(t.short, p...)
	}
	t.size += int64(len(p))
	return t.scale.Write(p)
}

func (t *Text) patiently(write func() error) error {
	if t.Space == nil {
		return write()
	}
	return t.Space(write)
}

// spill moves the text into a file, which is gone when it is closed, however
// this process ends.
func (t *Text) spill() (err error) {
	if t.Dir != "" {
		if err := os.MkdirAll(t.Dir, 0o700); err != nil {
			return err
		}
	}
	file, err := os.CreateTemp(t.Dir, "text-*.partial")
	if err != nil {
		return err
	}
	if err = os.Remove(file.Name()); err == nil {
		_, err = file.Write(t.short)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	t.file, t.short = file, nil
	return nil
}

// Size returns the bytes of the text, Cost what decoding it takes.
func (t *Text) Size() int64 { return t.size }

// Cost returns what decoding the text takes, in bytes.
func (t *Text) Cost() int64 { return t.scale.Cost() }

// Bytes returns the text. Who has a budget takes its cost before.
func (t *Text) Bytes() ([]byte, error) {
	if t.file == nil {
		return t.short, nil
	}
	text := make([]byte, t.size)
	_, err := t.file.ReadAt(text, 0)
	return text, err
}

// ReadAt implements io.ReaderAt.
func (t *Text) ReadAt(p []byte, at int64) (int, error) {
	if t.file == nil {
		return bytes.NewReader(t.short).ReadAt(p, at)
	}
	return t.file.ReadAt(p, at)
}

// Reader returns a reader of the text from its start.
func (t *Text) Reader() io.Reader {
	if t.file == nil {
		return bytes.NewReader(t.short)
	}
	return io.NewSectionReader(t.file, 0, t.size)
}

// Reset makes the text empty.
func (t *Text) Reset() error {
	err := t.Close()
	t.short, t.file, t.size, t.scale = t.short[:0], nil, 0, Scale{}
	return err
}

// Close removes the file.
func (t *Text) Close() error {
	if t.file == nil {
		return nil
	}
	err := t.file.Close()
	t.file = nil
	return err
}
