// Package gvisor is the default driver: each cell is a gVisor sandbox, started
// from this very program, without a daemon and without root.
//
// The sandbox reads its image and writes its private layer through descriptors
// it was started with; it has no file proxy, no network device and no
// directory of the host. As root its limits are those of a cgroup. Where
// cgroups cannot be used, memory is watched and processors are assigned, so
// that the same limits hold.
package gvisor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// Config is what a driver needs to know of its surroundings.
type Config struct {
	// Program is the path of a program that hands over to package runsc when
	// it is executed again: this one, or glovebox.
	Program string
	// Dir is a private directory for the cells.
	Dir string
}

// Driver starts gVisor cells. It is safe for concurrent use.
type Driver struct {
	config Config
	limits func() limiter // how limits are enforced on this host, found out by trying
	guest  func() (*os.File, error)

	program func() (*os.File, error) // what a sandbox executes
	starter func() *starter
	build   func() (string, error) // of what saved cells are bound to
	space   *spaceGuard
}

var _ cell.Driver = (*Driver)(nil)

// New makes a driver. What the host offers is tried out when it is first needed.
func New(config Config) (*Driver, error) {
	if err := os.MkdirAll(config.Dir, 0o700); err != nil {
		return nil, dirError(config.Dir, err)
	}
	return &Driver{
		config: config, limits: sync.OnceValue(findLimiter), guest: sync.OnceValues(guestFile),
		program: sync.OnceValues(func() (*os.File, error) { return openProgram(config.Program) }),
		starter: sync.OnceValue(newStarter), build: sync.OnceValues(build), space: newSpaceGuard(config.Dir),
	}, nil
}

// dirError is the error of a directory for the cells that cannot be made.
func dirError(dir string, err error) error {
	e := api.Errorf(api.Internal, "making the directory of the cells: %w", err)
	if e.Code == api.Internal { // such as a file in its place
		e = api.Errorf(api.IsolationUnavailable, "making the directory of the cells: %w", err).WithHint("move away what is at %s", dir)
	}
	return e
}

// Name implements cell.Driver.
func (d *Driver) Name() string { return "gvisor" }

var validID = lazyregexp.New(`^[a-z0-9][a-z0-9-]{0,40}$`)

// Start implements cell.Driver.
func (d *Driver) Start(ctx context.Context, spec cell.Spec) (cell.Instance, error) {
	return d.bring(ctx, spec, nil)
}

// bring starts a cell, or restores one.
func (d *Driver) bring(ctx context.Context, spec cell.Spec, from *restored) (cell.Instance, error) {
	if !validID().MatchString(spec.ID) {
		return nil, api.Errorf(api.Internal, "cell id %q is not of the form [a-z0-9-]+", spec.ID)
	}
	spec.Resources = spec.Resources.WithDefaults()
	if err := d.limits().accepts(spec.Resources); err != nil {
		return nil, api.AsError(err)
	}
	instance, err := d.launch(ctx, spec, from)
	// The kernel says the same of a user that may have no further namespaces.
	if errors.Is(err, syscall.ENOSPC) && !errors.Is(err, &api.Error{Code: api.IsolationUnavailable}) {
		return nil, api.Errorf(api.StorageFull, "starting the cell: %w", err)
	}
	return instance, err
}

// cellDir makes the private directory of one cell, with a lock that lives as
// long as this process: Sweep removes only what is not locked.
func (d *Driver) cellDir(id string) (dir string, lock *os.File, err error) {
	dir = filepath.Join(d.config.Dir, id)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", nil, fmt.Errorf("directory of the cell: %w", err)
	}
	if lock, err = lockFile(filepath.Join(dir, "lock")); err != nil {
		os.RemoveAll(dir)
	}
	return dir, lock, err
}

func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return f, nil
}

// Sweep implements cell.Driver. A cell whose owner is gone is dead already:
// the kernel killed its sandbox with it.
// What is left is a directory and a cgroup.
func (d *Driver) Sweep(context.Context) error {
	entries, err := os.ReadDir(d.config.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var failures []error
	for _, entry := range entries {
		if isCell(entry) {
			failures = append(failures, d.sweepCell(entry.Name()))
		}
	}
	return errors.Join(failures...)
}

// isCell reports whether an entry of the directory of cells is one. Others are
// left alone.
func isCell(entry fs.DirEntry) bool { return entry.IsDir() && validID().MatchString(entry.Name()) }

func (d *Driver) sweepCell(id string) error {
	dir := filepath.Join(d.config.Dir, id)
	lock, err := lockFile(filepath.Join(dir, "lock"))
	switch {
	case errors.Is(err, unix.EWOULDBLOCK), errors.Is(err, fs.ErrNotExist):
		return nil // a live cell, or one that was removed meanwhile
	case err != nil:
		return err
	}
	defer lock.Close()
	return errors.Join(d.limits().remove(id), os.RemoveAll(dir))
}
