package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/bench/report"
)

// atOnce are the numbers of runs at once, and at which of them peers run too.
var atOnce = []struct {
	n     int
	peers bool
}{{1, true}, {2, false}, {4, true}, {8, false}, {16, true}, {32, false}, {64, false}}

// passes is in how many parts the time of a way is divided, so that all ways
// see the same of what else the machine does.
const passes = 2

func (b *bench) throughput(ctx context.Context, g *report.Group) error {
	root, err := b.site.roots.Base(ctx)
	if err != nil {
		return err
	}
	j := double(root.Layout)
	cold, err1 := b.site.cold()
	warm, err2 := b.site.warm()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	defer warm.close()
	// Runs that find no cell ready start one, and that counts.
	ours := []way{cold.way(coldName, "a new cell for each run", j), warm.loaded(warmName, "cells are started ahead, and replaced while runs go on", j)}
	if err := warm.keep(ctx, j, maxWarm); err != nil {
		ours[1].absent = err.Error()
	}
	peers := peerWays(ctx, []*peer.Peer{b.site.dockerPeer(), peer.Runc(b.site.scratch), b.site.runscPeer()}, doubles(root), answer)
	for _, c := range atOnce {
		ways := ours
		if c.peers {
			ways = append(append([]way{}, peers...), ours...)
		}
		g.Rows = append(g.Rows, b.floods(ctx, fmt.Sprintf("%d at once", c.n), c.n, ways)...)
	}
	return ctx.Err()
}

// floods has each way do as much as it can, in turns.
func (b *bench) floods(ctx context.Context, work string, n int, ways []way) []report.Row {
	rows := make([]report.Row, len(ways))
	took := make([]time.Duration, len(ways))
	for i, w := range ways {
		rows[i] = report.Row{Work: work, Name: w.name, What: w.what, Unit: report.Milliseconds, Against: w.against, Absent: w.absent}
	}
	for range passes {
		for i, w := range ways {
			if rows[i].Absent != "" || ctx.Err() != nil {
				continue
			}
			f := flood{once: w.once}
			elapsed, err := f.run(ctx, n, b.seconds/passes)
			if err == nil && w.settle != nil {
				err = w.settle(ctx)
			}
			if err != nil {
				rows[i].Absent = "failed: " + err.Error()
				continue
			}
			took[i] += elapsed
			rows[i].Samples = append(rows[i].Samples, f.samples...)
			rows[i].PerSecond = float64(len(rows[i].Samples)) / took[i].Seconds()
		}
	}
	return rows
}

// flood does a work by many at once.
type flood struct {
	once func(context.Context) (time.Duration, error)

	mu      sync.Mutex
	samples []float64
	err     error
}

// run begins new ones for the given time, and returns how long it took until
// the last has ended.
func (f *flood) run(ctx context.Context, n int, d time.Duration) (time.Duration, error) {
	began := time.Now()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for time.Since(began) < d && f.one(ctx) {
			}
		})
	}
	wg.Wait()
	return time.Since(began), f.err
}

// one tells whether it is worth to go on.
func (f *flood) one(ctx context.Context) bool {
	took, err := f.once(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.err = errors.Join(f.err, err)
		return false
	}
	f.samples = append(f.samples, milliseconds(took))
	return f.err == nil && ctx.Err() == nil
}
