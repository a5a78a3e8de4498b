// Package metrics says what the engine counts for Prometheus: runs that ended
// (Runs, which the engine feeds), and what there is at the moment (Source, which
// is asked). The server shows the registry.
package metrics

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/glovebox-dev/glovebox/api"
)

// Runs count the runs that ended.
type Runs struct {
	ended   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
}

// NewRuns returns counters at zero.
func NewRuns() Runs {
	return Runs{
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "glovebox_runs_ended_total", Help: "Runs that ended in this process; code is that of the error, or empty.",
		}, []string{"kind", "status", "code", "cached"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "glovebox_run_seconds", Help: "Time from the creation of a run to its end.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 12),
		}, []string{"kind"}),
	}
}

// Count counts a run that has ended.
func (m Runs) Count(run api.Run) {
	var code string
	if run.Error != nil {
		code = string(run.Error.Code)
	}
	m.ended.WithLabelValues(string(run.Kind), string(run.Status), code, strconv.FormatBool(run.Cached)).Inc()
	m.seconds.WithLabelValues(string(run.Kind)).Observe(run.Ended.Sub(run.Created).Seconds())
}

// Source is what the registry asks each time that somebody reads it.
type Source struct {
	Live      func() map[api.TaskKind]map[api.Status]int // runs that have not ended
	Stray     func() int64                               // interpreters that did not stop
	WarmPools func() []api.WarmPool
	Written   func() (operations, syncs int64) // by the journal
}

// Registry returns a registry with what the engine tells of itself.
func Registry(ended Runs, of Source) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "glovebox_stray_interpreters", Help: "Interpreters of orchestrators that did not stop, whose runs have ended without them.",
	}, func() float64 { return float64(of.Stray()) }))
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "glovebox_journal_operations_total", Help: "What runs and calls had the journal write in this process.",
	}, func() float64 { n, _ := of.Written(); return float64(n) }), prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "glovebox_journal_syncs_total", Help: "Syncs of the disk for that: operations that come together share one.",
	}, func() float64 { _, n := of.Written(); return float64(n) }))
	registry.MustRegister(ended.ended, ended.seconds, newWarmCells(of.WarmPools),
		liveRuns{of.Live, prometheus.NewDesc("glovebox_runs", "Runs of this process that have not ended.", []string{"kind", "status"}, nil)})
	return registry
}

// liveRuns counts runs when it is asked.
type liveRuns struct {
	of   func() map[api.TaskKind]map[api.Status]int
	desc *prometheus.Desc
}

func (l liveRuns) Describe(ch chan<- *prometheus.Desc) { ch <- l.desc }

func (l liveRuns) Collect(ch chan<- prometheus.Metric) {
	live := l.of()
	for _, kind := range api.Kinds() {
		for _, status := range []api.Status{api.StatusQueued, api.StatusRunning} {
			ch <- prometheus.MustNewConstMetric(l.desc, prometheus.GaugeValue, float64(live[kind][status]), string(kind), string(status))
		}
	}
}
