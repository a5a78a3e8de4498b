package e2b

import (
	"net/http"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// metric is what a sandbox used at one time, in bytes.
type metric struct {
	Timestamp     time.Time `json:"timestamp"`
	TimestampUnix int64     `json:"timestampUnix"`
	CPUCount      int       `json:"cpuCount"`
	CPUUsedPct    float64   `json:"cpuUsedPct"`
	MemUsed       int64     `json:"memUsed"`
	MemTotal      int64     `json:"memTotal"`
	MemCache      int64     `json:"memCache"`
	DiskUsed      int64     `json:"diskUsed"`
	DiskTotal     int64     `json:"diskTotal"`
}

func metricOf(u api.UsageSample) metric {
	return metric{
		Timestamp: u.Time.UTC(), TimestampUnix: u.Time.Unix(), CPUCount: max(1, int(u.CPUs)), CPUUsedPct: u.CPUPercent,
		MemUsed: u.Memory, MemTotal: u.MemoryLimit, DiskUsed: u.Disk, DiskTotal: u.DiskLimit,
	}
}

func (f *Face) metrics(w http.ResponseWriter, r *http.Request) error {
	s, err := f.live(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	since, until, err := rangeOf(r)
	if err != nil {
		return err
	}
	samples, err := f.Sessions.SessionUsage(r.Context(), s.ID, since, until)
	if err != nil {
		return err
	}
	out := make([]metric, len(samples))
	for i, u := range samples {
		out[i] = metricOf(u)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// rangeOf reads the times between which metrics are asked for. A client names whole
// seconds, the last of which counts.
func rangeOf(r *http.Request) (since, until time.Time, err error) {
	for name, t := range map[string]*time.Time{"start": &since, "end": &until} {
		text := r.URL.Query().Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return since, until, badRequest(name + " is no number of seconds")
		}
		*t = time.Unix(n, 0)
	}
	if until.IsZero() {
		return since, time.Now(), nil
	}
	return since, until.Add(time.Second), nil
}

// metricsOfMany answers with the last metric of each sandbox that is named and runs.
func (f *Face) metricsOfMany(w http.ResponseWriter, r *http.Request) error {
	out := map[string]metric{}
	for _, id := range listOf(r.URL.Query()["sandbox_ids"]) {
		now := time.Now()
		samples, err := f.Sessions.SessionUsage(r.Context(), id, now.Add(-time.Minute), now)
		if err == nil && len(samples) > 0 {
			out[id] = metricOf(samples[len(samples)-1])
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"sandboxes": out})
	return nil
}

// usageSample is what envd says that its sandbox uses.
type usageSample struct {
	Time       int64   `json:"ts"`
	CPUCount   int     `json:"cpu_count"`
	CPUUsedPct float64 `json:"cpu_used_pct"`
	MemTotal   int64   `json:"mem_total"`
	MemUsed    int64   `json:"mem_used"`
	MemCache   int64   `json:"mem_cache"`
	DiskUsed   int64   `json:"disk_used"`
	DiskTotal  int64   `json:"disk_total"`
	MemUsedMB  int64   `json:"mem_used_mib"`
	MemTotalMB int64   `json:"mem_total_mib"`
}

// usage answers with the last sample of the sandbox.
func (c *call) usage() error {
	now := time.Now()
	samples, err := c.face.Sessions.SessionUsage(c.ctx(), c.session.ID, now.Add(-time.Minute), now)
	if err != nil {
		return err
	}
	out := usageSample{Time: now.Unix(), CPUCount: 1}
	if len(samples) > 0 {
		m := metricOf(samples[len(samples)-1])
		out = usageSample{
			Time: m.TimestampUnix, CPUCount: m.CPUCount, CPUUsedPct: m.CPUUsedPct, MemTotal: m.MemTotal, MemUsed: m.MemUsed,
			DiskUsed: m.DiskUsed, DiskTotal: m.DiskTotal, MemUsedMB: m.MemUsed >> 20, MemTotalMB: m.MemTotal >> 20,
		}
	}
	writeJSON(c.w, http.StatusOK, out)
	return nil
}
