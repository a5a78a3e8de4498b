package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// part is a single operation of the second table.
type part struct {
	name, what string
	target     string // of the issue, for our own
	bytes      bool
}

var parts = []part{
	{name: "compile_run", what: "compile and run `1+1`", target: "3 µs"},
	{name: "run_only", what: "run a compiled `1+1`", target: "0.35 µs"},
	{name: "compile_agent", what: "compile an agent program of 17 lines", target: "45 µs"},
	{name: "host_warm_session", what: "`1+1` as a host of Monty sees it: a session that is there"},
	{name: "host_new_session", what: "the same in a new session of a warm pool"},
	{name: "host_cold", what: "the same, with the pool started"},
	{name: "tool_call", what: "a tool call, paused and resumed by the host", target: "0.5 µs"},
	{name: "tool_callback", what: "a tool call through a callback"},
	{name: "dump_small", what: "dump a small paused program", target: "1.5 µs"},
	{name: "load_small", what: "load a small paused program", target: "2 µs"},
	{name: "size_small", what: "size of a small paused program", target: "200 B", bytes: true},
	{name: "dump_10k", what: "dump a program paused with 10,000 strings (CPython: pickle)", target: "0.25 ms"},
	{name: "load_10k", what: "load a program paused with 10,000 strings", target: "0.5 ms"},
	{name: "size_10k", what: "size of a program paused with 10,000 strings", bytes: true},
	{name: "memory_small", what: "memory that a small paused instance keeps", target: "10 KB", bytes: true},
	{name: "memory_10k", what: "memory of one paused with 10,000 strings", bytes: true},
	{name: "limits_cost", what: "cost of limits: geometric mean of on against off", target: "1.05"},
}

func (b *bench) write(full bool) error {
	report := b.report()
	fmt.Print("\n" + report)
	if !full {
		return nil
	}
	return os.WriteFile(filepath.Join("bench", "py", "RESULTS.md"), []byte(report), 0o644)
}

func (b *bench) report() string {
	var t strings.Builder
	fmt.Fprintf(&t, "# The interpreter beside Monty and CPython\n\nWritten by `make bench-py`: medians of %d rounds in turns, on %s/%s with %d processors, %s.\n",
		b.rounds, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	t.WriteString("Times are taken inside each process around the call of `run()`: no pipe, no start and no compilation counts.\n")
	fmt.Fprintf(&t, "Our process runs with GOGC=%d, as a host of many instances would.\n\n", gcPercent)
	t.WriteString("| program |")
	for _, c := range b.contenders {
		t.WriteString(" " + c.name() + " |")
	}
	t.WriteString(" Monty to ours | ours to CPython |\n|---|" + strings.Repeat("---:|", len(b.contenders)+2) + "\n")
	for _, r := range b.rows {
		t.WriteString(b.line(r) + "\n")
	}
	fmt.Fprintf(&t, "\nGeometric means: Monty to ours %.2f, ours to CPython %.2f.\n", b.mean(1, 0), b.mean(0, 2))
	b.refusals(&t)
	if b.single != nil {
		b.writeParts(&t)
	}
	return t.String()
}

func (b *bench) line(r row) string {
	cells := []string{r.name}
	for i := range r.took {
		cells = append(cells, r.cell(i))
	}
	return "| " + strings.Join(append(cells, ratio(r, 1, 0), ratio(r, 0, 2)), " | ") + " |"
}

func (r *row) cell(i int) string {
	if r.refuse[i] != nil {
		return "cannot"
	}
	return fmt.Sprintf("%.2f ms", float64(r.median(i))/1e6)
}

func (r *row) median(i int) time.Duration {
	sorted := slices.Sorted(slices.Values(r.took[i]))
	return sorted[len(sorted)/2]
}

func ratio(r row, above, below int) string {
	if r.refuse[above] != nil || r.refuse[below] != nil {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(r.median(above))/float64(r.median(below)))
}

// mean is the geometric mean of the ratios of two contenders over the programs
// that both ran.
func (b *bench) mean(above, below int) float64 {
	sum, n := 0.0, 0.0
	for _, r := range b.rows {
		if r.refuse[above] == nil && r.refuse[below] == nil {
			sum += math.Log(float64(r.median(above)) / float64(r.median(below)))
			n++
		}
	}
	return math.Exp(sum / n)
}

func (b *bench) refusals(t *strings.Builder) {
	for _, r := range b.rows {
		for i, err := range r.refuse {
			if err != nil {
				fmt.Fprintf(t, "\n%s cannot run %s: %v\n", b.contenders[i].name(), r.name, err)
			}
		}
	}
}

func (b *bench) writeParts(t *strings.Builder) {
	t.WriteString("\n## Single operations\n\n| what |")
	for _, c := range b.contenders {
		t.WriteString(" " + c.name() + " |")
	}
	t.WriteString(" target |\n|---|" + strings.Repeat("---:|", len(b.contenders)+1) + "\n")
	for _, p := range parts {
		t.WriteString("| " + p.what + " |")
		for _, found := range b.single {
			t.WriteString(" " + p.text(found) + " |")
		}
		t.WriteString(" " + p.target + " |\n")
	}
}

func (p part) text(found map[string]float64) string {
	v, ok := found[p.name]
	switch {
	case !ok:
		return ""
	case p.name == "limits_cost":
		return fmt.Sprintf("%.3f", v)
	case p.bytes:
		return fmt.Sprintf("%.0f B", v)
	default:
		return fmt.Sprintf("%.3g µs", v*1e6)
	}
}
