// Command value measures what a large value costs the host: a million floats
// through glovebox run, through POST /v1/runs, through a call of a tool, and as a
// result. It takes several programs in turns, so that a change can be held against what
// was before, and counts the process itself, without the cells below it. What the
// same way costs with one float is measured too: the rest is that of the floats.
//
//	go run -C bench ./value -images DIR [-rounds N] [-only WAY] PROGRAM...
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/bench/report"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each program is measured")
	images := flag.String("images", "", "the images of a home that has the default one built")
	floats := flag.Int("floats", 1_000_000, "how many floats a value has")
	only := flag.String("only", "", "a part of the names of the ways that are measured")
	flag.Parse()
	if err := run(flag.Args(), *images, *only, *rounds, *floats); err != nil {
		fmt.Fprintln(os.Stderr, "bench/value:", err)
		os.Exit(1)
	}
}

// cost is what one measurement took.
type cost struct {
	cpu    float64 // seconds of the process
	peak   float64 // MiB that it ever held
	own    float64 // MiB of that at most, as far as it was seen, without the file of the program
	answer float64 // bytes
	result float64 // bytes
}

// subject is what is measured: one program, one way, and a length of the list.
type subject struct {
	way, program string
	floats       int
}

// figures are those of one subject, a cost for each round.
type figures []cost

// median is the median of each part by itself.
func (f figures) median() cost {
	of := func(part func(cost) float64) float64 {
		var samples []float64
		for _, c := range f {
			samples = append(samples, part(c))
		}
		return report.Quantile(samples, .5)
	}
	return cost{
		cpu: of(func(c cost) float64 { return c.cpu }), peak: of(func(c cost) float64 { return c.peak }), own: of(func(c cost) float64 { return c.own }),
		answer: of(func(c cost) float64 { return c.answer }), result: of(func(c cost) float64 { return c.result }),
	}
}

func run(programs []string, images, only string, rounds, floats int) error {
	dir, err := os.MkdirTemp("", "bench-value-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ways := slices.DeleteFunc(slices.Clone(ways), func(w way) bool { return !strings.Contains(w.name, only) })
	taken := map[subject]figures{}
	for range rounds {
		for _, program := range programs {
			for _, way := range ways {
				for _, n := range []int{1, floats} {
					inputs := filepath.Join(dir, "inputs.json")
					if err := os.WriteFile(inputs, valuesOf(n), 0o644); err != nil {
						return err
					}
					c, err := way.measure(&site{program: program, dir: dir, images: images, inputs: inputs, floats: n})
					if err != nil {
						return fmt.Errorf("%s: %s: %w", program, way.name, err)
					}
					s := subject{way.name, program, n}
					taken[s] = append(taken[s], c)
				}
			}
		}
	}
	fmt.Println("way; program; CPU s; of the floats; peak MiB; of the floats; without the program; of the floats; answer bytes; result bytes")
	for _, way := range ways {
		for _, program := range programs {
			all, one := taken[subject{way.name, program, floats}].median(), taken[subject{way.name, program, 1}].median()
			fmt.Printf("%s; %s; %.2f; %.2f; %.0f; %.0f; %.0f; %.0f; %.0f; %.0f\n", way.name, program,
				all.cpu, all.cpu-one.cpu, all.peak, all.peak-one.peak, all.own, all.own-one.own, all.answer, all.result)
		}
	}
	return nil
}
