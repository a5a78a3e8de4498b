// Package app is the composition root: it turns options into a running system.
// Here, and nowhere else, the parts learn of each other.
package app

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/image"
	"github.com/glovebox-dev/glovebox/internal/runsc"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

// Options say how a system is put together. The zero value is the default.
type Options struct {
	Home      string // directory of all state; empty: $GLOVEBOX_HOME, else in the XDG data directory
	Isolation string // name of the driver; empty: gvisor
	MaxCells  int    // attempts at once; 0: two for each CPU
}

// App is a running system.
type App struct {
	Home    string
	Engine  *engine.Engine
	Images  *image.Service
	Secrets *secret.Store

	driver   cell.Driver
	presence *presence
	closing  sync.Once
}

// Open puts a system together and sweeps away what killed processes left in
// its home. Errors are *api.Error.
func Open(ctx context.Context, o Options) (*App, error) {
	if runsc.IsReexec() {
		return nil, api.Errorf(api.Internal, "this process is part of a cell: its main has to ask package runsc first")
	}
	home, err := findHome(o.Home, os.Getenv)
	if err != nil {
		return nil, err
	}
	if err := prepareHome(home); err != nil {
		return nil, err
	}
	a := &App{Home: home}
	if err := a.wire(o); err != nil {
		return nil, err
	}
	a.presence, err = enter(ctx, home, func() error { return a.sweep(ctx) })
	if err != nil {
		return nil, err
	}
	return a, nil
}

// wire makes the parts and introduces them to each other.
func (a *App) wire(o Options) (err error) {
	if a.driver, err = newDriver(o.Isolation, filepath.Join(a.Home, "cells")); err != nil {
		return err
	}
	if a.Secrets, err = secret.Open(filepath.Join(a.Home, "secrets")); err != nil {
		return err
	}
	if a.Images, err = newImages(a.driver, a.Secrets, filepath.Join(a.Home, "images")); err != nil {
		return err
	}
	runner := sandbox.New(sandbox.Config{
		Driver: a.driver, Images: images{a.Images}, Secrets: a.Secrets.Get, Egress: wayOut, Certificates: certificates,
		Dir: a.runs(),
	})
	a.Engine = engine.New(engine.Config{Sandbox: runner, MaxCells: o.MaxCells})
	return nil
}

func newDriver(name, dir string) (cell.Driver, error) {
	if name != "" && name != "gvisor" {
		return nil, api.Errorf(api.InvalidTask, "there is no isolation %q", name).
			WithHint("use gvisor").WithDetails(api.Details{Field: "isolation", Expected: "gvisor", Got: name})
	}
	return gvisor.New(gvisor.Config{Program: program, Dir: dir})
}

// program is this program, also when its file was replaced or removed.
const program = "/proc/self/exe"

// IsolationVersion returns the version of gVisor.
func IsolationVersion() string { return runsc.Version() }

// Reexec plays the part of a cell, and does not return, if this process was
// started as one. A program that opens a system calls it first.
func Reexec() {
	if runsc.IsReexec() {
		runsc.Main()
	}
}

// runs is where output files go.
func (a *App) runs() string { return filepath.Join(a.Home, "runs") }

// Close releases the home. It may be called more than once.
func (a *App) Close() (err error) {
	a.closing.Do(func() { err = a.presence.leave() })
	return err
}

// sweep removes what killed processes left behind.
func (a *App) sweep(ctx context.Context) error {
	if err := a.driver.Sweep(ctx); err != nil {
		return api.Errorf(api.Internal, "remove what is left of earlier cells: %w", err)
	}
	return sweepRuns(a.runs())
}
