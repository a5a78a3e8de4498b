//go:build unix

package blob

import (
	"os"
	"syscall"
)

// How files and directories of this host are opened: without following a link at
// the end of the path, and without waiting for the other end of a pipe.
const (
	openFile = os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	openDir  = os.O_RDONLY | syscall.O_DIRECTORY | syscall.O_NONBLOCK
)

// openFollowsLinks reports whether openFile follows a link at the end of the path.
const openFollowsLinks = false
