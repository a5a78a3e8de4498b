package tree

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
)

// safeRead never follows a link at the end of a path and never waits for the
// other end of a FIFO.
const safeRead = os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC

// Source is a file or a tree of the host that goes into a cell. Exactly one of
// file and root is set.
type Source struct {
	name string // of the input
	path string // on the host, for messages
	file *os.File
	root *os.Root
}

// Close closes what a Writer reads of it.
func (s *Source) Close() {
	if s.file != nil {
		s.file.Close()
	}
	if s.root != nil {
		s.root.Close()
	}
}

// OpenFile opens a regular file of the host for an input. A symbolic link is
// refused: who gave the path may not be who made what lies there.
func OpenFile(name, path string) (*Source, error) {
	f, err := os.OpenFile(path, safeRead, 0)
	if err != nil {
		return nil, openError(name, path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = badSource(name, path, files.Describe(info.Mode()), "a regular file")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Source{name: name, path: path, file: f}, nil
}

func openError(name, path string, err error) error {
	info, statErr := os.Lstat(path)
	if statErr != nil || info.Mode().IsRegular() || info.Mode().IsDir() {
		return unreadable(name, path, err)
	}
	return badSource(name, path, files.Describe(info.Mode()), "a regular file").
		WithHint("pass the path of the file itself")
}

// OpenDir opens a directory of the host for an input.
func OpenDir(name, path string) (*Source, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, unreadable(name, path, err)
	}
	if !info.IsDir() {
		return nil, badSource(name, path, files.Describe(info.Mode()), "a directory")
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, unreadable(name, path, err)
	}
	return &Source{name: name, path: path, root: root}, nil
}

// write streams the source into a tar as entry at.
func (s *Source) write(archive *tar.Writer, at string) error {
	if s.file != nil {
		return s.writeFile(archive, at, s.file)
	}
	return fs.WalkDir(s.root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return unreadable(s.name, filepath.Join(s.path, path), err)
		}
		return s.writeEntry(archive, at, path, entry)
	})
}

func (s *Source) writeEntry(archive *tar.Writer, at, path string, entry fs.DirEntry) error {
	full := filepath.Join(s.path, path)
	target := filepath.Join(at, path)
	switch {
	case entry.IsDir():
		return archive.WriteHeader(dirHeader(target, 0o755, 0))
	case entry.Type()&fs.ModeSymlink != 0:
		return s.writeLink(archive, target, path)
	case !entry.Type().IsRegular():
		return badSource(s.name, full, files.Describe(entry.Type()), "files and directories only")
	}
	f, err := s.openEntry(path, entry)
	if err != nil {
		return err
	}
	defer f.Close()
	return s.writeFile(archive, target, f)
}

// openEntry opens a file of the tree, and makes sure that it is the one that
// was listed: os.Root would follow a link that took its place.
func (s *Source) openEntry(path string, entry fs.DirEntry) (*os.File, error) {
	full := filepath.Join(s.path, path)
	listed, err := entry.Info()
	if err != nil {
		return nil, unreadable(s.name, full, err)
	}
	f, err := s.root.OpenFile(path, safeRead, 0)
	if err != nil {
		return nil, unreadable(s.name, full, err)
	}
	opened, err := f.Stat()
	if err != nil || !os.SameFile(listed, opened) || !opened.Mode().IsRegular() {
		f.Close()
		return nil, s.changed(full)
	}
	return f, nil
}

// writeLink keeps a link that stays inside the tree.
func (s *Source) writeLink(archive *tar.Writer, target, path string) error {
	full := filepath.Join(s.path, path)
	link, err := s.root.Readlink(path)
	if err != nil {
		return unreadable(s.name, full, err)
	}
	if filepath.IsAbs(link) || !filepath.IsLocal(filepath.Join(filepath.Dir(path), link)) {
		return badSource(s.name, full, "a symbolic link that leads out of the directory", "links that stay inside").
			WithHint("replace the link by what it points to")
	}
	return archive.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: target, Linkname: link, Mode: 0o777, Format: tar.FormatPAX})
}

func (s *Source) writeFile(archive *tar.Writer, at string, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return unreadable(s.name, f.Name(), err)
	}
	mode := int64(0o444)
	if info.Mode()&0o111 != 0 {
		mode = 0o555
	}
	if err := archive.WriteHeader(fileHeader(at, info.Size(), mode, 0)); err != nil {
		return err
	}
	// From its beginning: it may have gone into a cell before that was lost.
	n, err := io.Copy(archive, io.NewSectionReader(f, 0, info.Size()))
	if err == nil && n < info.Size() {
		return s.changed(f.Name())
	}
	return err
}

func (s *Source) changed(path string) error {
	return api.Errorf(api.InvalidInput, "input %s: %q changed while it was read", s.name, path).
		WithHint("run again when nothing writes to it").WithDetails(api.Details{Field: s.name})
}

// badSource is the error of an input that names something on the host which
// cannot go into a cell.
func badSource(name, path, got, expected string) *api.Error {
	return api.Errorf(api.InvalidInput, "input %s: %q is %s, expected %s", name, path, got, expected).
		WithDetails(api.Details{Field: name, Got: got, Expected: expected})
}

// unreadable explains why a path of the host could not be opened.
func unreadable(name, path string, err error) *api.Error {
	if errors.Is(err, fs.ErrNotExist) {
		return badSource(name, path, "not there", "an existing path").WithHint("check the path; it is one of the host")
	}
	return api.Errorf(api.InvalidInput, "input %s: %w", name, err).WithDetails(api.Details{Field: name})
}
