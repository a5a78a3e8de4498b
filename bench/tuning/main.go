// Command tuning measures what each mechanism of package tuning gains: it takes
// the figure that the mechanism is for, with it and without it in turns, so that
// both see the same of what else the machine does.
//
//	go run -C bench ./tuning -home DIR [-only REGEXP] [-rounds N]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/glovebox-dev/glovebox/bench/report"
	"github.com/glovebox-dev/glovebox/internal/runsc"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

func main() {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
	rounds := flag.Int("rounds", 40, "how often each side is measured")
	only := flag.String("only", "", "a regular expression: what is measured")
	home := flag.String("home", "", "a directory whose images have the default one built; homes are made below it")
	flag.Parse()
	if err := run(context.Background(), *home, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench/tuning:", err)
		os.Exit(1)
	}
}

// comparison is one figure of one mechanism.
type comparison struct {
	mechanism tuning.Mechanism
	figure    string
	take      func(b *bench, ctx context.Context, side side) (float64, error)
	more      bool // whether more is better
	busy      int  // how many other processes want a processor
	slow      bool // a few rounds do
}

// side is one of the two that are compared.
type side struct {
	name string // "with" or "without"
	off  string // what is switched off
}

func run(ctx context.Context, home string, rounds int, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	b := &bench{home: home}
	defer b.close()
	fmt.Println("mechanism; figure; with (quartiles); without (quartiles); gain; gain of pairs (quartiles)")
	for _, c := range comparisons {
		name := string(c.mechanism) + ": " + c.figure
		if !wanted.MatchString(name) {
			continue
		}
		if err := c.measure(ctx, b, rounds); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// measure takes both sides in turns, the first of a round changing from round to
// round, and once before for the caches.
func (c comparison) measure(ctx context.Context, b *bench, rounds int) error {
	if c.slow {
		rounds = max(3, rounds/4)
	}
	end, err := load(c.busy)
	if err != nil {
		return err
	}
	defer end()
	sides := [2]side{{name: "with"}, {name: "without", off: "-" + string(c.mechanism)}}
	var samples [2][]float64
	for round := range rounds + 2 {
		for turn := range 2 {
			at := (round + turn) % 2
			if err := tuning.Set(sides[at].off); err != nil {
				return err
			}
			time.Sleep(50 * time.Millisecond)
			figure, err := c.take(b, ctx, sides[at])
			if err != nil {
				return err
			}
			if round >= 2 {
				samples[at] = append(samples[at], figure)
			}
		}
	}
	c.print(samples[0], samples[1])
	return nil
}

func (c comparison) print(with, without []float64) {
	var pairs []float64
	for i := range with {
		pairs = append(pairs, c.gain(with[i], without[i]))
	}
	fmt.Printf("%s; %s; %s; %s; %.1f %%; %s; n=%d\n", c.mechanism, c.figure, spread(with), spread(without),
		c.gain(report.Quantile(with, .5), report.Quantile(without, .5)), spread(pairs), len(with))
}

// gain is by how much with is better, in percent of without.
func (c comparison) gain(with, without float64) float64 {
	if c.more {
		return 100 * (with/without - 1)
	}
	return 100 * (1 - with/without)
}

func spread(samples []float64) string {
	return fmt.Sprintf("%.2f (%.2f to %.2f)", report.Quantile(samples, .5), report.Quantile(samples, .25), report.Quantile(samples, .75))
}
