package file

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// source is a regular file of the host that is imported.
type source struct {
	*os.File
	path string
	info os.FileInfo // as it was when it was opened
}

func openSource(path string) (*source, error) {
	f, err := blob.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, diskError("import "+path, err)
	}
	return &source{File: f, path: path, info: info}, nil
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
