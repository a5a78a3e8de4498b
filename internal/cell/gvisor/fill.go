package gvisor

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/quantity"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// A sandbox that begins with changed files gets their tree alone, which is small. What
// is in them this process writes to where the sandbox will look for it, the file behind
// its writable layer: it is several times faster than a sandbox that copies into pages
// of memory, needs no memory of the cell, and the sandbox starts meanwhile.

// layerPipes are the streams to a sandbox that begins with changed files.
type layerPipes struct{ manifest, tree, index *os.File }

// openLayer makes these streams.
func (g *given) openLayer() (p *layerPipes, err error) {
	g.Layer, p = &runsc.Layer{}, &layerPipes{}
	for _, pipe := range []struct{ r, w **os.File }{
		{&g.Layer.Manifest, &p.manifest}, {&g.Layer.Tree, &p.tree}, {&g.Layer.Index, &p.index},
	} {
		if *pipe.r, *pipe.w, err = os.Pipe(); err != nil {
			return p, fmt.Errorf("pipe to the cell: %w", err)
		}
	}
	g.Layer.Pages, err = os.Open(os.DevNull)
	return p, err
}

func (p *layerPipes) close() {
	for _, f := range []*os.File{p.manifest, p.tree, p.index} {
		if f != nil {
			f.Close()
		}
	}
}

// closeLayer closes what the sandbox reads from.
func (g *given) closeLayer() {
	for _, f := range []*os.File{g.Layer.Manifest, g.Layer.Tree, g.Layer.Index, g.Layer.Pages} {
		if f != nil {
			f.Close()
		}
	}
}

// beginFill gives a sandbox that starts the changed files that its cell begins with,
// if there are any. What it returns waits for the end of that, and says why the sandbox
// was killed.
func (in *instance) beginFill(g *given) (wait func() error) {
	if g.layer == nil {
		return func() error { return nil }
	}
	g.closeLayer() // so that writing ends when the sandbox does
	failure := make(chan error, 1)
	go func() {
		defer g.layer.close() // after Kill: what the sandbox says of half a layer is no reason
		err := in.fill(g.layer)
		if in.gone() || errors.Is(err, unix.EPIPE) {
			err = nil // it has a reason of its own
		}
		if err != nil {
			in.Kill()
		}
		failure <- err
	}()
	return func() error { return <-failure }
}

// fill gives the sandbox the changed files that its cell begins with. It looks at
// nothing of the sandbox: whoever writes the archive meanwhile is not kept waiting.
func (in *instance) fill(p *layerPipes) error {
	archive, err := in.spec.Layer()
	if err != nil {
		return err
	}
	defer archive.Close()
	tree, err := unnamedFile(in.dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	if from, ok := archive.(cell.Handover); ok {
		to := &handover{
			plan: newPlan(tree, in.spec.Resources.Disk), to: in.upper,
			begin: func(l unpacked) error { return l.send(p, tree) },
		}
		if err = from.WriteLayer(to); to.err != nil {
			err = to.err
		}
	} else {
		var l unpacked
		if l, err = unpackLayer(archive, in.upper, tree, in.spec.Resources.Disk); err == nil {
			err = l.send(p, tree)
		}
	}
	if err != nil {
		return fmt.Errorf("the changed files to begin with: %w", err)
	}
	return nil
}

// unpacked is how much an archive has become, in bytes.
type unpacked struct {
	content int64 // of all files, in whole pages
	tree    int64
}

// send gives the sandbox a tree.
func (l unpacked) send(p *layerPipes, tree io.ReaderAt) error {
	if err := l.describe(p); err != nil {
		return err
	}
	_, err := io.Copy(p.tree, io.NewSectionReader(tree, 0, l.tree))
	return errors.Join(err, p.tree.Close())
}

// describe says how much is coming. It is so little that no pipe blocks.
func (l unpacked) describe(p *layerPipes) error {
	manifest, index, err := runsc.DescribeLayer(l.content, l.tree)
	if err != nil {
		return err
	}
	_, manifestErr := p.manifest.Write(manifest)
	_, indexErr := p.index.Write(index)
	return errors.Join(manifestErr, p.manifest.Close(), indexErr, p.index.Close())
}

// copyBuffer is how much is copied at once: with less, a file system takes twice as
// long.
const copyBuffer = 1 << 20

// unpackLayer reads the archive of a layer to its end. It writes the content of files
// to the file behind the layer, one after the other, each from the beginning of a page,
// and the tree as a sandbox wants to have it. Limit bounds all content together.
func unpackLayer(archive io.Reader, behind io.WriterAt, tree io.Writer, limit int64) (unpacked, error) {
	from := bufio.NewReaderSize(archive, 64<<10)
	u := &unpacker{
		plan: newPlan(tree, limit), from: tar.NewReader(from),
		content: bufio.NewWriterSize(&holes{to: behind}, copyBuffer),
	}
	for {
		header, err := u.from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = u.add(header)
		}
		if err != nil {
			return unpacked{}, err
		}
	}
	_, err := io.Copy(io.Discard, from) // who writes it may fail after its last entry
	l, closeErr := u.close()
	return l, errors.Join(err, u.content.Flush(), closeErr)
}

// plan is the tree of a new cell, with the place of each file behind its layer: one
// after the other, each from the beginning of a page.
type plan struct {
	tree    *tar.Writer
	counted *counter // all that is in tree
	size    int64    // of the content so far, in whole pages
	limit   int64
}

func newPlan(tree io.Writer, limit int64) plan {
	counted := &counter{to: bufio.NewWriterSize(tree, 64<<10)}
	return plan{tree: tar.NewWriter(counted), counted: counted, limit: limit}
}

// add adds an entry, whose header has the size of its content, and returns the place
// for that.
func (p *plan) add(header *tar.Header) (at int64, err error) {
	at = p.size
	header.Format = tar.FormatUnknown // the shortest: a sandbox keeps the tree in memory
	if header.Typeflag != tar.TypeReg {
		return at, p.tree.WriteHeader(header)
	}
	size, pages := header.Size, wholePages(header.Size)
	if size > p.limit || pages > p.limit-p.size {
		return at, api.Errorf(api.StorageFull, "they need more than the %s that the cell may have", quantity.FormatSize(p.limit)).
			WithDetails(api.Details{Limit: p.limit})
	}
	var pieces []piece
	if size > 0 {
		pieces = []piece{{0, uint64(pages), uint64(at)}}
	}
	header.Size = int64(binary.Size(size) + binary.Size(pieces))
	if err := p.tree.WriteHeader(header); err != nil {
		return at, err
	}
	p.size += pages
	return at, errors.Join(binary.Write(p.tree, binary.LittleEndian, size), binary.Write(p.tree, binary.LittleEndian, pieces))
}

func (p *plan) close() (unpacked, error) {
	err := errors.Join(p.tree.Close(), p.counted.to.Flush())
	return unpacked{p.size, p.counted.n}, err
}

type unpacker struct {
	plan
	from    *tar.Reader
	content *bufio.Writer
}

func (u *unpacker) add(header *tar.Header) error {
	size := header.Size
	if _, err := u.plan.add(header); err != nil || header.Typeflag != tar.TypeReg {
		return err
	}
	return u.copy(size, wholePages(size)-size)
}

// copy writes the content of an entry, and zeros up to the end of its last page.
func (u *unpacker) copy(size, rest int64) error {
	n, err := u.content.ReadFrom(u.from)
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		_, err = u.content.Write(make([]byte, rest))
	}
	return err
}

func wholePages(size int64) int64 {
	return (size + runsc.PageSize - 1) / runsc.PageSize * runsc.PageSize
}

// holes writes to a new file and leaves holes where there is nothing but zeros.
type holes struct {
	to io.WriterAt
	at int64
}

// holeSize is how many zeros make a hole, in bytes.
const holeSize = 64 << 10

func (h *holes) Write(p []byte) (n int, err error) {
	for n < len(p) {
		from := n
		for n < len(p) && !isZero(p[n:min(n+holeSize, len(p))]) {
			n = min(n+holeSize, len(p))
		}
		if n > from {
			if _, err := h.to.WriteAt(p[from:n], h.at); err != nil {
				return from, err
			}
		} else {
			n = min(n+holeSize, len(p))
		}
		h.at += int64(n - from)
	}
	return n, nil
}

func isZero(p []byte) bool { return p[0] == 0 && bytes.Equal(p[1:], p[:len(p)-1]) }

type counter struct {
	to *bufio.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
