package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
)

// findHome returns the directory of all state: the one asked for, else
// $GLOVEBOX_HOME, else glovebox in the XDG data directory.
func findHome(asked string, getenv func(string) string) (string, error) {
	for _, dir := range []string{asked, getenv("GLOVEBOX_HOME")} {
		if dir != "" {
			return absolute(dir)
		}
	}
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "glovebox"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", "glovebox"), nil
	}
	return "", api.Errorf(api.IsolationUnavailable, "there is no place for images and secrets: neither GLOVEBOX_HOME nor HOME is set").
		WithHint("set GLOVEBOX_HOME to a directory of your own")
}

func absolute(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", api.Errorf(api.Internal, "find the home directory %s: %w", dir, err)
	}
	return path, nil
}

// prepareHome creates dir for this user alone, and refuses one that others
// could write to: they could swap an image or a key.
func prepareHome(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return homeError(dir, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return homeError(dir, err)
	}
	if !info.IsDir() {
		return unsafeHome(dir, "is not a directory", "remove it, or set GLOVEBOX_HOME")
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return unsafeHome(dir, "belongs to another user", "set GLOVEBOX_HOME to a directory of your own")
	}
	if info.Mode().Perm()&0o022 != 0 {
		return unsafeHome(dir, "can be written by others", "run: chmod 700 "+dir)
	}
	return nil
}

func unsafeHome(dir, problem, remedy string) error {
	return api.Errorf(api.IsolationUnavailable, "the home directory %s %s", dir, problem).WithHint("%s", remedy).
		WithDetails(api.Details{Field: "GLOVEBOX_HOME", Expected: "a directory that only its owner, this user, can write to", Got: dir})
}

func homeError(dir string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return api.Errorf(api.StorageFull, "make the home directory: %w", err)
	}
	e := api.Errorf(api.IsolationUnavailable, "make the home directory %s: %w", dir, err)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		e = e.WithHint("set GLOVEBOX_HOME to a directory that you can write to")
	}
	return e
}
