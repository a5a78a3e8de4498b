package celltest

import (
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var wallChecks = []check{
	{"R08_spin", wall("while True: pass")},
	{"R08_sleep", wall("import time; time.sleep(10**6)")},
	{"R08_ignores_every_signal", wall(`
import signal, time
for s in range(1, 65):
    try: signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: time.sleep(1)
`)},
	{"R08_stops_itself", wall("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)")},
	{"R08_stops_its_children", wall(`
import os, signal, time
for _ in range(20):
    pid = os.fork()
    if pid == 0:
        while True: time.sleep(1)
    os.kill(pid, signal.SIGSTOP)
os.wait()
`)},
	{"R08_waits_for_a_fifo", wall("import os; os.mkfifo('/work/f'); open('/work/f').read()")},
	{"R08_floods", wall("import os\nwhile True: os.write(1, b'y\\n' * 30000)")},
	{"R08_signals_the_guest", wall(`
import os, signal, time
for s in range(1, 65):
    for pid in (1, -1):
        try: os.kill(pid, s) if s not in (signal.SIGKILL, signal.SIGSTOP) or pid == 1 else None
        except OSError: pass
        for s2 in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(s2, signal.SIG_IGN)
while True: time.sleep(1)
`)},
	{"R09_daemons", wall(`
import os, time
for _ in range(20):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True: time.sleep(0.01)
        os._exit(0)
time.sleep(10**6)
`)},
	{"R01_fork_bomb", wall(`
import os
while True:
    try: os.fork()
    except OSError: pass
`)},
	{"R01_thread_bomb", wall(`
import threading, time
def bomb():
    while True:
        try: threading.Thread(target=bomb, daemon=True).start()
        except (RuntimeError, MemoryError): time.sleep(0.01)
bomb()
`)},
	{"R01_neighbour_is_unaffected", neighbour},
	{"wall and output", wallKeepsOutput},
}

const wallLimit = 2 * time.Second

// wall runs a program that does not want to end. The cell and all that is in
// it must be gone within a second after its time. The best of three attempts
// counts, because other work on the machine is no fault of the driver.
func wall(code string) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		var late time.Duration
		for range 3 {
			if late = s.overrun(t, code); late <= time.Second {
				return
			}
		}
		t.Errorf("the cell was gone %v after its time, want at most a second", late)
	}
}

// overrun returns how long after its time limit a cell was gone.
func (s *suite) overrun(t *testing.T, code string) time.Duration {
	t.Helper()
	x := s.open(t, func(spec *cell.Spec) {
		spec.Wall = wallLimit
		spec.Resources.Memory = 8 << 30 // a bomb of threads needs 1 GiB before its time is over
	})
	begin := time.Now()
	discard := writerFunc(func([]byte) {})
	o := x.exec(cell.Command{Argv: []string{"/usr/bin/python3", "-c", code}, Stdout: discard, Stderr: discard})
	e := o.fails(t, api.Timeout)
	if e.Details.Duration != wallLimit {
		t.Errorf("the error says a limit of %v, want %v", e.Details.Duration, wallLimit)
	}
	x.death()
	late := time.Since(begin) - wallLimit
	s.nothingRuns(t, x.spec.ID)
	return late
}

// neighbour runs a program beside a fork bomb.
func neighbour(t *testing.T, s *suite) {
	bomb := s.open(t, func(spec *cell.Spec) { spec.Wall = 10 * time.Second })
	started, done := make(chan struct{}), make(chan outcome, 1)
	go func() {
		exit, err := bomb.cell.Exec(bomb.ctx, cell.Command{
			Argv: []string{"/usr/bin/python3", "-c", `
import os
os.write(1, b"x")
while True:
    try: os.fork()
    except OSError: pass
`},
			Env: []string{path}, Stdout: writerFunc(func([]byte) { close(started) }),
		})
		done <- outcome{exit: exit, err: err}
	}()
	select {
	case <-started:
	case o := <-done:
		t.Fatalf("the bomb ended at once: %+v", o)
	}
	s.open(t).python("import os; os.fork() or os._exit(0); os.wait(); print('fine')").prints(t, "fine\n")
	bomb.death()
	<-done
}

// wallKeepsOutput makes sure that what was printed before the time was over is
// not lost.
func wallKeepsOutput(t *testing.T, s *suite) {
	x := s.open(t, func(spec *cell.Spec) { spec.Wall = wallLimit })
	o := x.python("import time; print('so far', flush=True); time.sleep(10**6)")
	o.fails(t, api.Timeout)
	if o.stdout != "so far\n" {
		t.Errorf("stdout is %q", o.stdout)
	}
}
