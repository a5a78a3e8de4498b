package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"time"
)

// tick is one second of /proc, in its units.
const tick = 100

// process is a program under way. What it held is looked at until it ends,
// because the kernel forgets it then.
type process struct {
	*exec.Cmd
	ended chan struct{}
	peak  float64      // MiB
	own   atomic.Int64 // KiB: the most that was seen of what is not the file of the program
	cpu   float64      // seconds, itself only
}

func start(cmd *exec.Cmd) (*process, error) {
	p := &process{Cmd: cmd, ended: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go p.watch()
	return p, nil
}

// watch looks at the process until it is a zombie, which still has its times.
func (p *process) watch() {
	defer close(p.ended)
	for {
		if kib, ok := statusOf(p.Process.Pid, "VmHWM:"); ok {
			p.peak = kib / 1024
		}
		if kib, ok := statusOf(p.Process.Pid, "RssAnon:"); ok && int64(kib) > p.own.Load() {
			p.own.Store(int64(kib))
		}
		state, cpu, err := stat(p.Process.Pid)
		if err != nil {
			return
		}
		if p.cpu = cpu; state == 'Z' {
			return
		}
		time.Sleep(3 * time.Millisecond)
	}
}

// stat returns the state of a process and the CPU that it took, without its
// children.
func stat(pid int) (state byte, seconds float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return fields[0][0], float64(user+system) / tick, nil
}

// statusOf is a line of what the kernel says of a process, in KiB; false for one
// that has ended.
func statusOf(pid int, name string) (kib float64, ok bool) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, ok := bytes.Cut(text, []byte(name))
	if !ok {
		return 0, false
	}
	kib, err := strconv.ParseFloat(string(bytes.Fields(rest)[0]), 64)
	return kib, err == nil
}
