package main

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/bench/report"
)

func measured(warm, p95, docker float64) *report.Report {
	rows := []report.Row{
		{Work: oneshotWork, Name: dockerName, Unit: report.Milliseconds, Samples: []float64{docker}, Against: dockerName},
		{Work: oneshotWork, Name: warmName, Unit: report.Milliseconds, Samples: []float64{warm, warm, p95}, Against: dockerName},
	}
	g := report.Group{Name: "oneshot", Title: "one | shot", About: "about", Rows: rows}
	g.Finish()
	return &report.Report{Groups: []report.Group{g}}
}

func TestGoals(t *testing.T) {
	for name, c := range map[string]struct {
		warm, p95, docker float64
		latency, ratio    bool
	}{
		"reached":      {2, 10, 160, true, true},
		"slow":         {2.1, 9, 400, false, true},
		"slow at last": {1, 10.1, 400, false, true},
		"not so fast":  {2, 10, 159, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			all := goals(measured(c.warm, c.p95, c.docker))
			if all[0].Met != c.latency || all[1].Met != c.ratio {
				t.Errorf("got %+v and %+v, want %t and %t", all[0], all[1], c.latency, c.ratio)
			}
			for _, g := range all[2:] {
				if g.Met || g.Seen != "" {
					t.Errorf("%+v was not measured", g)
				}
			}
		})
	}
}

func TestPage(t *testing.T) {
	r := measured(2, 9, 200)
	r.Goals = goals(r)
	page := performance(r)
	for _, want := range []string{"100 times", "| docker | absent |", "make bench", "results.svg", "0.0100 of docker run (100x faster)", "about"} {
		if want == "| docker | absent |" {
			r.Machine.Versions = []report.Version{{Program: "docker"}}
			page = performance(r)
		}
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q\n%s", want, page)
		}
	}
	if p := panels(r); len(p) != 1 || len(p[0].Rows) != 2 {
		t.Errorf("the picture has %+v, want the two rows", p)
	}
}
