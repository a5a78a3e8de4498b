package home

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
)

const keySize = 32 // bytes

// snapshotKeyFile is the file of SnapshotKey.
func (d Dir) snapshotKeyFile() string { return d.Below("snapshot.key") }

// HasSnapshotKey reports whether the home has its key, which every home gets
// once its database was made.
func (d Dir) HasSnapshotKey() bool {
	_, err := os.Lstat(d.snapshotKeyFile())
	return err == nil
}

// SnapshotKey returns the key that authenticates snapshots of this home, and
// makes it the first time. A home without its old key replays runs instead of
// loading their snapshots. With keep false, a new key is not written: a home
// that is only read needs one, though no snapshot matches it.
func (d Dir) SnapshotKey(keep bool) ([]byte, error) {
	path := d.snapshotKeyFile()
	key, err := os.ReadFile(path)
	if err == nil && len(key) == keySize {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, Error(path, err)
	}
	key = make([]byte, keySize)
	rand.Read(key) // never returns an error: it ends the program instead
	if !keep {
		return key, nil
	}
	return key, writeKey(path, key)
}

// DumpKey returns the key that authenticates what clients of other protocols
// save.
func (d Dir) DumpKey() ([]byte, error) { return d.sharedKey("dump.key") }

// SessionKey returns the key from which what authenticates sessions follows.
func (d Dir) SessionKey() ([]byte, error) { return d.sharedKey("session.key") }

// Name tells this home from those of other nodes that share a directory. Processes that
// ask at once get the same one.
func (d Dir) Name() (string, error) {
	key, err := d.sharedKey("name.key")
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(key[:8]), nil
}

// sharedKey returns the key in a file, and makes it the first time. Processes
// that begin at once get the same one.
func (d Dir) sharedKey(name string) ([]byte, error) {
	path := d.Below(name)
	for range 2 {
		key, err := os.ReadFile(path)
		if err == nil && len(key) == keySize {
			return key, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, Error(path, err)
		}
		key = make([]byte, keySize)
		rand.Read(key) // never returns an error: it ends the program instead
		if err := placeKey(path, key, os.Link); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return nil, api.Errorf(api.Internal, "%s is no key: remove it", path)
}

// writeKey makes the file appear as a whole.
func writeKey(path string, key []byte) error { return placeKey(path, key, os.Rename) }

// placeKey writes a file of its own, and puts it in its place.
func placeKey(path string, key []byte, place func(from, to string) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".key-*")
	if err != nil {
		return Error(path, err)
	}
	defer os.Remove(file.Name())
	_, err = file.Write(key)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return Error(path, err)
	}
	if err := place(file.Name(), path); err != nil {
		return api.Errorf(api.Internal, "keep the key of snapshots: %w", err)
	}
	return nil
}
