package sqlite

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestPromptEnds: a thread is as it was when what was prompt in it has ended.
func TestPromptEnds(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Skipf("needs the attributes of a thread: %v", err)
	}
	prompt()()
	if after, err := unix.SchedGetAttr(0, 0); err != nil || *after != *before {
		t.Errorf("%+v, %v, want %+v", after, err, before)
	}
}

// TestThreadsOfPromptLiveOn: a process started from such a thread may ask the
// kernel to end it with the thread, so the thread must live on.
func TestThreadsOfPromptLiveOn(t *testing.T) {
	var threads []int
	for range 50 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer prompt()()
			threads = append(threads, unix.Gettid())
		}()
		<-done
	}
	for _, id := range threads {
		if _, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", id)); err != nil {
			t.Fatalf("a thread has ended: %v", err)
		}
	}
}
