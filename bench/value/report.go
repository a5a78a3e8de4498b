package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// figures are the costs of one subject, one for each round.
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

// page is RESULTS.md: each way through each program, and what is that of the floats.
func page(ways []way, programs []program, taken map[subject]figures, rounds int, load string) string {
	var t strings.Builder
	t.WriteString("# What a large value costs the host\n\n")
	t.WriteString("Written by `bench/value`. A list of floats takes each way through each program in turns, and so does a list of one float: the\n")
	t.WriteString("difference is the cost *of the floats*, and the rest that of a process that starts, opens a home and runs. The processes\n")
	t.WriteString("themselves are counted, without the cells below them. Of a peak its *own* is what is not the file of the program, as far as it was seen.\n\n")
	fmt.Fprintf(&t, "Medians of %d rounds, %d processors, %s, a load of %s at the beginning.\n", rounds, runtime.NumCPU(), time.Now().UTC().Format(time.DateOnly), load)
	for _, p := range programs {
		fmt.Fprintf(&t, "The program called %s is %s.\n", p.name, p.version)
	}
	fmt.Fprintf(&t, "In brackets is how many times less that is than %s took.\n", programs[0].name)
	t.WriteString("\n| way | program | CPU | of the floats | peak | its own | of the floats | answer | result |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, way := range ways {
		var first struct{ all, floats cost }
		for i, p := range programs {
			all := taken[subject{way.name, p.name, true}].median()
			floats := all.less(taken[subject{way.name, p.name, false}].median())
			if i == 0 {
				first.all, first.floats = all, floats
			}
			fmt.Fprintf(&t, "| %s | %s | %.2f s%s | %.2f s%s | %.0f MiB%s | %.0f MiB%s | %.0f MiB%s | %.0f B | %.0f B |\n", way.name, p.name,
				all.cpu, times(first.all.cpu, all.cpu, i), floats.cpu, times(first.floats.cpu, floats.cpu, i),
				all.peak, times(first.all.peak, all.peak, i), all.own, times(first.all.own, all.own, i), floats.peak, times(first.floats.peak, floats.peak, i),
				all.answer, all.result)
		}
	}
	return t.String()
}

// times says, in brackets, how many times less than the first program a later one takes.
func times(first, later float64, index int) string {
	if index == 0 || later <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f)", first/later)
}

// less is what c takes beyond other.
func (c cost) less(other cost) cost {
	return cost{cpu: c.cpu - other.cpu, peak: c.peak - other.peak, own: c.own - other.own}
}
