package glovebox

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
)

// WarmPool is what is kept ready of one cell class. Glovebox.Service lists
// them.
type WarmPool = api.WarmPool

// KeepWarm keeps so many cells ready for a sandbox, or a deployed one, and for
// every run that needs the same: image, resources, Preload, whether there is a
// network, and the variables that are read when Python starts. The code does not
// count, and neither do inputs, secrets and other variables. It returns when the
// first cell is ready, with its image built, or with why none could be started.
//
// It holds until it is called with another number, of which 0 takes it back, or
// until the process of the engine ends: this one, or that of the server. More
// than Options.WarmCells, or what a server has room for, is not kept.
func (g *Glovebox) KeepWarm(ctx context.Context, task Task, cells int) error {
	definition, _, err := define(task)
	if err != nil {
		return err
	}
	if err := buildcontext.TakeAll(ctx, g.service, definition); err != nil {
		return err
	}
	r := api.WarmRequest{Task: definition, Cells: cells}
	if deployed, ok := task.(Deployed); ok {
		r.Task, r.Name = nil, deployed.ref()
	}
	_, err = g.service.KeepWarm(ctx, r)
	return err
}
