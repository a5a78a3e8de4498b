package app

import (
	"math"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/host"
)

func TestWarmBounds(t *testing.T) {
	const gib = 1 << 30
	for name, c := range map[string]struct {
		options host.Options
		cpus    int
		host    int64
		cells   int
		memory  int64
	}{
		"one CPU":           {host.Options{}, 1, 4 * gib, 2, gib / 2},
		"two CPUs":          {host.Options{}, 2, 8 * gib, 4, gib},
		"many CPUs":         {host.Options{}, 64, 512 * gib, 8, 2 * gib},
		"unknown memory":    {host.Options{}, 2, math.MaxInt64, 4, 2 * gib},
		"given":             {host.Options{WarmCells: 100, WarmMemory: 3 * gib}, 2, 8 * gib, 100, 3 * gib},
		"only cells given":  {host.Options{WarmCells: 1}, 2, 8 * gib, 1, gib},
		"only memory given": {host.Options{WarmMemory: 5}, 2, 8 * gib, 4, 5},
		"no cells":          {host.Options{WarmCells: host.NoWarmCells, WarmMemory: gib}, 2, 8 * gib, 0, 0},
		"no memory":         {host.Options{WarmCells: 3, WarmMemory: -1}, 2, 8 * gib, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := warmBounds(c.options, c.cpus, c.host); got.Cells != c.cells || got.Memory != c.memory {
				t.Errorf("%d cells of %d bytes, want %d of %d", got.Cells, got.Memory, c.cells, c.memory)
			}
		})
	}
}
