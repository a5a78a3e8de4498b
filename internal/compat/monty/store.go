package monty

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Store keeps the sessions of a server as files of a directory. Whoever knows
// the name of one can load it, and nobody can guess a name: files have the hash
// of it, so that the directory tells none. What is too old or too much is
// removed, the oldest first. It is safe for concurrent use.
type Store struct {
	Dir string
	mu  sync.Mutex
}

// The bounds of a Store.
const (
	maxStored      = 1000
	maxStoredBytes = 1 << 30
	maxStoredSize  = 64 << 20 // of one session
	maxStoredAge   = 7 * 24 * time.Hour
)

// namePrefix begins the name of a stored session, and of no dump.
const namePrefix = "gbs-"

// newName makes a name.
func newName() string {
	b := make([]byte, 16)
	rand.Read(b) // never returns an error: it ends the program instead
	return namePrefix + hex.EncodeToString(b)
}

// errNotStored is the answer to a name that there is not, or not any more.
var errNotStored = errors.New("there is no stored session of this name, or it was removed")

func (s *Store) path(name string) string {
	hash := sha256.Sum256([]byte(name))
	return filepath.Join(s.Dir, hex.EncodeToString(hash[:]))
}

// put writes the state of a session, in place of one before.
func (s *Store) put(name string, state []byte) error {
	if len(state) > maxStoredSize {
		return fmt.Errorf("a session of %d bytes; at most %d are kept", len(state), maxStoredSize)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if err := s.sweep(int64(len(state)), time.Now()); err != nil {
		return err
	}
	return s.write(name, state)
}

// write makes the file appear as a whole.
func (s *Store) write(name string, state []byte) error {
	file, err := os.CreateTemp(s.Dir, "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // which is gone if all went well
	_, err = file.Write(state)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), s.path(name))
}

// get reads the state of a session.
func (s *Store) get(name string) ([]byte, error) {
	path := s.path(name)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (time.Since(info.ModTime()) > maxStoredAge || info.Size() > maxStoredSize) {
		return nil, errNotStored
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// sweep removes what is too old, and makes room for one more file.
func (s *Store) sweep(size int64, now time.Time) error {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it is gone
			files = append(files, info)
			size += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for i, f := range files {
		if left := len(files) - i; left < maxStored && size <= maxStoredBytes && now.Sub(f.ModTime()) <= maxStoredAge {
			return nil
		}
		if err := os.Remove(filepath.Join(s.Dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		size -= f.Size()
	}
	return nil
}
