// Command glovebox-guest is process 1 of every cell, and a program that waits
// there to become a command. It is embedded in glovebox and never started by hand.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/glovebox-dev/glovebox/internal/guest"
)

func main() {
	proxy := flag.String("proxy", "", "address to offer a way out on")
	uncounted := flag.Uint64("uncounted", 0, "processes that the kernel of the cell does not count against a limit")
	direct := flag.Bool("direct", false, "descriptors 3 and 4 are for a program")
	bare := flag.Bool("bare", false, "give the loopback no names")
	launch := flag.Int("launch", 0, "become this user, and then the command that the host names, instead of process 1")
	flag.Parse()
	main := func() error {
		return guest.Main(guest.Config{Proxy: *proxy, Uncounted: *uncounted, Direct: *direct, Bare: *bare})
	}
	if *launch > 0 {
		main = func() error { return guest.Launch(*launch) }
	}
	if err := main(); err != nil {
		fmt.Fprintln(os.Stderr, "glovebox-guest:", err)
		os.Exit(1)
	}
}
