package celltest

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var leakChecks = []check{
	{"R11_cells_in_a_row", leaksInARow},
	{"several at once", leaksAtOnce},
	{"R11_cells_started_ahead", leaksAhead},
	{"lost cell", lostCell},
	{"R12_killed_owner", killedOwner},
	{"sweep spares the living", sweepSparesLiving},
}

// SoakVariable names the environment variable with the number of cells that
// the leak test starts in a row; the default is 200.
const SoakVariable = "GLOVEBOX_TEST_SOAK"

// host is what a driver could leave behind.
type host struct {
	processes, mounts, cgroups, descriptors, files, temporary []string
	goroutines                                                int
}

func (s *suite) look(t *testing.T) host {
	return host{
		processes: relatives(t), mounts: mountPoints(t), cgroups: cgroups(t), descriptors: descriptors(t),
		files: filesBelow(t, s.dir, s.cfg.Allow), temporary: filesBelow(t, os.TempDir(), nil), goroutines: runtime.NumGoroutine(),
	}
}

func leaksInARow(t *testing.T, s *suite) {
	count := 200
	if text := os.Getenv(SoakVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s: %v", SoakVariable, err)
		}
		count = n
	}
	t.Setenv("TMPDIR", t.TempDir())
	s.oneCell(t) // what is made once and kept is there before we look
	before := s.look(t)
	for range count {
		s.oneCell(t)
	}
	s.compare(t, before)
}

// oneCell is a cell that does a little of everything.
func (s *suite) oneCell(t *testing.T) {
	t.Helper()
	t.Run("cell", func(t *testing.T) {
		x := s.open(t, func(spec *cell.Spec) { spec.Serve = echo })
		x.exec(cell.Command{Argv: []string{"/bin/sh", "-c", "sleep 1000 & echo x > f; mkfifo p; echo done"}}).prints(t, "done\n")
		x.mustGet("/work", "f", "p")
		x.death()
	})
}

// leaksAhead looks at cells that were taken by a run, and at those that were not.
func leaksAhead(t *testing.T, s *suite) {
	t.Setenv("TMPDIR", t.TempDir())
	one := func(taken bool) {
		t.Run("cell", func(t *testing.T) {
			x := s.ahead(t, func(spec *cell.Spec) { spec.Proxy = true })
			p := x.waiting(t, "os.write(4, job()); os.close(4); time.sleep(10**6)")
			if taken {
				x.adopt(t)
				x.result(t, p)
				x.cell.Release()
			}
			x.death()
		})
	}
	one(true)
	before := s.look(t)
	for i := range 20 {
		one(i%2 == 0)
	}
	s.compare(t, before)
}

func (s *suite) compare(t *testing.T, before host) {
	t.Helper()
	for what, lists := range map[string]struct {
		before []string
		now    func() []string
	}{
		"processes":       {before.processes, func() []string { return relatives(t) }},
		"mounts":          {before.mounts, func() []string { return mountPoints(t) }},
		"cgroups":         {before.cgroups, func() []string { return s.ownCgroups(t) }},
		"descriptors":     {before.descriptors, func() []string { return descriptors(t) }},
		"files":           {before.files, func() []string { return filesBelow(t, s.dir, s.cfg.Allow) }},
		"temporary files": {before.temporary, func() []string { return filesBelow(t, os.TempDir(), nil) }},
	} {
		eventually(t, what, func() []string { return added(lists.before, lists.now()) })
	}
	eventually(t, "goroutines", func() []string {
		if n := runtime.NumGoroutine(); n > before.goroutines+5 {
			return []string{strconv.Itoa(n - before.goroutines)}
		}
		return nil
	})
}

// added lists what is in now more often than in before.
func added(before, now []string) []string {
	counts := map[string]int{}
	for _, item := range before {
		counts[item]++
	}
	var more []string
	for _, item := range now {
		if counts[item]--; counts[item] < 0 {
			more = append(more, item)
		}
	}
	return more
}

func leaksAtOnce(t *testing.T, s *suite) {
	t.Setenv("TMPDIR", t.TempDir())
	before := s.look(t)
	var cells sync.WaitGroup
	for range 4 {
		cells.Go(func() {
			x, err := s.tryOpen(t)
			if err != nil {
				t.Error(describe(err))
				return
			}
			o := x.exec(cell.Command{Argv: []string{"/bin/echo", x.spec.ID}})
			if o.stdout != x.spec.ID+"\n" {
				t.Errorf("cell %s printed %q: %v", x.spec.ID, o.stdout, o.err)
			}
			x.death()
		})
	}
	cells.Wait()
	s.compare(t, before)
}

// lostCell kills the processes of a cell from the host, as the kernel may do
// when memory is short. The run must end, with an error that says so.
func lostCell(t *testing.T, s *suite) {
	before := relatives(t)
	x := s.open(t)
	o := x.exec(cell.Command{
		Argv: []string{"/bin/sh", "-c", "echo up; while :; do sleep 1; done"},
		Stdout: writerFunc(func([]byte) {
			for _, line := range added(before, relatives(t)) {
				killLine(t, line)
			}
		}),
	})
	o.fails(t, api.CellLost)
	x.death()
	s.nothingRuns(t, x.spec.ID)
	s.nothingLeft(t)
}

// killedOwner kills the process that owns two cells with SIGKILL, so that it
// can clean up nothing. Everything must end by itself, and a sweep by the next
// process removes what is left on disk.
func killedOwner(t *testing.T, s *suite) {
	dir := t.TempDir()
	before, groups := added(nil, relatives(t)), s.ownCgroups(t)
	owner := startOwner(t, dir, s.rootFS)
	if len(added(before, relatives(t))) < 2 {
		t.Error("the owner has no processes beside it, so the test sees nothing")
	}
	owner.kill(t)
	eventually(t, "processes of a killed owner", func() []string { return added(before, relatives(t)) })

	driver, err := s.cfg.NewDriver(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := filesBelow(t, dir, s.cfg.Allow); len(left) > 0 {
		t.Errorf("the sweep left %q", left)
	}
	if left := added(groups, s.ownCgroups(t)); len(left) > 0 {
		t.Errorf("the sweep left the cgroups %q", left)
	}
}

// sweepSparesLiving sweeps while a cell of another process runs.
func sweepSparesLiving(t *testing.T, s *suite) {
	dir := t.TempDir()
	owner := startOwner(t, dir, s.rootFS)
	driver, err := s.cfg.NewDriver(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if answer := owner.ask(t, "check"); answer != "alive" {
		t.Errorf("after a sweep by another process the cell is %q", answer)
	}
	owner.kill(t)
	eventually(t, "processes of a killed owner", func() []string { return processesNaming(t, dir) })
	if err := driver.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
}

// ownCgroups leaves out the groups that other programs of the host made
// meanwhile: a driver names its own after the cell.
func (s *suite) ownCgroups(t *testing.T) []string {
	return slices.DeleteFunc(cgroups(t), func(name string) bool { return !namesCell(name) })
}
