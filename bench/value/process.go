package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// tick is one second of /proc, in its units.
const tick = 100

// process is a program under way. What it held is looked at until it ends,
// because the kernel forgets it then.
type process struct {
	*exec.Cmd
	ended chan struct{}
	peak  float64 // MiB
	cpu   float64 // seconds, itself only
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
		if mib, ok := peakOf(p.Process.Pid); ok {
			p.peak = mib
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

// peakOf is what a process held at most; false for one that has ended.
func peakOf(pid int) (mib float64, ok bool) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, ok := bytes.Cut(text, []byte("VmHWM:"))
	if !ok {
		return 0, false
	}
	kib, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	return float64(kib) / 1024, err == nil
}
