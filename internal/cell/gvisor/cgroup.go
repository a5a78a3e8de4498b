package gvisor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/opencontainers/cgroups"
	"github.com/opencontainers/cgroups/manager"
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

const (
	// startAllowance is memory that a starting sandbox may use above the
	// limit of its cell. Once it is up, what it uses is measured and taken.
	startAllowance = 256 << 20
	// hostThreads bounds the threads on the host of one sandbox. It is far
	// above what the limit inside the cell lets a program cause.
	hostThreads = 16384
	cpuPeriod   = 100_000 // microseconds
	// samplePause is how often the memory of a cell is looked at.
	samplePause = 10 * time.Millisecond
)

// cgroupLimiter enforces memory and CPU by cgroups, version 1 or 2.
type cgroupLimiter struct{ version int }

// newCgroupLimiter tries a cgroup out, because nothing else tells reliably
// whether the host lets us use them.
func newCgroupLimiter() (*cgroupLimiter, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("cgroups need root here")
	}
	l := &cgroupLimiter{version: 1}
	if cgroups.IsCgroup2UnifiedMode() {
		l.version = 2
	}
	probe, err := newManager(fmt.Sprintf("probe-%d", os.Getpid()))
	if err != nil {
		return nil, err
	}
	defer probe.Destroy()
	if err := probe.Apply(-1); err != nil {
		return nil, fmt.Errorf("making a cgroup: %w", err)
	}
	if err := probe.Set(limitsOf(probe, startAllowance, 1)); err != nil {
		return nil, fmt.Errorf("setting the limits of a cgroup: %w", err)
	}
	if err := tryStart(probe); err != nil {
		return nil, fmt.Errorf("starting a process in a cgroup: %w", err)
	}
	stats, err := memoryStats(probe)
	if err != nil {
		return nil, fmt.Errorf("reading a cgroup: %w", err)
	}
	if stats.Usage.Limit != startAllowance {
		return nil, fmt.Errorf("the memory limit of a cgroup has no effect: it reads %d instead of %d", stats.Usage.Limit, int64(startAllowance))
	}
	_ = weigh(probe) // a lack of it limits nothing less
	return l, nil
}

// newManager leaves out the controllers of version 1 that limit nothing here:
// each costs time at the start and at the end of a cell.
func newManager(id string) (cgroups.Manager, error) {
	config := &cgroups.Cgroup{Path: "/glovebox/" + id, Resources: &cgroups.Resources{SkipDevices: true}}
	all, err := manager.New(config)
	if err != nil || cgroups.IsCgroup2UnifiedMode() {
		return all, err
	}
	used := map[string]string{}
	for _, controller := range []string{"memory", "cpu", "cpuacct", "pids"} {
		if path := all.Path(controller); path != "" {
			used[controller] = path
		}
	}
	return manager.NewWithPaths(config, used)
}

// limitsOf returns the resources of a cgroup; with no cores its CPU time is not
// limited. Swap counts as memory where the kernel accounts for it.
func limitsOf(m cgroups.Manager, memory int64, cores float64) *cgroups.Resources {
	r := &cgroups.Resources{Memory: memory, PidsLimit: new(int64(hostThreads)), SkipDevices: true}
	if cgroups.IsCgroup2UnifiedMode() || cgroups.PathExists(filepath.Join(m.Path("memory"), "memory.memsw.limit_in_bytes")) {
		r.MemorySwap = memory
	}
	if cores > 0 {
		r.CpuQuota, r.CpuPeriod = int64(cores*cpuPeriod), cpuPeriod
	}
	return r
}

func (l *cgroupLimiter) accepts(r api.Resources) error {
	if int64(r.CPU*cpuPeriod) < 1000 {
		return api.Errorf(api.IsolationUnavailable, "a limit of %g CPUs is too small to be enforced; at least 0.01 is possible", r.CPU)
	}
	return nil
}

func (l *cgroupLimiter) prepare(id string, r api.Resources) (limit, error) {
	m, err := newManager(id)
	if err != nil {
		return nil, api.Errorf(api.IsolationUnavailable, "cgroup of the cell: %w", err)
	}
	limit := &cgroupLimit{manager: m, accounting: newAccounting(m), resources: r, stop: make(chan struct{})}
	if err := limit.make(); err != nil {
		limit.remove()
		return nil, err
	}
	return limit, nil
}

func (l *cgroupLimiter) remove(id string) error {
	m, err := newManager(id)
	if err != nil || !cgroups.PathExists(m.Path("memory")) { // Exists looks for a controller that we do not use
		return err
	}
	return (&cgroupLimit{manager: m}).remove()
}

func (l *cgroupLimiter) findings() []cell.Finding {
	by := fmt.Sprintf("cgroup version %d", l.version)
	return []cell.Finding{
		{Subject: "memory limit", OK: true, Detail: by},
		{Subject: "cpu limit", OK: true, Detail: by},
	}
}

type cgroupLimit struct {
	manager    cgroups.Manager
	accounting accounting
	resources  api.Resources
	stop       chan struct{}
	stopOnce   sync.Once

	mu       sync.Mutex
	baseline int64 // what the sandbox itself uses
	other    int64 // what the kernel counted beside that when the sandbox was up, without file cache
	peak     int64
}

// enforce counts what the sandbox needed to come up as its own and gives the
// program the whole limit on top of it.
func (l *cgroupLimit) enforce(_ int, held int64, kill func()) error {
	used, err := l.accounting.used()
	if err != nil {
		return api.Errorf(api.IsolationUnavailable, "reading the memory of the cell: %w", err)
	}
	counted, _ := l.accounting.counted()
	l.baseline, l.other = max(0, used.held-held), counted-used.cache-used.held
	if err := l.manager.Set(limitsOf(l.manager, l.resources.Memory+l.baseline, l.resources.CPU)); err != nil {
		return api.Errorf(api.IsolationUnavailable, "setting the limits of the cell: %w", err)
	}
	go l.sample(kill)
	return nil
}

func (l *cgroupLimit) held() int64 {
	used, err := l.accounting.used()
	if err != nil {
		return 0
	}
	return max(0, used.held-l.baseline)
}

// sample follows the use of memory for the peak, and ends the cell when the
// kernel has begun to kill in it: a sandbox that lost a part would only hang.
func (l *cgroupLimit) sample(kill func()) {
	every(samplePause, l.stop, func() bool {
		l.notePeak()
		if !l.outOfMemory() {
			return true
		}
		kill()
		return false
	})
}

func (l *cgroupLimit) notePeak() {
	used, err := l.accounting.used()
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.peak = max(l.peak, used.held-l.baseline)
}

func memoryStats(m cgroups.Manager) (*cgroups.MemoryStats, error) {
	stats, err := m.Stats(&cgroups.StatsOptions{Controllers: cgroups.Memory})
	if err != nil {
		return nil, err
	}
	return &stats.MemoryStats, nil
}

func (l *cgroupLimit) outOfMemory() bool {
	count, err := l.manager.OOMKillCount()
	return err == nil && count > 0
}

func (l *cgroupLimit) kill() {
	pids, err := l.manager.GetAllPids()
	if err != nil {
		return
	}
	for _, pid := range pids {
		if pid != os.Getpid() { // whose starter may be there for a moment
			unix.Kill(pid, unix.SIGKILL)
		}
	}
}

func (l *cgroupLimit) death() cell.Death {
	l.stopOnce.Do(func() { close(l.stop) })
	usage := l.usage()
	death := cell.Death{OutOfMemory: l.outOfMemory(), PeakMemory: usage.PeakMemory, CPU: usage.CPU}
	if death.OutOfMemory {
		death.PeakMemory = max(death.PeakMemory, l.resources.Memory)
	}
	return death
}

func (l *cgroupLimit) usage() cell.Usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	used, err := l.accounting.used()
	// The highest count holds what came and went between two samples. The cache
	// taken off it is that of now, so the figure is rather too low than too high.
	if err == nil {
		_, highest := l.accounting.counted()
		l.peak = max(l.peak, min(highest-used.cache-l.other-l.baseline, l.resources.Memory))
	}
	return cell.Usage{PeakMemory: l.peak, Memory: used.held, CPU: l.accounting.cpuTime()}
}

// remove waits until the kernel lets the cgroup go, which is shortly after its
// last process has ended.
func (l *cgroupLimit) remove() error {
	var err error
	for pause := time.Millisecond; pause < 2*time.Second; pause *= 2 {
		l.kill()
		if err = l.manager.Destroy(); err == nil || !isBusy(err) {
			return err
		}
		time.Sleep(pause)
	}
	return err
}

func isBusy(err error) bool {
	return errors.Is(err, unix.EBUSY) || strings.Contains(err.Error(), unix.EBUSY.Error())
}
