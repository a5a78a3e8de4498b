package page

import (
	"fmt"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// chartHeight is the height of a curve; its width is axisWidth.
const chartHeight = 100.0

// chart shows what a cell used over time, in the last attempt of a run.
type chart struct {
	Length         string // of the time that it shows
	Memory, CPU    string // the points of the curves
	MaxMemory      string
	MaxCPU         string
	AboutMemory    string // for those who do not see the curve
	AboutProcessor string
	Rows           []chartRow
}

type chartRow struct{ At, Memory, CPU string }

// newChart draws samples, or returns nil if they are too few to tell anything.
func newChart(samples []api.RunSample) *chart {
	if len(samples) < 2 || samples[len(samples)-1].At <= 0 {
		return nil
	}
	c := &chart{}
	whole := samples[len(samples)-1].At
	memory, processors := make([]float64, len(samples)), make([]float64, len(samples))
	var before api.RunSample
	for i, s := range samples {
		memory[i] = float64(s.Memory)
		if passed := s.At - before.At; passed > 0 {
			processors[i] = max(0, float64(s.CPU-before.CPU)/float64(passed))
		}
		before = s
		if i%(len(samples)/20+1) == 0 || i == len(samples)-1 {
			c.Rows = append(c.Rows, chartRow{took(s.At), size(s.Memory), fmt.Sprintf("%.2f", processors[i])})
		}
	}
	most, busiest := top(memory), top(processors)
	c.Length, c.MaxMemory, c.MaxCPU = took(whole), size(int64(most)), fmt.Sprintf("%.2f", busiest)
	c.Memory, c.CPU = curve(samples, memory, most, whole), curve(samples, processors, busiest, whole)
	c.AboutMemory = fmt.Sprintf("Memory over %s: %s at first, %s at the end, at most %s", c.Length, size(samples[0].Memory), size(before.Memory), c.MaxMemory)
	c.AboutProcessor = fmt.Sprintf("Processors over %s: at most %s", c.Length, c.MaxCPU)
	return c
}

func top(values []float64) (most float64) {
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// curve writes the points of a line through values.
func curve(samples []api.RunSample, values []float64, most float64, whole time.Duration) string {
	var points strings.Builder
	for i, v := range values {
		y := chartHeight
		if most > 0 {
			y -= v / most * (chartHeight - 4)
		}
		fmt.Fprintf(&points, "%.0f,%.0f ", float64(samples[i].At)/float64(whole)*axisWidth, y)
	}
	return strings.TrimSpace(points.String())
}
