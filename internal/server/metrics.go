package server

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what the server counts.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	streams  prometheus.Gauge
}

func newMetrics(registry *prometheus.Registry) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "glovebox_http_requests_total", Help: "Requests by route and status."}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "glovebox_http_request_seconds", Help: "Time to answer, by route.", Buckets: prometheus.ExponentialBuckets(0.001, 4, 8)},
			[]string{"route"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Name: "glovebox_http_streams", Help: "Streams that are open."}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.seconds, m.streams} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, registerProcess(registry)
}

// registerProcess adds the metrics of the process, unless its owner did.
func registerProcess(registry *prometheus.Registry) error {
	for _, c := range []prometheus.Collector{collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})} {
		var there prometheus.AlreadyRegisteredError
		if err := registry.Register(c); err != nil && !errors.As(err, &there) {
			return err
		}
	}
	return nil
}

func (m *metrics) count(pattern string, status int, took time.Duration) {
	if pattern == "" {
		pattern = "none"
	}
	m.requests.WithLabelValues(pattern, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(pattern).Observe(took.Seconds())
}

// metricsHandler shows everything that is registered.
func (s *Server) metricsHandler() http.Handler {
	return promhttp.HandlerFor(s.Metrics, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}
