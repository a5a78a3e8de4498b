package api

import (
	"context"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/value"
)

// Warm keeps cells ready ahead of runs: started, with Python up and the modules
// of Task.Preload imported. Each is used once, as every cell is, and replaced.
// Cells live in the process of the engine, and end with it.
type Warm interface {
	// KeepWarm asks for so many cells to be ready for a task at any time, which
	// every run like it then takes first. It returns when the first is ready, or
	// with why none could be started; what was asked for stays asked for. The
	// bounds of the engine go first. Zero cells take back what was asked for.
	KeepWarm(ctx context.Context, r WarmRequest) (*WarmPool, error)
	// WarmPools lists what is kept ready, also pools without a request, which
	// exist because runs of their class came often.
	WarmPools(ctx context.Context) ([]WarmPool, error)
}

// WarmRequest asks for cells to be kept ready. Exactly one of Task and Name is
// set. Only those parts of the task matter that define a cell before a run has
// it: image, resources, whether there is a network, the kind of program, what
// it preloads and the variables that are read when Python starts.
type WarmRequest struct {
	Task  *Task  `json:"task,omitempty"`
	Name  string `json:"name,omitempty" pattern:"^[A-Za-z0-9._][A-Za-z0-9._-]{0,127}(@[1-9][0-9]{0,8})?$"` // of a deployed task: NAME, or NAME@VERSION
	Cells int    `json:"cells" minimum:"0" maximum:"1000"`                                                 // how many are to be ready at any time
}

// MaxWarmCells bounds what one request may ask for.
const MaxWarmCells = 1000

// Check returns request_invalid for a request that says too much or too little,
// and invalid_task for a task that has no cell.
func (r WarmRequest) Check() error {
	switch {
	case (r.Task != nil) == (r.Name != ""):
		return Errorf(RequestInvalid, "cells are kept warm for a task or the name of a deployed one, and not for both").
			WithDetails(Details{Field: "task", Expected: "exactly one of task and name"})
	case r.Cells < 0 || r.Cells > MaxWarmCells:
		return Errorf(RequestInvalid, "cells is %d, expected 0 to %d", r.Cells, MaxWarmCells).
			WithDetails(Details{Field: "cells", Got: fmt.Sprint(r.Cells), Expected: fmt.Sprintf("0 to %d", MaxWarmCells)})
	case r.Task != nil:
		return r.Task.CheckWarm()
	}
	return nil
}

// CheckWarm returns invalid_task for a task that does not run in a cell of its
// own.
func (t *Task) CheckWarm() error {
	if kind := t.KindOf(); kind != KindSandbox {
		return WrongField("kind", string(kind), string(KindSandbox)+": a task of another kind has no cell").
			WithHint("keep cells warm for the sandboxes that it calls")
	}
	return nil
}

// WarmPool is what is kept ready of one cell class: of cells that may serve the
// same runs.
type WarmPool struct {
	Image     string    `json:"image"`                // the digest of its lock, "sha256:..."
	ImageName string    `json:"image_name,omitempty"` // for people
	Resources Resources `json:"resources"`
	Network   bool      `json:"network"`           // whether runs in these cells have a network
	Isolation string    `json:"isolation"`         // what keeps the cells apart: gvisor
	Python    bool      `json:"python"`            // an interpreter is up and waits
	Preload   []string  `json:"preload,omitempty"` // modules that it has imported

	Asked    int   `json:"asked"`    // what KeepWarm asked for
	Wanted   int   `json:"wanted"`   // what is to be ready now, by what was asked for and seen, within the bounds
	Idle     int   `json:"idle"`     // what is ready
	Starting int   `json:"starting"` // what is on its way
	Memory   int64 `json:"memory"`   // bytes that only the idle ones hold

	Taken int64 `json:"taken"` // runs that got a cell that was ready
	Cold  int64 `json:"cold"`  // runs that had to start one
	Died  int64 `json:"died"`  // cells that ended while they waited
	// Error is why the last cell could not be started, until one can.
	Error *Error `json:"error,omitempty"`
}

// The bounds of Task.Preload.
const (
	maxPreload    = 100
	maxModuleName = 255 // bytes
)

// CheckPreload returns invalid_task for modules that cannot be imported ahead of
// the code, or where there is no code.
func (t *Task) CheckPreload() error {
	if len(t.Preload) == 0 {
		return nil
	}
	if t.KindOf() != KindSandbox || t.Code == "" {
		return WrongField("preload", value.Quote(t.Preload[0])+" without Python code in a cell", "nothing: modules are imported for code of a sandbox").
			WithHint("leave preload out, or give the program as code")
	}
	if len(t.Preload) > maxPreload {
		return WrongField("preload", fmt.Sprintf("%d modules", len(t.Preload)), fmt.Sprintf("at most %d", maxPreload)).
			WithHint("import one module that imports the others")
	}
	for i, name := range t.Preload {
		if !isModuleName(name) {
			return WrongField(fmt.Sprintf("preload[%d]", i), value.Quote(name), "the full name of a module, such as numpy or xml.etree").
				WithHint("name a module as import does, without options, paths and versions")
		}
	}
	return nil
}

func isModuleName(name string) bool {
	if len(name) > maxModuleName {
		return false
	}
	for part := range strings.SplitSeq(name, ".") {
		if !value.IsIdentifier(part) {
			return false
		}
	}
	return true
}
