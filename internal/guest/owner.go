package guest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// gives reports whether what the user makes or writes is given to somebody else.
func (s *filesystem) gives() bool {
	return s.owner.uid != s.user.uid || s.owner.gid != s.user.gid
}

// give gives what has a path to the owner; a link is given itself.
func (s *filesystem) give(path string) error {
	if !s.gives() {
		return nil
	}
	return os.Lchown(path, s.owner.uid, s.owner.gid)
}

// giveFile gives an open file to the owner.
func (s *filesystem) giveFile(f *os.File) error {
	if !s.gives() {
		return nil
	}
	return f.Chown(s.owner.uid, s.owner.gid)
}

// finish gives a new file its owner and its mode, in one step where that is
// enough: those who watch count the steps.
func (s *filesystem) finish(f *os.File, mode uint32) error {
	if err := s.giveFile(f); err != nil {
		return err
	}
	if s.gives() && mode&umask == 0 {
		return nil
	}
	return unix.Fchmod(int(f.Fd()), mode)
}

// makeDirs makes a directory and those above it, as os.MkdirAll, for the owner.
func (s *filesystem) makeDirs(dir string) error {
	if !s.gives() {
		return os.MkdirAll(dir, 0o755)
	}
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrNotExist) && dir != "/" {
		if err := s.makeDirs(filepath.Dir(dir)); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o755)
	}
	switch {
	case err == nil:
		return s.give(dir)
	case errors.Is(err, fs.ErrExist):
		return os.MkdirAll(dir, 0o755) // which fails unless it is a directory
	}
	return err
}
