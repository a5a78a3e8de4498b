package gvisor

import (
	"os/exec"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// A limiter is a way to enforce the limits of cells on this host. What gVisor
// enforces itself (processes, open files, disk) is not its business.
type limiter interface {
	// accepts refuses resources that this way cannot enforce.
	accepts(api.Resources) error
	// prepare makes the limit of one cell.
	prepare(id string, r api.Resources) (limit, error)
	// remove removes what a dead process left of a limit.
	remove(id string) error
	// findings describes the way for doctor.
	findings() []cell.Finding
}

// A limit holds one cell.
type limit interface {
	// start starts the sandbox process, and so all its children, under the
	// limit. It is called on a thread that does nothing else.
	start(cmd *exec.Cmd) error
	// enforce is called when the sandbox is up, just before the program of the
	// user; kill ends the cell when its memory is used up. Of what is in use then,
	// held bytes count as those of programs.
	enforce(sandbox int, held int64, kill func()) error
	// held returns how many bytes the programs hold now.
	held() int64
	// outOfMemory says whether something was killed because of the limit.
	outOfMemory() bool
	// usage reports what was consumed so far.
	usage() cell.Usage
	// kill ends every process under the limit, as far as it knows them.
	kill()
	// death reports what was measured, after the last process has ended.
	death() cell.Death
	// remove removes every trace of the limit.
	remove() error
}

// every calls look again and again, until it returns false or stop is closed.
func every(pause time.Duration, stop <-chan struct{}, look func() bool) {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		if !look() {
			return
		}
	}
}

// findLimiter prefers cgroups and takes the watchdog where they do not work.
func findLimiter() limiter {
	way, err := newCgroupLimiter()
	if err != nil {
		return &watchLimiter{reason: err}
	}
	return way
}
