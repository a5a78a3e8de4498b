package memory

import (
	"math"
	"os"
	"testing"
	"testing/fstest"
)

func TestOfHost(t *testing.T) {
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
			if got := OfHost(root); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
	if got := OfHost(os.DirFS("/")); got <= 1<<20 || got >= 1<<50 {
		t.Errorf("this host has %d bytes", got)
	}
}
