// Command glovebox runs code that nobody has reviewed. It is one program: it
// is also the sandbox of its cells, with gVisor in it.
package main

import (
	"os"

	"github.com/glovebox-dev/glovebox/internal/cli"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// version is set by the linker.
var version = "unknown"

func main() {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
	os.Exit(cli.Main(version, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
