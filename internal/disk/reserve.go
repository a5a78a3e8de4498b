//go:build linux

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// The sizes of reserves, in bytes: enough to write the ends of the runs under
// way, and enough to prune.
const (
	ReserveSize      = 16 << 20
	PruneReserveSize = 4 << 20
)

// renewPause is how often a reserve that was given back is made again, if there
// is space.
const renewPause = time.Second

// Reserve is a file that keeps space from other uses. Several processes may
// share it.
type Reserve struct {
	path string
	size int64

	mu      sync.Mutex
	renewal *time.Timer // nil while the reserve is there
	closed  bool
}

// OpenReserve makes the reserve of size bytes at path, unless it is there or there is too
// little space. Without one it can give nothing back, and that is no error.
func OpenReserve(path string, size int64) *Reserve {
	r := &Reserve{path: path, size: size}
	r.renew()
	return r
}

// Give gives the reserve back, and reports whether there was something to give.
func (r *Reserve) Give() bool {
	file, err := os.OpenFile(r.path, os.O_WRONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || file.Truncate(0) != nil {
		return false
	}
	r.renewLater()
	return true
}

func (r *Reserve) renewLater() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.renewal == nil && !r.closed {
		r.renewal = time.AfterFunc(renewPause, r.renew)
	}
}

// renew makes the reserve, or tries again later.
func (r *Reserve) renew() {
	r.mu.Lock()
	r.renewal = nil
	r.mu.Unlock()
	if r.make() != nil {
		r.renewLater()
	}
}

var errNoRoom = errors.New("there is no room for the reserve")

func (r *Reserve) make() error {
	if info, err := os.Lstat(r.path); err == nil && info.Size() >= r.size {
		return nil
	}
	space, err := SpaceOf(filepath.Dir(r.path))
	if err != nil {
		return err
	}
	if space.Room() < r.size {
		return errNoRoom
	}
	file, err := os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	err = unix.Fallocate(int(file.Fd()), 0, 0, r.size)
	if errors.Is(err, unix.EOPNOTSUPP) {
		_, err = file.WriteAt(make([]byte, r.size), 0)
	}
	if err != nil {
		err = errors.Join(err, file.Truncate(0))
	}
	return err
}

// Close ends the renewal; the file stays.
func (r *Reserve) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.renewal != nil {
		r.renewal.Stop()
	}
}
