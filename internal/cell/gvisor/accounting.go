package gvisor

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/opencontainers/cgroups"
	"golang.org/x/sys/unix"
)

// accounting reads what the kernel counts for a cgroup, version 1 or 2. It reads
// no more than is asked for: a cell is looked at often, and while a run waits.
type accounting struct{ memory, cpu string } // directories

func newAccounting(m cgroups.Manager) accounting {
	if cgroups.IsCgroup2UnifiedMode() {
		return accounting{memory: m.Path(""), cpu: m.Path("")}
	}
	return accounting{memory: m.Path("memory"), cpu: m.Path("cpuacct")}
}

// memoryUse is memory in bytes, without the cache of files on disk, which the
// kernel takes back when it wants to.
type memoryUse struct {
	held  int64 // by programs
	cache int64 // what counts besides as memory of the cgroup, and is left out
}

func (a accounting) used() (memoryUse, error) {
	text, err := readSmall(filepath.Join(a.memory, "memory.stat"))
	if err != nil {
		return memoryUse{}, err
	}
	values := keyed(text, "total_rss", "total_shmem", "total_cache", "anon", "shmem", "file")
	if _, v1 := values["total_rss"]; v1 {
		return memoryUse{values["total_rss"] + values["total_shmem"], values["total_cache"] - values["total_shmem"]}, nil
	}
	return memoryUse{values["anon"] + values["shmem"], values["file"] - values["shmem"]}, nil
}

// counted returns the memory that the cgroup is charged for now, and at most so
// far; 0 where the kernel does not keep that. Both hold the cache.
func (a accounting) counted() (now, highest int64) {
	for _, names := range [][2]string{{"memory.usage_in_bytes", "memory.max_usage_in_bytes"}, {"memory.current", "memory.peak"}} {
		if now = a.number(names[0]); now > 0 {
			return now, a.number(names[1])
		}
	}
	return 0, 0
}

func (a accounting) number(name string) int64 {
	text, err := readSmall(filepath.Join(a.memory, name))
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n
}

// cpuTime returns the CPU time that the cgroup has used.
func (a accounting) cpuTime() time.Duration {
	if text, err := readSmall(filepath.Join(a.cpu, "cpuacct.usage")); err == nil {
		n, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		return time.Duration(n)
	}
	text, _ := readSmall(filepath.Join(a.cpu, "cpu.stat"))
	return time.Duration(keyed(text, "usage_usec")["usage_usec"]) * time.Microsecond
}

// keyed returns those of the named values that a text of lines "name value" has.
func keyed(text string, names ...string) map[string]int64 {
	values := make(map[string]int64, len(names))
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, wanted := range names {
			if name != wanted {
				continue
			}
			if n, err := strconv.ParseInt(value, 10, 64); err == nil {
				values[name] = n
			}
		}
	}
	return values
}

// maxSmall is above the size of any file that is read here, in bytes.
const maxSmall = 16 << 10

// readSmall reads a file of the kernel with as few system calls as there can be.
func readSmall(path string) (string, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	defer unix.Close(fd)
	buf := make([]byte, maxSmall)
	n, err := unix.Read(fd, buf)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return string(buf[:n]), nil
}
