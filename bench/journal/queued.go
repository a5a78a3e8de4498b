package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

// queued measures 10,000 runs that are there at once: as many as there are
// places wait for a call, the others wait for a place.
func (b *bench) queued() error {
	const n = 10_000
	task := flow("add(20, 22)", nil, "add")
	c, err := b.crowd(n, func(int) api.Submission { return api.Submission{Task: task} })
	if err != nil {
		return err
	}
	b.report.section("10,000 runs at once", fmt.Sprintf("Orchestrators with one call each; the call waits until all are submitted. "+
		"%d runs are under way at a time, the others wait. All are waited for, by %d goroutines.", engine.DefaultSlots, n), c.rows(n)...)
	return nil
}

// inputs is the same for runs with large inputs; those that wait are half.
func (b *bench) inputs() error {
	const n = 2 * engine.DefaultSlots
	text := strings.Repeat("x", 1<<20)
	task := flow("add(20, 22) + 0 * len(text)", []value.Param{{Name: "text", Type: value.Type{Kind: value.KindStr}}}, "add")
	c, err := b.crowd(n, func(int) api.Submission {
		return api.Submission{Task: task, Inputs: map[string]any{"text": strings.Clone(text)}}
	})
	if err != nil {
		return err
	}
	b.report.section(fmt.Sprintf("%d runs with inputs of 1 MiB", n), fmt.Sprintf("The same. The %d runs under way hold theirs; "+
		"those of the runs that wait are on the disk.", engine.DefaultSlots), c.rows(n)...)
	return nil
}

// crowd is what many runs at once took.
type crowd struct {
	submitted, finished time.Duration
	heap                uint64 // bytes, when all were submitted
	before              uint64 // and before that
	running             uint64 // when as many were submitted as there are places
	peak                uint64 // resident, bytes
}

func (c crowd) rows(n int) [][]string {
	return [][]string{
		{"", ""},
		{"submitted, runs/s", rate(n, c.submitted)},
		{"finished after the last was submitted", seconds(c.finished)},
		{"finished, runs/s", rate(n, c.finished)},
		{"heap of a run under way", fmt.Sprintf("%.1f KiB", float64(c.running-c.before)/engine.DefaultSlots/1024)},
		{"heap of a run that waits", fmt.Sprintf("%.1f KiB", float64(int64(c.heap)-int64(c.running))/float64(n-engine.DefaultSlots)/1024)},
		{"heap when all were submitted", mebibytes(c.heap)},
		{"resident at most", mebibytes(c.peak)},
	}
}

// submitters is how many submit at once.
const submitters = 64

// crowd submits n runs that call add, which waits until all are there.
func (b *bench) crowd(n int, submission func(i int) api.Submission) (c crowd, err error) {
	gate := make(chan struct{})
	var blocked sync.WaitGroup
	blocked.Add(engine.DefaultSlots)
	var first sync.Map
	wait := func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
		select {
		case <-gate:
		default:
			if _, known := first.LoadOrStore(call.RunID, true); !known {
				blocked.Done()
			}
			<-gate
		}
		return add(ctx, call)
	}
	p, err := open(options{dir: filepath.Join(b.dir, "crowd"+strconv.Itoa(time.Now().Nanosecond())), owner: "bench", functions: map[string]worker.Func{"add": wait}})
	if err != nil {
		return c, err
	}
	if err := resetPeak(); err != nil {
		return c, errors.Join(err, p.close())
	}
	c.before = heap()
	began := time.Now()
	ids := make([]string, n)
	if err := submitAll(b.ctx, p, ids[:engine.DefaultSlots], submission); err != nil {
		return c, errors.Join(err, p.close())
	}
	blocked.Wait()
	c.submitted = time.Since(began)
	c.running = heap()
	began = time.Now()
	if err := submitAll(b.ctx, p, ids[engine.DefaultSlots:], submission); err != nil {
		return c, errors.Join(err, p.close())
	}
	c.submitted += time.Since(began)
	c.heap = heap()
	began = time.Now()
	close(gate)
	if err := waitAll(b.ctx, p, ids); err != nil {
		return c, errors.Join(err, p.close())
	}
	c.finished = time.Since(began)
	if c.peak, err = peak(); err != nil {
		return c, errors.Join(err, p.close())
	}
	return c, p.close()
}

func submitAll(ctx context.Context, p *place, ids []string, submission func(int) api.Submission) error {
	errs := make([]error, submitters)
	var group sync.WaitGroup
	for s := range submitters {
		group.Go(func() {
			for i := s; i < len(ids) && errs[s] == nil; i += submitters {
				r, err := p.Submit(ctx, submission(i))
				if errs[s] = err; err == nil {
					ids[i] = r.ID
				}
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

func waitAll(ctx context.Context, p *place, ids []string) error {
	i := -1
	var mu sync.Mutex
	_, err := many(len(ids), func() (*api.Result, error) {
		mu.Lock()
		i++
		id := ids[i]
		mu.Unlock()
		result, err := p.Wait(ctx, id)
		return result, check(result, err, 42)
	})
	return err
}

// heap is what is live, bytes.
func heap() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// resetPeak has the kernel measure the peak of resident memory anew.
func resetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peak is the most memory that was resident, bytes.
func peak() (uint64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.ParseUint(kib, 10, 64)
	return n << 10, err
}
