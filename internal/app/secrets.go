package app

import (
	"errors"
	"io/fs"
	"os"

	"github.com/glovebox-dev/glovebox/internal/secret"
)

// secrets is the store in a directory. What is wrong with that is no trouble of
// those who need no secret.
type secrets struct{ dir string }

func (s secrets) Get(name string) ([]byte, error) {
	store, err := secret.Open(s.dir)
	if err != nil {
		return nil, err
	}
	return store.Get(name)
}

func (s secrets) Derive(purpose string) ([]byte, error) {
	store, err := secret.Open(s.dir)
	if err != nil {
		return nil, err
	}
	return store.Derive(purpose)
}

func (s secrets) Set(name string, value []byte) error {
	store, err := secret.Open(s.dir)
	if err != nil {
		return err
	}
	return store.Set(name, value)
}

func (s secrets) List() ([]string, error) {
	if _, err := os.Lstat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return []string{}, nil
	}
	store, err := secret.Open(s.dir)
	if err != nil {
		return nil, err
	}
	return store.List()
}

func (s secrets) Remove(name string) error {
	store, err := secret.Open(s.dir)
	if err != nil {
		return err
	}
	return store.Remove(name)
}
