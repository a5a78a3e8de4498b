package check

import (
	"fmt"
	"math"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds on what a task may ask for. A task beyond them is a slip of the pen.
const (
	maxCPU       = 4096
	minMemory    = 16 << 20
	maxBytes     = 1 << 50
	minDisk      = 1 << 20
	maxPIDs      = 4 << 20
	minOpenFiles = 16
	maxOpenFiles = 1 << 20
	maxFiles     = 100_000_000
)

func checkResources(t *api.Task) error {
	r := t.Resources.WithDefaults()
	if math.IsNaN(r.CPU) || r.CPU < 0.01 || r.CPU > maxCPU {
		return api.WrongField("resources.cpu", fmt.Sprint(t.Resources.CPU), "0.01 to 4096 cores")
	}
	return firstOutside([]bounded{
		{"resources.memory", r.Memory, minMemory, maxBytes, "bytes"},
		{"resources.disk", r.Disk, minDisk, maxBytes, "bytes"},
		{"resources.pids", int64(r.PIDs), 1, maxPIDs, "processes"},
		{"resources.open_files", int64(r.OpenFiles), minOpenFiles, maxOpenFiles, "descriptors"},
	})
}

// checkMemory holds a cell to the bound of the operator: the code of
// a cell can ask for further cells, larger than its own.
func (h Host) checkMemory(t *api.Task) error {
	limit, memory := h.MaxMemory, t.Resources.WithDefaults().Memory
	if limit == 0 || memory <= limit {
		return nil
	}
	return api.WrongField("resources.memory", fmt.Sprint(memory), fmt.Sprintf("at most %d bytes, which is what cells may have here", limit)).
		WithHint("ask for less memory, or have the server started with a larger --max-cell-memory")
}

func checkLimits(t *api.Task) error {
	l := t.Limits.WithDefaults()
	return firstOutside([]bounded{
		{"limits.outputs", l.Outputs, 1, maxBytes, "bytes"},
		{"limits.output_files", int64(l.OutputFiles), 1, maxFiles, "files"},
		{"limits.logs", l.Logs, 1, 1 << 40, "bytes"},
	})
}

// bounded is a number with its bounds, both included.
type bounded struct {
	field         string
	got, min, max int64
	unit          string
}

func firstOutside(numbers []bounded) error {
	for _, n := range numbers {
		if n.got < n.min || n.got > n.max {
			return api.WrongField(n.field, fmt.Sprint(n.got), fmt.Sprintf("%d to %d %s", n.min, n.max, n.unit))
		}
	}
	return nil
}
