package gvisor

import (
	"archive/tar"
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// Upper implements cell.Instance. The cell stands still meanwhile: what its sandbox
// says is where in the file behind the layer each file is, and that has to stay so
// until it was read there.
func (in *instance) Upper(ctx context.Context, w io.Writer) (err error) {
	in.asking.Lock()
	defer in.asking.Unlock()
	if !in.frozen {
		if err := in.setFrozen(ctx, runsc.Freeze, true); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, in.setFrozen(ctx, runsc.Thaw, false)) }()
	}
	from, to, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("pipe for the changed files: %w", err)
	}
	defer to.Close()
	nothing, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return errors.Join(fmt.Errorf("reading the changed files: %w", err), from.Close())
	}
	defer nothing.Close()
	copied := make(chan error, 1)
	go func() {
		err := in.copyUpper(w, from)
		from.Close() // so that a sandbox that writes on fails, and answers
		copied <- err
	}()
	failure := in.ask(ctx, runsc.Upper, to, nothing)
	to.Close()
	if err := <-copied; err != nil {
		return fmt.Errorf("copying the changed files: %w", err)
	}
	if failure != nil {
		return fmt.Errorf("reading the changed files: %w", failure)
	}
	return nil
}

// copyUpper copies the changed files that are in a tree.
func (in *instance) copyUpper(w io.Writer, tree io.Reader) error {
	if to, ok := w.(*handover); ok {
		return to.take(tree, in.upper, in.asked.Disk)
	}
	return copyLayer(w, tree, in.upper, in.asked.Disk)
}

// copyLayer makes the tar of a layer of its tree, as runsc.Upper describes it, and of
// the file behind it. Neither is trusted: both are as hostile as the cell. Limit
// bounds the content of all files together, in bytes, holes included.
func copyLayer(w io.Writer, tree io.Reader, behind io.ReaderAt, limit int64) error {
	entries, out := tar.NewReader(tree), bufio.NewWriterSize(w, 64<<10)
	l := &layer{to: tar.NewWriter(out), behind: behind, room: room{limit, limit}, buf: make([]byte, copyBuffer)}
	for {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = l.add(header, entries)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(l.to.Close(), out.Flush())
}

type layer struct {
	to     *tar.Writer
	behind io.ReaderAt
	room   room
	buf    []byte
}

func (l *layer) add(header *tar.Header, pieces io.Reader) error {
	header.Format = tar.FormatPAX
	if header.Typeflag != tar.TypeReg {
		return l.to.WriteHeader(header)
	}
	size, err := l.room.size(header, pieces)
	if err != nil {
		return err
	}
	header.Size = size
	if err := l.to.WriteHeader(header); err != nil {
		return err
	}
	return l.content(header.Size, pieces)
}

// room bounds the content of all files together, in bytes, with their holes.
type room struct{ limit, left int64 }

// size reads the size of a file in a tree.
func (r *room) size(header *tar.Header, pieces io.Reader) (int64, error) {
	var size uint64
	if err := binary.Read(pieces, binary.LittleEndian, &size); err != nil {
		return 0, fmt.Errorf("%q has no size: %w", header.Name, err)
	}
	if size > uint64(r.left) {
		return 0, api.Errorf(api.OutputTooLarge, "the changed files of the cell have more than %s together, with the holes in them", quantity.FormatSize(r.limit)).
			WithDetails(api.Details{Limit: r.limit})
	}
	r.left -= int64(size)
	return int64(size), nil
}

// piece is where in the file behind the layer a part of a file is.
type piece struct{ Start, End, Behind uint64 }

// nextPiece reads the piece of a file that follows after at, as far as the file goes:
// pieces are whole pages, so that one may end, or even begin, behind its end.
func nextPiece(pieces io.Reader, at uint64, size int64) (p piece, err error) {
	if err := binary.Read(pieces, binary.LittleEndian, &p); err != nil {
		return p, err
	}
	if p.Start < at || p.End < p.Start || int64(p.Behind) < 0 {
		return p, fmt.Errorf("it goes from %d to %d after %d", p.Start, p.End, at)
	}
	p.Start, p.End = min(p.Start, uint64(size)), min(p.End, uint64(size))
	return p, nil
}

// content writes the pieces of a file, and zeros between them.
func (l *layer) content(size int64, pieces io.Reader) error {
	at := uint64(0)
	for {
		p, err := nextPiece(pieces, at, size)
		if errors.Is(err, io.EOF) {
			return l.copy(zeros{}, size-int64(at))
		}
		if err != nil {
			return fmt.Errorf("a piece of a file: %w", err)
		}
		if err := l.copy(zeros{}, int64(p.Start-at)); err != nil {
			return err
		}
		length := int64(p.End - p.Start)
		if err := l.copy(io.NewSectionReader(l.behind, int64(p.Behind), length), length); err != nil {
			return err
		}
		at = p.End
	}
}

func (l *layer) copy(from io.Reader, n int64) error {
	copied, err := io.CopyBuffer(struct{ io.Writer }{l.to}, io.LimitReader(from, n), l.buf)
	if err == nil && copied < n {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// zeros is an endless hole.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
