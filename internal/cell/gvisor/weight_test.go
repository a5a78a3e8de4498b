package gvisor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSetWeight(t *testing.T) {
	for file, want := range map[string]string{"cpu.shares": "4096", "cpu.weight": "400", "cpu.idle": ""} {
		dir := t.TempDir()
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		err := setWeight(dir, allCells)
		if got, _ := os.ReadFile(path); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", file, got, err, want)
		}
	}
}

// What all cells weigh is set where limits are cgroups.
func TestCellsWeigh(t *testing.T) {
	l, err := newCgroupLimiter()
	if err != nil {
		t.Skipf("needs cgroups: %v", err)
	}
	m, err := newManager("weighed")
	if err != nil {
		t.Fatal(err)
	}
	path, want := filepath.Join(filepath.Dir(m.Path("cpu")), "cpu.shares"), "4096"
	if l.version == 2 {
		path, want = filepath.Join(filepath.Dir(m.Path("")), "cpu.weight"), "400"
	}
	got, err := os.ReadFile(path)
	if strings.TrimSpace(string(got)) != want {
		t.Errorf("%s is %q, %v; want %s", path, got, err, want)
	}
}
