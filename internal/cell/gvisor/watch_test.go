package gvisor

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestWatchEndsWhatItCannotWatch: a limit must not be dropped because its use
// cannot be read any more.
func TestWatchEndsWhatItCannotWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status")
	if err := os.WriteFile(path, []byte("Name:\tx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	memory, err := openMemory(path, path)
	if err != nil {
		t.Fatal(err)
	}
	l := &watchLimit{resources: api.Resources{Memory: 1 << 30}, stop: make(chan struct{})}
	killed := false
	l.watch(memory, 0, func() { killed = true })
	if !killed {
		t.Error("the cell lives on without a limit")
	}
	if l.death().OutOfMemory {
		t.Error("the cell counts as out of memory")
	}
}

func TestMemoryOfThisProcess(t *testing.T) {
	memory, err := openMemory(os.Args[0], "/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.close()
	for range 2 {
		if used, err := memory.used(); err != nil || used <= 0 {
			t.Errorf("got %d, %v", used, err)
		}
	}
}
