package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/glovebox-dev/glovebox/api"
)

// drainPatience is how long runs have to end when the server stops.
const drainPatience = 30 * time.Second

// metrics returns a registry with what the engine tells of itself.
func (a *App) metrics() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(liveRuns{a, prometheus.NewDesc("glovebox_runs", "Runs of this process that have not ended.", []string{"kind", "status"}, nil)})
	return registry
}

// liveRuns counts runs when it is asked.
type liveRuns struct {
	app  *App
	desc *prometheus.Desc
}

func (l liveRuns) Describe(ch chan<- *prometheus.Desc) { ch <- l.desc }

func (l liveRuns) Collect(ch chan<- prometheus.Metric) {
	live := l.app.engine.Live()
	for _, kind := range []api.TaskKind{api.KindSandbox, api.KindOrchestrator, api.KindFunction} {
		for _, status := range []api.Status{api.StatusQueued, api.StatusRunning} {
			ch <- prometheus.MustNewConstMetric(l.desc, prometheus.GaugeValue, float64(live[kind][status]), string(kind), string(status))
		}
	}
}
