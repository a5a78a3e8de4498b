package cell

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// Freeze stops every program of the cell where it is, the guest included: the cell
// keeps its memory and uses no processor. What is asked of it meanwhile waits for
// Thaw. Its time limit still counts. When ctx ends before that is done, the cell ends.
func (c *Cell) Freeze(ctx context.Context) error {
	if err := c.hold(ctx); err != nil {
		return err
	}
	defer c.letGo()
	return c.asked(c.instance.Freeze(ctx))
}

// Thaw lets the programs of a frozen cell continue, also of one that was saved.
func (c *Cell) Thaw(ctx context.Context) error {
	if err := c.hold(ctx); err != nil {
		return err
	}
	defer c.letGo()
	if err := c.instance.Thaw(ctx); err != nil {
		return c.asked(err)
	}
	return c.converse(ctx)
}

// asked explains why the instance did not do what was asked of it. That need not
// be the end of the cell.
func (c *Cell) asked(err error) error {
	if err == nil {
		return nil
	}
	if context.Cause(c.ctx) == nil && c.mux.Err() == nil {
		return api.AsError(err)
	}
	return c.explain(err)
}
