package guest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// unheard, joined to SIGCHLD, makes SIGURG the signal that says that a child has
// ended. The runtime ignores that one, and who waits for children of all kinds but
// such does not find it.
const unheard = int(unix.SIGURG) &^ int(unix.SIGCHLD)

// group is a process group for a command that does not lead it. A group lives as
// long as anybody in it, dead or alive: its leader is a child that dies before it
// begins any program, and stays dead until end.
type group struct{ leader int }

// newGroup makes a group. There must be no other one until its end.
func newGroup() (*group, error) {
	_, err := syscall.ForkExec("", nil, &syscall.ProcAttr{
		Sys: &syscall.SysProcAttr{Setpgid: true, Cloneflags: uintptr(unheard)},
	})
	if !errors.Is(err, unix.ENOENT) {
		return nil, fmt.Errorf("making a process group: %w", err)
	}
	leader, err := deadChild()
	if err != nil {
		return nil, fmt.Errorf("finding the process group: %w", err)
	}
	return &group{leader}, nil
}

func (g *group) end() { unix.Wait4(g.leader, nil, unix.WCLONE, nil) }

// deadChild finds the child whose end nobody hears, and leaves it as it is.
func deadChild() (int, error) {
	var info unix.Siginfo
	err := error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		err = unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOWAIT|unix.WCLONE, nil)
	}
	if err != nil {
		return 0, err
	}
	const pidAt = 16 // see sigaction(2): the number of the child
	return int(binary.NativeEndian.Uint32((*[128]byte)(unsafe.Pointer(&info))[pidAt:])), nil
}
