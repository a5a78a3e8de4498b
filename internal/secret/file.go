package secret

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// keyFile holds the key, keySize bytes.
const (
	keyFile = "key"
	keySize = 32
)

// read returns the content of a private file of at most limit bytes. A link is
// not followed, and a pipe is not waited for.
func (s *Store) read(name string, limit int64) ([]byte, error) {
	path := filepath.Join(s.dir, name)
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, unreadable("%s is not a file of the secret store", path).WithHint("remove it")
	}
	if err := private(path, info); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// replace writes a file whole or not at all.
func (s *Store) replace(name string, content []byte) error {
	temporary, err := s.writeTemporary(content)
	if err != nil {
		return storeError(err, "write to the secret store")
	}
	defer os.Remove(temporary)
	if err := os.Rename(temporary, filepath.Join(s.dir, name)); err != nil {
		return storeError(err, "write to the secret store")
	}
	return s.sync()
}

// createKey returns the key, which is made on first use. Of two processes that
// make one at the same time, the first link wins and both read that key.
func (s *Store) createKey() ([]byte, error) {
	key, err := s.readKey()
	if err == nil {
		return key, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, storeError(err, "read the key of the secret store")
	}
	fresh := make([]byte, keySize)
	rand.Read(fresh)
	temporary, err := s.writeTemporary(fresh)
	if err != nil {
		return nil, storeError(err, "create the key of the secret store")
	}
	defer os.Remove(temporary)
	if err := os.Link(temporary, filepath.Join(s.dir, keyFile)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, storeError(err, "create the key of the secret store")
	}
	if err := s.sync(); err != nil {
		return nil, err
	}
	return s.readKey()
}

func (s *Store) readKey() ([]byte, error) {
	key, err := s.read(keyFile, keySize)
	if err == nil && len(key) != keySize {
		return nil, unreadable("the key of the secret store is %d bytes instead of %d", len(key), keySize).
			WithHint("restore %s from a backup, or remove it and store the secrets again", filepath.Join(s.dir, keyFile))
	}
	return key, err
}

// writeTemporary writes content to a new private file and returns its path.
func (s *Store) writeTemporary(content []byte) (string, error) {
	random := make([]byte, 8)
	rand.Read(random)
	path := filepath.Join(s.dir, ".new-"+hex.EncodeToString(random))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
		return "", err
	}
	return path, nil
}

// sync makes the names in the directory survive a crash.
func (s *Store) sync() error {
	d, err := os.Open(s.dir)
	if err != nil {
		return storeError(err, "open the secret store")
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return storeError(err, "write to the secret store")
	}
	return nil
}
