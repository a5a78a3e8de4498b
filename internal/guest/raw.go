package guest

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls of the way that a waiting program's job takes. They return
// at once, and are made without telling the Go scheduler: in a cell that was
// idle, what the scheduler does around a call that may block costs more than the
// call.

// readRaw reads from a descriptor that does not block.
func readRaw(fd uintptr, p []byte) (int, error) {
	return transfer(unix.SYS_READ, fd, p)
}

// writeRaw writes to a file, or to a descriptor that does not block.
func writeRaw(fd uintptr, p []byte) (int, error) {
	return transfer(unix.SYS_WRITE, fd, p)
}

func transfer(call, fd uintptr, p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		n, _, errno := unix.RawSyscall(call, fd, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}

func openRaw(at int, name string, flags int, mode uint32) (int, error) {
	p, err := unix.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	for {
		fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(p)), uintptr(flags), uintptr(mode), 0, 0)
		switch errno {
		case 0:
			return int(fd), nil
		case unix.EINTR:
		default:
			return -1, errno
		}
	}
}

func chownRaw(fd, uid, gid int) error {
	if _, _, errno := unix.RawSyscall(unix.SYS_FCHOWN, uintptr(fd), uintptr(uid), uintptr(gid)); errno != 0 {
		return errno
	}
	return nil
}
