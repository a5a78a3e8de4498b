package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

// source is a regular file of the host that is imported.
type source struct {
	*os.File
	path string
	info os.FileInfo // as it was when it was opened
}

// openSource refuses what is no regular file. A symbolic link too: who gave the
// path may not be who made what lies there.
func openSource(path string) (*source, error) {
	f, err := os.OpenFile(path, safeRead, 0)
	if err != nil {
		return nil, sourceError(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(path, info.Mode())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &source{File: f, path: path, info: info}, nil
}

func sourceError(path string, err error) error {
	info, statErr := os.Lstat(path)
	if statErr == nil && !info.Mode().IsRegular() {
		return notRegular(path, info.Mode())
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return api.Errorf(api.InvalidInput, "%w", err).
			WithDetails(api.Details{Got: path, Expected: "a regular file that can be read"})
	}
	return err
}

func notRegular(path string, mode fs.FileMode) error {
	got := "a special file"
	switch {
	case mode&fs.ModeSymlink != 0:
		got = "a symbolic link"
	case mode.IsDir():
		got = "a directory"
	}
	return api.Errorf(api.InvalidInput, "%.200q is %s, expected a regular file", path, got).
		WithHint("pass the path of the file itself").
		WithDetails(api.Details{Got: got, Expected: "a regular file"})
}

// alone reports whether the file has this one name; that of a blob counts too.
func (s *source) alone() bool {
	st, ok := s.info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 1
}

// ours reports whether the file belongs to this user.
func (s *source) ours() bool {
	st, ok := s.info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// bounded reads at most one byte more than the source had at first: enough to
// tell that it grows, and an end if it grows for ever.
func (s *source) bounded(r io.Reader) io.Reader { return io.LimitReader(r, s.info.Size()+1) }

// chunk is how much is copied before the context is asked again.
const chunk = 64 << 20

// copyTo copies the source in a way that lets the kernel share the bytes.
func (s *source) copyTo(ctx context.Context, f *os.File) error {
	for left := s.info.Size() + 1; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(f, s.File, min(left, chunk))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		left -= n
	}
	return nil
}

// is reports whether path names the source itself.
func (s *source) is(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && os.SameFile(info, s.info)
}

// unchanged makes sure that the file is still what it was, and that what was
// read of it is all of it.
func (s *source) unchanged(size int64) error {
	info, err := s.Stat()
	if err != nil {
		return diskError("import "+s.path, err)
	}
	if size != s.info.Size() || info.Size() != size || !info.ModTime().Equal(s.info.ModTime()) {
		return fmt.Errorf("%.200q: %w", s.path, blob.ErrChanged)
	}
	return nil
}
