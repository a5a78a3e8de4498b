package runsc

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// CloseOnExec marks all descriptors beyond standard error as such that no child
// inherits. Packages of gVisor open a pipe at start-up that lacks the mark, and
// programs that a shell starts, such as mmdebstrap, fail when the low numbers
// are taken. It is for the first lines of main, right after IsReexec.
func CloseOnExec() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // without /proc there is nothing to find out, and no cell to start either
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}
