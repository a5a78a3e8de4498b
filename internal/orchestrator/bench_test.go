package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// instant answers every call immediately and keeps no record.
type instant struct{ waiting []uint64 }

func (c *instant) Snapshot() []byte { return nil }
func (c *instant) Restart()         {}
func (c *instant) Cancel(uint64)    {}
func (c *instant) Save([]byte)      {}
func (c *instant) Began() time.Time { return time.Time{} }
func (c *instant) Seed() []byte     { return nil }
func (c *instant) Start(_ context.Context, call api.Call) error {
	c.waiting = append(c.waiting, call.ID)
	return nil
}

// Next answers the call that began last.
func (c *instant) Next(context.Context, time.Time) (api.Answer, error) {
	last := len(c.waiting) - 1
	id := c.waiting[last]
	c.waiting = c.waiting[:last]
	return api.Answer{ID: id, Value: int64(1)}, nil
}

func runInstant(t testing.TB, r *Runner, task *api.Task, run string, want any) {
	result, err := r.Run(context.Background(), run, &api.Request{Task: task, Caller: &instant{}})
	if err != nil || result.Outputs[0].Value != want {
		t.Errorf("got %v, %v, want %v", result.Outputs, err, want)
	}
}

func TestTenThousandCalls(t *testing.T) {
	r := New(Config{SnapshotKey: []byte("key")})
	for _, code := range []string{
		"n = 0\nfor i in range(10000): n = n + add(i, n)\nn",
		"n = 0\nfor k in range(10): n = n + sum(await gather(*[add(i, k) for i in range(1000)]))\nn",
		"sum(await gather(*[add(i, 1) for i in range(10000)]))",
		"sum(glovebox_map(add, range(10000), range(10000), concurrency=100))",
	} {
		runInstant(t, r, task(code, "int"), "run", int64(10000))
	}
}

func TestThousandRunsAtOnce(t *testing.T) {
	r := New(Config{SnapshotKey: []byte("key")})
	flow := task("n = 0\nfor i in range(10): n = n + add(i, n)\nn", "int")
	var all sync.WaitGroup
	for i := range 1000 {
		all.Go(func() { runInstant(t, r, flow, fmt.Sprint(i), int64(10)) })
	}
	all.Wait()
}

// I14: the arguments of calls that wait are copies outside of the memory that
// the code pays for, unless somebody counts them.
func TestAttackI14ArgumentsAreCounted(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, code := range []string{"x = [1] * 100000\nawait gather(*[echo(x) for i in range(200)])", "await gather(*[echo('x' * 10 ** 7) for i in range(20)])"} {
		_, err := New(Config{}).Run(context.Background(), "run", &api.Request{Task: task(code, "Any"), Caller: &instant{}})
		if !errors.Is(err, &api.Error{Code: api.OutOfMemory}) {
			t.Errorf("%s: got %v", code, err)
		}
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 400 {
		t.Errorf("the host allocated %d MiB", used)
	}
}

// BenchmarkThousandCalls measures calls of a tool that takes no time.
func BenchmarkThousandCalls(b *testing.B) {
	flow := task("n = 0\nfor i in range(1000): n = n + add(i, n)\nn", "int")
	r := New(Config{SnapshotKey: []byte("key")})
	b.ReportAllocs()
	for b.Loop() {
		runInstant(b, r, flow, "run", int64(1000))
	}
}

func BenchmarkWarmStart(b *testing.B) {
	r, flow := New(Config{SnapshotKey: []byte("key")}), task("1", "int")
	b.ReportAllocs()
	for b.Loop() {
		runInstant(b, r, flow, "run", int64(1))
	}
}

func BenchmarkColdStart(b *testing.B) {
	flow := task("1", "int")
	b.ReportAllocs()
	for b.Loop() {
		runInstant(b, New(Config{}), flow, "run", int64(1))
	}
}
