package guest

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A reaper is the duty of process 1: it waits for every process of the cell,
// those it started and the orphans it inherits.
type reaper struct {
	mu      sync.Mutex
	waiting map[int]chan unix.WaitStatus
}

func newReaper() *reaper {
	r := &reaper{waiting: make(map[int]chan unix.WaitStatus)}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGCHLD)
	go func() {
		for range signals {
			r.reap()
		}
	}()
	return r
}

// start runs a program. Its status arrives on the channel. The lock is held
// over the fork, so that the reaper cannot see the child before it is known.
func (r *reaper) start(path string, argv []string, attr *syscall.ProcAttr) (<-chan unix.WaitStatus, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pid, err := syscall.ForkExec(path, argv, attr)
	if err != nil {
		return nil, &os.PathError{Op: "exec", Path: path, Err: err}
	}
	status := make(chan unix.WaitStatus, 1)
	r.waiting[pid] = status
	return status, nil
}

// reap collects every process that has ended and reports whether any is left.
func (r *reaper) reap() (left bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WNOHANG, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return false
		case pid == 0:
			return true
		}
		if ch := r.waiting[pid]; ch != nil {
			delete(r.waiting, pid)
			ch <- status
		}
	}
}

// killAll ends every process of the cell but the guest. A signal to -1 spares
// only the caller and process 1, which are the same; it is repeated for
// processes that were being forked meanwhile.
func (r *reaper) killAll() {
	for r.reap() {
		unix.Kill(-1, unix.SIGKILL)
		time.Sleep(time.Millisecond)
	}
}
