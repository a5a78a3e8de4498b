package home

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// Presence shows other processes of the same home that this one lives: it holds
// a lock on a file of its own, which the kernel releases when the process dies,
// however it dies. Nil is the presence of a process that only reads.
type Presence struct {
	file *os.File
}

// Enter makes this process present. If it is the only one, clean is called
// before another process can enter.
func Enter(ctx context.Context, d Dir, clean func() error) (*Presence, error) {
	dir := d.Below("processes")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, Error(dir, err)
	}
	door, err := lockWaiting(ctx, d.Below("processes.lock"))
	if err != nil {
		return nil, err
	}
	defer door.Close()
	alone, err := removeDead(dir)
	if err != nil {
		return nil, err
	}
	if alone {
		err = clean()
	}
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, fmt.Sprintf("process-%d-*", time.Now().UnixNano()))
	if err != nil {
		return nil, Error(dir, err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(api.Errorf(api.Internal, "lock %s: %w", file.Name(), err), file.Close())
	}
	return &Presence{file}, nil
}

// Leave ends the presence.
func (p *Presence) Leave() error {
	return errors.Join(os.Remove(p.file.Name()), p.file.Close())
}

// Name is unique among all processes of the home, past and future. A process
// that is not present has none.
func (p *Presence) Name() string {
	if p == nil {
		return ""
	}
	return filepath.Base(p.file.Name())
}

// Alive reports whether the process of that name lives. For a process that is
// not present all do, so that it touches nothing of theirs.
func (p *Presence) Alive(name string) bool {
	if p == nil || name == p.Name() {
		return true
	}
	if name == "" || name != filepath.Base(name) {
		return false
	}
	file, err := os.OpenFile(filepath.Join(filepath.Dir(p.file.Name()), name), os.O_RDWR|unix.O_NOFOLLOW, 0)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) // when in doubt, hands off
	}
	defer file.Close()
	return unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil
}

// removeDead removes the files of dead processes and reports whether
// none is left.
func removeDead(dir string) (alone bool, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, Error(dir, err)
	}
	alone = true
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		file, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW, 0)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, Error(path, err)
		}
		dead := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
		if dead {
			err = os.Remove(path)
		}
		alone = alone && dead
		if err := errors.Join(err, file.Close()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return false, Error(path, err)
		}
	}
	return alone, nil
}

// lockPoll is the pause between two attempts to take a lock.
const lockPoll = 20 * time.Millisecond

// lockWaiting opens path and waits until this process alone has locked it.
func lockWaiting(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, Error(path, err)
	}
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, errors.Join(api.Errorf(api.Internal, "lock %s: %w", path, err), file.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(api.Errorf(api.Canceled, "cancelled while waiting for another process: %w", ctx.Err()), file.Close())
		case <-time.After(lockPoll):
		}
	}
}

// LockServer makes sure that one server at a time works on the home. Closing the
// file releases the lock.
func (d Dir) LockServer() (*os.File, error) {
	path := d.Below("server.lock")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, Error(path, err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		holder := make([]byte, 20)
		n, _ := file.ReadAt(holder, 0)
		file.Close()
		return nil, api.Errorf(api.HomeBusy, "a server works on %s already: process %s", d, bytes.TrimSpace(holder[:n])).
			WithHint("use that server, stop it, or set another GLOVEBOX_HOME")
	}
	err = errors.Join(file.Truncate(0), writePID(file))
	if err != nil {
		return nil, errors.Join(Error(path, err), file.Close())
	}
	return file, nil
}

func writePID(file *os.File) error {
	_, err := file.WriteAt(fmt.Appendln(nil, os.Getpid()), 0)
	return err
}
