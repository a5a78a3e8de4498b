package gvisor

import (
	"sync"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/disk"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

const (
	// spacePause is how often the file system of the cells is looked at while
	// there are some.
	spacePause = 10 * time.Millisecond
	// minRoom is what a cell needs on the disk to be of any use, in bytes.
	minRoom = 1 << 20
	// worthwhile is the part of the floor that ending a cell has to give back: to
	// end a small one would not help, if others fill the disk.
	worthwhile = 8
)

// spaceGuard keeps the cells of this process from filling the file system that
// they share with the journal. Each may write what is free above the floor when
// it starts; if all of them together take more, the largest is ended.
type spaceGuard struct {
	dir   string
	space func(dir string) (disk.Space, error)

	mu       sync.Mutex
	cells    map[*instance]struct{}
	watching bool
}

func newSpaceGuard(dir string) *spaceGuard {
	return &spaceGuard{dir: dir, space: disk.SpaceOf, cells: map[*instance]struct{}{}}
}

// room returns how much of limit, in bytes, a new cell may write.
func (g *spaceGuard) room(limit int64) (int64, error) {
	space, err := g.space(g.dir)
	if err != nil {
		return 0, err
	}
	if space.Room() < min(minRoom, limit) {
		return 0, api.Errorf(api.StorageFull, "the disk is nearly full: %s are free for %s, and cells leave %s of them for what is written about runs",
			quantity.FormatSize(space.Free), g.dir, quantity.FormatSize(space.Floor)).WithDetails(api.Details{Limit: space.Floor})
	}
	return min(limit, space.Room()), nil
}

// add watches a cell until it is gone.
func (g *spaceGuard) add(in *instance) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cells[in] = struct{}{}
	if !g.watching {
		g.watching = true
		go every(spacePause, nil, g.look)
	}
}

// look ends the largest cell if there is too little space, and one at a time. It
// returns false when there are no more cells.
func (g *spaceGuard) look() bool {
	space, err := g.space(g.dir)
	g.mu.Lock()
	defer g.mu.Unlock()
	for in := range g.cells {
		if in.gone() {
			delete(g.cells, in)
		}
	}
	g.watching = len(g.cells) > 0
	if err != nil || !space.Critical() {
		return g.watching
	}
	if victim, layer := g.largest(); victim != nil && layer >= space.Floor/worthwhile {
		victim.endForSpace(layer)
	}
	return g.watching
}

// largest returns the cell with the largest layer, unless one is being ended.
func (g *spaceGuard) largest() (victim *instance, most int64) {
	for in := range g.cells {
		if in.noSpace.Load() > 0 {
			return nil, 0
		}
		if layer := in.layer(); layer > most {
			victim, most = in, layer
		}
	}
	return victim, most
}

// layer returns how much the writable layer takes of the disk, in bytes.
func (in *instance) layer() int64 {
	info, err := in.upper.Stat()
	if err != nil { // it is closed, for the cell is gone
		return 0
	}
	stat, _ := info.Sys().(*syscall.Stat_t)
	return stat.Blocks * 512
}

func (in *instance) gone() bool {
	select {
	case <-in.ended:
		return true
	default:
		return false
	}
}

// endForSpace ends the cell because its layer takes too much of the disk.
func (in *instance) endForSpace(layer int64) {
	in.noSpace.Store(layer)
	in.Kill()
}
