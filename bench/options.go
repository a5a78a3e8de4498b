package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	rounds  int
	seconds time.Duration // of each cell of the table of throughput
	quick   bool
	full    bool // everything is measured, as it is to be published
	groups  []group
	program string
	dir     string
}

// The numbers of a whole session, which takes less than 25 minutes.
const (
	wholeRounds = 30
	wholeTime   = 10 * time.Second
	quickRounds = 3
	quickTime   = time.Second
)

func parse(args []string) (options, error) {
	var o options
	var only string
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.IntVar(&o.rounds, "rounds", 0, fmt.Sprintf("how often each contender does each work; 0 means %d", wholeRounds))
	fs.BoolVar(&o.quick, "quick", false, "few rounds, to see that it works; what is published stays as it is")
	fs.StringVar(&only, "only", "", "the groups to measure, with commas: "+strings.Join(names(), ", ")+"; what is published stays as it is")
	fs.StringVar(&o.program, "program", "bin/glovebox", "the program to measure")
	fs.StringVar(&o.dir, "dir", ".build/bench", "where root file systems and homes are kept between sessions")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	if o.rounds < 0 {
		return o, fmt.Errorf("-rounds is %d, want a positive number, or 0 for the default", o.rounds)
	}
	o.full = !o.quick && only == ""
	o.fill()
	var err error
	if o.groups, err = chosen(only); err != nil {
		return o, err
	}
	return o, o.absolute()
}

// fill sets the numbers that were not given.
func (o *options) fill() {
	rounds, seconds := wholeRounds, wholeTime
	if o.quick {
		rounds, seconds = quickRounds, quickTime
	}
	o.seconds = seconds
	if o.rounds == 0 {
		o.rounds = rounds
	}
}

func (o *options) absolute() (err error) {
	if o.program, err = filepath.Abs(o.program); err != nil {
		return err
	}
	o.dir, err = filepath.Abs(o.dir)
	return err
}

// some is the number of rounds of works that take seconds: a third, and at
// least three unless fewer were asked for.
func (o *options) some() int { return max(min(o.rounds, 3), o.rounds/3) }

func names() []string {
	var all []string
	for _, g := range groups() {
		all = append(all, g.name)
	}
	return all
}

// chosen are the groups with the given names; none means all.
func chosen(only string) ([]group, error) {
	if only == "" {
		return groups(), nil
	}
	wanted := strings.Split(only, ",")
	for _, name := range wanted {
		if !slices.Contains(names(), name) {
			return nil, fmt.Errorf("-only names %q, want some of %s", name, strings.Join(names(), ", "))
		}
	}
	return slices.DeleteFunc(groups(), func(g group) bool { return !slices.Contains(wanted, g.name) }), nil
}
