package sqlite

import (
	"runtime"
	"time"

	"github.com/glovebox-dev/glovebox/internal/tuning"
	"golang.org/x/sys/unix"
)

// slice is how long the thread that writes wants to run at a time; no system
// grants less. Who wants little is let in sooner.
const slice = 100 * time.Microsecond

// prompt gives the calling goroutine a thread of its own that gets a processor
// soon when the disk has synced: a run waits for it, while the cells keep all
// processors busy. It takes no privilege and no more processor time than others
// get. Kernels before Linux 6.12 ignore it, and so may a sandbox around us.
//
// The goroutine has to call end before it ends: its thread would end with it, and
// the kernel kills what others have started from that thread to die with us.
func prompt() (end func()) {
	runtime.LockOSThread()
	if !tuning.On(tuning.Slices) {
		return runtime.UnlockOSThread
	}
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return runtime.UnlockOSThread
	}
	short := *before
	short.Runtime = uint64(slice)
	_ = unix.SchedSetAttr(0, &short, 0)
	return func() {
		_ = unix.SchedSetAttr(0, before, 0)
		runtime.UnlockOSThread()
	}
}
