package gvisor

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path"
	"strings"
)

// A handover fills a new cell with the changed files of another one that stands still,
// without an archive between them. The sandbox gets the tree first, and starts its guest
// while large files are still copied.
type handover struct {
	plan
	to    *os.File
	begin func(unpacked) error // gives the sandbox the tree

	from io.ReaderAt
	late []move
	buf  []byte
	err  error // why the new cell cannot have the files
}

// move is a part of a file, from one file behind a layer to another.
type move struct{ from, to, size int64 }

// lateSize is from which size on a part of a file is copied after the tree was given
// away. The guest reads no such file before it answers.
const lateSize = 1 << 20

// Write implements io.Writer for Cell.Layer, but only this driver knows what to do with it.
func (h *handover) Write([]byte) (int, error) {
	return 0, errors.New("the cells are of different drivers")
}

// failed keeps an error of the new cell. The old one hears of it as if nobody read an
// archive to its end.
func (h *handover) failed(err error) error {
	if err == nil {
		return nil
	}
	h.err = err
	return io.ErrClosedPipe
}

// take copies the files of a tree, as copyLayer reads it.
func (h *handover) take(tree io.Reader, behind io.ReaderAt, limit int64) error {
	h.from, h.buf = behind, make([]byte, copyBuffer)
	entries, left := tar.NewReader(tree), room{limit, limit}
	for {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = h.entry(header, entries, &left)
		}
		if err != nil {
			return err
		}
	}
	l, err := h.close()
	if err == nil {
		err = h.begin(l)
	}
	if err != nil {
		return h.failed(err)
	}
	for _, m := range h.late {
		if err := h.copy(m); err != nil {
			return err
		}
	}
	return nil
}

func (h *handover) entry(header *tar.Header, pieces io.Reader, left *room) error {
	regular, early := header.Typeflag == tar.TypeReg, isSetting(header.Name)
	if !regular {
		_, err := h.plan.add(header)
		return h.failed(err)
	}
	size, err := left.size(header, pieces)
	if err != nil {
		return err
	}
	header.Size = size
	to, err := h.plan.add(header)
	if err != nil {
		return h.failed(err)
	}
	for at := uint64(0); ; {
		p, err := nextPiece(pieces, at, size)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		m := move{int64(p.Behind), to + int64(p.Start), int64(p.End - p.Start)}
		if m.size >= lateSize && !early {
			h.late = append(h.late, m)
		} else if err := h.copy(m); err != nil {
			return err
		}
		at = p.End
	}
}

// isSetting reports whether the guest may read a file when it starts.
func isSetting(name string) bool { return strings.HasPrefix(path.Clean("/"+name), "/etc/") }

func (h *handover) copy(m move) error {
	for m.size > 0 {
		part := h.buf[:min(int64(len(h.buf)), m.size)]
		n, err := h.from.ReadAt(part, m.from)
		if n < len(part) {
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
		if _, err := h.to.WriteAt(part, m.to); err != nil {
			return h.failed(err)
		}
		m.from, m.to, m.size = m.from+int64(n), m.to+int64(n), m.size-int64(n)
	}
	return nil
}
