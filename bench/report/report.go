// Package report holds what benches find and shows it: as JSON with every
// sample, as one table, and as a picture.
package report

import (
	"cmp"
	"encoding/json"
	"os"
	"time"
)

// Report is everything that one session of measuring found.
type Report struct {
	Began   time.Time `json:"began"`
	Ended   time.Time `json:"ended"`
	Rounds  int       `json:"rounds"` // of those works that are not told otherwise
	Machine Machine   `json:"machine"`
	Goals   []Goal    `json:"goals,omitempty"`
	Groups  []Group   `json:"groups"`
}

// Group is the rows about one subject.
type Group struct {
	Name   string   `json:"name"`
	Title  string   `json:"title"`
	About  string   `json:"about"` // what was measured and what not
	Rows   []Row    `json:"rows"`
	Beside []Row    `json:"beside,omitempty"` // what is not in the table
	Notes  []string `json:"notes,omitempty"`  // what was seen beside the rows
	Failed string   `json:"failed,omitempty"` // why the group has not all its rows
}

// Unit says what samples are.
type Unit string

// The units, as they are in the JSON.
const (
	Milliseconds Unit = "ms"
	Mebibytes    Unit = "MiB"
	Bytes        Unit = "B"
	Number       Unit = ""
)

// Row is how one contender did one work.
type Row struct {
	Work    string    `json:"work"` // what was done
	Name    string    `json:"name"` // by whom
	What    string    `json:"what,omitempty"`
	Unit    Unit      `json:"unit"`
	Samples []float64 `json:"samples,omitempty"` // in the order in which they were taken
	Median  float64   `json:"median"`
	P95     float64   `json:"p95,omitempty"`
	P99     float64   `json:"p99,omitempty"` // if there are enough samples to tell
	// PerSecond is how many were done in a second, where as many as could be
	// were done.
	PerSecond float64 `json:"per_second,omitempty"`
	// Against names the row of the same work that Ratio is to; empty is none.
	Against string  `json:"against,omitempty"`
	Ratio   float64 `json:"ratio,omitempty"`
	Absent  string  `json:"absent,omitempty"` // why it was not measured
}

// Goal is a figure that was to be reached.
type Goal struct {
	What string `json:"what"`
	Want string `json:"want"`
	Seen string `json:"seen"`
	Met  bool   `json:"met"`
}

// Machine is what the figures hold for.
type Machine struct {
	CPU       string     `json:"cpu"`
	Cores     int        `json:"cores"`
	Memory    int64      `json:"memory"` // bytes
	Kernel    string     `json:"kernel"`
	Versions  []Version  `json:"versions"`
	LoadBegan [3]float64 `json:"load_began"` // of 1, 5 and 15 minutes
	LoadEnded [3]float64 `json:"load_ended"`
}

// Version is that of a program. Empty means that it is not there.
type Version struct {
	Program string `json:"program"`
	Version string `json:"version"`
}

// fewest is how many samples tell a 99th percentile.
const fewest = 100

// Finish computes what follows from the samples.
func (g *Group) Finish() {
	for i := range g.Rows {
		g.Rows[i].summarise()
	}
	for i := range g.Beside {
		g.Beside[i].summarise()
	}
	for i := range g.Rows {
		r := &g.Rows[i]
		if base := g.Row(r.Work, r.Against); base != nil && base != r {
			r.Ratio = r.against(base)
		}
	}
}

func (r *Row) summarise() {
	if len(r.Samples) == 0 {
		return
	}
	r.Median, r.P95 = Quantile(r.Samples, 0.5), Quantile(r.Samples, 0.95)
	if len(r.Samples) >= fewest {
		r.P99 = Quantile(r.Samples, 0.99)
	}
}

// against returns the ratio to another row, of what the work is about.
func (r *Row) against(base *Row) float64 {
	mine, others := r.Median, base.Median
	if r.PerSecond > 0 {
		mine, others = r.PerSecond, base.PerSecond
	}
	if others == 0 {
		return 0
	}
	return mine / others
}

// Row returns the row of a work and a contender, or nil.
func (g *Group) Row(work, name string) *Row {
	for i := range g.Rows {
		if r := &g.Rows[i]; r.Work == work && r.Name == name {
			return r
		}
	}
	return nil
}

// Find returns the row of a group, or nil if it was not measured.
func (r *Report) Find(group, work, name string) *Row {
	for i := range r.Groups {
		if r.Groups[i].Name != group {
			continue
		}
		if row := r.Groups[i].Row(work, name); row != nil && row.Absent == "" && cmp.Or(row.Median, row.PerSecond) != 0 {
			return row
		}
	}
	return nil
}

// Write writes the report as JSON.
func (r *Report) Write(path string) error {
	return write(path, r)
}

// WriteGroup writes a group that another program is to read with ReadGroup.
func WriteGroup(path string, g *Group) error { return write(path, g) }

// ReadGroup reads what WriteGroup wrote.
func ReadGroup(path string) (*Group, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g := &Group{}
	return g, json.Unmarshal(data, g)
}

func write(path string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
