package main

import (
	"context"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// The names of Glovebox's own ways.
const (
	coldName      = "Go SDK, cold"
	warmName      = "Go SDK, warm"
	ephemeralName = "Go SDK, warm, ephemeral"
	preloadedName = "Go SDK, warm, preloaded"
	serverName    = "server, Go client, warm"
	pythonName    = "server, Python client, warm"
	scriptName    = "Python script, cold"
	cliName       = "glovebox run"

	pythonEphemeralName = "server, Python client, warm, ephemeral"
)

// oneshot is the work of the first figure: a line of Python.
func (b *bench) oneshot(ctx context.Context, g *report.Group) error {
	root, err := b.site.roots.Base(ctx)
	if err != nil {
		return err
	}
	j := double(root.Layout)
	ways := peerWays(ctx, b.site.peers(), doubles(root), answer)
	ways = append(ways, b.site.commandLine(root.Layout, `{"result":42}`, "-c", "result = x * 2", "-i", "x:int=21", "-o", "result:int"))
	ours, err := b.gloves(ctx, j)
	if err != nil {
		return err
	}
	defer ours.close()
	ways = append(ways, ours.ways...)
	absent := ours.ways[len(ours.ways)-1].absent
	ways = append(ways, b.site.script(root.Layout), b.python(pythonName, "the same from Python", true, j, absent),
		b.python(pythonEphemeralName, "the same from Python, with nothing kept of it", false, j, absent))
	g.Rows = inTurns(ctx, oneshotWork, b.rounds, ways)
	return ctx.Err()
}

// gloves are the ways of Glovebox to do a job.
type gloves struct {
	ways []way
	warm *glove // of the Go SDK
	undo []func()
}

// close gives back the cells that were kept ready, and ends what kept them.
func (g *gloves) close() {
	for i := len(g.undo) - 1; i >= 0; i-- {
		g.undo[i]()
	}
}

// gloves are the ways of the Go SDK, cold and warm, and of the server to do a
// job. The warm one is new, so that it keeps nothing that others have run.
func (b *bench) gloves(ctx context.Context, j job) (*gloves, error) {
	cold, err1 := b.site.cold()
	served, err2 := b.site.served()
	warm, err3 := b.site.warm()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	sdk, undoSDK := warm.kept(ctx, warmName, "from a Go program, a cell that was started ahead", j)
	server, undoServer := served.kept(ctx, serverName, "the same over HTTP, on a Unix socket", j)
	return &gloves{
		ways: []way{
			cold.way(coldName, "from a Go program, a new cell", j), sdk,
			warm.way(ephemeralName, "the same without a run, of which nothing is kept", j.ephemeral()), server,
		},
		warm: warm, undo: []func(){warm.close, undoSDK, undoServer},
	}, nil
}

// python is the way of the Python client of the server, to do what double does
// in the cells that are kept ready for the Go client, unless they are absent.
func (b *bench) python(name, what string, durable bool, j job, absent string) way {
	w := way{name: name, what: what, against: dockerName, absent: absent}
	if absent != "" {
		return w
	}
	client, err := b.site.client()
	if err != nil {
		w.absent = err.Error()
		return w
	}
	served, err := b.site.served()
	if err != nil {
		w.absent = err.Error()
		return w
	}
	w.settle = served.settle
	w.once = func(context.Context) (time.Duration, error) { return client.once(j.sandbox.Image.Ref, durable) }
	return w
}
