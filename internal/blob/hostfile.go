package blob

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
)

// OpenRegular opens a file of this host to read it. It refuses what is no
// regular file, a symbolic link too: who gave the path may not be who made what
// lies there. It does not wait for the other end of a pipe.
func OpenRegular(path string) (*os.File, error) {
	listed, err := os.Lstat(path)
	if err == nil && !listed.Mode().IsRegular() {
		return nil, notRegular(path, listed.Mode())
	}
	f, err := os.OpenFile(path, openFile, 0)
	if err != nil {
		return nil, irregular(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular(path, info.Mode())
	}
	if err == nil && openFollowsLinks && !os.SameFile(listed, info) { // a link took its place
		err = PathError(path, ErrChanged)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// irregular says why a path could not be opened: for what it is, if that is no
// regular file.
func irregular(path string, err error) error {
	info, statErr := os.Lstat(path)
	if statErr == nil && !info.Mode().IsRegular() {
		return notRegular(path, info.Mode())
	}
	return PathError(path, err)
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

// PathError is the error of a path of this host that somebody gave.
func PathError(path string, err error) error {
	var known *api.Error
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return api.Errorf(api.InvalidInput, "%.200q is not there, expected an existing path", path).
			WithHint("check the path; it is one of the host").WithDetails(api.Details{Got: path, Expected: "an existing path"})
	case errors.As(err, &known):
		return known
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return api.Errorf(api.InvalidInput, "%.200q cannot be read: %w", path, bare(err)).
			WithDetails(api.Details{Got: path, Expected: "a path that can be read"})
	}
	return AsError(strconv.Quote(path), err)
}

// bare is an error without the path, which the message has.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
