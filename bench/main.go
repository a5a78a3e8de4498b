// Command bench compares Glovebox with its peers: the same work in the same
// root file system, in turns, so that whatever else the machine does hits all
// of them. It prints one table, writes results.json and results.svg beside
// itself, and docs/PERFORMANCE.md.
//
//	make bench BENCH="-quick -only oneshot,command"
//
// It needs root, mmdebstrap and, for the peers, docker.io, runc and bubblewrap.
// Peers that are not there are named as absent.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/bench/report"
	"github.com/glovebox-dev/glovebox/embed"
)

func main() {
	embed.Init()
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(o)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures until it is done or interrupted, and undoes what it has started.
func run(o options) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A reader of the output may end, as head does; and a cell may end while it
	// gets its job.
	signal.Ignore(syscall.SIGPIPE)
	site, err := newSite(ctx, o)
	if err != nil {
		return err
	}
	defer site.close()
	r := report.Report{Began: time.Now(), Rounds: o.rounds, Machine: machine()}
	b := &bench{options: o, site: site}
	for _, g := range o.groups {
		fmt.Printf("\n%s\n", g.title)
		r.Groups = append(r.Groups, b.take(ctx, g))
		if ctx.Err() != nil {
			return context.Cause(ctx) // half a table is none
		}
	}
	r.Machine.LoadEnded, r.Machine.Versions = load(), site.versions(ctx)
	r.Ended = time.Now()
	r.Goals = goals(&r)
	return publish(o, &r)
}

// publish prints the table and, if everything was measured, writes the files.
func publish(o options, r *report.Report) error {
	fmt.Printf("\n%s\n%s", r.GoalTable(), r.Table())
	out := o.dir
	if o.full {
		out = "bench"
	}
	picture := report.SVG("Glovebox and its peers, side by side", panels(r))
	if err := errors.Join(r.Write(filepath.Join(out, "results.json")), os.WriteFile(filepath.Join(out, "results.svg"), []byte(picture), 0o644)); err != nil {
		return err
	}
	page := filepath.Join(o.dir, "PERFORMANCE.md")
	if o.full {
		page = filepath.Join("docs", "PERFORMANCE.md")
	}
	if err := os.WriteFile(page, []byte(performance(r)), 0o644); err != nil {
		return err
	}
	fmt.Printf("\nwritten: %s, %s\n", page, filepath.Join(out, "results.{json,svg}"))
	return failures(r)
}

// failures makes groups that failed the error of the whole.
func failures(r *report.Report) error {
	var failed []string
	for _, g := range r.Groups {
		if g.Failed != "" {
			failed = append(failed, g.Name)
		}
	}
	if failed == nil {
		return nil
	}
	return fmt.Errorf("these groups failed, see the table: %s", strings.Join(failed, ", "))
}
