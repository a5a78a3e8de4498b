// Package runsc is the only package that knows gVisor. A program that holds
// it plays three parts, told apart by argv[0]: itself; the launcher, one small
// process a cell, which prepares the sandbox and dies with its parent; and the
// sandbox process that gVisor starts by executing the program again.
package runsc

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"gvisor.dev/gvisor/runsc/cli"
	"gvisor.dev/gvisor/runsc/cmd"
	"gvisor.dev/gvisor/runsc/cmd/sentry/sentrycmd"
	"gvisor.dev/gvisor/runsc/cmd/util"
)

// launcherName is argv[0] of the launcher.
const launcherName = "glovebox-launcher"

// IsReexec reports whether the program was started as a launcher or by gVisor.
// Then main must call Main before it does anything else.
func IsReexec() bool {
	name := os.Args[0]
	return name == launcherName || isSandbox(name)
}

// isSandbox knows the names under which gVisor starts itself: runsc-sandbox,
// runsc[...] and the bare path of the running program.
func isSandbox(name string) bool {
	base := filepath.Base(name)
	return name == "/proc/self/exe" || strings.HasPrefix(base, "runsc-") || strings.HasPrefix(base, "runsc[")
}

// Main plays the part that IsReexec saw and ends the process.
func Main() {
	if os.Args[0] == launcherName {
		os.Exit(launch())
	}
	cli.Run(nil, map[util.SubCommand]string{
		new(sentrycmd.Boot):   "",
		new(sentrycmd.Umount): "",
		new(cmd.Gofer):        "",
	}, nil)
}

// Version returns the version of gVisor in this program.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, module := range info.Deps {
		if module.Path == "gvisor.dev/gvisor" {
			return module.Version
		}
	}
	return "unknown"
}

// A Config tells a launcher which cell to start.
type Config struct {
	ID     string   `json:"id"`
	Dir    string   `json:"dir"`     // private directory of the cell, for its socket and description
	RootFS string   `json:"root_fs"` // path of an EROFS file
	Argv   []string `json:"argv"`    // of process 1; argv[0] is not looked up, the program comes as a descriptor
	Disk   int64    `json:"disk"`    // bytes of the writable layer
	Shared int64    `json:"shared"`  // bytes of each of /tmp, /run and /dev/shm
	CPUs   int      `json:"cpus"`    // how many processors the cell sees
	Memory int64    `json:"memory"`  // how much memory the cell sees, in bytes
}

// The descriptors of a launcher. Standard input and output are the stream of
// process 1.
const (
	fdControl = 3 // a socket: Config and requests in, events out; its end is the launcher's end
	fdGuest   = 4 // the program of process 1
	fdUpper   = 5 // a pipe for the changed files
)

// An Event is what a launcher says on its control socket.
type Event struct {
	Event string `json:"event"` // started, failed, upper, exited
	PID   int    `json:"pid,omitempty"`
	Error string `json:"error,omitempty"`
	CPU   int64  `json:"cpu,omitempty"` // nanoseconds of user and system time
}

// Request is what the host asks of a launcher.
type Request struct {
	Request string `json:"request"` // upper
}

func failed(format string, args ...any) Event {
	return Event{Event: "failed", Error: fmt.Sprintf(format, args...)}
}
