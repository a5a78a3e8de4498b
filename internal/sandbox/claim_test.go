package sandbox

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
)

// TestOutputsWithinMemory gives runs outputs that fit into the memory for values,
// and that do not.
func TestOutputsWithinMemory(t *testing.T) {
	small, large := strings.Repeat("x", 2*budget.Free), strings.Repeat("x", 10*budget.Free)
	for name, c := range map[string]struct {
		mode api.Mode
		text string
		code api.Code
	}{
		"values that fit":  {api.AutoIO, small, ""},
		"values too large": {api.AutoIO, large, api.OutputTooLarge},
		"files that fit":   {api.Verbatim, small, ""},
		"files too large":  {api.Verbatim, large, api.OutputTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, nil)
			f.cell.program = func(fc *fakeCell) (cell.Exit, error) {
				if c.mode == api.Verbatim {
					fc.write("/var/outputs/out", c.text)
					return cell.Exit{}, nil
				}
				fc.report(`{"ok":true,"outputs":{"out":"` + c.text + `"},"file_outputs":[]}`)
				return cell.Exit{}, nil
			}
			ctx, share := budget.New(20 * budget.Free).Share(t.Context())
			defer share.Release()
			task := &api.Task{Code: "x", Verbatim: c.mode == api.Verbatim, Signature: api.Signature{Outputs: sandboxtest.Params(t, "out:str")}}
			result, err := f.Run(ctx, "run-1", &api.Request{Task: task})
			if c.code != "" {
				sandboxtest.WantError(t, err, c.code, "memory")
				return
			}
			if err != nil || result.Outputs[0].Value != c.text {
				t.Fatalf("%+v, %v", result, err)
			}
			if share.Held() == 0 { // until the outputs are in the journal
				t.Error("the values are not counted")
			}
		})
	}
}
