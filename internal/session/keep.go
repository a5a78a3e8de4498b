package session

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// keep is the directory of saved states. The files that a session has changed are
// named by the digest of their archive, so that any number of sessions and
// snapshots share them.
type keep struct {
	dir string
	key func() ([]byte, error)
	// mu is held for reading while a saved state that is there is recorded, and for
	// writing while one is removed that is not needed any more.
	mu sync.RWMutex
}

const (
	filesPrefix = "files-"
	unsavedPart = "saving-" // begins the names of what is being written
)

// path is where a saved state lies.
func (k *keep) path(name string) string { return filepath.Join(k.dir, name) }

// saveFiles keeps what write writes, and returns its name and size when it is on
// the disk.
func (k *keep) saveFiles(write func(io.Writer) error) (name string, size int64, err error) {
	if err := k.make(); err != nil {
		return "", 0, err
	}
	unsaved, sum := k.path(unsavedPart+rand.Text()), sha256.New()
	size, err = writeSynced(unsaved, func(w io.Writer) error { return write(io.MultiWriter(w, sum)) })
	name = filesPrefix + hex.EncodeToString(sum.Sum(nil))
	if err == nil {
		err = os.Rename(unsaved, k.path(name))
	}
	if err != nil {
		return "", 0, errors.Join(saving(err), os.RemoveAll(unsaved))
	}
	return name, size, syncDir(k.dir)
}

// make makes the directory if it must.
func (k *keep) make() error {
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return saving(err)
	}
	return nil
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return saving(err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return saving(err)
	}
	return nil
}

func saving(err error) error {
	var e *api.Error
	if errors.As(err, &e) {
		return err
	}
	return api.Errorf(api.Internal, "saving a session: %w", err)
}

// scratchFile makes a file without a name.
func (k *keep) scratchFile() (*os.File, error) {
	if err := k.make(); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(k.dir, unsavedPart)
	if err != nil {
		return nil, saving(err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(saving(err), f.Close())
	}
	return f, nil
}

// openAgain opens a file without a name a second time, to be read from its beginning.
func openAgain(f *os.File) (*os.File, error) {
	again, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	if err != nil {
		return nil, saving(err)
	}
	return again, nil
}

// openFiles opens the changed files of a saved state, after it has checked that
// they are what was saved.
func (k *keep) openFiles(name string) (*os.File, error) {
	if strings.HasPrefix(name, memoryPrefix) {
		return k.openLayer(name)
	}
	digest, err := hex.DecodeString(strings.TrimPrefix(name, filesPrefix))
	if err != nil {
		return nil, lostState(name, err)
	}
	return openChecked(name, k.path(name), digest)
}

// openChecked opens a file that has a digest.
func openChecked(name, path string, digest []byte) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, lostState(name, err)
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	if err == nil && !bytes.Equal(sum.Sum(nil), digest) {
		f.Close()
		return nil, api.Errorf(api.StorageCorrupt, "the saved state %s is damaged", name)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(lostState(name, err), f.Close())
	}
	return f, nil
}

func lostState(name string, err error) error {
	return api.Errorf(api.StorageCorrupt, "reading the saved state %s: %w", name, err)
}

// removeKept removes a saved state that no session and no snapshot has any more. An
// empty name is that of nothing.
func (s *Service) removeKept(name string) {
	if name == "" {
		return
	}
	s.keep.mu.Lock()
	defer s.keep.mu.Unlock()
	used, err := s.config.Journal.Keeps(context.WithoutCancel(s.ctx), name)
	if err == nil && !used {
		err = os.RemoveAll(s.keep.path(name))
	}
	if err != nil {
		s.config.Logger.Warn("removing a saved state", "state", name, "error", err)
	}
}

// Sweep removes what processes that died left of saved states. No other process
// may work on the home.
func (s *Service) Sweep(ctx context.Context) error {
	entries, err := os.ReadDir(s.keep.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return saving(err)
	}
	for _, entry := range entries {
		if entry.Name() == connectionsDir {
			continue
		}
		used := false
		if !strings.HasPrefix(entry.Name(), unsavedPart) {
			if used, err = s.config.Journal.Keeps(ctx, entry.Name()); err != nil {
				return err
			}
		}
		if used {
			continue
		}
		if err := os.RemoveAll(s.keep.path(entry.Name())); err != nil {
			return saving(fmt.Errorf("sweeping: %w", err))
		}
	}
	return s.sweepConnections(ctx)
}
