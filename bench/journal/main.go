// Command journal measures what the journal costs: calls of a function of this
// process by an orchestrator, journalled durably and not at all, in turns; and
// how the engine behaves with many runs. It writes RESULTS.md beside itself.
//
//	make bench-journal
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/pprof"

	"github.com/glovebox-dev/glovebox/bench/report"
)

func main() {
	rounds := flag.Int("rounds", 7, "how often each contender runs")
	only := flag.String("only", "", "a regular expression: the measures to take; RESULTS.md stays as it is")
	dir := flag.String("dir", ".build/bench-journal", "where databases are made; it should be on the disk to be measured")
	profile := flag.String("cpuprofile", "", "where to write a profile of the processor time")
	found := flag.String("json", "", "where to write the times of calls, for make bench")
	flag.Parse()
	if err := profiled(*profile, func() error { return run(*rounds, *only, *dir, *found) }); err != nil {
		fmt.Fprintln(os.Stderr, "bench/journal:", err)
		os.Exit(1)
	}
}

// profiled runs f and writes a profile of it, if there is a path for one.
func profiled(path string, f func() error) error {
	if path == "" {
		return f()
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

// bench takes the measures one after the other.
type bench struct {
	ctx    context.Context
	rounds int
	dir    string // on the disk
	memory string // a directory whose files are in memory: syncing them costs nothing
	report results
	found  report.Group // for make bench
}

// measure adds a section to the report.
type measure struct {
	name string
	take func(*bench) error
}

var measures = []measure{
	{"disk", (*bench).disk},
	{"single", (*bench).single},
	{"calls", (*bench).calls},
	{"gather", (*bench).gather},
	{"concurrent", (*bench).concurrent},
	{"queued", (*bench).queued},
	{"inputs", (*bench).inputs},
	{"lists", (*bench).lists},
	{"resume", (*bench).resume},
}

func run(rounds int, only, dir, found string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	b := &bench{ctx: context.Background(), rounds: rounds}
	if b.dir, err = os.MkdirTemp(dir, "run-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.memory, err = os.MkdirTemp("/dev/shm", "bench-journal-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.memory)
	for _, m := range measures {
		if !wanted.MatchString(m.name) {
			continue
		}
		if err := m.take(b); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	if found != "" {
		if err := report.WriteGroup(found, &b.found); err != nil {
			return err
		}
	}
	if only != "" {
		return nil
	}
	return os.WriteFile(filepath.Join("bench", "journal", "RESULTS.md"), []byte(b.report.text(rounds)), 0o644)
}
