// Package apptest makes homes for tests that start cells.
package apptest

import (
	"errors"
	"os"
	"path/filepath"
)

// CacheVariable names the environment variable with the directory where tests
// keep images between runs.
const CacheVariable = "GLOVEBOX_TEST_CACHE"

// Home makes an empty home, but for images: those are in the directory that
// CacheVariable names, if it is set, so that each is built once. Runs, files and
// above all results are never there from earlier tests. Call remove at the end.
func Home() (home string, remove func() error, err error) {
	home, err = os.MkdirTemp("", "glovebox-test-")
	if err != nil {
		return "", nil, err
	}
	remove = func() error { return os.RemoveAll(home) } // of the images only the link
	cache := os.Getenv(CacheVariable)
	if cache == "" {
		return home, remove, nil
	}
	images := filepath.Join(cache, "images")
	if err := errors.Join(os.MkdirAll(images, 0o700), os.Symlink(images, filepath.Join(home, "images"))); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return home, remove, nil
}
