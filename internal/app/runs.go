package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
)

// The endings of directories of files of a run that no longer count when nobody
// carries the run out: output files that are not all there yet, and inputs.
const (
	partialRun = ".partial"
	inputsRun  = ".inputs"
)

// sweepRuns removes what runs of killed processes had laid out.
func sweepRuns(dir string) error {
	return eachRun(dir, func(_ string, entry fs.DirEntry) error {
		if name := entry.Name(); strings.HasSuffix(name, partialRun) || strings.HasSuffix(name, inputsRun) {
			return os.RemoveAll(filepath.Join(dir, name))
		}
		return nil
	})
}

// eachRun calls f for everything in a directory that belongs to a run.
func eachRun(dir string, f func(id string, entry fs.DirEntry) error) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return api.Errorf(api.Internal, "read what is kept of runs: %w", err)
	}
	for _, entry := range entries {
		id, _, _ := strings.Cut(entry.Name(), ".")
		if !strings.HasPrefix(id, "run-") {
			continue
		}
		if err := f(id, entry); err != nil {
			return api.Errorf(api.Internal, "remove what is kept of %s: %w", id, err)
		}
	}
	return nil
}

// removeTree removes path and says how many bytes that gives back. It follows
// no link. Whoever looks finds all of it or nothing; what a crash leaves is
// swept.
func removeTree(path string) (freed int64, err error) {
	aside := path + ".removed" + partialRun
	if err := errors.Join(os.RemoveAll(aside), os.Rename(path, aside)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return 0, err
	}
	path = aside
	err = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil && lastName(info) {
			freed += info.Size()
		}
		return err
	})
	return freed, errors.Join(err, os.RemoveAll(path))
}

// lastName reports whether a file has no other name, as one has that is a blob
// too.
func lastName(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stat.Nlink == 1
}
