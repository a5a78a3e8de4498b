package gvisor

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

// All services of a host are one group, and weigh as much as all cells.
func TestWeightBeside(t *testing.T) {
	for processes, want := range map[string]int{
		fmt.Sprintf("1\n%d\n", os.Getpid()):  allCells,
		fmt.Sprintf("1\n1%d\n", os.Getpid()): 1,
		"":                                   1,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(processes), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := weightBeside(dir); got != want {
			t.Errorf("beside %q: %d, want %d", processes, got, want)
		}
	}
	if got := weightBeside(t.TempDir()); got != 1 {
		t.Errorf("beside nothing: %d, want 1", got)
	}
}

// TestCellsWeigh: the weight of all cells together is set where limits are
// cgroups.
func TestCellsWeigh(t *testing.T) {
	l, err := newCgroupLimiter()
	if err != nil {
		t.Skipf("needs cgroups: %v", err)
	}
	m, err := newManager("weighed")
	if err != nil {
		t.Fatal(err)
	}
	dir, file, one := filepath.Dir(m.Path("cpu")), sharesFile, oneShare
	if l.version == 2 {
		dir, file, one = filepath.Dir(m.Path("")), weightFile, oneWeight
	}
	want := strconv.Itoa(one * weightBeside(filepath.Dir(dir)))
	got, err := os.ReadFile(filepath.Join(dir, file))
	if strings.TrimSpace(string(got)) != want {
		t.Errorf("%s of %s is %q, %v; want %s", file, dir, got, err, want)
	}
}
