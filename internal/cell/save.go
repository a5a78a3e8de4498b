package cell

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// Save writes everything that the cell is into the files: its processes with their
// memory, the files in its memory, and its writable layer. Then the cell is frozen,
// so that the caller may either close it or let it continue by Thaw. The files are
// complete but perhaps not on the disk yet, which is what Sync is for. If Save
// fails, the cell runs on.
//
// A conversation that is under way, with a program or with a server outside, ends:
// its caller gets an error. What is asked of the cell later waits until it continues.
// The programs do not notice, except that connections to the proxy break.
//
// The guest is asked for silence first. If ctx ends before it answers, the cell
// lives on; what it does later is not waited for.
func (c *Cell) Save(ctx context.Context, files SavedFiles) (Saved, error) {
	if err := c.hold(ctx); err != nil {
		return Saved{}, err
	}
	if err := c.silence(ctx); err != nil {
		return Saved{}, err
	}
	defer c.letGo()
	saved, err := c.instance.Save(ctx, files)
	if err != nil {
		return Saved{}, errors.Join(c.asked(err), c.converse(c.ctx))
	}
	saved.Direct = c.direct.Load()
	return saved, nil
}

// hold waits until nobody else saves, freezes or thaws the cell, and letGo lets
// others do so.
func (c *Cell) hold(ctx context.Context) error {
	if ctx.Err() != nil {
		return canceled(ctx)
	}
	select {
	case c.saving <- struct{}{}:
		return nil
	case <-c.over:
		return c.explain(errClosed)
	case <-ctx.Done():
		return canceled(ctx)
	}
}

func (c *Cell) letGo() { <-c.saving }

// silence ends the connection to the guest in order, so that nothing is under way.
// If that fails, the cell is let go, at once or when the guest has answered after
// all.
func (c *Cell) silence(ctx context.Context) error {
	if c.mux.silent() {
		return nil // it was saved before, and has not continued
	}
	mux := c.mux.current()
	if err := errors.Join(c.instance.Thaw(ctx), mux.Quiesce()); err != nil {
		defer c.letGo()
		return c.asked(err)
	}
	select {
	case <-mux.Done():
	case <-ctx.Done():
		go func() {
			defer c.letGo()
			<-mux.Done()
			c.converse(c.ctx)
		}()
		return canceled(ctx)
	}
	if !c.mux.silent() {
		defer c.letGo()
		return c.explain(mux.Err())
	}
	return nil
}

// converse begins a new connection to a guest that is silent.
func (c *Cell) converse(ctx context.Context) error {
	if !c.mux.silent() {
		return nil
	}
	return c.greet(ctx, c.newMux(), &wire.Greeting{})
}

// Restore brings up a cell that continues where another one was saved, and returns
// when its guest has answered. It only reads the files, so that there may be any
// number of cells of the same state. Spec is that of the saved cell but for the ID,
// Wall, Serve, Host and Machine. When ctx ends, then or later, the cell is killed.
//
// What must hold: the files are what Save wrote, byte for byte, and came from a cell
// that may do whatever this one may. A kernel decodes them, and takes what is in
// them for its own; the sandbox around it is all that holds then. Whoever keeps
// them where others may write has to authenticate them and Saved together. The
// program is the same build, and the image is the same file: Restore refuses others
// before anything is decoded.
//
// What programs cannot notice by themselves: their random numbers. The kernel gives
// new ones to whom asks it, but generators in memory, hash seeds and addresses are
// those of the saved cell. The guest counts up wire.GenerationFile, for those that look.
func Restore(ctx context.Context, driver Driver, spec Spec, saved Saved, files SavedFiles) (*Cell, error) {
	greeting := &wire.Greeting{Restored: true, Machine: spec.Machine}
	c, err := bring(ctx, spec, greeting, func(spec Spec) (Instance, error) { return driver.Restore(ctx, spec, saved, files) })
	if err != nil {
		return nil, err
	}
	c.direct.Store(saved.Direct)
	if err := c.bind(&owner{ctx: ctx, wall: spec.Wall, serve: spec.Serve}); err != nil {
		return nil, errors.Join(c.explain(err), c.discard())
	}
	return c, nil
}
