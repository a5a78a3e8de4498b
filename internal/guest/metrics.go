package guest

import (
	"bufio"
	"bytes"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// metrics says what the cell uses, as its kernel counts it.
func (g *server) metrics(wire.Metrics, *wire.Channel) wire.MetricsDone {
	var root unix.Statfs_t
	if err := unix.Statfs("/", &root); err != nil {
		return wire.MetricsDone{Done: doneWith(err)}
	}
	memory, err := usedMemory()
	if err != nil {
		return wire.MetricsDone{Done: doneWith(err)}
	}
	return wire.MetricsDone{
		Disk: int64(root.Blocks-root.Bfree) * root.Bsize, Memory: memory,
		Processes: countProcesses() - 1,
	}
}

// usedMemory reads how much memory is in use.
func usedMemory() (int64, error) {
	text, err := readBounded("/proc/meminfo", 64<<10)
	if err != nil {
		return 0, err
	}
	kilobytes := make(map[string]int64)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var name string
		var n int64
		if count, _ := fmt.Sscanf(lines.Text(), "%s %d", &name, &n); count == 2 {
			kilobytes[name] = n
		}
	}
	return max(0, kilobytes["MemTotal:"]-kilobytes["MemAvailable:"]) << 10, nil
}
