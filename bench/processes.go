package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// memory is what processes hold, in MiB, as the kernel tells it.
type memory struct {
	private float64 // Private_*: mapped by one process only
	held    float64 // Pss_Anon and Pss_Shmem: what nobody has without these processes, also where two of them map it
	pss     float64 // Pss: with their share of files that others map too
}

// below are a process and all its descendants, as they are now.
func below(process int) ([]int, error) {
	children, err := childrenOf()
	if err != nil {
		return nil, err
	}
	all := []int{process}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all, nil
}

func parentOf(process int) (int, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0, err
	}
	return parentIn(stat), nil
}

// childrenOf has the children of each process of the machine.
func childrenOf() (map[int][]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	children := map[int][]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil { // else it has ended meanwhile
			parent := parentIn(stat)
			children[parent] = append(children[parent], pid)
		}
	}
	return children, nil
}

// parentIn is the fourth field of a stat file. The second is a name in brackets,
// which can hold anything.
func parentIn(stat []byte) int {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1]) // the kernel writes a number
	return parent
}

// memoryOf adds up what processes hold. Those that have ended hold nothing.
func memoryOf(pids []int) (memory, error) {
	var sum memory
	for _, pid := range pids {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue
		}
		if err != nil {
			return memory{}, err
		}
		one := rollup(string(data))
		sum = memory{sum.private + one.private, sum.held + one.held, sum.pss + one.pss}
	}
	return sum, nil
}

// rollup reads an smaps_rollup, whose numbers are kibibytes.
func rollup(text string) memory {
	var m memory
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, ":")
		value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		kib, err := strconv.ParseFloat(value, 64)
		if err != nil {
			continue
		}
		switch {
		case strings.HasPrefix(name, "Private_"):
			m.private += kib / 1024
		case name == "Pss_Anon" || name == "Pss_Shmem":
			m.held += kib / 1024
		case name == "Pss":
			m.pss += kib / 1024
		}
	}
	return m
}
