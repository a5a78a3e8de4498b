package main

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// goal is a figure to reach.
type goal struct {
	what, want string
	seen       seen
}

// goals tells which figures were reached.
func goals(r *report.Report) []report.Goal {
	var all []report.Goal
	for _, g := range figures {
		text, met, measured := g.seen(r)
		if !measured {
			text = ""
		}
		all = append(all, report.Goal{What: g.what, Want: g.want, Seen: text, Met: measured && met})
	}
	return all
}

const (
	oneshotWork = "`x * 2`"
	numpyWork   = "`import numpy`, use it"
	commandWork = "`echo 42`"
	fourAtOnce  = "4 at once"
)

// seen finds a figure in a report; measured is false if it is not there.
type seen func(*report.Report) (text string, met, measured bool)

// latency wants a median and a 95th percentile of at most so many milliseconds.
func latency(group, work, name string, p50, p95 float64) seen {
	return func(r *report.Report) (string, bool, bool) {
		row := r.Find(group, work, name)
		if row == nil {
			return "", false, false
		}
		return fmt.Sprintf("p50 %s, p95 %s", row.Unit.Text(row.Median), row.Unit.Text(row.P95)), row.Median <= p50 && row.P95 <= p95, true
	}
}

// median wants a median of at most so many milliseconds.
func median(group, work, name string, most float64) seen {
	return func(r *report.Report) (string, bool, bool) {
		row := r.Find(group, work, name)
		if row == nil {
			return "", false, false
		}
		return "p50 " + row.Unit.Text(row.Median), row.Median <= most, true
	}
}

// against wants a median of at most so much of that of another row.
func against(group, work, name, other string, most float64) seen {
	return func(r *report.Report) (string, bool, bool) {
		row, to := r.Find(group, work, name), r.Find(group, work, other)
		if row == nil || to == nil || to.Median == 0 {
			return "", false, false
		}
		ratio := row.Median / to.Median
		return fmt.Sprintf("%.2f", ratio), ratio <= most, true
	}
}

var figures = []goal{
	{"warm `x * 2`, the whole way through the Go SDK", "p50 at most 2 ms, p95 at most 10 ms", latency("oneshot", oneshotWork, warmName, 2, 10)},
	{"the same against `docker run`", "at least 80 times faster", func(r *report.Report) (string, bool, bool) {
		row := r.Find("oneshot", oneshotWork, warmName)
		if row == nil || row.Ratio == 0 {
			return "", false, false
		}
		return fmt.Sprintf("%.0f times", 1/row.Ratio), 1/row.Ratio >= 80, true
	}},
	{"warm `x * 2` with nothing kept of it", "p50 at most 2 ms, p95 at most 5 ms", latency("oneshot", oneshotWork, ephemeralName, 2, 5)},
	{"the same through a server and the Python client", "p50 at most 3 ms", median("oneshot", oneshotWork, pythonEphemeralName, 3)},
	{"a warm command through the Go SDK, with nothing kept of it", "p50 at most 5 ms", median("command", commandWork, ephemeralName, 5)},
	{"cold `x * 2` through the Go SDK against `docker run`", "at most 0.4 of its time", against("oneshot", oneshotWork, coldName, dockerName, 0.4)},
	{"a new Python process with one cold `x * 2` against `docker run`", "at most 0.7 of its time", against("oneshot", oneshotWork, scriptName, dockerName, 0.7)},
	{"`glovebox run`, cold, against the Go SDK", "at most 1.15 of its time", against("oneshot", oneshotWork, cliName, coldName, 1.15)},
	{"runs a second, four at once, cold against cold", "at least 2 times those of `docker run`, aiming at 3", func(r *report.Report) (string, bool, bool) {
		row := r.Find("throughput", fourAtOnce, coldName)
		if row == nil || row.Ratio == 0 {
			return "", false, false
		}
		return fmt.Sprintf("%.1f times (%.1f a second)", row.Ratio, row.PerSecond), row.Ratio >= 2, true
	}},
	{"numpy imported and used, preloaded and warm", "p50 at most 10 ms", median("numpy", numpyWork, preloadedName, 10)},
	{"an idle warm cell", "at most 40 MB of unshared memory", func(r *report.Report) (string, bool, bool) {
		private, held := r.Find("memory", privateWork, cellName), r.Find("memory", heldWork, cellName)
		if private == nil || held == nil {
			return "", false, false
		}
		worse := max(private.Median, held.Median) * (1 << 20) / 1e6
		return fmt.Sprintf("%.1f MB", worse), worse <= 40, true
	}},
}
