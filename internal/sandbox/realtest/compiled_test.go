package realtest

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestCompiled checks that the Python of an image finds the runner compiled, by
// itself, once it was used some times.
func TestCompiled(t *testing.T) {
	const look = `import marshal, sys
try:
    with open('/run/glovebox/importlib_bootstrap/compiled', 'rb') as f:
        version, codes = marshal.load(f)
    r = 'own' if version == sys.version and 'run' in codes else 'foreign'
except FileNotFoundError:
    r = 'none'`
	r := newReal(t)
	for range 50 {
		result, err := r.run(t, &api.Task{Code: look, Signature: sig(t, "", "r:str")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		switch result.Outputs[0].Value {
		case "own":
			return
		case "foreign":
			t.Fatal("the cell has the runner of another Python")
		}
	}
	t.Error("the runner was never compiled")
}
