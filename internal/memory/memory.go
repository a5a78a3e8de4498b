// Package memory says how much memory this process may come to use, and how much
// of that the values of runs may have together. Package budget holds them to it.
package memory

import (
	"bufio"
	"bytes"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// OfHost returns how many bytes of memory this process may come to use: what
// the host has, or less if a cgroup bounds that. root is the file system of the
// host. What cannot be read bounds nothing.
func OfHost(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	if text, err := fs.ReadFile(root, "proc/meminfo"); err == nil {
		least = min(least, memTotal(text))
	}
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return least
	}
	for line := range strings.Lines(string(text)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, dir, _ := strings.Cut(rest, ":")
		switch {
		case controllers == "":
			least = min(least, cgroupLimit(root, "sys/fs/cgroup", dir, "memory.max"))
		case controllers == "memory":
			least = min(least, cgroupLimit(root, "sys/fs/cgroup/memory", dir, "memory.limit_in_bytes"))
		}
	}
	return least
}

// maxValueMemory bounds the default: more would only let more be decoded at once.
const maxValueMemory = 8 << 30 // bytes

// ForValues returns what values may take together by default, on a host with
// so much memory: half of it, for the rest of the process and the cells need some.
func ForValues(hostMemory int64) int64 { return min(hostMemory/2, maxValueMemory) }

// memTotal reads the first number of /proc/meminfo, which is in KiB.
func memTotal(meminfo []byte) int64 {
	scanner := bufio.NewScanner(bytes.NewReader(meminfo))
	for scanner.Scan() {
		words := strings.Fields(scanner.Text())
		if len(words) < 2 || words[0] != "MemTotal:" {
			continue
		}
		if kib, err := strconv.ParseInt(words[1], 10, 53); err == nil {
			return kib << 10
		}
	}
	return math.MaxInt64
}

// cgroupLimit returns the least limit of a cgroup and those above it. One that
// is not to be seen from here, as in a container, leaves those above it.
func cgroupLimit(root fs.FS, mount, dir, file string) int64 {
	least := int64(math.MaxInt64)
	for dir = path.Clean("/" + dir); ; dir = path.Dir(dir) {
		text, err := fs.ReadFile(root, path.Join(mount, dir, file))
		if n, bad := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bad == nil { // else "max"
			least = min(least, n)
		}
		if dir == "/" {
			return least
		}
	}
}
