package gvisor

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of the times in /proc/PID/stat; the kernel shows
// programs 100 a second on every architecture.
const clockTick = 10 * time.Millisecond

// treeDepth bounds how far down the processes of a sandbox are followed.
const treeDepth = 4

// treeCPU adds up the CPU time of a process, of its living descendants and of
// those it has collected. A process that ends meanwhile counts as nothing.
func treeCPU(pid, depth int) time.Duration {
	total, err := statCPU(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil || depth == 0 {
		return total
	}
	tasks := fmt.Sprintf("/proc/%d/task", pid)
	threads, _ := os.ReadDir(tasks)
	for _, thread := range threads {
		children, err := readSmall(tasks + "/" + thread.Name() + "/children")
		if err != nil {
			continue
		}
		for _, field := range strings.Fields(children) {
			if child, err := strconv.Atoi(field); err == nil {
				total += treeCPU(child, depth-1)
			}
		}
	}
	return total
}

// statCPU reads user and system time, of the process and of its collected
// children, from a stat file: fields 14 to 17 as proc(5) counts them. The name
// in field 2 may hold anything but ends at the last parenthesis.
func statCPU(path string) (time.Duration, error) {
	text, err := readSmall(path)
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(text[max(0, strings.LastIndexByte(text, ')')):], " ")
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return 0, fmt.Errorf("%s has %d fields", path, len(fields))
	}
	var ticks int64
	for _, field := range fields[11:15] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * clockTick, nil
}
