package guest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// exec runs one program to its end and leaves no process of the cell alive but
// the guest, so that nothing can change the outputs afterwards or hold the
// pipes open.
func (g *server) exec(request wire.Exec, ch *wire.Channel) wire.Exit {
	g.execMu.Lock()
	defer g.execMu.Unlock()
	if request.Launch {
		request = launcher(request)
	}
	path, err := lookPath(request.Argv, request.Env)
	if err != nil {
		return notStarted(err)
	}
	p, err := g.pipes(request, ch)
	if err != nil {
		return notStarted(err)
	}
	program, err := g.start(path, request, p)
	p.closeTheirs()
	if err != nil {
		p.finish()
		return notStartedIn(string(request.Dir), err)
	}
	status := <-program.status
	g.reaper.killAll()
	if request.UID == 0 && !request.Launch {
		g.dirs.forget()
	}
	p.expire()
	p.finish()
	return exitOf(status)
}

// pipes are the streams of a program.
func (g *server) pipes(request wire.Exec, ch *wire.Channel) (*pipes, error) {
	if !request.Direct {
		return newPipes(ch, request.Control)
	}
	if g.direct == nil {
		return nil, errors.New("another program has the streams past the guest")
	}
	p, err := newPipes(ch, false)
	if err != nil {
		return nil, err
	}
	p.theirs = append(p.theirs, g.direct...)
	g.direct = nil
	go p.awaitEnd(ch)
	return p, nil
}

func (g *server) start(path string, request wire.Exec, p *pipes) (*child, error) {
	stdin, err := openStdin(string(request.Stdin))
	if err != nil {
		return nil, err
	}
	if stdin != nil {
		defer stdin.Close()
	}
	attr := &syscall.ProcAttr{
		Dir:   string(request.Dir),
		Env:   wire.Strings(request.Env),
		Files: p.descriptors(stdin),
		Sys: &syscall.SysProcAttr{
			Setsid:     true,
			Credential: credential(request),
		},
	}
	return withoutGain(func() (*child, error) {
		return g.launch(path, wire.Strings(request.Argv), attr, limits{request.NoFile, request.NProc})
	})
}

func credential(request wire.Exec) *syscall.Credential {
	c := &syscall.Credential{Uid: uint32(request.UID), Gid: uint32(request.GID)}
	for _, group := range request.Groups {
		c.Groups = append(c.Groups, uint32(group))
	}
	return c
}

// openStdin opens what a program has as standard input; nil if that is empty. No program of the cell
// has been there before, but its image may hold anything: what is no file could
// make the guest wait.
func openStdin(path string) (*os.File, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err == nil {
		err = unix.SetNonblock(int(f.Fd()), false)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// lookPath finds the program as a shell would, in the PATH of env.
func lookPath(argv, env []wire.Text) (string, error) {
	if len(argv) == 0 || argv[0] == "" {
		return "", errors.New("empty command")
	}
	name := string(argv[0])
	if strings.Contains(name, "/") {
		return name, nil
	}
	for _, variable := range env {
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

// notStartedIn tells a directory that is not there from a program that is not:
// for both the kernel says that there is no such file.
func notStartedIn(dir string, err error) wire.Exit {
	info, failed := os.Stat(dir)
	if errors.Is(failed, fs.ErrNotExist) || failed == nil && !info.IsDir() {
		return wire.Exit{Code: 127, Error: fmt.Sprintf("there is no directory %q to start it in", dir), NoDir: true}
	}
	return notStarted(err)
}

func exitOf(status unix.WaitStatus) wire.Exit {
	if status.Signaled() {
		return wire.Exit{Code: -1, Signal: int(status.Signal())}
	}
	return wire.Exit{Code: status.ExitStatus()}
}
