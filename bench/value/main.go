// Command value measures what a large value costs the host: a million floats
// through glovebox run, through POST /v1/runs, and through a call of a tool. It
// takes several programs in turns, so that a change can be held against what
// was before, and counts the process itself, without the cells below it.
//
//	go run -C bench ./value -images DIR [-rounds N] PROGRAM...
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/bench/report"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each program is measured")
	images := flag.String("images", "", "the images of a home that has the default one built")
	floats := flag.Int("floats", 1_000_000, "how many floats a value has")
	flag.Parse()
	if err := run(flag.Args(), *images, *rounds, *floats); err != nil {
		fmt.Fprintln(os.Stderr, "bench/value:", err)
		os.Exit(1)
	}
}

// cost is what one measurement took.
type cost struct {
	cpu    float64 // seconds of the process
	peak   float64 // MiB that it ever held
	answer float64 // bytes
	result float64 // bytes
}

// figures are those of one program and one way, a cost for each round.
type figures []cost

func (f figures) median(of func(cost) float64) float64 {
	var samples []float64
	for _, c := range f {
		samples = append(samples, of(c))
	}
	return report.Quantile(samples, .5)
}

func run(programs []string, images string, rounds, floats int) error {
	dir, err := os.MkdirTemp("", "bench-value-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	inputs := filepath.Join(dir, "inputs.json")
	if err := os.WriteFile(inputs, valuesOf(floats), 0o644); err != nil {
		return err
	}
	taken := map[string]figures{}
	for range rounds {
		for _, program := range programs {
			for _, way := range ways {
				c, err := way.measure(&site{program: program, dir: dir, images: images, inputs: inputs, floats: floats})
				if err != nil {
					return fmt.Errorf("%s: %s: %w", program, way.name, err)
				}
				taken[way.name+program] = append(taken[way.name+program], c)
			}
		}
	}
	fmt.Println("way; program; CPU s; peak MiB; answer bytes; result bytes")
	for _, way := range ways {
		for _, program := range programs {
			f := taken[way.name+program]
			fmt.Printf("%s; %s; %.2f; %.0f; %.0f; %.0f\n", way.name, program,
				f.median(func(c cost) float64 { return c.cpu }), f.median(func(c cost) float64 { return c.peak }),
				f.median(func(c cost) float64 { return c.answer }), f.median(func(c cost) float64 { return c.result }))
		}
	}
	return nil
}
