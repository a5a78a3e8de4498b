package sandbox

import (
	"archive/tar"
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

// source is a file or a tree of the host that goes into a cell. Exactly one of
// file and root is set.
type source struct {
	name string // of the input
	path string // on the host, for messages
	file *os.File
	root *os.Root
}

func (s *source) close() {
	if s.file != nil {
		s.file.Close()
	}
	if s.root != nil {
		s.root.Close()
	}
}

// openFile opens a regular file of the host. A symbolic link is refused: who
// gave the path may not be who made what lies there.
func openFile(name, path string) (*source, error) {
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
	return &source{name: name, path: path, file: f}, nil
}

func openError(name, path string, err error) error {
	info, statErr := os.Lstat(path)
	if statErr != nil || info.Mode().IsRegular() || info.Mode().IsDir() {
		return unreadable(name, path, err)
	}
	return badSource(name, path, files.Describe(info.Mode()), "a regular file").
		WithHint("pass the path of the file itself")
}

// openDir opens a directory of the host.
func openDir(name, path string) (*source, error) {
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
	return &source{name: name, path: path, root: root}, nil
}

// write streams the source into a tar as entry at.
func (s *source) write(archive *tar.Writer, at string) error {
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

func (s *source) writeEntry(archive *tar.Writer, at, path string, entry fs.DirEntry) error {
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
func (s *source) openEntry(path string, entry fs.DirEntry) (*os.File, error) {
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
func (s *source) writeLink(archive *tar.Writer, target, path string) error {
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

func (s *source) writeFile(archive *tar.Writer, at string, f *os.File) error {
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

func (s *source) changed(path string) error {
	return api.Errorf(api.InvalidInput, "input %s: %q changed while it was read", s.name, path).
		WithHint("run again when nothing writes to it").WithDetails(api.Details{Field: s.name})
}

func dirHeader(name string, mode int64, owner int) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: mode, Uid: owner, Gid: owner, Format: tar.FormatPAX}
}

func fileHeader(name string, size, mode int64, owner int) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: mode, Uid: owner, Gid: owner, Format: tar.FormatPAX}
}
