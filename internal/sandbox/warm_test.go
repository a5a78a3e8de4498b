package sandbox

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
)

// warmFixture is a runner that keeps fake cells ready.
type warmFixture struct {
	*Runner
	mu    sync.Mutex
	cells []*fakeCell // in the order of their starts
}

// newWarmFixture makes each cell by change, which gets its index.
func newWarmFixture(t *testing.T, change func(int, *fakeCell)) *warmFixture {
	t.Helper()
	w := &warmFixture{Runner: New(Config{
		Driver: namedDriver{}, Images: fakeImages{image: testImage()}, Secrets: fakeSecrets, Egress: fakeEgress, Dir: t.TempDir(),
		Certificates: func(bool) ([]byte, error) { return nil, nil }, Warm: pool.Config{Cells: 4, Memory: 1 << 40},
	})}
	w.maker = fakeMaker(func(spec cell.Spec) ready.Box {
		w.mu.Lock()
		defer w.mu.Unlock()
		c := &fakeCell{spec: spec, entries: map[string]*fakeEntry{}, program: exits(0), over: make(chan struct{})}
		if change != nil {
			change(len(w.cells), c)
		}
		w.cells = append(w.cells, c)
		return c
	})
	return w
}

// settled returns the cells when nothing is on its way any more.
func (w *warmFixture) settled() []*fakeCell {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.cells)
}

type namedDriver struct{ cell.Driver }

func (namedDriver) Name() string { return "fake" }

func (w *warmFixture) close(t *testing.T) {
	t.Helper()
	if err := w.Close(context.Background()); err != nil {
		t.Error(err)
	}
	for i, c := range w.cells {
		if c.closed != 1 {
			t.Errorf("cell %d was closed %d times", i, c.closed)
		}
	}
}

func TestKeptCellsAreTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWarmFixture(t, nil)
		defer w.close(t)
		task := &api.Task{Code: "pass", Env: map[string]string{"A": "1"}}
		kept, err := w.KeepWarm(t.Context(), task, 2)
		if err != nil || kept.Asked != 2 || kept.Image != "sha256:abc" || !kept.Python || kept.Isolation != "fake" {
			t.Fatalf("%+v, %v", kept, err)
		}
		time.Sleep(time.Minute) // until both are ready
		ready := len(w.settled())
		result, err := w.Run(t.Context(), "run-1", &api.Request{Task: task})
		if err != nil || !result.Usage.Warm || result.Usage.CPU != 5 || result.Usage.PeakMemory != 6 {
			t.Errorf("%+v, %v", result.Usage, err)
		}
		used := slices.IndexFunc(w.settled(), func(c *fakeCell) bool { return c.job != "" })
		if ready != 2 || used < 0 || used > 1 {
			t.Errorf("cell %d of %d was used", used, ready)
		}
		if pools := w.WarmPools(); len(pools) != 1 || pools[0].Taken != 1 {
			t.Errorf("%+v", pools)
		}
	})
}

// TestLostCells: losing a ready cell before the run begins in it has no effect
// on the run, nor has losing it before it had any effect. Losing it later fails
// the run.
func TestLostCells(t *testing.T) {
	lost := api.Errorf(api.CellLost, "gone")
	for name, c := range map[string]struct {
		change func(int, *fakeCell)
		code   api.Code // of the error
		uses   int      // cells whose program ran
	}{
		"before the run has it": {func(i int, c *fakeCell) { c.adopted = map[bool]error{true: lost}[i < 2] }, "", 1},
		"while it gets files":   {func(i int, c *fakeCell) { c.putting = map[bool]error{true: lost}[i < 2] }, "", 1},
		"time and again": {func(i int, c *fakeCell) {
			c.adopted = map[bool]error{true: lost}[i < 4 && strings.HasPrefix(c.spec.ID, "warm-")]
		}, "", 1},
		"as it gets its job": {func(i int, c *fakeCell) {
			if i < 2 {
				c.program = func(*fakeCell) (cell.Exit, error) { return cell.Exit{}, lost }
			}
		}, "", 3},
		"when it has said something": {func(i int, c *fakeCell) {
			c.program = func(c *fakeCell) (cell.Exit, error) {
				io.WriteString(c.command.Stdout, "hello")
				return cell.Exit{}, lost
			}
		}, api.CellLost, 1},
		"while the program runs": {func(i int, c *fakeCell) {
			c.program = func(*fakeCell) (cell.Exit, error) { time.Sleep(2 * soon); return cell.Exit{}, lost }
		}, api.CellLost, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWarmFixture(t, c.change)
				defer w.close(t)
				task := &api.Task{Code: "pass", Verbatim: true}
				if _, err := w.KeepWarm(t.Context(), task, 4); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				for _, c := range w.settled() {
					c.armed = true
				}
				_, err := w.Run(t.Context(), "run-1", &api.Request{Task: task})
				if c.code != "" {
					sandboxtest.WantError(t, err, c.code)
				} else if err != nil {
					t.Error(err)
				}
				uses := 0
				for _, c := range w.settled() {
					if c.job != "" {
						uses++
					}
				}
				if uses != c.uses {
					t.Errorf("%d cells got the job, want %d", uses, c.uses)
				}
			})
		})
	}
}

// A cell whose interpreter has ended while it waited is handed to nobody, though
// the cell itself is well.
func TestDeadInterpretersAreNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWarmFixture(t, func(i int, c *fakeCell) {
			if i == 0 {
				c.lost = make(chan struct{})
				c.program = exits(9)
			}
		})
		defer w.close(t)
		task := &api.Task{Code: "pass"}
		if _, err := w.KeepWarm(t.Context(), task, 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour / 10)
		close(w.settled()[0].lost)
		time.Sleep(time.Minute)
		if _, err := w.Run(t.Context(), "run-1", &api.Request{Task: task}); err != nil {
			t.Error(err)
		}
		if pools := w.WarmPools(); len(pools) != 1 || pools[0].Died != 1 {
			t.Errorf("%+v", pools)
		}
	})
}

// The time of a run counts also while the interpreter of its own cell gets ready.
func TestTimeLimitOfAStartThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, exits(0))
		f.cell.hanging = make(chan struct{})
		began := time.Now()
		_, err := f.run(t, &api.Task{Code: "pass", Preload: []string{"slow"}, Timeout: 3 * time.Second}, nil)
		sandboxtest.WantError(t, err, api.Timeout, "3s")
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// The same of a cell that comes from the pool, in either mode.
func TestTimeLimitOfATakenStartThatHangs(t *testing.T) {
	for _, verbatim := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := newWarmFixture(t, func(_ int, c *fakeCell) { c.hanging = make(chan struct{}) })
			defer w.close(t)
			began := time.Now()
			task := &api.Task{Code: "pass", Verbatim: verbatim, Timeout: 3 * time.Second}
			_, err := w.Run(t.Context(), "run-1", &api.Request{Task: task})
			sandboxtest.WantError(t, err, api.Timeout, "3s")
			if took := time.Since(began); took != 3*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// TestNothingOfARunAhead: the variables and secrets of a run are not in a cell
// before that run has it.
func TestNothingOfARunAhead(t *testing.T) {
	f := newFixture(t, exits(0))
	task := &api.Task{
		Code: "pass", StartsRuns: true, Env: map[string]string{"LEVEL": "x", "PYTHONOPTIMIZE": "1"}, Secrets: []api.SecretRef{{Name: "token", Env: "TOKEN"}},
	}
	f.config.Engine = func(context.Context, string, *api.Task) (Handler, func(), error) { return nil, func() {}, nil }
	if _, err := f.run(t, task, nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.cell.command.Env, " "); got != "HOME=/work IMAGE=1 LANG=C.UTF-8 PATH=/opt/venv/bin:/usr/bin PYTHONOPTIMIZE=1 PYTHONUNBUFFERED=1" {
		t.Errorf("the interpreter starts with %s", got)
	}
	job := slices.Collect(maps.Keys(variablesOf(f.cell.parsedJob().Environ)))
	for _, name := range []string{"LEVEL", "TOKEN", "GLOVEBOX_RUN", "PYTHONOPTIMIZE", "PATH"} {
		if !slices.Contains(job, name) {
			t.Errorf("the run has no %s: %q", name, job)
		}
	}
}

func variablesOf(list []string) environ.Variables {
	e := environ.Variables{}
	e.SetAll(list)
	return e
}

// A secret that Python reads when it starts needs an interpreter of its own.
func TestSecretAtStart(t *testing.T) {
	w := newWarmFixture(t, nil)
	defer w.close(t)
	task := &api.Task{Code: "pass", Secrets: []api.SecretRef{{Name: "token", Env: "PYTHONHASHSEED"}}}
	_, err := w.KeepWarm(t.Context(), task, 1)
	sandboxtest.WantError(t, err, api.InvalidTask, "PYTHONHASHSEED")
	if _, err := w.Run(t.Context(), "run-1", &api.Request{Task: task}); err != nil {
		t.Fatal(err)
	}
	if len(w.cells) != 1 || w.cells[0].spec.ID != "run-1" || !slices.Contains(w.cells[0].command.Env, "PYTHONHASHSEED=hunter2hunter2") {
		t.Errorf("%d cells, the first started with %q", len(w.cells), w.cells[0].command.Env)
	}
}

func TestNoPool(t *testing.T) {
	f := newFixture(t, exits(0))
	_, err := f.KeepWarm(t.Context(), &api.Task{Code: "pass"}, 1)
	sandboxtest.WantError(t, err, api.IsolationUnavailable, "keeps no cells warm")
	if f.WarmPools() != nil {
		t.Error("there are pools")
	}
}

// A run does not wait for the removal of its cell; closing the runner does, as
// long as it may.
func TestRemovalIsBehindTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		removed := make(chan struct{})
		w := newWarmFixture(t, func(_ int, c *fakeCell) { c.removal = removed })
		for range maxReaping {
			if _, err := w.Run(t.Context(), "run", &api.Request{Task: &api.Task{Command: []string{"true"}}}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.Close(ctx); err != context.DeadlineExceeded {
			t.Errorf("Close before the removal: %v", err)
		}
		close(removed)
		w.close(t)
	})
}

// TestNotReady: the errors of an interpreter that cannot get ready.
func TestNotReady(t *testing.T) {
	for name, c := range map[string]struct {
		stderr string
		exit   cell.Exit
		code   api.Code
		words  []string
	}{
		"preload":         {"noise\nglovebox preload {\"module\":\"numpyy\",\"type\":\"ModuleNotFoundError\",\"message\":\"No module named 'numpyy'\"}\n", cell.Exit{Code: 1}, api.InvalidTask, []string{"numpyy", "No module named"}},
		"forged":          {"glovebox preload {\"module\":5}\n", cell.Exit{Code: 1}, api.NonzeroExit, []string{"status 1"}},
		"broken Python":   {"Fatal Python error: init_fs_encoding\n", cell.Exit{Code: 1}, api.NonzeroExit, []string{"interpreter", "status 1"}},
		"killed":          {"", cell.Exit{Code: -1, Signal: "SIGSEGV"}, api.Signaled, []string{"SIGSEGV"}},
		"escape sequence": {"glovebox preload {\"module\":\"m\",\"type\":\"E\",\"message\":\"\\u001b[2J\"}\n", cell.Exit{Code: 1}, api.InvalidTask, []string{"\uFFFD"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, exits(0))
			f.cell.notReady = &cell.NotReadyError{Exit: c.exit, Stderr: c.stderr}
			_, err := f.run(t, &api.Task{Code: "pass", Preload: []string{"numpyy"}}, nil)
			e := sandboxtest.WantError(t, err, c.code, c.words...)
			if c.code == api.InvalidTask && (e.Details.Field != "preload" || e.Outcome != api.NotStarted || strings.Contains(e.Details.Stderr, "glovebox preload")) {
				t.Errorf("%+v", e)
			}
			if f.cell.job != "" || f.cell.closed != 1 {
				t.Errorf("job %q, closed %d times", f.cell.job, f.cell.closed)
			}
		})
	}
}
