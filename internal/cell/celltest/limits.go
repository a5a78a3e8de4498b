package celltest

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack/programs"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var limitChecks = []check{
	{"R02_memory_heap", memoryHeap},
	{"R02_memory_mapped_file", memoryMappedFile},
	{"R02_memory_shared", memoryShared},
	{"R02_memory_children", memoryChildren},
	{"R02_memory_pipes_and_sockets", memoryKernel},
	{"memory below the limit", memoryBelow},
	{"memory by root of the cell", memoryRoot},
	{"R06_processes", processes},
	{"R06_threads", threads},
	{"processes of the root of the cell", processesRoot},
	{"R06_open_files", openFiles},
	{"limits cannot be raised", limitsCannotBeRaised},
	{"R03_disk", disk},
	{"R03_memory_file_systems", memoryFileSystems},
	{"R04_many_files", manyFiles},
	{"R04_deep_directories", deepDirectories},
	{"cpu of one", cpuOne},
	{"cpu of half", cpuHalf},
	{"cpus that are seen", cpuSeen},
	{"limits that cannot be", limitsThatCannotBe},
}

const memoryLimit = 384 << 20

func (s *suite) openMemory(t *testing.T) *session {
	return s.open(t, func(spec *cell.Spec) { spec.Resources.Memory = memoryLimit })
}

// runsOutOfMemory checks that the end is reported as what it was, with the
// limit and a peak that was really measured.
func (o outcome) runsOutOfMemory(t *testing.T) {
	t.Helper()
	e := o.fails(t, api.OutOfMemory)
	if e.Details.Limit != memoryLimit {
		t.Errorf("the error says a limit of %d, want %d", e.Details.Limit, memoryLimit)
	}
	if e.Details.Peak < memoryLimit/2 || e.Details.Peak > 8*memoryLimit {
		t.Errorf("the error says a peak of %d, with a limit of %d", e.Details.Peak, memoryLimit)
	}
}

func memoryHeap(t *testing.T, s *suite) {
	s.openMemory(t).python(programs.Heap.Code, "65536").runsOutOfMemory(t)
}

func memoryMappedFile(t *testing.T, s *suite) {
	s.openMemory(t).python(`
import mmap
m = mmap.mmap(-1, 4 << 30)
for i in range(0, 4 << 30, 4096): m[i] = 1
`).runsOutOfMemory(t)
}

// memoryShared fills memory that no process owns.
func memoryShared(t *testing.T, s *suite) {
	s.openMemory(t).python(`
import os
fd = os.memfd_create("x")
while True: os.write(fd, b"x" * (1 << 20))
`).runsOutOfMemory(t)
}

func memoryChildren(t *testing.T, s *suite) {
	s.openMemory(t).python(`
import os, time
for _ in range(8):
    if os.fork() == 0:
        block = bytearray(b"x" * (100 << 20))
        time.sleep(60)
while True: time.sleep(1)
`).runsOutOfMemory(t)
}

// memoryKernel fills the buffers of pipes and sockets. They are bounded by
// the open files and processes, so a cell may also come through.
func memoryKernel(t *testing.T, s *suite) {
	o := s.openMemory(t).python(`
import os, socket
held = []
try:
    while True:
        a, b = socket.socketpair()
        a.setblocking(False)
        held += [a, b]
        try:
            while True: a.send(b"x" * 65536)
        except BlockingIOError:
            pass
except OSError:
    print("bounded")
`)
	if o.err != nil {
		o.runsOutOfMemory(t)
		return
	}
	o.prints(t, "bounded\n")
}

func memoryBelow(t *testing.T, s *suite) {
	x := s.openMemory(t)
	// Held for a moment: not every driver can see a peak between two looks.
	x.python("import time; b = b'x' * (200 << 20); time.sleep(0.2); print(len(b))").prints(t, fmt.Sprintln(200<<20))
	death := x.death()
	if death.OutOfMemory {
		t.Error("the cell is said to have run out of memory, well below its limit")
	}
	if death.PeakMemory < 200<<20 || death.PeakMemory > memoryLimit*5/4 {
		t.Errorf("the peak is said to be %d; 200 MiB were used", death.PeakMemory)
	}
}

func memoryRoot(t *testing.T, s *suite) {
	s.openMemory(t).pythonRoot(programs.Heap.Code, "65536").runsOutOfMemory(t)
}

// reaches checks that a count stopped at a limit, and not long before it.
func (o outcome) reaches(t *testing.T, limit int) {
	t.Helper()
	o.succeeds(t)
	n, err := strconv.Atoi(strings.TrimSpace(o.stdout))
	if err != nil {
		t.Fatalf("the program printed %q", o.stdout)
	}
	if n > limit || n < limit/2 {
		t.Errorf("the program got to %d with a limit of %d", n, limit)
	}
}

func processes(t *testing.T, s *suite) {
	x := s.open(t, func(spec *cell.Spec) { spec.Resources.PIDs = 40 })
	x.python(programs.CountProcesses.Code, "2000", "60").reaches(t, 40)
	x.python("print('alive')").prints(t, "alive\n")
}

// processesRoot is for image builds. The guest counts as root's too, so less
// than the limit is left.
func processesRoot(t *testing.T, s *suite) {
	o := s.open(t, func(spec *cell.Spec) { spec.Resources.PIDs = 100 }).pythonRoot(programs.CountProcesses.Code, "2000", "60")
	o.reaches(t, 100)
}

func threads(t *testing.T, s *suite) {
	s.open(t, func(spec *cell.Spec) { spec.Resources.PIDs = 40 }).python(`
import os, threading
stop, n = threading.Event(), 1
try:
    while n < 2000:
        threading.Thread(target=stop.wait, daemon=True).start()
        n += 1
except RuntimeError:
    pass
print(n, flush=True)
os._exit(0)
`).reaches(t, 40)
}

func openFiles(t *testing.T, s *suite) {
	s.open(t, func(spec *cell.Spec) { spec.Resources.OpenFiles = 50 }).python(programs.OpenFiles.Code, "5000").reaches(t, 50)
}

func limitsCannotBeRaised(t *testing.T, s *suite) {
	const code = `
import resource
for which in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_CORE):
    soft, hard = resource.getrlimit(which)
    try:
        resource.setrlimit(which, (hard + 1000, hard + 1000)); print("raised", which)
    except (ValueError, OSError):
        pass
`
	x := s.open(t)
	x.python(code).prints(t, "")
	x.pythonRoot(code).prints(t, "")
}

const diskLimit = 64 << 20

func disk(t *testing.T, s *suite) {
	for _, dir := range []string{"/work", "/var/tmp"} {
		x := s.open(t, func(spec *cell.Spec) { spec.Resources.Disk = diskLimit })
		x.python(programs.Fill.Code, dir, "6400").reaches(t, diskLimit)
		x.python("print('alive')").prints(t, "alive\n")
	}
	x := s.open(t, func(spec *cell.Spec) { spec.Resources.Disk = diskLimit })
	x.pythonRoot(programs.Fill.Code, "/usr", "6400").reaches(t, diskLimit)
}

// memoryFileSystems fills the file systems that are made of memory. Either
// they are full early or the cell runs out of memory; neither is the host's.
func memoryFileSystems(t *testing.T, s *suite) {
	for _, dir := range []string{"/tmp", "/dev/shm"} {
		x := s.openMemory(t)
		o := x.python(programs.Fill.Code, dir, "6400")
		if o.err != nil {
			o.runsOutOfMemory(t)
			continue
		}
		o.succeeds(t)
		if n, err := strconv.Atoi(strings.TrimSpace(o.stdout)); err != nil || n > memoryLimit {
			t.Errorf("%s took %q bytes of a cell with %d bytes of memory", dir, o.stdout, memoryLimit)
		}
	}
}

func manyFiles(t *testing.T, s *suite) {
	x := s.openMemory(t)
	o := x.python(`
import os
n = 0
try:
    for d in range(100):
        os.mkdir("/work/%d" % d)
        for f in range(500):
            os.close(os.open("/work/%d/%d" % (d, f), os.O_CREAT)); n += 1
except OSError:
    pass
print(n > 0)
`)
	if o.err != nil {
		o.runsOutOfMemory(t)
		return
	}
	o.prints(t, "True\n")
	s.endsSoon(t, x)
}

func deepDirectories(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(`
import os
try:
    for i in range(3000):
        os.mkdir("d"); os.chdir("d")
except OSError:
    pass
`).succeeds(t)
	_, err := x.get("/work", cell.GetLimits{Bytes: 1 << 20, Files: 1000}, "d")
	outcome{err: err}.fails(t, api.OutputTooLarge)
	s.endsSoon(t, x)
}

// endsSoon closes a cell that was left in a mess.
func (s *suite) endsSoon(t *testing.T, x *session) {
	t.Helper()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		x.cell.Close()
	}()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Fatal("clean-up takes more than ten seconds")
	}
	s.nothingRuns(t, x.spec.ID)
}

// spin keeps every processor of the cell busy for a time on the wall.
const spin = `
import os, sys, time
end = time.monotonic() + float(sys.argv[2])
for _ in range(int(sys.argv[1]) - 1):
    if os.fork() == 0: break
while time.monotonic() < end: pass
`

// measureCPU spins with more processes than the limit and returns how many
// processors the cell had on average.
func measureCPU(t *testing.T, s *suite, limit float64) float64 {
	const seconds = 3
	x := s.open(t, func(spec *cell.Spec) { spec.Resources.CPU = limit })
	begin := time.Now()
	x.python(spin, "4", strconv.Itoa(seconds)).succeeds(t)
	death := x.death()
	cores := death.CPU.Seconds() / time.Since(begin).Seconds()
	t.Logf("a limit of %.1f cores gave %.2f: %v of CPU time", limit, cores, death.CPU)
	return cores
}

func cpuOne(t *testing.T, s *suite) {
	if cores := measureCPU(t, s, 1); cores > 1.3 || cores < 0.1 {
		t.Errorf("the cell had %.2f cores with a limit of 1", cores)
	}
}

// cpuHalf asks for less than a whole processor, which not every host can hold.
// Then the driver has to refuse.
func cpuHalf(t *testing.T, s *suite) {
	_, err := s.tryOpen(t, func(spec *cell.Spec) { spec.Resources.CPU = 0.5 })
	if e := api.AsError(err); e != nil {
		outcome{err: err}.fails(t, api.IsolationUnavailable)
		t.Logf("refused, which is right where it cannot be held: %v", err)
		return
	}
	if cores := measureCPU(t, s, 0.5); cores > 0.75 || cores < 0.05 {
		t.Errorf("the cell had %.2f cores with a limit of 0.5", cores)
	}
}

// cpuSeen makes sure that a limit is not a ceiling below what was asked for, and
// that programs see no more processors than they may use: many start a thread
// for each.
func cpuSeen(t *testing.T, s *suite) {
	if runtime.NumCPU() < 2 {
		t.Skipf("%s needs a host with two processors", t.Name())
	}
	for limit, seen := range map[float64]string{1: "1 1\n", 2: "2 2\n"} {
		x := s.open(t, func(spec *cell.Spec) { spec.Resources.CPU = limit })
		x.python("import os; print(os.cpu_count(), len(os.sched_getaffinity(0)))").prints(t, seen)
	}
}

// limitsThatCannotBe asks for what no driver can hold. It must say so, and not
// start a cell with less.
func limitsThatCannotBe(t *testing.T, s *suite) {
	for name, adjust := range map[string]func(*cell.Spec){
		"negative cpu":     func(spec *cell.Spec) { spec.Resources.CPU = -1 },
		"negative memory":  func(spec *cell.Spec) { spec.Resources.Memory = -1 },
		"one byte":         func(spec *cell.Spec) { spec.Resources.Memory = 1 },
		"negative pids":    func(spec *cell.Spec) { spec.Resources.PIDs = -1 },
		"negative disk":    func(spec *cell.Spec) { spec.Resources.Disk = -1 },
		"negative files":   func(spec *cell.Spec) { spec.Resources.OpenFiles = -1 },
		"no such image":    func(spec *cell.Spec) { spec.RootFS += ".gone" },
		"image is no file": func(spec *cell.Spec) { spec.RootFS = "/dev/null" },
	} {
		t.Run(name, func(t *testing.T) {
			if x, err := s.tryOpen(t, adjust); err == nil {
				t.Errorf("a cell was started with %+v", x.spec)
			}
		})
	}
	s.nothingLeft(t)
}
