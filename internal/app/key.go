package app

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
)

const keySize = 32 // bytes

// snapshotKey returns the key of this home, which authenticates snapshots, and
// makes it the first time. Without the old key, old snapshots are replayed.
func snapshotKey(path string) ([]byte, error) {
	key, err := os.ReadFile(path)
	if err == nil && len(key) == keySize {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, homeError(path, err)
	}
	key = make([]byte, keySize)
	rand.Read(key) // never returns an error: it ends the program instead
	return key, writeKey(path, key)
}

// writeKey makes the file appear as a whole.
func writeKey(path string, key []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".key-*")
	if err != nil {
		return homeError(path, err)
	}
	defer os.Remove(file.Name())
	_, err = file.Write(key)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return homeError(path, err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return api.Errorf(api.Internal, "keep the key of snapshots: %w", err)
	}
	return nil
}
