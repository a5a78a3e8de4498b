// Command py compares the interpreter with pydantic-monty and with CPython: the
// same programs in the same run, in turns whose order rotates, so that whatever
// else the machine does hits all of them. It writes RESULTS.md beside itself.
//
//	make bench-py
//
// It needs python3 and, the first time, the Python package index, from which it
// installs pydantic-monty into an environment of its own. The CPython that it
// compares with is 3.13 where there is one.
package main

import (
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/bench/report"
)

//go:embed programs/*.py agent.py peer.py
var files embed.FS

// gcPercent is Go's garbage collection target in our process: that of a host
// which grants tens of megabytes to each instance, and would not have the
// collector run after every four.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
	rounds := flag.Int("rounds", 9, "how often each contender runs each program")
	only := flag.String("only", "", "a regular expression: the programs to run; RESULTS.md stays as it is")
	dir := flag.String("dir", ".build/bench-py", "where the Python environment of the peer is kept")
	keep := flag.Bool("keep", false, "RESULTS.md stays as it is")
	found := flag.String("json", "", "where to write what was found, for make bench")
	flag.Parse()
	if err := run(*rounds, *only, *dir, *keep, *found); err != nil {
		fmt.Fprintln(os.Stderr, "bench/py:", err)
		os.Exit(1)
	}
}

func run(rounds int, only, dir string, keep bool, found string) error {
	programs, err := readPrograms(only)
	if err != nil {
		return err
	}
	contenders, err := start(dir)
	if err != nil {
		return err
	}
	defer func() {
		for _, c := range contenders {
			c.close()
		}
	}()
	b := &bench{rounds: rounds, contenders: contenders}
	if err := b.compute(programs); err != nil {
		return err
	}
	if only == "" {
		if err := b.parts(programs); err != nil {
			return err
		}
	}
	if found != "" {
		if err := report.WriteGroup(found, b.group()); err != nil {
			return err
		}
	}
	return b.write(only == "" && !keep)
}

// contender runs programs.
type contender interface {
	name() string // with the version
	// run runs a program once and returns how long its function run took,
	// and what it returned, as Python writes it.
	run(source string) (time.Duration, string, error)
	// parts measures single operations: seconds or bytes by name. The first
	// source is compiled; by the others the cost of limits is measured.
	parts(agent string, programs []string) (map[string]float64, error)
	close()
}

// start starts the contenders, our own first.
func start(dir string) ([]contender, error) {
	cpython, err := startPeer(cpython313(), "cpython")
	if err != nil {
		return nil, err
	}
	python, err := environment(dir)
	if err != nil {
		return nil, err
	}
	monty, err := startPeer(python, "monty")
	if err != nil {
		return nil, err
	}
	return []contender{&own{}, monty, cpython}, nil
}

// readPrograms returns the sources by name.
func readPrograms(only string) (map[string]string, error) {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "programs/*.py")
	if err != nil {
		return nil, err
	}
	programs := map[string]string{}
	for _, name := range names {
		source, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if short := strings.TrimSuffix(path.Base(name), ".py"); wanted.MatchString(short) {
			programs[short] = string(source)
		}
	}
	return programs, nil
}

type bench struct {
	rounds     int
	contenders []contender
	rows       []row
	single     []map[string]float64 // of each contender
}

// row is one program: the times of each contender, or why it has none.
type row struct {
	name   string
	took   [][]time.Duration
	refuse []error
}

// compute runs every program in turns; each round begins with another contender.
func (b *bench) compute(programs map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		n := len(b.contenders)
		r := row{name: name, took: make([][]time.Duration, n), refuse: make([]error, n)}
		values := make([]string, n)
		for round := range b.rounds {
			for i := range n {
				who := (i + round) % n
				took, value, err := b.contenders[who].run(programs[name])
				r.took[who], values[who], r.refuse[who] = append(r.took[who], took), value, err
			}
		}
		if err := r.agree(values); err != nil {
			return err
		}
		b.rows = append(b.rows, r)
		fmt.Println(b.line(r))
	}
	return nil
}

// agree checks that all who ran the program found the same.
func (r *row) agree(values []string) error {
	want := values[len(values)-1] // CPython's
	for i, v := range values {
		if r.refuse[i] == nil && v != want {
			return fmt.Errorf("%s: contender %d returned %.200s, CPython %.200s", r.name, i, v, want)
		}
	}
	return nil
}

// limited are the programs by which the cost of limits is measured.
var limited = []string{"loop_sum", "calls", "dict_str", "list_comp", "matmul", "group_by"}

func (b *bench) parts(programs map[string]string) error {
	agent, err := files.ReadFile("agent.py")
	if err != nil {
		return err
	}
	var sources []string
	for _, name := range limited {
		sources = append(sources, programs[name])
	}
	for _, c := range b.contenders {
		found, err := c.parts(string(agent), sources)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		b.single = append(b.single, found)
	}
	return nil
}
