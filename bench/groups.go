package main

import (
	"context"
	"fmt"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// bench takes the groups one after the other.
type bench struct {
	options
	site *site
}

// group is a subject: what is measured, and how.
type group struct {
	name, title, about string
	take               func(*bench, context.Context, *report.Group) error
}

// groups are all subjects, in the order of the table.
func groups() []group {
	return []group{
		{"oneshot", "One run of `x * 2` in Python",
			"From the call to the result. The peers start Python with the code on its command line and print; Glovebox types and checks inputs and outputs and writes its journal. " +
				"*Warm* takes a cell that was started ahead; between two runs the bench waits until there is another one, and that is not counted.",
			(*bench).oneshot},
		{"numpy", "numpy imported and used",
			"`int(np.arange(1000).sum())`, with the same files of numpy everywhere. *Preloaded* cells have imported it ahead.",
			(*bench).numpy},
		{"command", "One command",
			"`echo 42`: no Python.",
			(*bench).command},
		{"files", "A file in and out",
			"`cp` of the file. Glovebox takes it in and stores the output under its digest, through the guest protocol, without a directory that the cell shares with the host; " +
				"docker and bwrap get such a directory, and neither hash nor store. The digest of each output is checked, not counted.",
			(*bench).files},
		{"throughput", "Sustained runs of `x * 2`",
			fmt.Sprintf("As many at once as the row says, each begun when another ends, in %d slices of time for each way, in turns. The ratio is of runs a second. "+
				"*Warm* here includes starting the cells: they are taken faster than they can be made, and only the first %d of a slice are there before. "+
				"Glovebox has as many cells at once as its default says, two for each processor; other runs wait for one, and their time shows it. docker and runc start all at once.", passes, maxWarm),
			(*bench).throughput},
		{"memory", "Memory that is held while nothing runs",
			"As `smaps_rollup` tells it of all processes of a cell or a container. *Anonymous and shared memory* (`Pss_Anon` and `Pss_Shmem`) is what ends with them, " +
				"also where two processes of one cell map the same page, which `Private_*` leaves out.",
			(*bench).memory},
		{"py", "The interpreter of orchestrators",
			"`py` beside pydantic-monty and CPython, in one process each; all programs are in [bench/py/RESULTS.md](../bench/py/RESULTS.md).",
			(*bench).interpreter},
		{"image", "An image built",
			"On the same base, which both have already: one command, and numpy from the package index. *Cold* steps are new each time, *cached* ones are not. " +
				"`docker build` is the classic builder with the network of the host.",
			(*bench).images},
		{"journal", "What the journal costs",
			"An orchestrator calls a function of this process 500 times, one call after the other; the time is that of a call. More is in [bench/journal/RESULTS.md](../bench/journal/RESULTS.md).",
			(*bench).journal},
	}
}

// take measures a group. What fails is said in it, and the others go on.
func (b *bench) take(ctx context.Context, g group) report.Group {
	out := report.Group{Name: g.name, Title: g.title, About: g.about}
	if err := g.take(b, ctx, &out); err != nil {
		out.Failed = err.Error()
		fmt.Printf("  failed: %v\n", err)
	}
	out.Finish()
	for i := range out.Rows {
		if ctx.Err() == nil {
			show(&out.Rows[i])
		}
	}
	return out
}

func show(r *report.Row) {
	text := "absent"
	if r.Absent == "" {
		text = r.Unit.Text(r.Median)
	}
	fmt.Printf("  %-28s %-32s %12s  %s\n", r.Work, r.Name, text, r.Compared())
}
