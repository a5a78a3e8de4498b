package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker"
)

// resume measures how a run with many calls resumes after its process died.
func (b *bench) resume() error {
	const n = 9_999 // and the one that waits: as many as a run may make
	rows := [][]string{{"", "until the code continues"}}
	for _, without := range []bool{true, false} {
		took, err := b.resumed(n, options{dir: filepath.Join(b.memory, fmt.Sprint("resume", without)), noSnapshots: without})
		if err != nil {
			return err
		}
		name := "from a snapshot"
		if without {
			name = "by replay"
		}
		rows = append(rows, []string{name, millis(took)})
	}
	b.report.section("Resuming", fmt.Sprintf("A run whose process ended after %d calls, from `resume` to the next call.", n), rows...)
	return nil
}

// resumed interrupts a run after n calls and resumes it by another engine.
func (b *bench) resumed(n int, o options) (time.Duration, error) {
	task := sequence(n)
	task.Code += " + hold(0, 0)"
	task.Orchestrator.Tools = append(task.Orchestrator.Tools, function("hold"))
	reached := make(chan struct{})
	o.owner, o.functions = "first", map[string]worker.Func{"add": add, "hold": func(ctx context.Context, _ worker.Invocation) (map[string]any, error) {
		close(reached)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	first, err := open(o)
	if err != nil {
		return 0, err
	}
	run, err := first.Submit(b.ctx, api.Submission{Task: task})
	if err != nil {
		return 0, errors.Join(err, first.close())
	}
	select {
	case <-reached:
	case <-ended(b.ctx, first, run.ID):
		return 0, errors.Join(errors.New("the run has ended before it was to be interrupted"), first.close())
	}
	if err := first.close(); err != nil {
		return 0, err
	}
	return b.goOn(run.ID, int64(n), o)
}

// goOn resumes a run and returns how long it took to come to where it was.
func (b *bench) goOn(id string, want int64, o options) (time.Duration, error) {
	var there time.Time
	o.owner = "second"
	o.functions["hold"] = func(context.Context, worker.Invocation) (map[string]any, error) {
		there = time.Now()
		return map[string]any{"result": int64(0)}, nil
	}
	second, err := open(o)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := second.Resume(b.ctx, id, api.ResumeOptions{}); err != nil {
		return 0, errors.Join(err, second.close())
	}
	result, err := second.Wait(b.ctx, id)
	if err := check(result, err, want); err != nil {
		return 0, errors.Join(err, second.close())
	}
	return there.Sub(began), second.close()
}

// ended is closed when a run has ended.
func ended(ctx context.Context, p *place, id string) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = p.Wait(ctx, id) // how it ended does not matter
	}()
	return done
}
