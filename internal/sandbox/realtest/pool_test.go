package realtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/value"
)

// until waits until something is so; how long that takes is no matter of the
// test.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	limit := time.After(2 * time.Minute)
	for !so() {
		select {
		case <-limit:
			t.Fatalf("it never came to this: %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// pool returns what is kept of the only class of cells that there is.
func (r *real) pool(t *testing.T) api.WarmPool {
	t.Helper()
	switch pools := r.runner.WarmPools(); len(pools) {
	case 0:
		return api.WarmPool{}
	case 1:
		return pools[0]
	default:
		t.Fatalf("there are %d classes of cells", len(pools))
		return api.WarmPool{}
	}
}

// children lists the processes that this one has started.
func children(t *testing.T) (pids []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // gone
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[0] != "Z" && fields[1] == strconv.Itoa(os.Getpid()) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func double(t *testing.T) *api.Task {
	return &api.Task{Name: "double", Code: "result = x * 2", Signature: sig(t, "x:int", "result:int")}
}

// doubles runs n tasks at once and returns how many had a cell that was ready.
func (r *real) doubles(t *testing.T, n int) (warm int) {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			result, err := r.run(t, double(t), map[string]any{"x": i})
			if err != nil {
				t.Errorf("%v\nstderr: %s", err, result.Stderr)
				return
			}
			if got := result.Outputs[0].Value; got != int64(2*i) {
				t.Errorf("got %v, want %d", got, 2*i)
			}
			mu.Lock()
			defer mu.Unlock()
			if result.Usage.Warm {
				warm++
			}
		})
	}
	all.Wait()
	return warm
}

// Nobody asks; the cells come with the demand, and go with it.
func TestRealPoolFollowsDemand(t *testing.T) {
	const bound = 4
	r := newRealWith(t, pool.Config{Cells: bound, Memory: 4 << 30, Starts: 2, Quiet: 15 * time.Second})
	for range 2 {
		if r.doubles(t, 1) != 0 {
			t.Error("the first runs are warm")
		}
	}
	if p := r.pool(t); p.Idle+p.Starting > 0 {
		t.Errorf("cells are kept for what came twice: %+v", p)
	}
	r.doubles(t, 1)
	until(t, "a cell is ready after three runs", func() bool { return r.pool(t).Idle > 0 })
	if r.doubles(t, 1) != 1 {
		t.Error("the run did not take it")
	}

	r.doubles(t, 12)
	until(t, "all cells that the bound allows are ready after a burst", func() bool {
		p := r.pool(t)
		if p.Idle+p.Starting > bound || p.Wanted > bound {
			t.Fatalf("above the bound of %d: %+v", bound, p)
		}
		return p.Idle == bound
	})
	if p := r.pool(t); p.Memory <= 0 {
		t.Errorf("nobody knows what they hold: %+v", p)
	}
	if warm := r.doubles(t, bound); warm != bound {
		t.Errorf("%d of %d runs were warm", warm, bound)
	}
	until(t, "all are gone when it is quiet", func() bool { return len(r.runner.WarmPools()) == 0 && len(children(t)) == 0 })
	if r.doubles(t, 1) != 0 {
		t.Error("a run is warm after it was quiet")
	}
}

func TestRealPoolReplacesTheDead(t *testing.T) {
	r := newRealWith(t, pool.Config{Cells: 2, Memory: 4 << 30})
	if _, err := r.runner.KeepWarm(t.Context(), double(t), 1); err != nil {
		t.Fatal(err)
	}
	killAll(t)
	until(t, "another is there instead", func() bool {
		p := r.pool(t)
		return p.Died == 1 && p.Idle == 1
	})
	if r.doubles(t, 1) != 1 {
		t.Error("the run did not take it")
	}
	for range 5 {
		until(t, "one is ready", func() bool { return r.pool(t).Idle > 0 && r.pool(t).Starting == 0 })
		killAll(t)
		r.doubles(t, 1) // perhaps before it is noticed
	}
}

// killAll kills all cells, which must be idle.
func killAll(t *testing.T) {
	t.Helper()
	pids := children(t)
	if len(pids) == 0 {
		t.Fatal("there is no process to kill")
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
	}
}

func TestRealPoolKeepsWithinMemory(t *testing.T) {
	r := newRealWith(t, pool.Config{Cells: 8, Memory: 4 << 30})
	if _, err := r.runner.KeepWarm(t.Context(), double(t), 1); err != nil {
		t.Fatal(err)
	}
	one := r.pool(t).Memory

	small := newRealWith(t, pool.Config{Cells: 8, Memory: 5 * one / 2})
	if _, err := small.runner.KeepWarm(t.Context(), double(t), 8); err != nil {
		t.Fatal(err)
	}
	until(t, "two are ready, and it is known why there are no more", func() bool {
		p := small.pool(t)
		if p.Memory > 5*one/2 {
			t.Fatalf("above the bound: %+v", p)
		}
		return p.Idle == 2 && p.Starting == 0 && p.Error != nil
	})
}

// Runs come, leave at any time, and find cells dead, under every bound at once;
// none goes wrong but by its own context, and nothing is left.
func TestRealPoolChurn(t *testing.T) {
	r := newRealWith(t, pool.Config{Cells: 3, Memory: 4 << 30, Starts: 2, MaxAge: time.Second, Quiet: 2 * time.Second})
	if _, err := r.runner.KeepWarm(t.Context(), double(t), 2); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			dice := rand.New(rand.NewPCG(uint64(worker), 6))
			for i := range 25 {
				patience := time.Duration(dice.IntN(600)) * time.Millisecond
				if i%3 == 0 {
					patience = time.Hour
				}
				r.impatient(t, fmt.Sprintf("churn-%d-%d", worker, i), patience)
			}
		})
	}
	all.Wait()
	if _, err := r.runner.KeepWarm(t.Context(), double(t), 0); err != nil {
		t.Fatal(err)
	}
	until(t, "nothing is left", func() bool { return len(r.runner.WarmPools()) == 0 && len(children(t)) == 0 })
}

func (r *real) impatient(t *testing.T, id string, patience time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	inputs, err := value.Check(double(t).Signature.Inputs, map[string]any{"x": 21})
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.runner.Run(ctx, id, &api.Request{Task: double(t), Inputs: inputs})
	switch {
	case err == nil && result.Outputs[0].Value != int64(42):
		t.Errorf("got %v", result.Outputs[0].Value)
	case err != nil && (ctx.Err() == nil || !errors.Is(err, &api.Error{Code: api.Canceled})):
		t.Errorf("patience %s, context %v: %v\nstderr: %s", patience, ctx.Err(), err, result.Stderr)
	}
}
