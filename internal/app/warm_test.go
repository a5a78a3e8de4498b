package app

import (
	"math"
	"os"
	"testing"
	"testing/fstest"

	"github.com/glovebox-dev/glovebox/internal/host"
)

func TestWarmBounds(t *testing.T) {
	const gib = 1 << 30
	for name, c := range map[string]struct {
		options host.Options
		cpus    int
		host    int64
		cells   int
		memory  int64
	}{
		"one CPU":           {host.Options{}, 1, 4 * gib, 2, gib / 2},
		"two CPUs":          {host.Options{}, 2, 8 * gib, 4, gib},
		"many CPUs":         {host.Options{}, 64, 512 * gib, 8, 2 * gib},
		"unknown memory":    {host.Options{}, 2, math.MaxInt64, 4, 2 * gib},
		"given":             {host.Options{WarmCells: 100, WarmMemory: 3 * gib}, 2, 8 * gib, 100, 3 * gib},
		"only cells given":  {host.Options{WarmCells: 1}, 2, 8 * gib, 1, gib},
		"only memory given": {host.Options{WarmMemory: 5}, 2, 8 * gib, 4, 5},
		"no cells":          {host.Options{WarmCells: host.NoWarmCells, WarmMemory: gib}, 2, 8 * gib, 0, 0},
		"no memory":         {host.Options{WarmCells: 3, WarmMemory: -1}, 2, 8 * gib, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := warmBounds(c.options, c.cpus, c.host); got.Cells != c.cells || got.Memory != c.memory {
				t.Errorf("%d cells of %d bytes, want %d of %d", got.Cells, got.Memory, c.cells, c.memory)
			}
		})
	}
}

func TestHostMemory(t *testing.T) {
	const meminfo = "MemTotal:       8000 kB\nMemFree:        100 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing":      {nil, math.MaxInt64},
		"no cgroup":    {map[string]string{"proc/meminfo": meminfo}, 8000 << 10},
		"unlimited":    {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}, 8000 << 10},
		"own":          {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "5000\n"}, 5000},
		"above":        {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "6000\n"}, 6000},
		"container":    {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../../x\n", "sys/fs/cgroup/memory.max": "7000\n"}, 7000},
		"first kind":   {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/a\n0::/\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9000\n"}, 9000},
		"more than is": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 8000 << 10},
		"nonsense":     {map[string]string{"proc/meminfo": "MemTotal:\nMemTotal: x kB\n", "proc/self/cgroup": "\n:\n::\nx"}, math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{}
			for path, text := range c.files {
				root[path] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := hostMemory(root); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
	if got := hostMemory(os.DirFS("/")); got <= 1<<20 || got >= 1<<50 {
		t.Errorf("this host has %d bytes", got)
	}
}
