package guest

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// readFile sends the bytes of a file. The rights of the user count when it is
// opened.
func (g *server) readFile(request wire.Read, ch *wire.Channel) wire.Done {
	var f *os.File
	done := g.onFile(request.As, request.Path.Path, func(s *filesystem, path string) (info *wire.FileInfo, err error) {
		if f, err = openRegular(path, unix.O_RDONLY, 0); err != nil {
			return nil, err
		}
		return s.stat(path)
	})
	if f != nil {
		defer f.Close()
	}
	if done.Error != "" {
		return done.Done
	}
	return doneWith(fileFailure(sendContent(ch, f, done.Info, request)))
}

func sendContent(ch *wire.Channel, f *os.File, info *wire.FileInfo, request wire.Read) error {
	if _, err := f.Seek(request.Offset, io.SeekStart); err != nil {
		return err
	}
	header, err := json.Marshal(info)
	if err != nil {
		return err
	}
	if _, err := ch.Write(wire.AppendRecord(nil, wire.Record{Kind: wire.RecordInfo, Data: header})); err != nil {
		return err
	}
	var from io.Reader = f
	if request.Limit > 0 {
		from = io.LimitReader(f, request.Limit)
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{ch}, struct{ io.Reader }{from}, make([]byte, 64<<10))
	return err
}

// openRegular opens a regular file, and waits for nothing.
func openRegular(path string, flags int, mode uint32) (*os.File, error) {
	fd, err := unix.Open(path, flags|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, mode)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	var file unix.Stat_t
	err = unix.Fstat(fd, &file)
	if err == nil && file.Mode&unix.S_IFMT != unix.S_IFREG {
		err = notRegular(path, file.Mode)
	}
	if err == nil {
		err = unix.SetNonblock(fd, false)
	}
	if err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), path), nil
}

func notRegular(path string, mode uint32) error {
	if mode&unix.S_IFMT == unix.S_IFDIR {
		return caused{failure{wire.CodeRequestInvalid, "path", path + " is a directory"}, unix.EISDIR}
	}
	return caused{failure{wire.CodeRequestInvalid, "path", path + " is no regular file"}, unix.EINVAL}
}

// writeFile takes the bytes of a file.
func (g *server) writeFile(request wire.Write, ch *wire.Channel) wire.FileDone {
	var f *os.File
	var at string
	done := g.onFile(request.As, request.Path.Path, func(s *filesystem, path string) (_ *wire.FileInfo, err error) {
		at = path
		f, err = s.openWritten(path, request)
		return nil, err
	})
	if done.Error != "" {
		return done
	}
	err := takeContent(f, ch)
	if err := errors.Join(err, f.Close()); err != nil {
		return wire.FileDone{Done: doneWith(fileFailure(err))}
	}
	return g.onFile(request.As, wire.Text(at), func(s *filesystem, path string) (*wire.FileInfo, error) {
		if request.Replace {
			if err := replaceAttributes(path, request.Attributes); err != nil {
				return nil, err
			}
		}
		return s.stat(path)
	})
}

// openWritten opens a file to be written, and makes it if there is none. Whoever
// watches sees a new one appear, then its owner or mode, then its content.
func (s *filesystem) openWritten(path string, request wire.Write) (*os.File, error) {
	if err := s.makeDirs(filepath.Dir(path)); err != nil {
		return nil, err
	}
	flags := unix.O_WRONLY
	if request.Append {
		flags |= unix.O_APPEND
	}
	f, err := openRegular(path, flags|unix.O_CREAT|unix.O_EXCL, request.Mode)
	if err == nil {
		return f, closedUnless(f, s.finish(f, request.Mode))
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	// O_CREAT once more for a link to a file that is not there.
	if f, err = openRegular(path, flags|unix.O_CREAT, request.Mode); err != nil {
		return nil, err
	}
	if err := s.giveFile(f); err != nil || request.Append {
		return f, closedUnless(f, err)
	}
	return f, closedUnless(f, f.Truncate(0))
}

func closedUnless(f *os.File, err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, f.Close())
}

func takeContent(f *os.File, ch *wire.Channel) error {
	for {
		_, data, err := ch.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := f.Write(data); err != nil {
			return err
		}
	}
}
