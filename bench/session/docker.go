package main

import (
	"context"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/bench/peer"
)

// containers are the sessions of docker, the peer.
type containers struct {
	daemon *peer.Docker
	image  string
}

// startContainers starts a daemon whose images are below dir, with an image of
// Debian and Python.
func startContainers(ctx context.Context, dir string) (*containers, error) {
	root, err := peer.NewRoots(filepath.Join(dir, "roots")).Base(ctx)
	if err != nil {
		return nil, err
	}
	daemon, err := peer.StartDocker(ctx, dir)
	if err != nil {
		return nil, err
	}
	image, err := daemon.Image(ctx, root)
	if err != nil {
		daemon.Close()
		return nil, err
	}
	return &containers{daemon, image}, nil
}

func (c *containers) close() { c.daemon.Close() }

// timeStart adds how long a container takes that can be used, if there is docker.
func (c *containers) timeStart(ctx context.Context, samples *[]float64) error {
	if c == nil {
		return nil
	}
	var id string
	took, err := milliseconds(func() (err error) { id, err = c.daemon.StartContainer(ctx, c.image); return err })
	if err != nil {
		return err
	}
	*samples = append(*samples, took)
	return c.daemon.Remove(ctx, id)
}

// used calls f with a container, whose id is empty without docker.
func (c *containers) used(ctx context.Context, f func(id string) error) error {
	if c == nil {
		return f("")
	}
	id, err := c.daemon.StartContainer(ctx, c.image)
	if err != nil {
		return err
	}
	defer c.daemon.Remove(ctx, id)
	return f(id)
}

// timeExec adds how long a command takes in a container.
func (c *containers) timeExec(ctx context.Context, id string, samples *[]float64) error {
	if c == nil {
		return nil
	}
	took, err := milliseconds(func() error { return c.daemon.Exec(ctx, id, "/bin/true") })
	*samples = append(*samples, took)
	return err
}

// timeFork adds how long a container takes with the files of another one.
func (c *containers) timeFork(ctx context.Context, id string, samples *[]float64) error {
	if c == nil {
		return nil
	}
	var fork, image string
	took, err := milliseconds(func() (err error) { fork, image, err = c.daemon.Fork(ctx, id); return err })
	if err != nil {
		return err
	}
	*samples = append(*samples, took)
	if err := c.daemon.Remove(ctx, fork); err != nil {
		return err
	}
	return c.daemon.RemoveImage(ctx, image)
}
