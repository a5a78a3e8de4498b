package gvisor

import (
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// minOpenFiles is how many files a process must be able to have open to become a
// sandbox.
const minOpenFiles = 256

// enoughFiles looks at the limit that a sandbox would inherit. Go raises it at
// the start as far as it can.
func enoughFiles() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return api.Errorf(api.IsolationUnavailable, "how many files may be open: %w", err)
	}
	return filesSuffice(limit.Cur)
}

func filesSuffice(limit uint64) error {
	if limit >= minOpenFiles {
		return nil
	}
	return api.Errorf(api.IsolationUnavailable, "a process may have %d files open here, and a cell needs %d", limit, minOpenFiles).
		WithHint("raise the limit, such as with: ulimit -n 4096")
}
