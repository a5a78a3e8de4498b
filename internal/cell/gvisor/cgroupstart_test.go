package gvisor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/opencontainers/cgroups"

	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
)

// A sandbox is under its limits from its first moment, and nothing of this
// process stays there.
func TestSandboxStartsInItsCgroup(t *testing.T) {
	celltest.NeedReal(t)
	if _, ok := findLimiter().(*cgroupLimiter); !ok {
		t.Skip("cgroups cannot be used here")
	}
	in := startForTest(t)
	paths := in.limit.(*cgroupLimit).manager.GetPaths()
	if len(paths) == 0 {
		t.Fatal("the cell has no cgroup")
	}
	for _, path := range paths {
		pids, err := cgroups.GetAllPids(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(pids) + " "; strings.Contains(got, fmt.Sprint(os.Getpid())+" ") {
			t.Errorf("%s holds this process: %s", path, got)
		}
		if len(pids) < 2 {
			t.Errorf("%s holds %d processes", path, len(pids))
		}
		for _, pid := range append(descendants(t, in.cmd.Process.Pid), in.cmd.Process.Pid) {
			own, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
			if !strings.Contains(string(own), filepath.Base(filepath.Dir(path))+"/confined") {
				t.Errorf("process %d is not in %s:\n%s", pid, path, own)
			}
		}
	}
}
