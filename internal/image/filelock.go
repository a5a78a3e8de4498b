package image

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// lockPoll is how often a lock that another process holds is tried again.
const lockPoll = 50 * time.Millisecond

// acquire takes the flock of kind how (LOCK_SH or LOCK_EX) on path, waiting as
// long as ctx lives. The kernel frees it when the process dies.
func acquire(ctx context.Context, path string, how int) (release func(), err error) {
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for {
		release, ok, err := tryAcquire(path, how)
		if ok || err != nil {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, api.Errorf(api.Canceled, "waiting for another build: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// tryAcquire takes the lock if nobody else holds it.
func tryAcquire(path string, how int) (release func(), ok bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, false, storageError("lock the image store", err)
	}
	err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if err == nil {
		return func() { f.Close() }, true, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return nil, false, nil
	}
	return nil, false, storageError("lock the image store", err)
}

// use marks the store as in use by a build: nothing is collected meanwhile.
func (s *store) use(ctx context.Context) (release func(), err error) {
	return acquire(ctx, filepath.Join(s.dir, "store.lock"), syscall.LOCK_SH)
}

// only makes the holder the only one who builds what key names, among all
// processes. The store must be in use.
func (s *store) only(ctx context.Context, key string) (release func(), err error) {
	return acquire(ctx, s.path("build", key+".lock"), syscall.LOCK_EX)
}
