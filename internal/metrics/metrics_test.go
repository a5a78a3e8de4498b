package metrics

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/glovebox-dev/glovebox/api"
)

func TestMetersCountEndedRuns(t *testing.T) {
	m := NewRuns()
	created := time.Now()
	m.Count(api.Run{Kind: api.KindFunction, Status: api.StatusSucceeded, Created: created, Ended: created.Add(time.Second)})
	m.Count(api.Run{Kind: api.KindFunction, Status: api.StatusFailed, Error: api.Errorf(api.Timeout, "late"), Created: created, Ended: created.Add(time.Second)})
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.ended, m.seconds)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, family := range families {
		got[family.GetName()] = len(family.GetMetric())
	}
	if got["glovebox_runs_ended_total"] != 2 || got["glovebox_run_seconds"] != 1 {
		t.Errorf("series: %v; want 2 of ended runs, 1 of seconds", got)
	}
}
