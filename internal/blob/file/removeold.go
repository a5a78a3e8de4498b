package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// Removed is what RemoveOld did.
type Removed struct {
	Done  bool
	Freed int64 // bytes; none if the file has yet another name
}

// RemoveOld deletes a blob, unless it was stored, or asked for with Stat, at or
// after a time. Others may use the store meanwhile: a recent blob that Stat has
// reported is not deleted.
func (s *Store) RemoveOld(digest string, before time.Time) (Removed, error) {
	if err := blob.CheckDigest(digest); err != nil {
		return Removed{}, err
	}
	path := s.path(digest)
	if info, err := os.Lstat(path); err != nil || !info.ModTime().Before(before) {
		return Removed{}, absentOr(digest, err)
	}
	// Moved aside the blob cannot be renewed, so that what is seen then is
	// final.
	aside := filepath.Join(s.dir, temporary, digest+"-old")
	if err := os.Rename(path, aside); err != nil {
		return Removed{}, absentOr(digest, err)
	}
	info, err := os.Lstat(aside)
	if err != nil {
		return Removed{}, absentOr(digest, err)
	}
	if !info.ModTime().Before(before) {
		return Removed{}, absentOr(digest, os.Rename(aside, path))
	}
	return Removed{true, freed(info)}, absentOr(digest, os.Remove(aside))
}

// absentOr is the error of removing a blob: that it is gone is none.
func absentOr(digest string, err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return diskError("remove blob "+digest, err)
}

// freed is what removing the last name of a file gives back.
func freed(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return 0
	}
	return info.Size()
}
