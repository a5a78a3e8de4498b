package gvisor

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStatCPU(t *testing.T) {
	tests := map[string]struct {
		stat string
		want time.Duration
		bad  bool
	}{
		"plain":        {"12 (name) S 1 1 1 0 -1 0 0 0 0 0 3 4 5 6 20 0", 180 * time.Millisecond, false},
		"hostile name": {"12 (a) R 9 9 (b c) S 1 1 1 0 -1 0 0 0 0 0 1 0 0 1 20 0", 20 * time.Millisecond, false},
		"cut short":    {"12 (name) S 1", 0, true},
		"no number":    {"12 (name) S 1 1 1 0 -1 0 0 0 0 0 x 4 5 6 20 0", 0, true},
		"empty":        {"", 0, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "stat")
			if err := os.WriteFile(path, []byte(test.stat), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := statCPU(path)
			if got != test.want || (err != nil) != test.bad {
				t.Errorf("got %v, %v; want %v, error %v", got, err, test.want, test.bad)
			}
		})
	}
}

func TestTreeCPUSeesThisProcess(t *testing.T) {
	begin := time.Now()
	for time.Since(begin) < 50*time.Millisecond { // some work to be seen
	}
	if got := treeCPU(os.Getpid(), treeDepth); got <= 0 {
		t.Errorf("got %v, want more than nothing", got)
	}
}
