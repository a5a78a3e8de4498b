package cell

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
	"github.com/glovebox-dev/glovebox/value"
)

// GetLimits bound what Get takes out of a cell.
type GetLimits struct {
	Bytes int64 // of the contents of all files together
	Files int   // files and directories together
}

// Put writes a tar below dir in the cell, which is created. Owners and modes
// are those of the headers. What has the name of a file is replaced.
func (c *Cell) Put(ctx context.Context, dir string, write func(*tar.Writer) error) error {
	defer c.endWith(ctx)()
	upload := c.mux.NewUpload(wire.KindPut, wire.Put{Dir: dir})
	archive := tar.NewWriter(upload)
	err := write(archive)
	if err == nil {
		err = archive.Close()
	}
	if err == nil {
		err = upload.Finish()
	}
	if err != nil {
		return c.putFailed(upload.Channel(), err)
	}
	var done wire.Done
	if err := upload.Channel().Status(&done); err != nil {
		return c.explain(err)
	}
	if done.Error != "" {
		return putRefused(dir, done.Error)
	}
	return nil
}

// putFailed finds the reason behind a failed write: the guest may have given
// up first, and then its words count.
func (c *Cell) putFailed(ch *wire.Channel, err error) error {
	if c.mux.Err() != nil {
		return c.explain(err)
	}
	if ch == nil {
		return err // the caller's own
	}
	if !errors.Is(err, io.ErrClosedPipe) {
		ch.Close(wire.Done{})
		return err // the caller's own
	}
	var done wire.Done
	if statusErr := ch.Status(&done); statusErr == nil && done.Error != "" {
		return putRefused("", done.Error)
	}
	return c.explain(err)
}

func putRefused(dir, reason string) error {
	return api.Errorf(api.Internal, "writing files into the cell below %q: %s", dir, reason)
}

// Get reads the named entries below dir in the cell, calling read for each
// file and directory in them. A name that does not exist is left out. Entries
// that are neither arrive as headers without content; they were not followed.
func (c *Cell) Get(ctx context.Context, dir string, names []string, limits GetLimits, read func(*tar.Header, io.Reader) error) error {
	defer c.endWith(ctx)()
	ch, err := c.mux.Open(wire.KindGet, wire.Get{Dir: dir, Names: names, Bytes: limits.Bytes, Files: limits.Files})
	if err != nil {
		return c.explain(err)
	}
	readErr := readArchive(ch, limits, read)
	if readErr != nil && c.mux.Err() != nil {
		return c.explain(readErr)
	}
	var cut *cutShort
	if readErr != nil && !errors.As(readErr, &cut) {
		ch.Close(wire.Done{})
		return readErr
	}
	if cut != nil && !hasEnded(ch) {
		ch.Close(wire.Done{})
		return getResult(wire.Done{}, limits, readErr)
	}
	var done wire.Done
	if err := ch.Status(&done); err != nil {
		return c.explain(err)
	}
	if !slices.Contains(names, done.Name) {
		done.Name = "" // it says what it likes
	}
	return getResult(done, limits, readErr)
}

// hasEnded reports whether a channel that was not read to its end has little more
// to say. A guest that has more waits to be read before it gives its status.
func hasEnded(ch io.Reader) bool {
	const little = 1 << 20
	n, _ := io.Copy(io.Discard, io.LimitReader(ch, little))
	return n < little
}

func getResult(done wire.Done, limits GetLimits, readErr error) error {
	switch {
	case done.Limit == "path":
		return pathTooLong()
	case done.Limit == "bytes":
		return tooLarge(done.Name, "bytes", limits.Bytes, done.Size)
	case done.Limit != "":
		return tooLarge(done.Name, "files", int64(limits.Files), done.Size)
	case done.Error != "":
		return api.Errorf(api.CellLost, "reading files out of the cell: %s", done.Error)
	}
	var cut *cutShort
	if errors.As(readErr, &cut) {
		return api.Errorf(api.CellLost, "the cell sent something that is no archive: %w", readErr)
	}
	return readErr
}

// pathTooLong is what a program causes that goes down a tree step by step.
func pathTooLong() error {
	return api.Errorf(api.BadOutput, "the outputs have a file whose path is longer than the 4096 bytes that Linux takes").
		WithHint("use shorter names, or fewer directories within each other")
}

// tooLarge names the entry that passed a limit, if that is known.
func tooLarge(name, unit string, limit, got int64) error {
	with := ""
	if name != "" {
		with = "with output " + value.Quote(name) + " "
	}
	return api.Errorf(api.OutputTooLarge, "%sthe outputs have at least %d %s, more than the limit of %d", with, got, unit, limit).
		WithDetails(api.Details{Field: name, Limit: limit, Peak: got})
}

// cutShort is a tar that ended early; the guest's status says why.
type cutShort struct{ err error }

func (e *cutShort) Error() string { return fmt.Sprintf("files from the cell: %v", e.err) }
func (e *cutShort) Unwrap() error { return e.err }

// watched remembers that reading failed, whatever its reader makes of it.
type watched struct {
	from io.Reader
	err  error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

// readArchive trusts nothing that the guest says: it counts for itself.
func readArchive(r io.Reader, limits GetLimits, read func(*tar.Header, io.Reader) error) error {
	archive := tar.NewReader(r)
	left := limits
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, io.LimitReader(r, 1<<20)) // the padding behind the last entry
			return err
		}
		if err != nil {
			return &cutShort{err}
		}
		left.Files--
		left.Bytes -= header.Size
		if left.Files < 0 {
			return tooLarge("", "files", int64(limits.Files), int64(limits.Files)+1)
		}
		if header.Size < 0 || left.Bytes < 0 {
			return tooLarge("", "bytes", limits.Bytes, limits.Bytes-left.Bytes)
		}
		content := &watched{from: archive}
		err = read(header, content)
		if content.err != nil {
			return &cutShort{content.err}
		}
		if err != nil {
			return err
		}
	}
}

// Layer writes what the cell has changed on its root file system as a tar with
// overlayfs whiteouts: a character device 0,0 for a deleted entry. It may be called
// often. The cell stands still until w has taken it all, so w had better be fast.
// Files that are larger together than the cell's disk, with their holes, are
// output_too_large.
func (c *Cell) Layer(ctx context.Context, w io.Writer) error {
	return c.asked(c.instance.Upper(ctx, w))
}
