package main

import (
	"context"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/bench/report"
)

func (b *bench) command(ctx context.Context, g *report.Group) error {
	root, err := b.site.roots.Base(ctx)
	if err != nil {
		return err
	}
	argv := []string{"/bin/echo", answer}
	j := job{
		sandbox: glovebox.Sandbox{Name: "echo", Command: argv, Image: glovebox.Image{Ref: root.Layout}, Cache: "disable"},
		check:   func(r *glovebox.Result) error { return expect(string(r.Stdout), answer, nil) },
	}
	ways := peerWays(ctx, b.site.peers(), peer.Work{Root: root, Argv: argv}, answer)
	ours, err := b.gloves(ctx, j)
	if err != nil {
		return err
	}
	defer ours.close()
	g.Rows = inTurns(ctx, commandWork, b.rounds, append(ways, ours.ways...))
	return ctx.Err()
}
