package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// presence tells other processes of the same home that this one lives: it
// holds a lock on a file of its own, which the kernel lets go when it dies,
// however it dies.
type presence struct {
	file *os.File
}

// enter makes this process present. If it is the only one, clean is called
// before anybody else can enter.
func enter(ctx context.Context, home string, clean func() error) (*presence, error) {
	dir := filepath.Join(home, "processes")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, homeError(dir, err)
	}
	door, err := lockWaiting(ctx, filepath.Join(home, "processes.lock"))
	if err != nil {
		return nil, err
	}
	defer door.Close()
	alone, err := buryDead(dir)
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
		return nil, homeError(dir, err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(api.Errorf(api.Internal, "lock %s: %w", file.Name(), err), file.Close())
	}
	return &presence{file}, nil
}

// leave ends the presence.
func (p *presence) leave() error {
	return errors.Join(os.Remove(p.file.Name()), p.file.Close())
}

// name is unique among the processes of the home, for ever.
func (p *presence) name() string { return filepath.Base(p.file.Name()) }

// alive reports whether the process of that name lives.
func (p *presence) alive(name string) bool {
	if name == p.name() {
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

// buryDead removes the files of processes that are no more and reports whether
// none is left.
func buryDead(dir string) (alone bool, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, homeError(dir, err)
	}
	alone = true
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		file, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW, 0)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, homeError(path, err)
		}
		dead := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
		if dead {
			err = os.Remove(path)
		}
		alone = alone && dead
		if err := errors.Join(err, file.Close()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return false, homeError(path, err)
		}
	}
	return alone, nil
}

// lockPoll is how often a lock that another process holds is asked for.
const lockPoll = 20 * time.Millisecond

// lockWaiting opens path and waits until this process alone has locked it.
func lockWaiting(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, homeError(path, err)
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
