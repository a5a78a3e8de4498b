package ready

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// TestReadyWhenGivenUp: a cell whose start is given up is killed, so that nobody
// gets it, though its interpreter became ready meanwhile.
func TestReadyWhenGivenUp(t *testing.T) {
	ctx, giveUp := context.WithCancel(t.Context())
	box := newFakeBox()
	box.becoming = giveUp
	if p, err := newTestMaker(t, box).Start(ctx, testTemplate(&api.Task{Code: "pass"})); p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", p, err)
	}
	if box.closed != 1 {
		t.Errorf("the cell was closed %d times", box.closed)
	}
}

// TestCellClasses says which tasks may share cells that were started ahead.
func TestCellClasses(t *testing.T) {
	base := func() *api.Task { return &api.Task{Code: "pass"} }
	tests := []struct {
		name   string
		change func(*api.Task)
		same   bool
	}{
		{"code", func(t *api.Task) { t.Code = "x" }, true},
		{"verbatim", func(t *api.Task) { t.Verbatim = true }, true},
		{"name and file", func(t *api.Task) { t.Name, t.File = "n", "f.py" }, true},
		{"timeout", func(t *api.Task) { t.Timeout = time.Second }, true},
		{"variable", func(t *api.Task) { t.Env = map[string]string{"LOG_LEVEL": "x"} }, true},
		{"secret", func(t *api.Task) { t.Secrets = []api.SecretRef{{Name: "token", Env: "TOKEN"}} }, true},
		{"default resources", func(t *api.Task) { t.Resources = api.Resources{}.WithDefaults() }, true},
		{"variable of Python", func(t *api.Task) { t.Env = map[string]string{"PYTHONHASHSEED": "0"} }, false},
		{"time zone", func(t *api.Task) { t.Env = map[string]string{"TZ": "Asia/Tokyo"} }, false},
		{"language", func(t *api.Task) { t.Env = map[string]string{"LC_ALL": "C"} }, false},
		{"memory", func(t *api.Task) { t.Resources.Memory = 1 << 29 }, false},
		{"open files", func(t *api.Task) { t.Resources.OpenFiles = 77 }, false},
		{"network", func(t *api.Task) { t.Network.Public = true }, false},
		{"way to the engine", func(t *api.Task) { t.StartsRuns = true }, false},
		{"preload", func(t *api.Task) { t.Preload = []string{"json"} }, false},
		{"command", func(t *api.Task) { t.Code, t.Command = "", []string{"true"} }, false},
	}
	class := func(task *api.Task) cell.Class {
		return testTemplate(task).Class
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			task := base()
			tt.change(task)
			if same := class(task) == class(base()); same != tt.same {
				t.Errorf("same cells: %t, want %t\n%s\n%s", same, tt.same, class(task), class(base()))
			}
		})
	}
	with := func(value string) *api.Task {
		return &api.Task{Code: "pass", Preload: []string{"json"}, Env: map[string]string{"LEVEL": value}}
	}
	if class(with("a")) == class(with("b")) {
		t.Error("modules are imported under the variables of another task")
	}
}
