package attack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack/programs"
)

func resourceCases() []Case {
	return []Case{
		{Name: "R01_fork_bomb", Area: Resources, Tries: "fork without end, ignore every signal, and outlast the time limit", Attack: forkBomb},
		{Name: "R02_memory", Area: Resources, Tries: "take more memory than the limit", Attack: memory},
		{Name: "R03_disk", Area: Resources, Tries: "fill the disk beyond the limit", Attack: disk},
		{Name: "R06_processes", Area: Resources, Tries: "start more processes than the limit", Attack: processes},
		{Name: "R06_open_files", Area: Resources, Tries: "open more files than the limit", Attack: openFiles},
		{Name: "R07_log_flood", Area: Resources, Tries: "print more than is kept, without a line break", Attack: logFlood},
		{Name: "R09_daemons", Area: Resources, Tries: "leave a daemon that holds the output open after the end of the run", Attack: daemons},
		{Name: "R14_half_a_processor", Area: Resources, Tries: "compute on more than half a processor, with a limit of that", Attack: halfAProcessor},
		{Name: "R03_memory_file_systems", Area: Resources, Tries: "fill /tmp and /dev/shm, which are memory", Long: true, Attack: memoryFileSystems},
		{Name: "R07_long_log_flood", Area: Resources, Tries: "print 64 MiB", Long: true, Attack: longLogFlood},
	}
}

// forkBomb ends by itself, with 16 processes where no limit holds.
func forkBomb(ctx context.Context, b *Bench) error {
	return b.refused(ctx, Job{Timeout: time.Second, Resources: api.Resources{PIDs: 40}, Code: `
import os, signal, time
for s in range(1, 32):
    try: signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError): pass
end = time.monotonic() + 8
for _ in range(4):
    try: os.fork()
    except OSError: pass
while time.monotonic() < end: time.sleep(0.01)
`}, api.Timeout)
}

func memory(ctx context.Context, b *Bench) error {
	return b.refused(ctx, Job{Code: programs.Heap.Code, Arguments: []string{"256"}, Resources: api.Resources{Memory: 128 << 20}}, api.OutOfMemory)
}

// counted executes a job that prints how far it got, and wants it to stay within a limit.
func (b *Bench) counted(ctx context.Context, limit int, j Job) error {
	out, err := b.Run(ctx, j)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(strings.TrimSpace(out.Stdout))
	if err != nil {
		return fmt.Errorf("the program printed %q, and no number", head(out.Stdout))
	}
	if n > limit {
		return broken("the program came to %d with a limit of %d", n, limit)
	}
	return nil
}

func disk(ctx context.Context, b *Bench) error {
	const limit = 16 << 20
	return b.counted(ctx, limit, Job{Code: "import os, sys; sys.argv[1] = os.path.dirname(os.environ['OUT'])\n" + programs.Fill.Code,
		Arguments: []string{"", "32"}, Resources: api.Resources{Disk: limit}})
}

func processes(ctx context.Context, b *Bench) error {
	const limit = 40
	return b.counted(ctx, limit, Job{Code: programs.CountProcesses.Code, Arguments: []string{"100", "1"}, Resources: api.Resources{PIDs: limit}})
}

func openFiles(ctx context.Context, b *Bench) error {
	const limit = 50
	return b.counted(ctx, limit, Job{Code: programs.OpenFiles.Code, Arguments: []string{"200"}, Resources: api.Resources{OpenFiles: limit}})
}

// flood prints so many MiB, and wants the bounded end of it with a mark.
func flood(ctx context.Context, b *Bench, size int) error {
	const kept = 1 << 20
	out, err := b.Run(ctx, Job{Code: fmt.Sprintf("import os\nfor _ in range(%d << 4): os.write(1, b'x' * 65536)", size), Limits: api.RunLimits{Logs: kept}})
	if err != nil {
		return err
	}
	if len(out.Stdout) > 2*kept {
		return broken("%d bytes of output are kept, with a limit of %d", len(out.Stdout), kept)
	}
	if !strings.Contains(out.Stdout, "dropped") {
		return broken("nothing says that most of the output is missing")
	}
	return nil
}

func logFlood(ctx context.Context, b *Bench) error { return flood(ctx, b, 8) }

func longLogFlood(ctx context.Context, b *Bench) error { return flood(ctx, b, 64) }

// daemons leaves a process of three seconds behind.
func daemons(ctx context.Context, b *Bench) error {
	before := b.Processes()
	if _, err := b.Run(ctx, Job{Code: `
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(3)
    os._exit(0)
os.wait()
`}); err != nil {
		return err
	}
	return b.gone(ctx, before)
}

// settle is how long the kernel may take to show the end of a process.
const settle = 2 * time.Second

// gone wants no more processes than there were before.
func (b *Bench) gone(ctx context.Context, before []string) error {
	deadline := time.Now().Add(settle)
	for {
		left := without(b.Processes(), before)
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return broken("these run on: %s", strings.Join(left, ", "))
		}
		select {
		case <-ctx.Done():
			return api.AsError(ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// halfAProcessor computes for two seconds by two processes. A busy host gives them less, and
// never more.
func halfAProcessor(ctx context.Context, b *Bench) error {
	const most = 1600 * time.Millisecond
	out, err := b.Run(ctx, Job{Resources: api.Resources{CPU: 0.5}, Code: `
import os, time
end = time.monotonic() + 2
os.fork()
while time.monotonic() < end: pass
`})
	if err == nil && out.CPU > most {
		return broken("the run computed for %s in 2s", out.CPU.Round(10*time.Millisecond))
	}
	return err
}

// memoryFileSystems writes up to 128 MiB in a cell of half of that.
func memoryFileSystems(ctx context.Context, b *Bench) error {
	const limit = 64 << 20
	for _, dir := range []string{"/tmp", "/dev/shm"} {
		err := b.counted(ctx, limit, Job{Code: `
import atexit, shutil, sys, tempfile
sys.argv[1] = tempfile.mkdtemp(dir=sys.argv[1])
atexit.register(shutil.rmtree, sys.argv[1])
` + programs.Fill.Code, Arguments: []string{dir, "128"}, Resources: api.Resources{Memory: limit}})
		if err != nil && !errors.Is(err, api.OutOfMemory) {
			return err
		}
	}
	return nil
}

// without returns what is in one list and not in another.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}
