package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/value"
)

// TestStdin: the input that is standard input is a file of the cell as any other,
// and no argument of a script.
func TestStdin(t *testing.T) {
	at := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(at, []byte("hi"), 0o600); err != nil {
		t.Fatal(err)
	}
	given := map[string]any{"data": value.File{Path: at}, "n": int64(1)}
	for name, task := range map[string]*api.Task{
		"command": {Command: []string{"cat"}, Stdin: "data"},
		"script":  {Code: "x", Verbatim: true, Stdin: "data"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, exits(0))
			task.Signature = api.Signature{Inputs: sandboxtest.Params(t, "data:File", "n:int")}
			if _, err := f.run(t, task, given); err != nil {
				t.Fatal(err)
			}
			stdin := f.cell.command.Stdin
			if task.Verbatim {
				stdin = f.cell.parsedJob().Stdin
				if got := f.cell.arguments(); !slices.Equal(got, []string{"--n", "1"}) {
					t.Errorf("arguments %q", got)
				}
			}
			if stdin != "/var/inputs/data" || f.cell.text(stdin) != "hi" {
				t.Errorf("standard input is %q, which holds %q", stdin, f.cell.text(stdin))
			}
		})
	}
}

// TestWrongStdin: what cannot be standard input is refused before anything starts.
func TestWrongStdin(t *testing.T) {
	f := newFixture(t, exits(0))
	for name, task := range map[string]*api.Task{
		"code":     {Code: "x", Stdin: "data"},
		"no input": {Command: []string{"cat"}, Stdin: "other"},
	} {
		task.Signature = api.Signature{Inputs: sandboxtest.Params(t, "data:File")}
		t.Run(name, func(t *testing.T) { sandboxtest.WantError(t, f.Validate(task), api.InvalidTask, "stdin") })
	}
}
