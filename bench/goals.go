package main

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// goal is a figure to reach.
type goal struct {
	what, want string
	seen       func(*report.Report) (text string, met, measured bool)
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
	fourAtOnce  = "4 at once"
)

var figures = []goal{
	{"warm `x * 2`, the whole way through the Go SDK", "p50 at most 2 ms, p95 at most 10 ms", func(r *report.Report) (string, bool, bool) {
		row := r.Find("oneshot", oneshotWork, warmName)
		if row == nil {
			return "", false, false
		}
		return fmt.Sprintf("p50 %s, p95 %s", row.Unit.Text(row.Median), row.Unit.Text(row.P95)), row.Median <= 2 && row.P95 <= 10, true
	}},
	{"the same against `docker run`", "at least 80 times faster", func(r *report.Report) (string, bool, bool) {
		row := r.Find("oneshot", oneshotWork, warmName)
		if row == nil || row.Ratio == 0 {
			return "", false, false
		}
		return fmt.Sprintf("%.0f times", 1/row.Ratio), 1/row.Ratio >= 80, true
	}},
	{"warm `x * 2` with nothing kept of it", "p50 at most 2 ms, p95 at most 5 ms", func(r *report.Report) (string, bool, bool) {
		row := r.Find("oneshot", oneshotWork, ephemeralName)
		if row == nil {
			return "", false, false
		}
		return fmt.Sprintf("p50 %s, p95 %s", row.Unit.Text(row.Median), row.Unit.Text(row.P95)), row.Median <= 2 && row.P95 <= 5, true
	}},
	{"cold `x * 2` through the Go SDK against `docker run`", "at most 0.4 of its time", func(r *report.Report) (string, bool, bool) {
		row := r.Find("oneshot", oneshotWork, coldName)
		if row == nil || row.Ratio == 0 {
			return "", false, false
		}
		return fmt.Sprintf("%.2f", row.Ratio), row.Ratio <= 0.4, true
	}},
	{"runs a second, four at once, cold against cold", "at least 2 times those of `docker run`, aiming at 3", func(r *report.Report) (string, bool, bool) {
		row := r.Find("throughput", fourAtOnce, coldName)
		if row == nil || row.Ratio == 0 {
			return "", false, false
		}
		return fmt.Sprintf("%.1f times (%.1f a second)", row.Ratio, row.PerSecond), row.Ratio >= 2, true
	}},
	{"numpy imported and used, preloaded and warm", "at most 10 ms", func(r *report.Report) (string, bool, bool) {
		row := r.Find("numpy", numpyWork, preloadedName)
		if row == nil {
			return "", false, false
		}
		return "p50 " + row.Unit.Text(row.Median), row.Median <= 10, true
	}},
	{"an idle warm cell", "at most 40 MB of unshared memory", func(r *report.Report) (string, bool, bool) {
		private, held := r.Find("memory", privateWork, cellName), r.Find("memory", heldWork, cellName)
		if private == nil || held == nil {
			return "", false, false
		}
		worse := max(private.Median, held.Median) * (1 << 20) / 1e6
		return fmt.Sprintf("%.1f MB", worse), worse <= 40, true
	}},
}
