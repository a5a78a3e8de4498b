package guest

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// maxReplace bounds how often put tries to make a file while somebody else
// makes one of the same name.
const maxReplace = 16

// put extracts a tar below a directory. Programs may run meanwhile: put writes
// files of its own making only, in directories that it has open, so that a name
// exchanged under its hands leads it nowhere.
func (g *server) put(request wire.Put, ch *wire.Channel) wire.Done {
	w := &writer{dirs: &g.dirs, buf: make([]byte, 32<<10)}
	// Closing takes time, so the host gets its answer first.
	defer func() { go w.close() }()
	if err := w.extract(request.Dir, ch); err != nil {
		return wire.Done{Error: err.Error()}
	}
	return wire.Done{}
}

// maxUnclosed bounds the written files that a writer has still open.
const maxUnclosed = 16

// writer writes the entries of one tar.
type writer struct {
	dirs     *dirCache
	dir      directory // that was used last, which the next entry is mostly in
	unclosed []int
	buf      []byte
}

func (w *writer) extract(dir string, from io.Reader) error {
	if _, err := w.open(path.Clean("/" + dir)); err != nil {
		return err
	}
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, from) // the padding behind the last entry
			return err
		}
		if err != nil {
			return err
		}
		if err := w.entry(path.Join("/", dir, path.Clean("/"+header.Name)), header, archive); err != nil {
			return err
		}
	}
}

func (w *writer) entry(name string, header *tar.Header, content io.Reader) error {
	if header.Typeflag == tar.TypeDir {
		return w.directory(name, header)
	}
	parent, err := w.open(path.Dir(name))
	if err != nil {
		return err
	}
	base := path.Base(name)
	switch header.Typeflag {
	case tar.TypeReg:
		err = w.file(parent, base, header, content)
	case tar.TypeSymlink:
		err = symlink(parent, base, header)
	default:
		return fmt.Errorf("entry %q has the type %q, which cannot be put into a cell", header.Name, header.Typeflag)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// open returns the directory of that path, and makes it if there is none.
func (w *writer) open(dir string) (int, error) {
	if w.dir.path == dir {
		return w.dir.fd, nil
	}
	next, err := w.dirs.open(dir)
	if err != nil {
		return -1, err
	}
	w.closeDir()
	w.dir = next
	return next.fd, nil
}

func (w *writer) closeDir() {
	if w.dir.path != "" && !w.dir.kept {
		unix.Close(w.dir.fd)
	}
	w.dir = directory{}
}

func (w *writer) closeFiles() {
	for _, fd := range w.unclosed {
		unix.Close(fd)
	}
	w.unclosed = w.unclosed[:0]
}

func (w *writer) close() {
	w.closeDir()
	w.closeFiles()
}

func (w *writer) directory(name string, header *tar.Header) error {
	fd, err := w.open(name)
	if err != nil {
		return err
	}
	if err := errors.Join(unix.Fchown(fd, header.Uid, header.Gid), unix.Fchmod(fd, permissions(header))); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func permissions(header *tar.Header) uint32 { return uint32(header.FileInfo().Mode().Perm()) }

func (w *writer) file(parent int, name string, header *tar.Header, content io.Reader) error {
	mode := permissions(header)
	fd, err := create(parent, name, mode)
	if err != nil {
		return err
	}
	if w.unclosed = append(w.unclosed, fd); len(w.unclosed) == maxUnclosed {
		defer w.closeFiles()
	}
	if _, err := io.CopyBuffer(descriptor(fd), content, w.buf); err != nil {
		return err
	}
	if header.Uid != 0 || header.Gid != 0 { // else it is the guest's own
		err = chownRaw(fd, header.Uid, header.Gid)
	}
	if mode&umask != 0 {
		err = errors.Join(err, unix.Fchmod(fd, mode))
	}
	return err
}

// create makes a file that did not exist before: what has the name is removed,
// whatever it is, because writing to it would write to what it leads to.
func create(parent int, name string, mode uint32) (int, error) {
	for range maxReplace {
		fd, err := openRaw(parent, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
		if !errors.Is(err, unix.EEXIST) {
			return fd, err
		}
		if err := unix.Unlinkat(parent, name, 0); err != nil && !errors.Is(err, unix.ENOENT) {
			return -1, err
		}
	}
	return -1, unix.EEXIST
}

func symlink(parent int, name string, header *tar.Header) error {
	if err := unix.Symlinkat(header.Linkname, parent, name); err != nil {
		return err
	}
	return unix.Fchownat(parent, name, header.Uid, header.Gid, unix.AT_SYMLINK_NOFOLLOW)
}

// descriptor is an open file without what os.File adds to one.
type descriptor int

// Write implements io.Writer.
func (d descriptor) Write(p []byte) (int, error) {
	written := 0
	for written < len(p) {
		n, err := writeRaw(uintptr(d), p[written:])
		if err != nil {
			return written, err
		}
		written += n
	}
	return written, nil
}
