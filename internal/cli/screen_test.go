//go:build linux

package cli

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// pseudoTerminal is a terminal of 80 columns; screen closes it and returns what
// was sent to it.
type pseudoTerminal struct {
	*os.File
	sent chan string
}

func openTerminal(t *testing.T) *pseudoTerminal {
	t.Helper()
	slave, master := openPair(t)
	p := &pseudoTerminal{slave, make(chan string, 1)}
	go func() {
		text, _ := io.ReadAll(master) // ends with EIO when the other side is closed
		master.Close()
		p.sent <- string(text)
	}()
	return p
}

// openPair opens the two sides of a pseudo-terminal.
func openPair(t *testing.T) (slave, master *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}); err != nil {
		t.Fatal(err)
	}
	return slave, master
}

func (p *pseudoTerminal) text() string {
	p.Close()
	return <-p.sent
}

// onTerminal runs a command whose two streams are a terminal, and returns what
// is sent there.
func onTerminal(t *testing.T, service api.Service, args ...string) (text string, status int) {
	t.Helper()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	p := openTerminal(t)
	c := &cli{
		Streams:     Streams{In: strings.NewReader(""), Out: p.File, Err: p.File},
		connect:     func(context.Context, string) (api.Service, error) { return service, nil },
		interpreter: func() (api.Service, error) { return service, nil },
	}
	root := c.root()
	root.SetArgs(args)
	status = c.report(root.ExecuteContext(t.Context()))
	return p.text(), status
}
