package metrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/glovebox-dev/glovebox/api"
)

// warmCells tells of the cells that are kept ready, all classes together, when it
// is asked.
type warmCells struct {
	pools                      func() []api.WarmPool
	cells, memory, taken, died *prometheus.Desc

	mu               sync.Mutex
	warm, cold, gone growing
}

func newWarmCells(pools func() []api.WarmPool) *warmCells {
	return &warmCells{
		pools:  pools,
		cells:  prometheus.NewDesc("glovebox_warm_cells", "Cells that are ready ahead of runs, or on their way to it.", []string{"state"}, nil),
		memory: prometheus.NewDesc("glovebox_warm_memory_bytes", "Memory that ready cells hold and share with nothing.", nil, nil),
		taken:  prometheus.NewDesc("glovebox_warm_takes_total", "Runs that took a cell: one that was ready, or one that had to be started.", []string{"warm"}, nil),
		died:   prometheus.NewDesc("glovebox_warm_died_total", "Cells that ended while they were ready.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (w *warmCells) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{w.cells, w.memory, w.taken, w.died} {
		ch <- desc
	}
}

// Collect implements prometheus.Collector.
func (w *warmCells) Collect(ch chan<- prometheus.Metric) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var sum api.WarmPool
	for _, p := range w.pools() {
		sum.Idle += p.Idle
		sum.Starting += p.Starting
		sum.Memory += p.Memory
		sum.Taken += p.Taken
		sum.Cold += p.Cold
		sum.Died += p.Died
	}
	gauge := func(desc *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v, labels...)
	}
	counter := func(desc *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, v, labels...)
	}
	gauge(w.cells, float64(sum.Idle), "idle")
	gauge(w.cells, float64(sum.Starting), "starting")
	gauge(w.memory, float64(sum.Memory))
	counter(w.taken, w.warm.now(sum.Taken), "true")
	counter(w.taken, w.cold.now(sum.Cold), "false")
	counter(w.died, w.gone.now(sum.Died))
}

// growing makes a counter of a sum that can shrink, because unused classes are
// forgotten: a counter that shrinks reads as one that began anew.
type growing struct{ last, total int64 }

func (g *growing) now(sum int64) float64 {
	g.total += max(0, sum-g.last)
	g.last = sum
	return float64(g.total)
}
