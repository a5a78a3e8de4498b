package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/embed"
)

// site holds what several groups use. Each thing is made when it is first
// asked for, and what has to be undone is undone by close.
type site struct {
	options
	roots  *peer.Roots
	docker func() (*peer.Docker, error)
	runsc  func() (string, error) // the path of the program
	server func() (*server, error)
	cold   func() (*glove, error) // in this process; starts a cell for each run
	client func() (*pythonClient, error)
	python func() (string, error) // the path of the interpreter

	scratch string
	undo    []func()
}

func newSite(ctx context.Context, o options) (*site, error) {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(o.dir, "session-")
	if err != nil {
		return nil, err
	}
	s := &site{options: o, roots: peer.NewRoots(filepath.Join(o.dir, "roots")), scratch: scratch}
	s.later(func() {
		peer.ForgetRunsc(scratch)
		os.RemoveAll(scratch)
	})
	// Closing must still be possible when ctx has ended.
	s.docker = sync.OnceValues(func() (*peer.Docker, error) {
		d, err := peer.StartDocker(ctx, o.dir)
		if err == nil {
			s.later(d.Close)
		}
		return d, err
	})
	s.runsc = sync.OnceValues(func() (string, error) { return s.buildRunsc(ctx) })
	s.server = sync.OnceValues(func() (*server, error) { return startServer(ctx, s, serverHome) })
	s.cold = sync.OnceValues(func() (*glove, error) { return s.open(coldHome, embed.Options{WarmCells: -1}) })
	s.client = sync.OnceValues(func() (*pythonClient, error) { return startPython(s) })
	s.python = sync.OnceValues(interpreter)
	return s, nil
}

// later keeps what has to be undone, the last first.
func (s *site) later(f func()) { s.undo = append(s.undo, f) }

func (s *site) close() {
	for i := len(s.undo) - 1; i >= 0; i-- {
		s.undo[i]()
	}
}

// build builds a program of the module in dir.
func (s *site) build(ctx context.Context, dir, name, pkg string) (string, error) {
	path, err := filepath.Abs(filepath.Join(s.dir, name))
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-C", dir, "-trimpath", "-ldflags", "-s -w", "-o", path, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	_, err = peer.Output(cmd)
	return path, err
}

// peers are all that run commands, docker first: it is the measure.
func (s *site) peers() []*peer.Peer {
	return []*peer.Peer{s.dockerPeer(), peer.Runc(s.scratch), s.runscPeer(), peer.Bwrap(), peer.Chroot()}
}

func (s *site) dockerPeer() *peer.Peer {
	d, err := s.docker()
	if err != nil {
		return peer.NoDocker(err)
	}
	return d.Peer()
}

func (s *site) runscPeer() *peer.Peer {
	program, err := s.runsc()
	p := peer.Runsc(s.scratch, program)
	if err != nil {
		p.Absent = fmt.Sprintf("it could not be built: %v", err)
	}
	return p
}

// dockerName is what ratios are to.
const dockerName = "docker run"

// peerWays are the ways of peers to do a work that prints want.
func peerWays(ctx context.Context, peers []*peer.Peer, w peer.Work, want string) []way {
	var ways []way
	for _, p := range peers {
		one := way{name: p.Name, what: p.What, against: dockerName, absent: p.Absent}
		if p.Absent == "" {
			one.carryOut(ctx, p, w, want)
		}
		ways = append(ways, one)
	}
	return ways
}

func (w *way) carryOut(ctx context.Context, p *peer.Peer, work peer.Work, want string) {
	once, err := p.Prepare(ctx, work)
	if err != nil {
		w.absent = err.Error()
		return
	}
	w.once = timed(func(ctx context.Context) error {
		printed, err := once(ctx)
		return expect(printed, want, err)
	})
}

// expect checks that what was to be found was found: a contender that is fast
// because it does nothing is none.
func expect(printed, want string, err error) error {
	if err != nil {
		return err
	}
	if got := strings.TrimSpace(printed); got != want {
		return fmt.Errorf("found %.200q, want %q", got, want)
	}
	return nil
}
