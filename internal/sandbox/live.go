package sandbox

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// live are the cells in which attempts are.
type live struct {
	mu    sync.Mutex
	cells map[*liveCell]bool
}

// liveCell is a cell that one attempt has. Its use is read under the lock, so that it is
// not while the cell is being closed.
type liveCell struct {
	mu    sync.Mutex
	known api.LiveCell
	usage func() cell.Usage // nil when the attempt has left it
}

// enter notes that an attempt has a cell, until leave is called.
func (l *live) enter(known api.LiveCell, usage func() cell.Usage) (leave func()) {
	c := &liveCell{known: known, usage: usage}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cells == nil {
		l.cells = map[*liveCell]bool{}
	}
	l.cells[c] = true
	return func() {
		l.mu.Lock()
		delete(l.cells, c)
		l.mu.Unlock()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.usage = nil
	}
}

// look returns what a cell uses now, unless its attempt has left it.
func (c *liveCell) look() (api.LiveCell, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.usage == nil {
		return api.LiveCell{}, false
	}
	used, now := c.usage(), c.known
	now.CPU, now.Memory = used.CPU, used.Memory
	return now, true
}

// Cells lists the cells in which attempts are, in no order.
func (r *Runner) Cells() []api.LiveCell {
	r.live.mu.Lock()
	cells := slices.Collect(maps.Keys(r.live.cells))
	r.live.mu.Unlock()
	var all []api.LiveCell
	for _, c := range cells {
		if now, here := c.look(); here {
			all = append(all, now)
		}
	}
	return all
}

// known is what is to be said of the cell of an attempt.
func (a *attempt) known() api.LiveCell {
	c := a.cells.Class
	return api.LiveCell{
		Run: a.id, Task: a.task.Name, Image: c.Image, ImageName: c.ImageName, Warm: a.result.Usage.Warm, Began: time.Now().UTC(), Resources: c.Resources,
	}
}
