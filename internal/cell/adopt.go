package cell

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// owner is the run that a cell belongs to.
type owner struct {
	ctx       context.Context
	wall      time.Duration // 0 means no limit
	serve     func(context.Context, net.Conn)
	cpuBefore func() time.Duration // what the cell had consumed before

	stopCtx   func() bool
	stopTimer func() bool
}

// Adopt makes a cell that was started ahead the cell of one run: it is killed
// when ctx ends, or after wall (0 means no limit), and serve handles what its
// programs send to the proxy. A cell can be adopted once, while it lives.
func (c *Cell) Adopt(ctx context.Context, wall time.Duration, serve func(context.Context, net.Conn)) error {
	o := &owner{ctx: ctx, wall: wall, serve: serve}
	o.cpuBefore = sync.OnceValue(func() time.Duration { return c.instance.Usage().CPU })
	if err := c.bind(o); err != nil {
		return err
	}
	// A cell that takes nothing any more would keep its run here, so it is bound
	// to the run before anything is sent.
	if err := c.wake(); err != nil {
		if cause := context.Cause(c.ctx); cause != nil && !errors.Is(cause, errClosed) {
			return c.explain(err)
		}
		return errEnded()
	}
	go o.cpuBefore() // the run needs it at its end only
	return nil
}

func errEnded() error {
	return api.Errorf(api.CellLost, "the cell ended before a run could have it")
}

func (c *Cell) bind(o *owner) error {
	if o.serve != nil && !c.spec.HasProxy() {
		return api.Errorf(api.Internal, "the cell was started without a proxy, so nothing can be served in it")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended:
		return errEnded()
	case c.owner != nil:
		return api.Errorf(api.Internal, "the cell belongs to a run already")
	}
	c.owner = o
	o.stopCtx = c.endWith(o.ctx)
	if o.wall > 0 {
		o.stopTimer = time.AfterFunc(o.wall, func() { c.cancel(errWall) }).Stop
	}
	return nil
}

// unbind lets go of what waits for the end of the run, and lets no run have the
// cell any more.
func (c *Cell) unbind() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.owner == nil {
		return
	}
	c.owner.stopCtx()
	if c.owner.stopTimer != nil {
		c.owner.stopTimer()
	}
}

// run returns the owner, or one that wants nothing.
func (c *Cell) run() *owner {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owner == nil {
		return &owner{}
	}
	return c.owner
}

func (c *Cell) wall() time.Duration { return c.run().wall }

func (c *Cell) cpuBefore() time.Duration {
	if before := c.run().cpuBefore; before != nil {
		return before()
	}
	return 0
}

// wake makes the cell ready for work that is about to come: the program that
// will get it, or the guest.
func (c *Cell) wake() error {
	if c.direct.Load() {
		c.instance.Program().wake()
		return nil
	}
	return c.mux.Wake()
}
