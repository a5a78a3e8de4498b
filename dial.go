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
	// Token is the token of the server, which gives all rights on it. Empty sends
	// none: enough on a Unix socket, refused as unauthorized everywhere else.
	Token string
	// Dir is the directory where output files of results are stored, each as
	// Dir/RUN/NAME. Files in a directory that is named here stay, and have to be
	// removed by the caller. Empty means a temporary directory that Close removes,
	// so that paths in results are of no use after it.
	Dir string
	// Capacity limits how many calls of functions are under way in this process at
	// the same time, for each call of Register and for the functions of each run.
	// 0 means 16. A function that only waits can take more; too high a number
	// overcommits this process, and with too low a number runs wait although the
	// process is idle.
	Capacity int
	// Broken receives the reason, from any goroutine, whenever the connection that
	// the server calls functions by is lost or refused. It is made again without
	// help; log the reason here. Nil ignores it: then runs that wait for a function
	// of this process, and fail with worker_unavailable in the end, are the only
	// sign.
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
