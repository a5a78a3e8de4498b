package oci

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
)

// tempPrefix marks files under way. Their writer holds a lock on them, which
// dies with its process, so that a sweep can tell the living from the dead.
const tempPrefix = ".new-"

// atomicFile is a file that appears under its name complete or not at all.
type atomicFile struct {
	*os.File
	dir  string
	done bool
}

// createAtomic makes a locked temporary file in dir.
func createAtomic(dir string) (*atomicFile, error) {
	for range 100 {
		f, err := os.CreateTemp(dir, tempPrefix)
		if err != nil {
			return nil, diskError("create a file in "+dir, err)
		}
		if lockNew(f) {
			return &atomicFile{File: f, dir: dir}, nil
		}
		f.Close()
	}
	return nil, api.Errorf(api.Internal, "every new file in %s is swept away by another process", dir)
}

// createNameless makes a file without a name in dir: it is gone when the process
// is. A sweep may take the name away first.
func createNameless(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return nil, diskError("create a spool file", err)
	}
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Close()
		return nil, diskError("unlink a spool file", err)
	}
	return f, nil
}

// lockNew reports whether f is locked and still has its name: a sweep may come
// between its creation and the lock.
func lockNew(f *os.File) bool {
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return false
	}
	var st syscall.Stat_t
	return syscall.Fstat(int(f.Fd()), &st) == nil && st.Nlink > 0
}

// commit gives the file its name and makes it survive a crash of the host.
func (a *atomicFile) commit(path string) error {
	defer a.abort()
	if err := a.Sync(); err != nil {
		return diskError("write "+path, err)
	}
	if err := os.Rename(a.Name(), path); err != nil {
		return diskError("write "+path, err)
	}
	a.done = true
	a.Close()
	return syncDir(a.dir)
}

// abort removes the file unless it was committed. It may be called often.
func (a *atomicFile) abort() {
	if a.done {
		return
	}
	a.done = true
	os.Remove(a.Name())
	a.Close()
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return diskError("open "+dir, err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return diskError("write "+dir, err)
	}
	return nil
}

// Sweep removes from dir the unfinished files of processes that are gone. Files
// that a living process is writing stay.
func Sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return diskError("read "+dir, err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), tempPrefix) && entry.Type().IsRegular() {
			sweepFile(filepath.Join(dir, entry.Name()))
		}
	}
	return nil
}

func sweepFile(path string) {
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(path)
	}
}

// diskError gives an error of the host's file system its code.
func diskError(doing string, err error) error {
	if apiErr := (*api.Error)(nil); errors.As(err, &apiErr) {
		return err
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return api.Errorf(api.StorageFull, "%s: %w", doing, err)
	}
	if errors.Is(err, fs.ErrPermission) {
		return api.Errorf(api.Internal, "%s: %w", doing, err).WithHint("give your user write access to this path")
	}
	return api.Errorf(api.Internal, "%s: %w", doing, err)
}
