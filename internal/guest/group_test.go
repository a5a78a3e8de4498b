package guest

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestGroup: a group has a dead leader, which others that wait do not see, and is
// gone after its end.
func TestGroup(t *testing.T) {
	for range 3 {
		g, err := newGroup()
		if err != nil {
			t.Fatal(err)
		}
		number := g.leader
		if group, err := unix.Getpgid(number); err != nil || group != number {
			t.Errorf("the leader of group %d is in %d, %v", number, group, err)
		}
		if pid, err := unix.Wait4(number, nil, unix.WNOHANG, nil); err != unix.ECHILD {
			t.Errorf("somebody who waits finds %d, %v", pid, err)
		}
		g.end()
		if group, err := unix.Getpgid(number); err != unix.ESRCH {
			t.Errorf("after its end the leader is in group %d, %v", group, err)
		}
	}
}
