package home

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/disk"
)

// Error is the error of a file or directory of a home that could not be made.
func Error(path string, err error) error {
	if disk.Full(err) {
		return api.Errorf(api.StorageFull, "make the home directory: %w", err)
	}
	e := api.Errorf(api.IsolationUnavailable, "make the home directory %s: %w", path, err)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		e = e.WithHint("set GLOVEBOX_HOME to a directory that you can write to")
	}
	return e
}

// Unwritable reports whether an error says that a home cannot be written: the
// file system is read-only or full, or permission is missing. Such a home can
// still be read.
func Unwritable(err error) bool {
	return disk.Full(err) || errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) || errors.Is(err, &api.Error{Code: api.StorageFull})
}
