package guest

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// withoutGain calls start on a thread from which no program gains privileges by
// the owner or the capabilities of its file. What a thread gave up it never gets
// back, so that this one ends with the call. Commands of sessions start without
// it: their clients may start them as root, and images for them have sudo.
func withoutGain(start func() (*child, error)) (c *child, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if err = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			err = fmt.Errorf("giving up privileges: %w", err)
			return
		}
		c, err = start()
	}()
	<-done
	return c, err
}
