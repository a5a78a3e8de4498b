package sandbox

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestAdvice(t *testing.T) {
	const itself = "(most likely due to a circular import)"
	tests := []struct {
		kind, message string
		task          api.Task
		hint          string
	}{
		{"ModuleNotFoundError", "No module named 'numpy'", api.Task{}, "-p numpy"},
		{"ModuleNotFoundError", "No module named 'sklearn.linear_model'; 'sklearn' is not a package", api.Task{}, "-p sklearn,"},
		{"ModuleNotFoundError", "No module named 'numpy'", api.Task{Image: api.ImageSpec{Ref: "x"}}, "use an image that has the module numpy"},
		{"AttributeError", "partially initialized module 'json' has no attribute 'dumps' " + itself, api.Task{Name: "json"}, "json.py"},
		{"socket.gaierror", "[Errno -3] Temporary failure in name resolution", api.Task{}, "no network"},
		{"urllib.error.URLError", "<urlopen error [Errno -2] Name or service not known>", api.Task{Network: api.Network{Public: true}}, "usual"},
		{"ValueError", "No module named 'x'", api.Task{}, "usual"},
	}
	for _, tt := range tests {
		a := &attempt{order: order{task: &tt.task}}
		err := api.Errorf(api.PythonException, "x").WithHint("usual").
			WithDetails(api.Details{Exception: &api.Exception{Type: tt.kind, Message: tt.message}})
		if got := api.AsError(a.advise(err)).Hint; !strings.Contains(got, tt.hint) {
			t.Errorf("%s: %s: hint %q, want %q in it", tt.kind, tt.message, got, tt.hint)
		}
	}
}
