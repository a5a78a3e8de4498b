package main

import (
	"fmt"
	"math"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// group is what was found, as make bench shows it: the means of all programs
// and the single operations; the programs are beside the table.
func (b *bench) group() *report.Group {
	g := &report.Group{}
	means := fmt.Sprintf("%d programs, geometric mean", b.shared())
	for i, c := range b.contenders {
		g.Rows = append(g.Rows, report.Row{Work: means, Name: c.name(), Unit: report.Milliseconds, Median: b.geometric(i), Against: b.against(i)})
	}
	for _, p := range parts {
		g.Rows = append(g.Rows, b.operation(p)...)
	}
	for _, r := range b.rows {
		g.Beside = append(g.Beside, b.program(r)...)
	}
	return g
}

// against is what the times of a contender are compared with: ours with
// Monty's, CPython's with ours.
func (b *bench) against(i int) string {
	switch i {
	case 0:
		return b.contenders[1].name()
	case 2:
		return b.contenders[0].name()
	}
	return ""
}

// ran tells whether all contenders ran a program.
func (r *row) ran() bool {
	for _, err := range r.refuse {
		if err != nil {
			return false
		}
	}
	return true
}

func (b *bench) shared() (n int) {
	for _, r := range b.rows {
		if r.ran() {
			n++
		}
	}
	return n
}

// geometric is the mean time of the programs that all ran, in milliseconds.
func (b *bench) geometric(i int) float64 {
	sum := 0.0
	for _, r := range b.rows {
		if r.ran() {
			sum += math.Log(float64(r.median(i)) / 1e6)
		}
	}
	return math.Exp(sum / float64(b.shared()))
}

func (b *bench) program(r row) []report.Row {
	var rows []report.Row
	for i, c := range b.contenders {
		one := report.Row{Work: r.name, Name: c.name(), Unit: report.Milliseconds, Against: b.against(i)}
		if r.refuse[i] != nil {
			one.Absent = r.refuse[i].Error()
		}
		for _, took := range r.took[i] {
			one.Samples = append(one.Samples, float64(took)/1e6)
		}
		rows = append(rows, one)
	}
	return rows
}

// operation is a part that we have too, by each contender that has it.
func (b *bench) operation(p part) []report.Row {
	var rows []report.Row
	if b.single == nil {
		return nil
	}
	if _, ok := b.single[0][p.name]; !ok {
		return nil
	}
	for i, found := range b.single {
		v, ok := found[p.name]
		if !ok {
			continue
		}
		row := report.Row{Work: p.what, Name: b.contenders[i].name(), Unit: report.Milliseconds, Median: v * 1e3, Against: b.against(i)}
		switch {
		case p.name == "limits_cost":
			row.Unit, row.Median = report.Number, v
		case p.bytes:
			row.Unit, row.Median = report.Bytes, v
		}
		rows = append(rows, row)
	}
	return rows
}
