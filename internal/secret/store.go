// Package secret keeps secrets at rest and takes them out of what a run prints.
package secret

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// MaxValue is the largest value of a secret, in bytes.
const MaxValue = 64 << 10

// maxName is the longest name of a secret, in bytes.
const maxName = 128

// suffix ends the file of a secret. The key and temporary files do not have it.
const suffix = ".secret"

// Store holds secrets in one directory, each in a file of its own, encrypted
// with AES-256-GCM under a key in the file "key" beside them. Names are not
// hidden. Several processes may use one store at once: files appear whole.
//
// The key lies beside what it opens, so the store protects copies, backups and
// careless looks at single files, and the rights of the directory do the rest.
type Store struct {
	dir string
}

// Open returns the store in dir, which is created if it does not exist. The
// error is secret_unreadable if other users could read or change dir.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, storeError(err, "create the secret store")
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, storeError(err, "create the secret store")
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, storeError(err, "open the secret store")
	}
	if !info.IsDir() {
		return nil, unreadable("the secret store %s is not a directory", dir).WithHint("move it away")
	}
	if err := private(dir, info); err != nil {
		return nil, err
	}
	return &Store{dir: dir}, nil
}

// private refuses a file or directory that others can use or own.
func private(path string, info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return unreadable("%s belongs to another user", path).WithHint("use the store as its owner, or remove it")
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return unreadable("%s can be used by other users (mode %04o)", path, mode).
			WithHint("if no other user has read it, run: chmod go= %s; else store new secrets", path)
	}
	return nil
}

// Set stores value under name and replaces an earlier one.
func (s *Store) Set(name string, value []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	if len(value) == 0 || len(value) > MaxValue {
		return api.Errorf(api.InvalidTask, "secret %s: expected 1 to %d bytes, got %d", name, MaxValue, len(value)).
			WithHint("give a value of that size")
	}
	key, err := s.createKey()
	if err != nil {
		return err
	}
	sealed, err := seal(key, name, value)
	if err != nil {
		return err
	}
	return s.replace(name+suffix, sealed)
}

// Get returns the value of name; the error is secret_not_found, with a near
// name if there is one, or secret_unreadable.
func (s *Store) Get(name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	sealed, err := s.read(name+suffix, MaxValue+overhead)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.notFound(name)
	}
	if err != nil {
		return nil, storeError(err, "read the secret "+name)
	}
	key, err := s.readKey()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unreadable("the key of the secret store is gone").WithHint("store the secrets again")
	}
	if err != nil {
		return nil, storeError(err, "read the key of the secret store")
	}
	return unseal(key, name, sealed)
}

// Derive returns a key for one purpose, the same for as long as the store has its key.
func (s *Store) Derive(purpose string) ([]byte, error) {
	key, err := s.createKey()
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(purpose))
	return mac.Sum(nil), nil
}

// List returns the names of all secrets, sorted.
func (s *Store) List() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, storeError(err, "list the secrets")
	}
	names := []string{}
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), suffix); ok && checkName(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Remove deletes name; the error is secret_not_found if it is not there.
func (s *Store) Remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(s.dir, name+suffix))
	if errors.Is(err, fs.ErrNotExist) {
		return s.notFound(name)
	}
	if err != nil {
		return storeError(err, "remove the secret "+name)
	}
	return nil
}

// checkName refuses a name under which no secret can be stored.
func checkName(name string) error {
	if api.ValidSecretName(name) {
		return nil
	}
	const expected = "1 to 128 letters, digits, '_', '.' or '-'"
	return api.Errorf(api.InvalidTask, "name of a secret: expected %s, got %q", expected, name[:min(len(name), maxName)]).
		WithHint("choose a name such as API_TOKEN").
		WithDetails(api.Details{Field: "secrets", Expected: expected})
}

func (s *Store) notFound(name string) error {
	e := api.Errorf(api.SecretNotFound, "no secret %q is stored", name)
	e.WithHint("store it with: glovebox secret set %s", name)
	names, err := s.List()
	if err != nil {
		return e
	}
	if near := value.Nearest(name, names); near != "" {
		e.WithHint("use %s, which is stored, or store it with: glovebox secret set %s", near, name)
		e.WithDetails(api.Details{Suggestion: near})
	}
	return e
}

// unreadable is an error about the store itself.
func unreadable(format string, args ...any) *api.Error {
	return api.Errorf(api.SecretUnreadable, format, args...)
}

func storeError(err error, what string) error {
	var known *api.Error
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return api.Errorf(api.StorageFull, "cannot %s: %w", what, err)
	}
	return unreadable("cannot %s: %w", what, err)
}
