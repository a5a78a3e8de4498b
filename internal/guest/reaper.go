package guest

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
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

// child is a program that was started.
type child struct {
	pid    int
	status <-chan unix.WaitStatus
}

// start runs a program. Its status arrives on the channel. The lock is held
// over the fork, so that the reaper cannot see the child before it is known.
func (r *reaper) start(path string, argv []string, attr *syscall.ProcAttr) (*child, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pid, err := syscall.ForkExec(path, argv, attr)
	if err != nil {
		return nil, &os.PathError{Op: "exec", Path: path, Err: err}
	}
	status := make(chan unix.WaitStatus, 1)
	r.waiting[pid] = status
	return &child{pid, status}, nil
}

// startWithFewFiles runs a program that may open so few files that the guest
// could not start it under that limit. The program is stopped before its first
// instruction, and continues when it has its limit.
func (r *reaper) startWithFewFiles(path string, argv []string, attr *syscall.ProcAttr, files uint64) (*child, error) {
	runtime.LockOSThread() // which alone can let it go
	defer runtime.UnlockOSThread()
	r.mu.Lock()
	defer r.mu.Unlock()
	attr.Sys.Ptrace = true
	pid, err := syscall.ForkExec(path, argv, attr)
	if err != nil {
		return nil, &os.PathError{Op: "exec", Path: path, Err: err}
	}
	status := make(chan unix.WaitStatus, 1)
	stopped, err := waitFor(pid)
	if err == nil && !stopped.Stopped() {
		status <- stopped // somebody has killed it
		return &child{pid, status}, nil
	}
	if err == nil {
		err = unix.Prlimit(pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: files, Max: files}, nil)
	}
	if err == nil {
		err = unix.PtraceDetach(pid)
	}
	if err != nil {
		unix.Kill(pid, unix.SIGKILL)
		return nil, fmt.Errorf("limiting the open files of %s: %w", path, err)
	}
	r.waiting[pid] = status
	return &child{pid, status}, nil
}

// signal sends a signal to a child, and reports whether it still runs.
func (r *reaper) signal(pid int, signal unix.Signal) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting[pid] == nil {
		return false, nil
	}
	return true, unix.Kill(pid, signal)
}

func waitFor(pid int) (status unix.WaitStatus, err error) {
	for {
		if _, err = unix.Wait4(pid, &status, 0, nil); !errors.Is(err, unix.EINTR) {
			return status, err
		}
	}
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
