package guest

import (
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// as calls f with the rights of the user, on a thread of its own: to the kernel
// they are a thread's. The thread keeps root as its real user, so that no program
// of the user may touch it, and to return to it. F must not start anything, nor
// wait for anything but files.
func (u user) as(f func() error) error {
	if u.uid == 0 && u.gid == 0 {
		return f()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer beRoot()
	if err := u.become(); err != nil {
		return fmt.Errorf("taking the rights of user %d: %w", u.uid, err)
	}
	return f()
}

func (u user) become() error {
	groups := make([]int, 0, len(u.groups))
	for _, gid := range u.groups {
		groups = append(groups, int(gid))
	}
	if err := unix.Setgroups(groups); err != nil {
		return err
	}
	if err := unix.Setresgid(-1, u.gid, -1); err != nil {
		return err
	}
	return unix.Setresuid(-1, u.uid, -1)
}

// beRoot takes the rights of the guest back. A thread without them must do
// nothing more, so the guest ends if that fails.
func beRoot() {
	err := errors.Join(unix.Setresuid(-1, 0, -1), unix.Setresgid(-1, 0, -1), unix.Setgroups(nil))
	if err != nil {
		panic(fmt.Sprintf("returning to root: %v", err))
	}
}
