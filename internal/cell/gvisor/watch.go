package gvisor

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// watchPause is how often the watchdog looks. In one pause a program can pass
// its limit by what it can touch in that time, some tens of MiB.
const watchPause = 10 * time.Millisecond

// watchLimiter enforces memory by watching the sandbox, and CPU by giving it
// whole processors.
type watchLimiter struct {
	reason error // why cgroups are not used
	turn   atomic.Uint64
}

func (l *watchLimiter) accepts(r api.Resources) error {
	if r.CPU != math.Trunc(r.CPU) {
		return api.Errorf(api.IsolationUnavailable, "a limit of %g CPUs needs cgroups, which cannot be used here (%v)", r.CPU, l.reason).
			WithHint("ask for a whole number of CPUs, or run as root")
	}
	return nil
}

func (l *watchLimiter) prepare(_ string, r api.Resources) (limit, error) {
	return &watchLimit{resources: r, first: int(l.turn.Add(1)), stop: make(chan struct{})}, nil
}

func (l *watchLimiter) remove(string) error { return nil }

func (l *watchLimiter) findings() []cell.Finding {
	return []cell.Finding{
		{Subject: "memory limit", OK: true, Detail: fmt.Sprintf("a watchdog on the sandbox every %s, because cgroups are not usable (%v)", watchPause, l.reason)},
		{Subject: "cpu limit", OK: true, Detail: "processor affinity, whole CPUs only", Remedy: "run as root for fractions of a CPU"},
	}
}

type watchLimit struct {
	resources api.Resources
	first     int // of the processors given
	stop      chan struct{}
	stopOnce  sync.Once

	mu       sync.Mutex
	pid      int   // of the sandbox, once it is up
	now      int64 // what the sandbox holds, with everything
	baseline int64 // of that, what the sandbox itself uses
	peak     int64
	cpu      time.Duration
	passed   bool // the memory limit
}

// start starts the sandbox on its share of the processors. The mask belongs
// to the thread that forks, so the thread is kept and the mask restored.
func (l *watchLimit) start(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return fmt.Errorf("reading the processor affinity: %w", err)
	}
	mine := share(all, l.first, int(l.resources.CPU))
	if err := unix.SchedSetaffinity(0, &mine); err != nil {
		return fmt.Errorf("setting the processor affinity: %w", err)
	}
	defer unix.SchedSetaffinity(0, &all)
	return cmd.Start()
}

// share picks count of the processors in all, starting with another one for
// each cell.
func share(all unix.CPUSet, first, count int) unix.CPUSet {
	var usable []int
	for cpu := range len(all) * strconv.IntSize {
		if all.IsSet(cpu) {
			usable = append(usable, cpu)
		}
	}
	var mine unix.CPUSet
	for i := range min(count, len(usable)) {
		mine.Set(usable[(first*count+i)%len(usable)])
	}
	return mine
}

func (l *watchLimit) enforce(sandbox int, held int64, kill func()) error {
	memory, err := findMemory(sandbox)
	if err != nil {
		return api.Errorf(api.IsolationUnavailable, "the memory of the sandbox cannot be watched: %w", err)
	}
	baseline, err := memory.used()
	if err != nil {
		memory.close()
		return api.Errorf(api.IsolationUnavailable, "the memory of the sandbox cannot be watched: %w", err)
	}
	l.mu.Lock()
	l.pid, l.now = sandbox, baseline
	baseline = max(0, baseline-held)
	l.baseline = baseline
	l.mu.Unlock()
	go l.watch(memory, baseline, kill)
	go l.watchCPU(sandbox)
	return nil
}

// watchCPU follows the CPU time, because what a killed sandbox consumed is not
// reported to anybody.
func (l *watchLimit) watchCPU(sandbox int) {
	every(10*watchPause, l.stop, func() bool {
		l.noteCPU(treeCPU(sandbox, treeDepth))
		return true
	})
}

func (l *watchLimit) noteCPU(used time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cpu = max(l.cpu, used)
}

func (l *watchLimit) watch(memory *sandboxMemory, baseline int64, kill func()) {
	defer memory.close()
	every(watchPause, l.stop, func() bool {
		used, err := memory.used()
		// An error means that the sandbox has ended, or that its limit holds no
		// longer: both end the cell.
		if err == nil && !l.note(used, baseline) {
			return true
		}
		kill()
		return false
	})
}

func (l *watchLimit) held() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(0, l.now-l.baseline)
}

func (l *watchLimit) note(held, baseline int64) (passed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	used := held - baseline
	l.now, l.peak = held, max(l.peak, used)
	l.passed = l.passed || used > l.resources.Memory
	return l.passed
}

func (l *watchLimit) outOfMemory() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.passed
}

func (l *watchLimit) usage() cell.Usage {
	l.mu.Lock()
	pid := l.pid
	l.mu.Unlock()
	if pid > 0 {
		l.noteCPU(treeCPU(pid, treeDepth))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return cell.Usage{CPU: l.cpu, PeakMemory: l.peak, Memory: l.now}
}

func (l *watchLimit) kill() {}

func (l *watchLimit) death() cell.Death {
	l.stopOnce.Do(func() { close(l.stop) })
	l.mu.Lock()
	defer l.mu.Unlock()
	return cell.Death{OutOfMemory: l.passed, PeakMemory: l.peak, CPU: l.cpu}
}

func (l *watchLimit) remove() error { return nil }

// sandboxMemory is where the memory of a sandbox can be read: the file in
// memory that holds everything of the cell, and the sandbox process itself.
// Both are open, so that neither a lack of descriptors nor a new process of the
// same number can get in the way.
type sandboxMemory struct{ file, status *os.File }

// memoryFileName is what gVisor calls that file.
const memoryFileName = "/memfd:runsc-memory"

func findMemory(pid int) (*sandboxMemory, error) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		target, err := os.Readlink(path)
		if err != nil || !strings.HasPrefix(target, memoryFileName) {
			continue
		}
		return openMemory(path, fmt.Sprintf("/proc/%d/status", pid))
	}
	return nil, fmt.Errorf("process %d has no %s", pid, memoryFileName)
}

func openMemory(file, status string) (m *sandboxMemory, err error) {
	m = &sandboxMemory{}
	if m.file, err = os.Open(file); err != nil {
		return nil, err
	}
	if m.status, err = os.Open(status); err != nil {
		m.file.Close()
		return nil, err
	}
	return m, nil
}

func (m *sandboxMemory) used() (int64, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(m.file.Fd()), &stat); err != nil {
		return 0, err
	}
	anonymous, err := residentAnonymous(m.status)
	return stat.Blocks*512 + anonymous, err
}

// maxStatus is far above the size of a status file of /proc, in bytes.
const maxStatus = 64 << 10

// residentAnonymous reads RssAnon, in bytes, from a status file of /proc.
func residentAnonymous(status *os.File) (int64, error) {
	data, err := io.ReadAll(io.NewSectionReader(status, 0, maxStatus))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if value, found := strings.CutPrefix(line, "RssAnon:"); found {
			kib, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("%s has no RssAnon", status.Name())
}

func (m *sandboxMemory) close() {
	m.file.Close()
	m.status.Close()
}
