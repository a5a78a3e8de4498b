package attack

import (
	"os"
	"syscall"
)

// maxRSS returns the peak resident memory of a process and the children it
// waited for: getrusage(2) counts KiB.
func maxRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
