package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
)

// partialSuffix marks the files of a run that are not complete yet. After a
// crash, whatever has it can go.
const partialSuffix = ".partial"

// store takes the output files of one run. They are written below
// <dir>/<id>.partial, and become <dir>/<id> in one step when all are there.
type store struct {
	dir, id string
	root    *os.Root // nil until there is a file
	kept    bool     // whether it is committed
}

func newStore(dir, id string) *store { return &store{dir: dir, id: id} }

// saved is a file in the store.
type saved struct {
	path string // where it will be once the store is committed
	size int64
	sum  string // SHA-256 in hexadecimal
}

func (s *store) final() string   { return filepath.Join(s.dir, s.id) }
func (s *store) partial() string { return s.final() + partialSuffix }

// path is where an entry will be once the store is committed.
func (s *store) path(name string) string { return filepath.Join(s.final(), filepath.FromSlash(name)) }

func (s *store) open() error {
	if s.root != nil {
		return nil
	}
	if err := os.RemoveAll(s.partial()); err != nil {
		return hostError(err)
	}
	if err := os.MkdirAll(s.partial(), 0o700); err != nil {
		return hostError(err)
	}
	root, err := os.OpenRoot(s.partial())
	if err != nil {
		return hostError(err)
	}
	s.root = root
	return nil
}

func (s *store) mkdir(name string) error {
	if err := s.open(); err != nil {
		return err
	}
	if err := s.root.Mkdir(name, 0o700); err != nil {
		return hostError(err)
	}
	return nil
}

// save streams a new file into the store.
func (s *store) save(name string, mode uint32, r io.Reader) (saved, error) {
	if err := s.open(); err != nil {
		return saved{}, err
	}
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(mode))
	if err != nil {
		return saved{}, hostError(err)
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(f, sum), r)
	if err := errors.Join(err, f.Close()); err != nil {
		return saved{}, hostError(err)
	}
	return saved{path: s.path(name), size: size, sum: hex.EncodeToString(sum.Sum(nil))}, nil
}

// commit makes the files of the run visible, all at once.
func (s *store) commit() error {
	if s.root == nil {
		return nil
	}
	s.close()
	if err := os.Rename(s.partial(), s.final()); err != nil {
		return hostError(err)
	}
	s.kept = true
	return nil
}

// remove drops all files of the run.
func (s *store) remove() error {
	s.close()
	if s.kept {
		return os.RemoveAll(s.final())
	}
	return os.RemoveAll(s.partial())
}

func (s *store) close() {
	if s.root != nil {
		s.root.Close()
		s.root = nil
	}
}

// hostError tells a full disk from other trouble of the host. Errors that say
// what they are already stay as they are.
func hostError(err error) error {
	var known *api.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return api.Errorf(api.StorageFull, "keeping the outputs: %w", err)
	}
	return api.Errorf(api.Internal, "keeping the outputs: %w", err)
}
