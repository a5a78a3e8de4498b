package home

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// sharedDirs and sharedKeys are what all nodes on one journal have in common: what its
// rows name, and what authenticates it.
var (
	sharedDirs = []string{"blobs", "secrets", "logs", "sessions", "templates"}
	sharedKeys = []string{"home.id", "snapshot.key", "dump.key", "session.key"}
)

// Share has the home keep in dir what all nodes on one journal have in common, by links
// to there. What the home has of its own must be there already. The identity of the home
// is that of dir from then on, so a journal refuses a node that shares another one.
func (d Dir) Share(dir string) error {
	shared, err := absolute(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(string(shared)); err != nil { // a mount that is missing must not be made anew
		return api.Errorf(api.RequestInvalid, "the shared directory %s cannot be used: %w", shared, err).
			WithHint("make or mount it first").WithDetails(api.Details{Field: "shared", Got: string(shared), Expected: "a directory that all nodes see"})
	}
	if err := shared.Prepare(); err != nil {
		return err
	}
	for _, name := range sharedDirs {
		if err := os.MkdirAll(shared.Below(name), 0o700); err != nil {
			return Error(shared.Below(name), err)
		}
		if err := d.link(shared, name, emptyDir); err != nil {
			return err
		}
	}
	for _, name := range sharedKeys {
		key, err := shared.sharedKey(name)
		if err != nil {
			return err
		}
		same := func(path string) bool {
			own, err := os.ReadFile(path)
			return err == nil && bytes.Equal(own, key)
		}
		if err := d.link(shared, name, same); err != nil {
			return err
		}
	}
	return nil
}

func emptyDir(path string) bool {
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) == 0
}

// link makes a link from the home to the shared directory. What the home has under that
// name is removed if it is needless.
func (d Dir) link(shared Dir, name string, needless func(path string) bool) error {
	path, target := d.Below(name), shared.Below(name)
	switch at, err := os.Readlink(path); {
	case err == nil && at == target:
		return nil
	case err == nil:
		return api.Errorf(api.Conflict, "the home %s shares %s, and not %s", d, filepath.Dir(at), shared).
			WithHint("give that directory, or begin with another GLOVEBOX_HOME").WithDetails(api.Details{Field: "shared", Expected: filepath.Dir(at), Got: string(shared)})
	case errors.Is(err, fs.ErrNotExist):
	case !needless(path):
		return api.Errorf(api.Conflict, "the home %s has %s of its own, which the other nodes would not see", d, name).
			WithHint("begin with an empty home, or move it to %s while no server runs", target).WithDetails(api.Details{Field: "shared", Got: string(shared)})
	default:
		if err := os.Remove(path); err != nil {
			return Error(path, err)
		}
	}
	if err := os.Symlink(target, path); err != nil {
		return Error(path, err)
	}
	return nil
}

// Shares reports whether the home keeps its blobs in a directory that nodes share.
func (d Dir) Shares() bool {
	_, err := os.Readlink(d.Below("blobs"))
	return err == nil
}

// Place tells the processes of this home, while the machine runs, from those of any
// other: no two directories of one kernel have the same number at once.
func (p *Presence) Place() (string, error) {
	var at unix.Stat_t
	dir := filepath.Dir(p.file.Name())
	if err := unix.Stat(dir, &at); err != nil {
		return "", Error(dir, err)
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", api.Errorf(api.Internal, "tell this machine from others: %w", err)
	}
	return fmt.Sprintf("%s:%d:%d", bytes.TrimSpace(boot), at.Dev, at.Ino), nil
}
