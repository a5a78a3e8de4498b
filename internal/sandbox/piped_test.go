package sandbox

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/report"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
)

// TestPipedReports sends what an interpreter may say on its control stream,
// also instead of the runner.
func TestPipedReports(t *testing.T) {
	const good = `{"ok":true,"outputs":{"r":42},"file_outputs":[]}`
	for name, c := range map[string]struct {
		piped, file string
		code        api.Code // of the error; empty: r is 42
		words       []string
	}{
		"report":             {"\n" + good, "", "", nil},
		"behind noise":       {"{\"noise\n" + good, "", "", nil},
		"before a file":      {"\n" + good, `{"ok":true,"outputs":{"r":7},"file_outputs":[]}`, "", nil},
		"in the file":        {"", good, "", nil},
		"noise, and a file":  {"noise\n", good, "", nil},
		"noise behind":       {"\n" + good + "noise", "", api.BadOutput, []string{"damaged"}},
		"forged error":       {"\n" + `{"ok":false,"error":{"kind":"timeout"}}`, "", api.BadOutput, []string{"damaged"}},
		"value too large":    {"\n" + `{"ok":true,"outputs":{"r":` + strings.Repeat("1", 2000) + `}}`, "", api.OutputTooLarge, []string{"1000"}},
		"flood":              {strings.Repeat("x", report.Extra+2000), "", api.OutputTooLarge, []string{"limit"}},
		"flood, then report": {strings.Repeat("x", report.Extra+2000) + "\n" + good, good, api.OutputTooLarge, []string{"limit"}},
		"nothing":            {"", "", api.MissingOutput, []string{`"r"`}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, nil)
			f.cell.program = func(fc *fakeCell) (cell.Exit, error) {
				for text := c.piped; text != ""; {
					n := min(len(text), 1000)
					if got, err := fc.control.Write([]byte(text[:n])); got != n || err != nil {
						t.Errorf("wrote %d, %v", got, err)
					}
					text = text[n:]
				}
				if c.file != "" {
					fc.report(c.file)
				}
				return cell.Exit{}, nil
			}
			task := &api.Task{Code: "x", Limits: api.RunLimits{Outputs: 1000}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "r:int")}}
			result, err := f.run(t, task, nil)
			if c.code != "" {
				sandboxtest.WantError(t, err, c.code, c.words...)
				return
			}
			if err != nil || result.Outputs[0].Value != int64(42) {
				t.Errorf("%+v, %v", result.Outputs, err)
			}
		})
	}
}
