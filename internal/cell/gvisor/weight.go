package gvisor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/tuning"
	"github.com/opencontainers/cgroups"
)

// allCells is how many ordinary processes all cells together weigh where
// processors are scarce and this process is one of those that they compete with.
// By default it would be one, however many cells there are, and each would take
// many times longer on a busy host; and more than some would leave the host too
// little, this process included.
const allCells = 4

// The files of a weight, and what one process, or one group, weighs.
const (
	sharesFile, oneShare  = "cpu.shares", 1024
	weightFile, oneWeight = "cpu.weight", 100
)

// weigh gives the cgroup above those of all cells its weight.
func weigh(m cgroups.Manager) error {
	dir := m.Path("cpu")
	if cgroups.IsCgroup2UnifiedMode() {
		dir = m.Path("")
	}
	if dir == "" {
		return errors.New("no controller shares processors out")
	}
	times := 1
	if tuning.On(tuning.Weight) {
		times = weightBeside(filepath.Dir(filepath.Dir(dir)))
	}
	return setWeight(filepath.Dir(dir), times)
}

// weightBeside returns how many times as much as one of its rivals a cgroup below
// dir weighs. Where this process is not in dir itself, they are groups, such as
// one that holds all services of the host, and this process with them.
func weightBeside(dir string) int {
	processes, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil || !slices.Contains(strings.Fields(string(processes)), strconv.Itoa(os.Getpid())) {
		return 1
	}
	return allCells
}

// setWeight writes the weight of a cgroup of either version.
func setWeight(dir string, times int) error {
	for _, way := range []struct {
		file string
		one  int
	}{{sharesFile, oneShare}, {weightFile, oneWeight}} {
		path := filepath.Join(dir, way.file)
		if cgroups.PathExists(path) {
			return os.WriteFile(path, []byte(strconv.Itoa(times*way.one)), 0)
		}
	}
	return fmt.Errorf("%s has no weight", dir)
}
