package autoio_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the generated files again instead of comparing them")

// The runner and the Python client write values with the same code. Go embeds
// no file from outside of its package, so the client has a copy.
func TestClientCodecIsFresh(t *testing.T) {
	for _, name := range []string{"times.py", "wire.py"} {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("../../../clients/python/src/glovebox/_values", name)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
			t.Errorf("%s is not that of the runner: run make generate (%v)", path, err)
		}
	}
}
