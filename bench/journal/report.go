package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// results collects the sections of RESULTS.md, and shows each as it comes.
type results struct{ sections strings.Builder }

// section adds a table. Rows begin with the header.
func (r *results) section(title, about string, rows ...[]string) {
	var t strings.Builder
	fmt.Fprintf(&t, "\n## %s\n\n%s\n\n", title, about)
	for i, row := range rows {
		fmt.Fprintf(&t, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			t.WriteString("|---|" + strings.Repeat("---:|", len(row)-1) + "\n")
		}
	}
	fmt.Print(t.String())
	r.sections.WriteString(t.String())
}

func (r *results) text(rounds int) string {
	return fmt.Sprintf("# What the journal costs\n\nWritten by `make bench-journal`: medians of %d rounds in turns, on %s/%s with %d processors, %s.\n",
		rounds, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()) + r.sections.String()
}

func median[T time.Duration | float64](all []T) T {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

// within is what a part of all is at most.
func within(all []time.Duration, part float64) time.Duration {
	return slices.Sorted(slices.Values(all))[int(part*float64(len(all)-1))]
}

func micros(d time.Duration) string  { return fmt.Sprintf("%.1f µs", float64(d)/1e3) }
func millis(d time.Duration) string  { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
func mebibytes(n uint64) string      { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }

// rate is how many of n a second there were.
func rate(n int, took time.Duration) string {
	return fmt.Sprintf("%.0f", float64(n)/took.Seconds())
}
