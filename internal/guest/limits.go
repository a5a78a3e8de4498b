package guest

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// dropRaisingLimits takes the capabilities to raise resource limits, and to hold
// a program until it has its own, away from everything that the guest will start,
// but not from the guest: it lowers its own limits around each fork and raises
// them again.
func dropRaisingLimits() error {
	for _, capability := range []uintptr{unix.CAP_SYS_RESOURCE, unix.CAP_SYS_PTRACE} {
		_, _, errno := syscall.AllThreadsSyscall(unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, capability, 0)
		if errno != 0 {
			return fmt.Errorf("dropping capability %d from the bounding set: %w", capability, errno)
		}
	}
	return nil
}

// enoughFiles is a limit of open files that the guest itself never reaches. It
// can live under such a one while it starts a program, and writes files besides.
const enoughFiles = 512

// lowerLimits sets the limits that the next child inherits; restore undoes it.
// Uncounted is how many of the program's processes the kernel of the cell
// leaves out when it counts against RLIMIT_NPROC. A limit of files that is too low
// for the guest is left to startWithFewFiles.
func lowerLimits(request wire.Exec, uncounted uint64) (restore func(), err error) {
	wanted := map[int]uint64{
		unix.RLIMIT_NOFILE: max(request.NoFile, enoughFiles),
		unix.RLIMIT_NPROC:  request.NProc - min(uncounted, request.NProc),
		unix.RLIMIT_CORE:   0,
	}
	before := make(map[int]syscall.Rlimit)
	restore = func() {
		for resource, limit := range before {
			syscall.Setrlimit(resource, &limit)
		}
	}
	for resource, limit := range wanted {
		var old syscall.Rlimit
		if err := syscall.Getrlimit(resource, &old); err != nil {
			restore()
			return nil, fmt.Errorf("reading resource limit %d: %w", resource, err)
		}
		// The syscall package, not x/sys: it also tells the runtime to leave
		// the number of descriptors of children alone.
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			restore()
			return nil, fmt.Errorf("setting resource limit %d to %d: %w", resource, limit, err)
		}
		before[resource] = old
	}
	return restore, nil
}
