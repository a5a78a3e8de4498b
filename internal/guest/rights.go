package guest

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

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
	if err := setGroups(u.groups); err != nil {
		return err
	}
	if err := setEffective(unix.SYS_SETRESGID, u.gid); err != nil {
		return err
	}
	return setEffective(unix.SYS_SETRESUID, u.uid)
}

// setEffective and setGroups are for this thread alone; those of the library
// are for all threads of the guest.
func setEffective(call uintptr, id int) error {
	const same = ^uintptr(0)
	if _, _, errno := unix.RawSyscall(call, same, uintptr(id), same); errno != 0 {
		return errno
	}
	return nil
}

func setGroups(groups []uint32) error {
	first := unsafe.Pointer(unsafe.SliceData(groups))
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(groups)), uintptr(first), 0); errno != 0 {
		return errno
	}
	return nil
}

// beRoot takes the rights of the guest back. A thread without them must do
// nothing more, so the guest ends if that fails.
func beRoot() {
	err := errors.Join(setEffective(unix.SYS_SETRESUID, 0), setEffective(unix.SYS_SETRESGID, 0), setGroups(nil))
	if err != nil {
		panic(fmt.Sprintf("returning to root: %v", err))
	}
}
