package main

import (
	"context"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/bench/report"
)

// The code that uses numpy, and its result.
const (
	numpyUse    = "int(np.arange(1000).sum())"
	numpyAnswer = "499500"
)

func (b *bench) numpy(ctx context.Context, g *report.Group) error {
	root, err := b.site.roots.WithNumPy(ctx)
	if err != nil {
		return err
	}
	plain := job{
		sandbox: glovebox.Sandbox{
			Name: "numbers", Code: "import numpy as np\nresult = " + numpyUse, Outputs: []string{"result: int"},
			Image: glovebox.Image{Ref: root.Layout}, Cache: "disable",
		},
		check: wantResult(numpyAnswer),
	}
	preloaded := plain
	preloaded.sandbox.Preload = []string{"numpy"}
	work := peer.Work{Root: root, Argv: []string{"/usr/bin/python3", "-c", "import numpy as np; print(" + numpyUse + ")"}}
	ways := peerWays(ctx, b.site.peers(), work, numpyAnswer)
	ours, err := b.gloves(ctx, plain)
	if err != nil {
		return err
	}
	defer ours.close()
	imported, undo := ours.warm.kept(ctx, preloadedName, "the cell has imported numpy already", preloaded)
	defer undo()
	ways = append(append(ways, ours.ways...), imported)
	g.Rows = inTurns(ctx, numpyWork, b.rounds, ways)
	return ctx.Err()
}
