package guest

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// get sends entries as a tar. By the time it runs no program is left that
// could exchange them, but it follows no link and waits for no FIFO anyway.
func (g *server) get(request wire.Get, ch *wire.Channel) wire.Done {
	s := &sender{request: request, archive: tar.NewWriter(ch)}
	for _, name := range request.Names {
		s.name = name
		if err := s.send(name); err != nil {
			return s.failed(err)
		}
	}
	if err := s.archive.Close(); err != nil {
		return s.failed(err)
	}
	return wire.Done{}
}

type sender struct {
	request wire.Get
	archive *tar.Writer
	name    string // of the request, which is being sent
	bytes   int64
	files   int
	limit   string // which limit was passed
}

var errLimit = errors.New("the limit of the outputs is passed")

func (s *sender) failed(err error) wire.Done {
	if s.limit != "" {
		return wire.Done{Limit: s.limit, Name: s.name, Size: max(s.bytes, int64(s.files))}
	}
	if errors.Is(err, unix.ENAMETOOLONG) {
		return wire.Done{Limit: "path"}
	}
	return wire.Done{Error: err.Error()}
}

func (s *sender) send(name string) error {
	top := filepath.Join(s.request.Dir, name)
	if _, err := os.Lstat(top); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(s.request.Dir, path)
		if err != nil {
			return err
		}
		return s.sendEntry(path, relative)
	})
}

func (s *sender) sendEntry(path, name string) error {
	if s.files++; s.files > s.request.Files {
		s.limit = "files"
		s.bytes = 0
		return errLimit
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() {
		return s.sendFile(path, name, info)
	}
	link := ""
	if info.Mode()&fs.ModeSymlink != 0 {
		if link, err = os.Readlink(path); err != nil {
			return err
		}
	}
	if info.Mode()&fs.ModeSocket != 0 {
		return s.archive.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeFifo, Mode: int64(info.Mode().Perm()), Format: tar.FormatPAX})
	}
	header, err := tar.FileInfoHeader(info, link)
	if err != nil {
		return err
	}
	header.Name, header.Format = name, tar.FormatPAX
	return s.archive.WriteHeader(header)
}

// sendFile charges the apparent size first, so that a sparse file of any size
// costs nothing.
func (s *sender) sendFile(path, name string, info fs.FileInfo) error {
	if s.bytes += info.Size(); s.bytes > s.request.Bytes || s.bytes < 0 {
		s.limit = "bytes"
		s.files = 0
		return errLimit
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	header, err := tar.FileInfoHeader(info, "")
	if err != nil {
		return err
	}
	header.Name, header.Format = name, tar.FormatPAX
	if err := s.archive.WriteHeader(header); err != nil {
		return err
	}
	_, err = io.CopyN(s.archive, f, info.Size())
	return err
}
