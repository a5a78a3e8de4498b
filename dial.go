package glovebox

import (
	"context"
	"runtime"
	"strings"

	"github.com/glovebox-dev/glovebox/client"
)

// DialOptions say how to use a server. The zero value is for a server on a Unix
// socket.
type DialOptions struct {
	Token string // of the server; none is needed on a Unix socket
	// Dir is where files of results go; empty means a directory of its own,
	// which Close removes.
	Dir string
	// Capacity bounds how many calls of functions are under way in this process
	// for each call of Register; 0 means 16.
	Capacity int
	// Broken receives the reason when the server cannot reach functions of this
	// process. Nil ignores it; runs wait for them, and fail with
	// worker_unavailable in the end.
	Broken func(error)
}

// Dial returns a Glovebox whose tasks run on a server, at unix:///path/to/socket,
// http://127.0.0.1:port or https://host:port. Functions run in this process all
// the same: the server calls them over a connection that is made from here.
func Dial(ctx context.Context, url string, o DialOptions) (*Glovebox, error) {
	c, err := client.Dial(url, client.Options{Token: o.Token, Dir: o.Dir})
	if err != nil {
		return nil, err
	}
	if _, err := c.Workers(ctx); err != nil { // now, and not at the first run
		c.Close()
		return nil, err
	}
	return newGlovebox(c, newWorkers(client.WorkerOptions{
		Name: "go", Capacity: o.Capacity, Dial: c.Connect, Broken: o.Broken,
		SharedFiles: sharesFiles(url),
	})), nil
}

// sharesFiles reports whether the server of url sees the files of this process.
// Servers run on Linux, so elsewhere a socket leads into a virtual machine.
func sharesFiles(url string) bool { return runtime.GOOS == "linux" && strings.HasPrefix(url, "unix:") }
