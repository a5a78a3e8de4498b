package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// row is one contender in results.json; times are in milliseconds.
type row struct {
	Name   string    `json:"name"`
	What   string    `json:"what"`
	Median float64   `json:"median_ms"`
	P95    float64   `json:"p95_ms"`
	Ratio  float64   `json:"ratio_to_docker"` // of the medians; below 1 is faster
	All    []float64 `json:"all_ms"`
}

func (b *bench) rows(took map[string][]time.Duration) []row {
	var rows []row
	for _, c := range b.contenders {
		var all []float64
		for _, d := range took[c.Name] {
			all = append(all, float64(d.Microseconds())/1000)
		}
		sorted := slices.Sorted(slices.Values(all))
		rows = append(rows, row{Name: c.Name, What: c.What, Median: quantile(sorted, 0.5), P95: quantile(sorted, 0.95), All: all})
	}
	for i := range rows {
		rows[i].Ratio = rows[i].Median / rows[0].Median // docker was added first
	}
	return rows
}

// quantile returns the nearest rank of sorted values.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func (b *bench) write(rounds int, took map[string][]time.Duration) error {
	rows := b.rows(took)
	data, err := json.MarshalIndent(map[string]any{"rounds": rounds, "cold": rows, "absent": b.absent, "stages_ns": b.stages}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join("bench", "results.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	table := b.table(rounds, rows)
	fmt.Print(table)
	return os.WriteFile(filepath.Join("bench", "RESULTS.md"), []byte(table), 0o644)
}

func (b *bench) table(rounds int, rows []row) string {
	var t strings.Builder
	fmt.Fprintf(&t, "# Cold runs\n\nWritten by `make bench`: %d runs of each in turns, on %s/%s with %d processors.\n", rounds, runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(&t, "The work is `x * 2` in Python, in the same Debian root file system.\n\n")
	fmt.Fprintf(&t, "| contender | median | p95 | to docker | what |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&t, "| %s | %.0f ms | %.0f ms | %.2f | %s |\n", r.Name, r.Median, r.P95, r.Ratio, r.What)
	}
	for _, a := range b.absent {
		fmt.Fprintf(&t, "\nLeft out: %s.\n", a)
	}
	s := b.stages
	fmt.Fprintf(&t, "\nStages of the last run of the Go SDK: image %v, start %v, guest %v, inputs %v, exec %v, collect %v, destroy %v; total %v.\n",
		ms(s.Image), ms(s.Start), ms(s.Guest), ms(s.Inputs), ms(s.Exec), ms(s.Collect), ms(s.Destroy), ms(s.Total))
	return t.String()
}

func ms(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
