package prune

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// The endings of directories of files of a run that count only while a process
// executes the run: output files that are not complete yet, and inputs.
const (
	partialRun = ".partial"
	inputsRun  = ".inputs"
)

// Sweep removes from the directory of runs what killed processes left unfinished.
func Sweep(dir string) error {
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

// removeTree removes path and returns how many bytes that frees. It follows no
// link. Others find all of it or nothing, and Sweep removes what a crash leaves.
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
