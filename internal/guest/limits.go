package guest

import (
	"fmt"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
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

// enoughFiles is how many files more than it has open the guest never opens while
// it starts a program: it can live under such a limit meanwhile.
const enoughFiles = 512

// limits are those of a program.
type limits struct {
	files     uint64 // open files of a process
	processes uint64 // and threads of its user
}

// launch starts a program under its limits, and in a process group of its own if
// it asks for one, which it does not lead. One is started at a time: the
// limits are lowered for the whole guest meanwhile.
func (g *server) launch(path string, argv []string, attr *syscall.ProcAttr, l limits) (*child, error) {
	g.launchMu.Lock()
	defer g.launchMu.Unlock()
	if attr.Sys.Setpgid {
		group, err := newGroup()
		if err != nil {
			return nil, err
		}
		defer group.end()
		attr.Sys.Pgid = group.leader
	}
	few := l.files < enoughFiles+highest(attr.Files)
	restore, err := lowerLimits(l, g.uncounted, few)
	if err != nil {
		return nil, err
	}
	defer restore()
	if few {
		return g.reaper.startWithFewFiles(path, argv, attr, l.files)
	}
	return g.reaper.start(path, argv, attr)
}

// highest returns the highest of some descriptors that were just opened: about
// as many are open.
func highest(files []uintptr) uint64 {
	if len(files) == 0 {
		return 0
	}
	return uint64(slices.Max(files))
}

// lowerLimits sets the limits that the next child inherits; restore undoes it.
// Uncounted is how many of the program's processes the kernel of the cell
// leaves out when it counts against RLIMIT_NPROC. A limit of files that is too low for
// the guest, which few says, is left to startWithFewFiles.
func lowerLimits(l limits, uncounted uint64, few bool) (restore func(), err error) {
	wanted := map[int]uint64{
		unix.RLIMIT_NPROC: l.processes - min(uncounted, l.processes),
		unix.RLIMIT_CORE:  0,
	}
	if !few {
		wanted[unix.RLIMIT_NOFILE] = l.files
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
