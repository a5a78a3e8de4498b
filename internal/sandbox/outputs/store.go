package outputs

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

// Store takes the output files of one run. They are written below
// <dir>/<id>.partial, and become <dir>/<id> in one step when all are there.
type Store struct {
	dir, id string
	root    *os.Root // nil until there is a file
	kept    bool     // whether it is committed
	// Space calls what keeps an output again if that found no space; nil does not.
	Space func(write func() error) error
}

// NewStore returns the store of the run, which holds nothing yet.
func NewStore(dir, id string) *Store { return &Store{dir: dir, id: id} }

// patiently writes, and waits for space.
func (s *Store) patiently(write func() error) error {
	if s.Space == nil {
		return write()
	}
	return s.Space(write)
}

// patientFile writes to a file, and waits for space.
type patientFile struct {
	file  *os.File
	space func(write func() error) error
}

func (f patientFile) Write(p []byte) (written int, err error) {
	err = f.space(func() error {
		n, err := f.file.Write(p[written:])
		written += n
		return err
	})
	return written, err
}

// saved is a file in the store.
type saved struct {
	path string // where it will be once the store is committed
	size int64
	sum  string // SHA-256 in hexadecimal
}

func (s *Store) final() string   { return filepath.Join(s.dir, s.id) }
func (s *Store) partial() string { return s.final() + partialSuffix }

// path is where an entry will be once the store is committed.
func (s *Store) path(name string) string { return filepath.Join(s.final(), filepath.FromSlash(name)) }

func (s *Store) open() error {
	if s.root != nil {
		return nil
	}
	if err := os.RemoveAll(s.partial()); err != nil {
		return HostError(err)
	}
	if err := s.patiently(func() error { return os.MkdirAll(s.partial(), 0o700) }); err != nil {
		return HostError(err)
	}
	root, err := os.OpenRoot(s.partial())
	if err != nil {
		return HostError(err)
	}
	s.root = root
	return nil
}

func (s *Store) mkdir(name string) error {
	if err := s.open(); err != nil {
		return err
	}
	if err := s.patiently(func() error { return s.root.Mkdir(name, 0o700) }); err != nil {
		return HostError(err)
	}
	return nil
}

// save streams a new file into the store.
func (s *Store) save(name string, mode uint32, r io.Reader) (saved, error) {
	if err := s.open(); err != nil {
		return saved{}, err
	}
	var f *os.File
	err := s.patiently(func() (err error) {
		f, err = s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(mode))
		return err
	})
	if err != nil {
		return saved{}, HostError(err)
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(patientFile{f, s.patiently}, sum), r)
	if err := errors.Join(err, f.Close()); err != nil {
		return saved{}, HostError(err)
	}
	return saved{path: s.path(name), size: size, sum: hex.EncodeToString(sum.Sum(nil))}, nil
}

// Commit makes all files of the run visible in one step. They take the place of those of
// an attempt whose process died before its end was journalled.
func (s *Store) Commit() error {
	if s.root == nil {
		return nil
	}
	s.Close()
	if err := errors.Join(os.RemoveAll(s.final()), os.Rename(s.partial(), s.final())); err != nil {
		return HostError(err)
	}
	s.kept = true
	return nil
}

// Remove drops all files of the run.
func (s *Store) Remove() error {
	s.Close()
	if s.kept {
		return os.RemoveAll(s.final())
	}
	return os.RemoveAll(s.partial())
}

// Close gives up what is open, and leaves the files where they are.
func (s *Store) Close() {
	if s.root != nil {
		s.root.Close()
		s.root = nil
	}
}

// HostError tells a full disk from other trouble of the host. Errors that say
// what they are already stay as they are.
func HostError(err error) error {
	var known *api.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return api.Errorf(api.StorageFull, "keeping the outputs: %w", err)
	}
	return api.Errorf(api.Internal, "keeping the outputs: %w", err)
}
