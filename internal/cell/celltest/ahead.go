package celltest

import (
	"archive/tar"
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var aheadChecks = []check{
	{"outlives its start", aheadOutlives},
	{"R08_wall_counts_from_the_run", aheadWall},
	{"ends with its run", aheadEndsWithRun},
	{"is had once", aheadOnce},
	{"a dead cell is had by nobody", aheadDead},
	{"N08_no_way_out_before_its_run", aheadProxy},
	{"usage counts from the run", aheadUsage},
	{"R11_release", aheadRelease},
	{"O02_exchanged_while_written", aheadExchangedNames},
}

// ahead starts a cell that belongs to no run. The context of the start has
// ended when it returns.
func (s *suite) ahead(t *testing.T, adjust ...func(*cell.Spec)) *session {
	t.Helper()
	spec := s.spec()
	spec.Wall = 0
	for _, f := range adjust {
		f(&spec)
	}
	start, started := context.WithTimeout(context.Background(), patience)
	c, err := cell.StartAhead(start, s.driver, spec)
	started()
	if err != nil {
		t.Fatalf("starting a cell ahead: %v", describe(err))
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	t.Cleanup(func() { c.Close() })
	x := &session{t: t, ctx: ctx, spec: spec, cell: c}
	x.put("/work", directory("."))
	return x
}

// adopt gives the cell a run without a limit of its own.
func (x *session) adopt(t *testing.T) {
	t.Helper()
	if err := x.cell.Adopt(x.ctx, patience, nil); err != nil {
		t.Fatalf("adopting a cell: %v", describe(err))
	}
}

func aheadOutlives(t *testing.T, s *suite) {
	x := s.ahead(t)
	p := x.waiting(t, "os.write(4, job() + b' done')")
	x.adopt(t)
	if got, _ := x.finish(t, p, []byte("job")); got.control.String() != "job done" {
		t.Errorf("control %q", got.control.String())
	}
}

// aheadWall lets a cell wait for longer than its limit before the run begins.
func aheadWall(t *testing.T, s *suite) {
	x := s.ahead(t)
	const limit = 500 * time.Millisecond
	x.python("import time; time.sleep(0.6)").succeeds(t)
	if err := x.cell.Adopt(x.ctx, limit, nil); err != nil {
		t.Fatalf("adopting a cell that waited: %v", describe(err))
	}
	begin := time.Now()
	e := x.python("import time; time.sleep(10**6)").fails(t, api.Timeout)
	if after := time.Since(begin); after < limit || e.Details.Duration != limit {
		t.Errorf("ended after %v with %v", after, e.Details.Duration)
	}
	<-x.cell.Done()
}

func aheadEndsWithRun(t *testing.T, s *suite) {
	x := s.ahead(t)
	run, end := context.WithCancel(x.ctx)
	if err := x.cell.Adopt(run, 0, nil); err != nil {
		t.Fatal(describe(err))
	}
	end()
	<-x.cell.Done()
	x.python("print('alive')").fails(t, api.Canceled)
}

func aheadOnce(t *testing.T, s *suite) {
	x := s.ahead(t)
	x.adopt(t)
	if err := x.cell.Adopt(x.ctx, 0, nil); err == nil {
		t.Error("a cell was adopted twice")
	}
	x.python("print('mine')").prints(t, "mine\n")
}

func aheadDead(t *testing.T, s *suite) {
	x := s.ahead(t)
	x.cell.Release()
	<-x.cell.Done()
	if err := x.cell.Adopt(x.ctx, 0, nil); api.AsError(err).Code != api.CellLost {
		t.Errorf("got %v, want %s", err, api.CellLost)
	}
}

func aheadProxy(t *testing.T, s *suite) {
	without := s.ahead(t)
	if err := without.cell.Adopt(without.ctx, 0, echo); err == nil {
		t.Error("a handler was taken for a cell that has no proxy")
	}
	var served atomic.Int64
	serve := func(ctx context.Context, conn net.Conn) {
		served.Add(1)
		echo(ctx, conn)
	}
	x := s.ahead(t, func(spec *cell.Spec) { spec.Proxy = true })
	o := x.python(dialProxy)
	if o.succeeds(t); o.stdout == "PING\n" || served.Load() != 0 {
		t.Errorf("a cell without a run has a way out: %q", o.stdout)
	}
	if err := x.cell.Adopt(x.ctx, 0, serve); err != nil {
		t.Fatal(describe(err))
	}
	x.python(dialProxy).prints(t, "PING\n")
}

func aheadUsage(t *testing.T, s *suite) {
	x := s.ahead(t)
	// A cell counts its own time faster than the host does when that is busy.
	const least = 100 * time.Millisecond
	const burn = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass"
	x.python(burn).succeeds(t)
	before := x.cell.Usage()
	if before.CPU < least {
		t.Errorf("a cell without a run used %+v, want its CPU time from the start", before)
	}
	x.adopt(t)
	x.python("print('short')").prints(t, "short\n")
	idle := x.cell.Usage()
	x.python("b = b'x' * (64 << 20)\n" + burn).succeeds(t)
	busy := x.cell.Usage()
	if idle.CPU >= before.CPU || busy.CPU-idle.CPU < least || busy.PeakMemory < 64<<20 {
		t.Errorf("%+v before its run, %+v, then %+v", before, idle, busy)
	}
	if idle.Memory < 1<<20 || idle.Memory > 1<<30 {
		t.Errorf("the cell holds %d bytes", idle.Memory)
	}
	death := x.death()
	if death.CPU < busy.CPU/2 || death.PeakMemory < 64<<20 {
		t.Errorf("at its end %+v, before %+v", death, busy)
	}
}

// aheadRelease ends a cell in which everything still runs.
func aheadRelease(t *testing.T, s *suite) {
	var running atomic.Int64
	x := s.ahead(t, func(spec *cell.Spec) { spec.Proxy = true })
	serving := make(chan struct{})
	err := x.cell.Adopt(x.ctx, 0, func(ctx context.Context, conn net.Conn) {
		running.Add(1)
		close(serving)
		<-ctx.Done()
		running.Add(-1)
	})
	if err != nil {
		t.Fatal(describe(err))
	}
	x.waiting(t, "import socket; c = socket.create_connection(('127.0.0.1', 3128))\nwhile True: pass")
	<-serving
	x.cell.Release()
	if n := running.Load(); n != 0 {
		t.Errorf("%d connections are served in a cell that was released", n)
	}
	<-x.cell.Done()
	x.death()
	s.nothingRuns(t, x.spec.ID)
}

// aheadExchangedNames puts files while a program of the user changes where
// their directory leads to, as fast as it can.
func aheadExchangedNames(t *testing.T, s *suite) {
	x := s.ahead(t)
	x.pythonRoot("import os; os.makedirs('/vault', 0o755); open('/vault/f', 'w').write('old')").succeeds(t)
	p := x.waiting(t, `#late: a put that comes first would make the directories
os.makedirs('/work/a/d')
os.symlink('/vault', '/work/a/l')
os.write(4, b'.')
os.set_blocking(3, False)
def over():
    try: return os.read(3, 1)
    except BlockingIOError: return None
while over() is None:
    for f, to in (('d', 't'), ('l', 'd'), ('d', 'l'), ('t', 'd')):
        try: os.rename('/work/a/' + f, '/work/a/' + to)
        except OSError: pass
    for make in (os.symlink, os.link):
        try: make('/vault/f', '/work/a/d/f')
        except OSError: pass
`)
	done := 0
	for range 300 {
		// It may be refused; it may not go elsewhere.
		err := x.cell.Put(x.ctx, "/work", func(w *tar.Writer) error {
			return writeEntries(w, []entry{directory("a"), directory("a/d"), file("a/d/f", []byte("new"))})
		})
		if err == nil {
			done++
		}
	}
	if _, exit := x.finish(t, p, []byte("x")); exit.Code != 0 || done == 0 {
		t.Fatalf("%d files were put beside a program that ended with %+v", done, exit)
	}
	x.pythonRoot("import os; s = os.stat('/vault'); print(open('/vault/f').read(), os.listdir('/vault'), s.st_uid, os.stat('/vault/f').st_uid)").
		prints(t, "old ['f'] 0 0\n")
}
