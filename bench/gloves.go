package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/embed"
)

// job is a work for Glovebox.
type job struct {
	sandbox glovebox.Sandbox
	inputs  glovebox.Values
	options []glovebox.RunOption
	check   func(*glovebox.Result) error
}

// ephemeral is the job with nothing kept of it.
func (j job) ephemeral() job {
	j.options = []glovebox.RunOption{glovebox.WithDurability(glovebox.Ephemeral)}
	return j
}

// The homes of a session, which are new, so that every session finds the same.
const (
	coldHome   = "cold"
	warmHome   = "warm"
	serverHome = "server"
	idleHome   = "idle"
)

// How many cells are kept ready of one class where runs are one after the other,
// and of all classes. That many are the default of a host with four processors.
const (
	keptWarm = 2
	maxWarm  = 8
)

// glove is a Glovebox and how to wait until it does nothing.
type glove struct {
	gb   *glovebox.Glovebox
	home string
	warm bool // whether runs get cells that were started ahead
}

// open opens a Glovebox in this process.
func (s *site) open(home string, o embed.Options) (*glove, error) {
	o.Home = filepath.Join(s.scratch, home)
	gb, err := embed.Open(o)
	if err != nil {
		return nil, err
	}
	g := &glove{gb: gb, home: o.Home, warm: o.WarmCells >= 0}
	s.later(g.close)
	return g, nil
}

// warm opens one that keeps cells ready.
func (s *site) warm() (*glove, error) { return s.open(warmHome, embed.Options{WarmCells: maxWarm}) }

// close may be called more than once.
func (g *glove) close() { _ = g.gb.Close() } // what it leaves behind is the scratch's

// served is the Glovebox of the server, which keeps cells ready.
func (s *site) served() (*glove, error) {
	srv, err := s.server()
	if err != nil {
		return nil, err
	}
	return srv.glove(), nil
}

func (srv *server) glove() *glove { return &glove{gb: srv.gb, home: srv.home, warm: true} }

// way is that of a glove to do a job when nothing else is done. A cell that is
// cold where warm ones are kept, or the other way round, is a failure.
func (g *glove) way(name, what string, j job) way {
	return g.wayOf(name, what, func(ctx context.Context) error {
		warm, err := g.run(ctx, j)
		if err == nil && warm != g.warm {
			err = fmt.Errorf("the cell was warm: %t, want %t", warm, g.warm)
		}
		return err
	})
}

// loaded is the same for many at once, which may find no cell ready.
func (g *glove) loaded(name, what string, j job) way {
	return g.wayOf(name, what, func(ctx context.Context) error {
		_, err := g.run(ctx, j)
		return err
	})
}

func (g *glove) wayOf(name, what string, once func(context.Context) error) way {
	return way{name: name, what: what, against: dockerName, settle: g.settle, once: timed(once)}
}

// run does a job once, and tells whether the cell was started ahead.
func (g *glove) run(ctx context.Context, j job) (warm bool, err error) {
	result, err := g.gb.Run(ctx, j.sandbox, j.inputs, j.options...)
	if err != nil {
		return false, err
	}
	return result.Usage.Warm, j.check(result)
}

// keep has n cells ready for a job before it returns; 0 takes them back.
func (g *glove) keep(ctx context.Context, j job, n int) error {
	if err := g.gb.KeepWarm(ctx, j.sandbox, n); err != nil {
		return err
	}
	return g.settle(ctx)
}

// kept is the way of a glove that keeps cells ready for the job, until undo.
func (g *glove) kept(ctx context.Context, name, what string, j job) (w way, undo func()) {
	w = g.way(name, what, j)
	if err := g.keep(ctx, j, keptWarm); err != nil {
		w.absent = err.Error()
		return w, func() {}
	}
	return w, func() { g.release(ctx, j) }
}

// release takes the cells of a job back.
func (g *glove) release(ctx context.Context, j job) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer stop()
	_ = g.keep(ctx, j, 0) // they end with the session in any case
}

// settle waits until the pools are as full as they are to be and every cell that
// was used is gone.
func (g *glove) settle(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		state, quiet, err := g.state(ctx)
		if quiet || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("it is still at work after the run: %s", state)
		}
	}
}

// state tells whether nothing is under way.
func (g *glove) state(ctx context.Context) (string, bool, error) {
	pools, err := g.pools(ctx)
	if err != nil {
		return "", false, err
	}
	idle, wanted, starting := 0, 0, 0
	for _, p := range pools {
		idle, wanted, starting = idle+p.Idle, wanted+p.Wanted, starting+p.Starting
	}
	cells, err := os.ReadDir(filepath.Join(g.home, "cells"))
	if err != nil {
		return "", false, err
	}
	state := fmt.Sprintf("%d cells ready of %d, %d starting, %d directories", idle, wanted, starting, len(cells))
	return state, idle == wanted && starting == 0 && len(cells) == idle, nil
}

func (g *glove) pools(ctx context.Context) ([]glovebox.WarmPool, error) {
	if !g.warm {
		return nil, nil
	}
	return g.gb.Service().WarmPools(ctx)
}

// answer is what runs of `x * 2` find.
const answer = "42"

// double is the work of one shot.
func double(image string) job {
	return job{
		sandbox: glovebox.Sandbox{
			Name: "double", Code: "result = x * 2", Inputs: []string{"x: int"}, Outputs: []string{"result: int"},
			Image: glovebox.Image{Ref: image}, Cache: "disable",
		},
		inputs: glovebox.Values{"x": 21},
		check:  wantResult(answer),
	}
}

// wantResult checks the output of the name result, an int.
func wantResult(want string) func(*glovebox.Result) error {
	return func(r *glovebox.Result) error {
		n, err := glovebox.Get[int](r, "result")
		return expect(fmt.Sprint(n), want, err)
	}
}

// doubles is the same work for peers.
func doubles(root *peer.Root) peer.Work {
	return peer.Work{Root: root, Argv: []string{"/usr/bin/python3", "-c", "x = 21; print(x * 2)"}}
}

// program is the command line of Glovebox, used once for each run.
func (s *site) commandLine(image string, want string, args ...string) way {
	argv := append([]string{"run", "--cache", "disable", "--image", image}, args...)
	once := func(ctx context.Context) error {
		cmd := exec.CommandContext(ctx, s.program, argv...)
		cmd.Env = append(os.Environ(), "GLOVEBOX_HOME="+filepath.Join(s.scratch, coldHome))
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it removes its cell
		cmd.WaitDelay = patience
		printed, err := peer.Output(cmd)
		return expect(printed, want, err)
	}
	return way{name: cliName, what: "the command line, cold: the whole program, for one run", against: dockerName, once: timed(once)}
}
