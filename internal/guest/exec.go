package guest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// exec runs one program to its end and leaves no process of the cell alive but
// the guest, so that nothing can change the outputs afterwards or hold the
// pipes open.
func (g *server) exec(request wire.Exec, ch *wire.Channel) wire.Exit {
	g.execMu.Lock()
	defer g.execMu.Unlock()
	path, err := lookPath(request)
	if err != nil {
		return notStarted(err)
	}
	out, err := newPipes(ch)
	if err != nil {
		return notStarted(err)
	}
	wait, err := g.start(path, request, out)
	out.closeWriters()
	if err != nil {
		out.drain()
		return notStarted(err)
	}
	status := <-wait
	g.reaper.killAll()
	out.expire()
	out.drain()
	return exitOf(status)
}

func (g *server) start(path string, request wire.Exec, out *pipes) (<-chan unix.WaitStatus, error) {
	restore, err := lowerLimits(request, g.uncounted)
	if err != nil {
		return nil, err
	}
	defer restore()
	return g.reaper.start(path, wire.Strings(request.Argv), &syscall.ProcAttr{
		Dir: string(request.Dir),
		Env: wire.Strings(request.Env),
		// Descriptor 0 of the guest is the null device.
		Files: []uintptr{0, out.writers[0].Fd(), out.writers[1].Fd()},
		Sys: &syscall.SysProcAttr{
			Setsid:     true,
			Credential: &syscall.Credential{Uid: uint32(request.UID), Gid: uint32(request.GID)},
		},
	})
}

// lookPath finds the program as a shell would, in the PATH of the request.
func lookPath(request wire.Exec) (string, error) {
	if len(request.Argv) == 0 || request.Argv[0] == "" {
		return "", errors.New("empty command")
	}
	name := string(request.Argv[0])
	if strings.Contains(name, "/") {
		return name, nil
	}
	for _, variable := range request.Env {
		dirs, found := strings.CutPrefix(string(variable), "PATH=")
		if !found {
			continue
		}
		for dir := range strings.SplitSeq(dirs, ":") {
			candidate := dir + "/" + name
			if info, err := os.Stat(candidate); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return candidate, nil
			}
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

func notStarted(err error) wire.Exit {
	code := 126
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		code = 127
	}
	return wire.Exit{Code: code, Error: err.Error()}
}

func exitOf(status unix.WaitStatus) wire.Exit {
	if status.Signaled() {
		return wire.Exit{Code: -1, Signal: int(status.Signal())}
	}
	return wire.Exit{Code: status.ExitStatus()}
}

// pipes carries a program's output to the host.
type pipes struct {
	readers [2]*os.File
	writers [2]*os.File
	copies  sync.WaitGroup
}

func newPipes(ch *wire.Channel) (*pipes, error) {
	p := &pipes{}
	for stream := range p.writers {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeWriters()
			return nil, fmt.Errorf("pipe: %w", err)
		}
		p.readers[stream], p.writers[stream] = r, w
		p.copies.Go(func() { copyStream(ch, stream, r) })
	}
	return p, nil
}

// copyStream reads on when the host has gone, so that the program never blocks
// on a full pipe.
func copyStream(ch *wire.Channel, stream int, r *os.File) {
	defer r.Close()
	buf := make([]byte, 32<<10)
	var sendErr error
	read := r.Read
	for {
		n, err := read(buf)
		if n > 0 && sendErr == nil {
			_, sendErr = ch.WriteStream(stream, buf[:n])
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			read, err = readerOfRest(r)
		}
		if err != nil {
			return
		}
	}
}

// readerOfRest reads what is in a pipe and does not wait for more.
func readerOfRest(r *os.File) (func([]byte) (int, error), error) {
	raw, err := r.SyscallConn()
	if err != nil {
		return nil, err
	}
	return func(p []byte) (n int, err error) {
		controlErr := raw.Control(func(fd uintptr) {
			for n, err = unix.Read(int(fd), p); errors.Is(err, unix.EINTR); {
				n, err = unix.Read(int(fd), p)
			}
		})
		if n == 0 && err == nil {
			err = io.EOF
		}
		return max(n, 0), errors.Join(err, controlErr)
	}, nil
}

// expire lets the pipes end although something holds them open: a descriptor
// that a program has sent into a socket outlives the program if the socket
// itself was sent too. What is in the pipes is still read.
func (p *pipes) expire() {
	for _, r := range p.readers {
		r.SetReadDeadline(time.Now())
	}
}

func (p *pipes) closeWriters() {
	for _, w := range p.writers {
		if w != nil {
			w.Close()
		}
	}
}

// drain waits until everything the program wrote has been handed over.
func (p *pipes) drain() { p.copies.Wait() }
