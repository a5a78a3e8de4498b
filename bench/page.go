package main

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// tried is what no figure of a session tells: what the other benchmarks reached,
// and what was tried where a figure was not.
//
//go:embed tried.md
var tried string

// performance is docs/PERFORMANCE.md.
func performance(r *report.Report) string {
	var t strings.Builder
	fmt.Fprintf(&t, `# Performance

Written by %[1]smake bench%[1]s on %[2]s, in %[3]s. All contenders of a work run on one machine in one session, in turns: each round in another
order, so that whatever else the machine does hits all of them. Figures hold for this machine; the ratios are what to
take elsewhere. Every sample is in [bench/results.json](../bench/results.json).

`, "`", r.Began.UTC().Format("2 January 2006, 15:04 MST"), r.Ended.Sub(r.Began).Round(time.Second))
	t.WriteString("![Glovebox beside docker, runc, runsc, bwrap and plain Python](../bench/results.svg)\n\n## Figures to reach\n\n")
	t.WriteString(r.GoalTable())
	t.WriteString(tried)
	t.WriteString("\n## The machine\n\n" + machineTable(&r.Machine))
	t.WriteString("\n## The table\n\n")
	fmt.Fprintf(&t, "*n* is how many samples the row is made of: usually %d rounds, after one for the caches that does not count. *Compared* is the ratio of\n"+
		"the medians, or of the runs a second where there are any. *Absent* contenders could not be measured.\n\n", r.Rounds)
	t.WriteString(r.Table())
	t.WriteString("\n## What is measured, and what not\n\n")
	for _, g := range r.Groups {
		fmt.Fprintf(&t, "- **%s.** %s\n", g.Title, g.About)
		for _, n := range g.Notes {
			fmt.Fprintf(&t, "  %s\n", n)
		}
	}
	t.WriteString("\n## The contenders\n\n" + contenders(r))
	t.WriteString(remarks)
	return t.String()
}

// contenders says what is behind each name.
func contenders(r *report.Report) string {
	var t strings.Builder
	written := map[string]bool{}
	for _, g := range r.Groups {
		for _, row := range g.Rows {
			if line := fmt.Sprintf("- **%s**: %s\n", row.Name, row.What); row.What != "" && !written[line] {
				written[line] = true
				t.WriteString(line)
			}
		}
	}
	return t.String()
}

const remarks = `
All cold ways use the same root file system: a Debian of mmdebstrap with Python, as a docker image, as an OCI image for Glovebox, and
unpacked for the others. It is in the page cache; how long images take to be pulled is not measured. docker has a daemon of its own
with its usual storage driver and without iptables and bridge, which makes it faster. A cell of Glovebox has limits of memory, CPU, processes, disk
and time; docker, runc, runsc and bwrap run without any. The cache of results is off. Between two runs the bench waits, uncounted,
until used cells are gone and pools are full again, so that no contender pays for another; in the table of throughput everything counts.

## How to repeat

` + "```console" + `
# make bench
` + "```" + `

It needs root and a Debian or Ubuntu, from which it installs docker.io, runc, bubblewrap and mmdebstrap, and takes less than half an hour.
` + "`make bench BENCH=\"-quick -only oneshot,numpy\"`" + ` measures some of it with few rounds and writes to .build/bench instead.
`

func machineTable(m *report.Machine) string {
	var t strings.Builder
	t.WriteString("| | |\n|---|---|\n")
	row := func(name, value string) {
		if value == "" {
			value = "absent"
		}
		fmt.Fprintf(&t, "| %s | %s |\n", name, value)
	}
	row("processor", fmt.Sprintf("%s, %d cores", m.CPU, m.Cores))
	row("memory", fmt.Sprintf("%.1f GiB", float64(m.Memory)/(1<<30)))
	row("kernel", m.Kernel)
	for _, v := range m.Versions {
		row(v.Program, v.Version)
	}
	row("load of 1, 5 and 15 minutes at the start", loads(m.LoadBegan))
	row("at the end, which the bench has caused", loads(m.LoadEnded))
	return t.String()
}

func loads(l [3]float64) string { return fmt.Sprintf("%.2f, %.2f, %.2f", l[0], l[1], l[2]) }

// panels are what the picture shows.
func panels(r *report.Report) []report.Panel {
	shown := []struct{ group, work, title string }{
		{"oneshot", oneshotWork, "One run of x * 2 in Python"},
		{"numpy", numpyWork, "numpy imported and used"},
		{"command", commandWork, "echo"},
		{"files", "1 MB in and out", "1 MB in and out"},
		{"files", "100 MB in and out", "100 MB in and out"},
		{"throughput", fourAtOnce, "Runs a second, four at once"},
		{"memory", heldWork, "Memory of an idle Python"},
	}
	var all []report.Panel
	for _, s := range shown {
		if p, ok := panel(r, s.group, s.work); ok {
			p.Title = s.title
			all = append(all, p)
		}
	}
	return all
}

func panel(r *report.Report, group, work string) (report.Panel, bool) {
	p := report.Panel{Note: "median, logarithmic axis, shorter is better", Ours: isOurs}
	for _, g := range r.Groups {
		for _, row := range g.Rows {
			if g.Name != group || row.Work != work || row.Absent != "" {
				continue
			}
			if row.PerSecond > 0 {
				p.Note = "logarithmic axis, longer is better"
			}
			p.Rows = append(p.Rows, row)
		}
	}
	return p, len(p.Rows) > 0
}

// isOurs tells our ways from those of peers.
func isOurs(r report.Row) bool {
	for _, name := range []string{coldName, warmName, ephemeralName, preloadedName, serverName, pythonName, pythonEphemeralName, scriptName, cliName, cellName, cellName + ", numpy preloaded"} {
		if r.Name == name {
			return true
		}
	}
	return false
}
