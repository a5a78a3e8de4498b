package guest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// countProcesses counts the processes of the cell that live.
func countProcesses() int {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	count := 0
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && lives(pid) {
			count++
		}
	}
	return count
}

// lives reports whether a process lives; a zombie does not any more.
func lives(pid int) bool {
	stat, err := readBounded(fmt.Sprintf("/proc/%d/stat", pid), 4096)
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte{' '})
	return len(rest) > 0 && rest[0] != 'Z' && rest[0] != 'X'
}

func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return data, errors.Join(err, f.Close())
}
