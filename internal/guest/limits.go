package guest

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// dropRaisingLimits takes the capability to raise resource limits away from
// everything that the guest will start, but not from the guest: it lowers its
// own limits around each fork and raises them again.
func dropRaisingLimits() error {
	_, _, errno := syscall.AllThreadsSyscall(unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, unix.CAP_SYS_RESOURCE, 0)
	if errno != 0 {
		return fmt.Errorf("dropping CAP_SYS_RESOURCE from the bounding set: %w", errno)
	}
	return nil
}

// lowerLimits sets the limits that the next child inherits; restore undoes it.
// Uncounted is how many of the program's processes the kernel of the cell
// leaves out when it counts against RLIMIT_NPROC.
func lowerLimits(request wire.Exec, uncounted uint64) (restore func(), err error) {
	wanted := map[int]uint64{
		unix.RLIMIT_NOFILE: request.NoFile,
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
