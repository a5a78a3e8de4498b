package guest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// marker is a variable of every process of a session. Its descendants inherit
// it, so that those are found that have left their parents.
const marker = "GLOVEBOX_PROCESS"

// maxEnviron is how much of the variables of a process is read.
const maxEnviron = 1 << 20

// maxRounds bounds how often a tree is searched for processes that were made
// meanwhile.
const maxRounds = 100

// tree is a process with everything that it has started.
type tree struct {
	root int    // 0 when it has ended
	mark string // the marker with its value
}

// kill ends the tree. Its processes are stopped first: they keep their places
// in the limit of processes, so that those that fork run out of them.
func (t tree) kill() {
	stopped := make(map[int]bool)
	for range maxRounds {
		fresh := 0
		for _, pid := range t.members() {
			if !stopped[pid] {
				stopped[pid] = true
				fresh++
				unix.Kill(pid, unix.SIGSTOP)
			}
		}
		if fresh == 0 {
			break
		}
	}
	for range maxRounds {
		members := t.members()
		for _, pid := range members {
			unix.Kill(pid, unix.SIGKILL)
		}
		if len(members) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// signal sends a signal to each process of the tree, once.
func (t tree) signal(signal unix.Signal) {
	for _, pid := range t.members() {
		unix.Kill(pid, signal)
	}
}

// members returns the processes of the tree that live.
func (t tree) members() []int {
	parents := processParents()
	var members []int
	for pid := range parents {
		if pid != os.Getpid() && (descends(pid, t.root, parents) || t.marks(pid)) {
			members = append(members, pid)
		}
	}
	return members
}

// descends reports whether a process is root or has it above it.
func descends(pid, root int, parents map[int]int) bool {
	if root == 0 {
		return false
	}
	for range len(parents) + 1 {
		if pid == root {
			return true
		}
		parent, known := parents[pid]
		if !known {
			return false
		}
		pid = parent
	}
	return false
}

// marks reports whether a process has the marker of the tree among the variables
// that it was started with.
func (t tree) marks(pid int) bool {
	environ, err := readBounded(fmt.Sprintf("/proc/%d/environ", pid), maxEnviron)
	if err != nil {
		return false
	}
	for variable := range bytes.SplitSeq(environ, []byte{0}) {
		if string(variable) == t.mark {
			return true
		}
	}
	return false
}

// processParents returns the parent of each process of the cell that lives.
func processParents() map[int]int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	parents := make(map[int]int)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if parent, alive := parentOf(pid); alive {
			parents[pid] = parent
		}
	}
	return parents
}

// parentOf reads the parent of a process; a zombie is none any more.
func parentOf(pid int) (parent int, alive bool) {
	stat, err := readBounded(fmt.Sprintf("/proc/%d/stat", pid), 4096)
	if err != nil {
		return 0, false
	}
	_, rest, _ := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte{' '})
	fields := bytes.Fields(rest)
	if len(fields) < 2 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return 0, false
	}
	parent, err = strconv.Atoi(string(fields[1]))
	return parent, err == nil
}

func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit))
	return data, errors.Join(err, f.Close())
}
