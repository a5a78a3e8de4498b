package guest

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// download sends a file or a directory as a tar. Programs may change it
// meanwhile: each entry is as it was when its turn came.
func (g *server) download(request wire.Path, ch *wire.Channel) wire.Done {
	s, err := g.filesystem(request.As)
	if err != nil {
		return doneWith(err)
	}
	top, err := s.resolve(request.Path)
	if err != nil {
		return doneWith(err)
	}
	d := &downloader{user: s.user, archive: tar.NewWriter(ch), buf: make([]byte, 64<<10)}
	err = d.sendTop(top)
	if err == nil {
		err = d.archive.Close()
	}
	return doneWith(fileFailure(err))
}

type downloader struct {
	user    user
	archive *tar.Writer
	buf     []byte
}

// sendTop sends what is asked for itself, following a link to it. A directory is
// the root of the archive, and a file its only entry.
func (d *downloader) sendTop(top string) error {
	var info fs.FileInfo
	err := d.user.as(func() (err error) {
		if top, err = filepath.EvalSymlinks(top); err != nil {
			return err
		}
		info, err = os.Stat(top)
		return err
	})
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return d.send(top, filepath.Base(top))
	}
	return d.sendBelow(top, "")
}

func (d *downloader) sendBelow(dir, name string) error {
	var entries []fs.DirEntry
	err := d.user.as(func() (err error) {
		entries, err = os.ReadDir(dir)
		return err
	})
	if err != nil {
		return err
	}
	for _, entry := range entries {
		err := d.send(filepath.Join(dir, entry.Name()), path.Join(name, entry.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// send sends one entry with everything below it. Sockets and devices are left
// out.
func (d *downloader) send(at, name string) error {
	var info fs.FileInfo
	var f *os.File
	link := ""
	err := d.user.as(func() (err error) {
		if info, err = os.Lstat(at); err != nil {
			return err
		}
		switch {
		case info.Mode().IsRegular():
			f, err = openRegular(at, unix.O_RDONLY|unix.O_NOFOLLOW, 0)
		case info.Mode()&fs.ModeSymlink != 0:
			link, err = os.Readlink(at)
		}
		return err
	})
	if f != nil {
		defer f.Close()
	}
	if err != nil || info.Mode()&(fs.ModeSocket|fs.ModeDevice|fs.ModeCharDevice|fs.ModeNamedPipe) != 0 {
		return err
	}
	header, err := tar.FileInfoHeader(info, link)
	if err != nil {
		return err
	}
	header.Name, header.Format = name, tar.FormatPAX
	if info.IsDir() {
		header.Name += "/"
	}
	if err := d.archive.WriteHeader(header); err != nil {
		return err
	}
	if info.IsDir() {
		return d.sendBelow(at, name)
	}
	return d.sendContent(f, info.Size())
}

// sendContent sends exactly as many bytes as the header says. A file that has
// shrunk meanwhile is filled up with zeros.
func (d *downloader) sendContent(f *os.File, size int64) error {
	if f == nil {
		return nil
	}
	sent, err := io.CopyBuffer(struct{ io.Writer }{d.archive}, io.LimitReader(f, size), d.buf)
	for err == nil && sent < size {
		n := min(size-sent, int64(len(d.buf)))
		clear(d.buf[:n])
		_, err = d.archive.Write(d.buf[:n])
		sent += n
	}
	return err
}

// upload unpacks a tar in a directory. What has the name of a file is replaced.
func (g *server) upload(request wire.Path, ch *wire.Channel) wire.Done {
	s, err := g.filesystem(request.As)
	if err != nil {
		return doneWith(err)
	}
	dir, err := s.resolve(request.Path)
	if err != nil {
		return doneWith(err)
	}
	err = s.user.as(func() error { return s.makeDirs(dir) })
	if err == nil {
		err = s.unpack(dir, ch)
	}
	return doneWith(fileFailure(err))
}

func (s *filesystem) unpack(dir string, from io.Reader) error {
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, from)
			return err
		}
		if err != nil {
			return failure{wire.CodeRequestInvalid, "archive", fmt.Sprintf("reading the archive: %v", err)}
		}
		if err := s.unpackEntry(dir, header, archive); err != nil {
			return err
		}
	}
}

func (s *filesystem) unpackEntry(dir string, header *tar.Header, content io.Reader) error {
	at := filepath.Join(dir, path.Clean("/"+header.Name))
	mode := permissions(header)
	var f *os.File
	err := s.user.as(func() (err error) {
		if header.Typeflag == tar.TypeDir {
			return errors.Join(s.makeDirs(at), os.Chmod(at, fs.FileMode(mode)))
		}
		if err = s.makeDirs(filepath.Dir(at)); err != nil {
			return err
		}
		if err = os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		switch header.Typeflag {
		case tar.TypeReg:
			f, err = openRegular(at, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, mode)
		case tar.TypeSymlink:
			return errors.Join(os.Symlink(header.Linkname, at), s.give(at))
		case tar.TypeLink:
			return os.Link(filepath.Join(dir, path.Clean("/"+header.Linkname)), at)
		default:
			err = failure{wire.CodeRequestInvalid, "archive", fmt.Sprintf("entry %q is no file, directory or link", header.Name)}
		}
		return err
	})
	if f == nil || err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{f}, content)
	return errors.Join(err, s.giveFile(f), unix.Fchmod(int(f.Fd()), mode), f.Close())
}
