// Command glovebox runs unreviewed code. On Linux the program holds
// the engine, and is also the sandbox of its cells, with gVisor in it. On other
// systems it uses the engine of a server.
package main

import (
	"os"

	"github.com/glovebox-dev/glovebox/internal/cli"
)

// version is set by the linker.
var version = "unknown"

func main() {
	becomeCell()
	collectRarely(settleAfter)
	program := cli.Program{Version: version, Engine: engine}
	os.Exit(cli.Main(program, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
