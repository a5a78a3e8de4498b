package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/bench/report"
)

// measuredCells is of how many cells the mean is taken.
const measuredCells = 4

// memory measures what is held while nothing runs. Everything is a difference
// to what was there before.
func (b *bench) memory(ctx context.Context, g *report.Group) error {
	err := b.cellMemory(ctx, g)
	return errors.Join(err, b.containerMemory(ctx, g), ctx.Err())
}

// The figures for processes that wait.
const (
	privateWork = "idle Python: Private_*"
	heldWork    = "idle Python: anonymous and shared memory"
	pssWork     = "idle Python: Pss"
	engineWork  = "the engine itself: anonymous memory"

	cellName      = "warm cell"
	containerName = "docker container"
)

// cellMemory measures warm cells of a server that has nothing else to do.
func (b *bench) cellMemory(ctx context.Context, g *report.Group) error {
	base, err := b.site.roots.Base(ctx)
	if err != nil {
		return err
	}
	numbers, err := b.site.roots.WithNumPy(ctx)
	if err != nil {
		return err
	}
	srv, err := startServer(ctx, b.site, idleHome)
	if err != nil {
		return err
	}
	preloaded := double(numbers.Layout)
	preloaded.sandbox.Preload = []string{"numpy"}
	for _, c := range []struct {
		name string
		job  job
	}{{cellName, double(base.Layout)}, {cellName + ", numpy preloaded", preloaded}} {
		if err := idleCells(ctx, srv, g, c.name, c.job); err != nil {
			return err
		}
	}
	own, err := memoryOf([]int{srv.process.Process.Pid})
	g.Rows = append(g.Rows, engineRow("glovebox server", own))
	return err
}

func idleCells(ctx context.Context, srv *server, g *report.Group, name string, j job) error {
	served := srv.glove()
	engine := srv.process.Process.Pid
	before, err := below(engine)
	if err != nil {
		return err
	}
	if err := served.keep(ctx, j, measuredCells); err != nil {
		return err
	}
	defer served.release(ctx, j)
	ready, err := ready(ctx, served.gb)
	if err != nil {
		return err
	}
	after, err := below(engine)
	if err != nil {
		return err
	}
	held, err := memoryOf(without(after, before))
	if err != nil {
		return err
	}
	g.Rows = append(g.Rows, idleRows(name, fmt.Sprintf("mean of %d, each a sandbox with Python up", ready), held, ready)...)
	return nil
}

// ready is how many cells a Glovebox has ready.
func ready(ctx context.Context, gb *glovebox.Glovebox) (int, error) {
	pools, err := gb.Service().WarmPools(ctx)
	n := 0
	for _, p := range pools {
		n += p.Idle
	}
	if err == nil && n == 0 {
		err = errors.New("no cell is ready")
	}
	return n, err
}

// containerMemory measures a container with a Python that waits, with the shim
// that docker has for each.
func (b *bench) containerMemory(ctx context.Context, g *report.Group) error {
	d, err := b.site.docker()
	if err != nil {
		g.Rows = append(g.Rows, report.Row{Work: heldWork, Name: containerName, Absent: err.Error()})
		return nil
	}
	root, err := b.site.roots.Base(ctx)
	if err != nil {
		return err
	}
	image, err := d.Image(ctx, root)
	if err != nil {
		return err
	}
	id, err := peer.Output(d.Command(ctx, "run", "--detach", "--rm", "--network", "none", image, "/usr/bin/python3", "-c", "import time; time.sleep(1e6)"))
	if err != nil {
		return err
	}
	id = strings.TrimSpace(id)
	defer peer.Output(d.Command(context.WithoutCancel(ctx), "kill", id))
	held, err := d.Container(ctx, id)
	if err != nil {
		return err
	}
	m, err := settledMemory(ctx, held)
	if err != nil {
		return err
	}
	own, err := below(d.Process())
	if err != nil {
		return err
	}
	engine, err := memoryOf(own)
	g.Rows = append(g.Rows, idleRows(containerName, "a Python that sleeps, and the shim of the container", m, 1)...)
	g.Rows = append(g.Rows, engineRow("dockerd and containerd", engine))
	return err
}

// settledMemory measures a container from its process down and from its shim,
// which is the parent of that, when two measurements in a row find the same.
func settledMemory(ctx context.Context, process int) (memory, error) {
	shim, err := parentOf(process)
	if err != nil {
		return memory{}, err
	}
	var last memory
	for range 50 {
		all, err := below(shim)
		if err != nil {
			return memory{}, err
		}
		m, err := memoryOf(all)
		if err == nil && m == last {
			return m, nil
		}
		last = m
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return memory{}, ctx.Err()
		}
	}
	return last, nil
}

// idleRows are about one of n processes, or groups of them.
func idleRows(name, what string, m memory, n int) []report.Row {
	row := func(work string, v float64) report.Row {
		return report.Row{Work: work, Name: name, What: what, Unit: report.Mebibytes, Median: v / float64(n), Against: containerName}
	}
	return []report.Row{row(privateWork, m.private), row(heldWork, m.held), row(pssWork, m.pss)}
}

func engineRow(name string, m memory) report.Row {
	return report.Row{Work: engineWork, Name: name, Unit: report.Mebibytes, Median: m.held}
}

func without(all, some []int) []int {
	return slices.DeleteFunc(slices.Clone(all), func(p int) bool { return slices.Contains(some, p) })
}
