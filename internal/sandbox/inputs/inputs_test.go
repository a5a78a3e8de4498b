package inputs

import (
	"archive/tar"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/internal/sandbox/tree"
	"github.com/glovebox-dev/glovebox/value"
)

// opened opens the files of inputs that were checked.
func opened(params []value.Param, given map[string]any) (Inputs, error) {
	checked, err := value.Check(params, given)
	if err != nil {
		return nil, err
	}
	return Open(api.Signature{Inputs: params}, checked)
}

func TestFileShrinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("long content"), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := opened(sandboxtest.Params(t, "in:File"), map[string]any{"in": value.File{Path: path}})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	w := tree.New(tar.NewWriter(truncating(path)))
	in.Write(w, true)
	sandboxtest.WantError(t, w.Err(), api.InvalidInput, "changed while it was read")
}

// truncating is a writer that takes the end of a file away when something is
// written: the header, which has its size.
type truncating string

func (path truncating) Write(p []byte) (int, error) { return len(p), os.Truncate(string(path), 5) }

// A file of the host comes in as an input of its own, and not inside a value.
func TestFilesInInputs(t *testing.T) {
	_, err := opened([]value.Param{{Name: "a", Type: value.Type{Kind: value.KindAny}}}, map[string]any{"a": []any{value.File{Path: "/etc/passwd"}}})
	sandboxtest.WantError(t, err, api.InvalidInput, "input a", "file in it")
}
