// Package runsc is the only package that knows gVisor. A program that holds
// it plays two parts, told apart by argv[0]: itself, and the sandbox, one
// process a cell, which locks itself in, becomes gVisor's kernel and runs the
// program of process 1. It dies with the process that started it.
package runsc

import (
	"os"
	"runtime/debug"
)

// sandboxName is argv[0] of a sandbox.
const sandboxName = "glovebox-sandbox"

// IsReexec reports whether the program was started as a sandbox. Then main
// must call Main before it does anything else.
func IsReexec() bool { return os.Args[0] == sandboxName }

// Main plays the sandbox and ends the process.
func Main() { os.Exit(sandbox()) }

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

// A Config tells a sandbox which cell to be.
type Config struct {
	ID     string   `json:"id"`
	Args   []string `json:"args"`   // of process 1, after its name
	Host   string   `json:"host"`   // the host name that programs see
	Disk   int64    `json:"disk"`   // bytes of the writable layer
	Shared int64    `json:"shared"` // bytes of each of Temporary and /dev/shm
	CPUs   int      `json:"cpus"`   // how many processors the cell sees
	Procs  int      `json:"procs"`  // on how many processors gVisor's kernel runs, no fewer than CPUs
	Memory int64    `json:"memory"` // how much memory the cell sees, in bytes

	Temporary []string `json:"temporary"` // directories with a file system of their own, in memory
}
