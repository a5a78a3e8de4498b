package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/app"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/tuning"
	"github.com/glovebox-dev/glovebox/value"
)

// Each comparison is a figure and the mechanism that it is measured with and
// without.
var comparisons = []comparison{
	{mechanism: tuning.Filter, figure: "cold run, ms", take: (*bench).cold},
	{mechanism: tuning.GC, figure: "cold run, ms", take: (*bench).cold},
	{mechanism: tuning.Compiled, figure: "cold run, ms", take: (*bench).cold},
	{mechanism: tuning.Pipes, figure: "cold run, ms", take: (*bench).cold},
	{mechanism: tuning.Linger, figure: "cold run, ms", take: (*bench).cold},
	{mechanism: tuning.Compiled, figure: "cell made ready, ms", take: (*bench).ready},
	{mechanism: tuning.Pipes, figure: "warm run, ms", take: (*bench).warm},
	{mechanism: tuning.Launcher, figure: "warm command, ms", take: (*bench).command},
	{mechanism: tuning.Rehearsal, figure: "warm run, ms", take: (*bench).rehearsed},
	{mechanism: tuning.Linger, figure: "warm run, ms", take: (*bench).warm},
	{mechanism: tuning.Exit, figure: "warm run without linger, ms", take: (*bench).warmToItsEnd},
	{mechanism: tuning.Breath, figure: "warm run, ms", take: (*bench).warm},
	{mechanism: tuning.Breath, figure: "4 at once, warm, runs a second", take: (*bench).throughput, more: true, slow: true},
	{mechanism: tuning.Weight, figure: "cold run beside 4 busy processes, ms", take: (*bench).weighed, busy: 4},
	{mechanism: tuning.Slices, figure: "cold run beside 4 busy cells, ms", take: (*bench).crowded},
	{mechanism: tuning.Slices, figure: "submission beside 4 busy cells, ms", take: (*bench).submission},
}

// bench holds what the figures are taken with: a system for each side, each
// opened and asked on its side only.
type bench struct {
	home string
	apps map[string]*app.App // by what they are for, and the side
}

func (b *bench) close() {
	for _, a := range b.apps {
		_ = a.Close()
	}
}

// service opens a system with so many warm cells, once for each side.
func (b *bench) service(ctx context.Context, what string, s side, warm int) (api.Service, error) {
	key := what + s.name
	if a := b.apps[key]; a != nil {
		return a.Service(), nil
	}
	if b.apps == nil {
		b.apps = map[string]*app.App{}
	}
	if err := os.Setenv(tuning.Variable, s.off); err != nil {
		return nil, err
	}
	home := filepath.Join(b.home, what+"-"+s.name)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	if err := os.Symlink(filepath.Join(b.home, "images"), filepath.Join(home, "images")); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	a, err := app.Open(ctx, host.Options{Home: home, WarmCells: warm, MaxCells: 16})
	if err != nil {
		return nil, err
	}
	b.apps[key] = a
	return a.Service(), nil
}

// both is the side of a system that serves the two in turns.
var both = side{name: "both"}

// switched returns a system, with the process switched to side s: to open a
// system switches it to that of the system.
func (b *bench) switched(ctx context.Context, what string, system, s side, warm int) (api.Service, error) {
	service, err := b.service(ctx, what, system, warm)
	if err != nil {
		return nil, err
	}
	return service, tuning.Set(s.off)
}

// double is the task: what it needs besides a cell is next to nothing.
func double() *api.Task {
	sig := api.Signature{
		Inputs:  []value.Param{{Name: "x", Type: value.Type{Kind: value.KindInt}}},
		Outputs: []value.Param{{Name: "y", Type: value.Type{Kind: value.KindInt}}},
	}
	return &api.Task{Code: "y = x * 2", Signature: sig, Cache: api.CacheDisable}
}

func once(ctx context.Context, service api.Service, task *api.Task) (time.Duration, error) {
	began := time.Now()
	run, err := service.Submit(ctx, api.Submission{Task: task, Inputs: map[string]any{"x": 21}})
	if err != nil {
		return 0, err
	}
	_, err = service.Wait(ctx, run.ID)
	return time.Since(began), err
}

func milliseconds(d time.Duration, err error) (float64, error) {
	return float64(d) / float64(time.Millisecond), err
}

// cold is a run that starts its cell.
func (b *bench) cold(ctx context.Context, s side) (float64, error) {
	service, err := b.switched(ctx, "cold", both, s, -1)
	if err != nil {
		return 0, err
	}
	return milliseconds(once(ctx, service, double()))
}

// ofSide is the task with a variable that gives each side cells of its own.
func ofSide(s side) *api.Task {
	task := double()
	task.Env = map[string]string{"PYTHON_SIDE": s.name + s.off}
	return task
}

// warm is a run that gets a cell which has waited for a moment.
func (b *bench) warm(ctx context.Context, s side) (float64, error) {
	return b.warmIn(ctx, both, s)
}

// rehearsed is warm in a system for each side: what is compiled for an image
// stays.
func (b *bench) rehearsed(ctx context.Context, s side) (float64, error) {
	return b.warmIn(ctx, s, s)
}

func (b *bench) warmIn(ctx context.Context, system, s side) (float64, error) {
	return b.warmly(ctx, system, s, ofSide(s), once)
}

// command is a command in a system for each side: no variable gives it cells of its
// own. Nothing is kept of it.
func (b *bench) command(ctx context.Context, s side) (float64, error) {
	echo := &api.Task{Command: []string{"/bin/echo", "42"}, Cache: api.CacheDisable}
	return b.warmly(ctx, s, s, echo, evaluate)
}

func evaluate(ctx context.Context, service api.Service, task *api.Task) (time.Duration, error) {
	began := time.Now()
	_, err := service.Evaluate(ctx, api.Evaluation{Task: task})
	return time.Since(began), err
}

// warmly takes the time of a task whose cell has waited for it.
func (b *bench) warmly(ctx context.Context, system, s side, task *api.Task, take func(context.Context, api.Service, *api.Task) (time.Duration, error)) (float64, error) {
	service, err := b.switched(ctx, "warm", system, s, 8)
	if err != nil {
		return 0, err
	}
	defer service.KeepWarm(ctx, api.WarmRequest{Task: task})
	if err := settle(ctx, service, task, 1); err != nil {
		return 0, err
	}
	took, err := take(ctx, service, task)
	if err == nil {
		err = settle(ctx, service, task, 1) // the next is made on this side, too
	}
	return milliseconds(took, err)
}

// settle waits until n cells are ready and nothing else is to be done.
func settle(ctx context.Context, service api.Service, task *api.Task, n int) error {
	for range 400 {
		pool, err := service.KeepWarm(ctx, api.WarmRequest{Task: task, Cells: n})
		if err != nil {
			return err
		}
		if pool.Idle >= n && pool.Starting == 0 {
			time.Sleep(100 * time.Millisecond)
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("the warm cells do not get ready")
}

// warmToItsEnd is warm where the run waits for the end of its process.
func (b *bench) warmToItsEnd(ctx context.Context, s side) (float64, error) {
	s.off += ",-" + string(tuning.Linger)
	return b.warm(ctx, s)
}

// ready is how long it takes until a first cell is ready.
func (b *bench) ready(ctx context.Context, s side) (float64, error) {
	service, err := b.switched(ctx, "warm", both, s, 8)
	if err != nil {
		return 0, err
	}
	task := double()
	task.Env = map[string]string{"PYTHON_SIDE": fmt.Sprint(time.Now().UnixNano())}
	began := time.Now()
	_, err = service.KeepWarm(ctx, api.WarmRequest{Task: task, Cells: 1})
	took := time.Since(began)
	if err == nil {
		_, err = service.KeepWarm(ctx, api.WarmRequest{Task: task})
	}
	return milliseconds(took, err)
}

// throughput is how many runs there are in a second, four at once.
func (b *bench) throughput(ctx context.Context, s side) (float64, error) {
	service, err := b.switched(ctx, "warm", both, s, 8)
	if err != nil {
		return 0, err
	}
	task := ofSide(s)
	defer service.KeepWarm(ctx, api.WarmRequest{Task: task})
	if err := settle(ctx, service, task, 4); err != nil {
		return 0, err
	}
	const seconds = 3
	var runs atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	end := time.Now().Add(seconds * time.Second)
	for range 4 {
		all.Go(func() {
			for time.Now().Before(end) {
				if _, err := once(ctx, service, task); err != nil {
					failed.Store(&err)
					return
				}
				runs.Add(1)
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(runs.Load()) / seconds, nil
}

// weighed is cold after the weight of all cells was set on this side.
func (b *bench) weighed(ctx context.Context, s side) (float64, error) {
	dir, err := os.MkdirTemp("", "bench-tuning-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	driver, err := gvisor.New(gvisor.Config{Program: "/proc/self/exe", Dir: dir})
	if err != nil {
		return 0, err
	}
	if _, err := b.cold(ctx, s); err != nil { // whose driver sets it, too
		return 0, err
	}
	driver.Findings(ctx)
	return b.cold(ctx, s)
}

// crowd starts four runs that compute, on this side, once.
func (b *bench) crowd(ctx context.Context, s side) (api.Service, error) {
	key := "crowd" + s.name
	started := b.apps[key] != nil
	service, err := b.service(ctx, "crowd", s, -1)
	if err != nil || started {
		return service, err
	}
	for range 2 { // four on both sides together
		if _, err := service.Submit(ctx, api.Submission{Task: &api.Task{Code: "while True: pass", Timeout: time.Hour}}); err != nil {
			return nil, err
		}
	}
	time.Sleep(time.Second)
	return service, nil
}

func (b *bench) crowded(ctx context.Context, s side) (float64, error) {
	service, err := b.crowd(ctx, s)
	if err != nil {
		return 0, err
	}
	return milliseconds(once(ctx, service, double()))
}

// submission is how long a run takes to be durable.
func (b *bench) submission(ctx context.Context, s side) (float64, error) {
	service, err := b.crowd(ctx, s)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	run, err := service.Submit(ctx, api.Submission{Task: double(), Inputs: map[string]any{"x": 21}})
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	_, err = service.Wait(ctx, run.ID)
	return milliseconds(took, err)
}

// load starts processes that want a processor each.
func load(n int) (end func(), err error) {
	var all []*exec.Cmd
	end = func() {
		for _, cmd := range all {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
	for range n {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			end()
			return nil, err
		}
		all = append(all, cmd)
	}
	return end, nil
}
