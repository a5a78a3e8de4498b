package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox"
)

// server is a Glovebox server of our own, and the Go client of it.
type server struct {
	url     string
	home    string
	process *exec.Cmd
	gb      *glovebox.Glovebox
}

// startServer starts a server with a home of its own, which is new.
func startServer(ctx context.Context, s *site, name string) (*server, error) {
	// The path of a socket is limited to 108 bytes, so it is not below dir.
	state, err := os.MkdirTemp("", "glovebox-bench-")
	if err != nil {
		return nil, err
	}
	s.later(func() { os.RemoveAll(state) })
	log, err := os.Create(filepath.Join(s.dir, name+".log"))
	if err != nil {
		return nil, err
	}
	s.later(func() { log.Close() })
	home := filepath.Join(s.scratch, name)
	address := "unix:" + filepath.Join(state, "server.sock")
	cmd := exec.Command(s.program, "serve", "--listen", address, "--warm-cells", strconv.Itoa(maxWarm))
	cmd.Env = append(os.Environ(), "GLOVEBOX_HOME="+home)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ended below, and not by a key pressed at the terminal
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	s.later(func() { end(cmd.Process, ended) })
	srv := &server{url: "unix://" + filepath.Join(state, "server.sock"), home: home, process: cmd}
	if srv.gb, err = dial(ctx, srv.url, ended); err != nil {
		return nil, fmt.Errorf("the server does not answer; its log is %s: %w", log.Name(), err)
	}
	s.later(func() { srv.gb.Close() })
	return srv, nil
}

// patience is how long a process may take to start or to end.
const patience = 30 * time.Second

func end(p *os.Process, ended <-chan struct{}) {
	_ = p.Signal(os.Interrupt) // it may have ended
	select {
	case <-ended:
	case <-time.After(patience):
		_ = p.Kill()
		<-ended
	}
}

// dial waits until there is a server, or none any more.
func dial(ctx context.Context, url string, ended <-chan struct{}) (*glovebox.Glovebox, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		gb, err := glovebox.Dial(ctx, url, glovebox.DialOptions{})
		if err == nil {
			return gb, nil
		}
		select {
		case <-tick.C:
		case <-ended:
			return nil, err
		case <-ctx.Done():
			return nil, err
		}
	}
}
