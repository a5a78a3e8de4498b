package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/glovebox-dev/glovebox/bench/peer"
	"github.com/glovebox-dev/glovebox/bench/report"
)

// interpreter and journal have programs of their own, since they measure parts
// that no face of Glovebox shows. What those find becomes a group of the table.
func (b *bench) interpreter(ctx context.Context, g *report.Group) error {
	args := []string{"-dir", filepath.Join(b.dir, "py")}
	if !b.full {
		args = append(args, "-keep")
	}
	if b.quick {
		args = append(args, "-rounds", "1")
	}
	return b.part(ctx, g, "py", args...)
}

func (b *bench) journal(ctx context.Context, g *report.Group) error {
	return b.part(ctx, g, "journal", "-dir", filepath.Join(b.dir, "journal"), "-only", "^calls$", "-rounds", strconv.Itoa(min(b.rounds, 7)))
}

// part runs the program of a part and takes over what it found.
func (b *bench) part(ctx context.Context, g *report.Group, name string, args ...string) error {
	program, err := b.site.build(ctx, "bench", "bench-"+name, "./"+name)
	if err != nil {
		return err
	}
	found := filepath.Join(b.site.scratch, name+".json")
	cmd := exec.CommandContext(ctx, program, append(args, "-json", found)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	if _, err := peer.Output(cmd); err != nil {
		return err
	}
	part, err := report.ReadGroup(found)
	if err != nil {
		return err
	}
	g.Rows, g.Beside, g.Notes = part.Rows, part.Beside, part.Notes
	return nil
}
