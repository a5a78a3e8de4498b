package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// crowd counts who works at the same time.
type crowd struct {
	mu        sync.Mutex
	now, most int
	began     []any // inputs, in the order in which the work on them began
}

// work takes some seconds, unless it is ended before.
func (c *crowd) work(seconds int) func(context.Context, map[string]any) (any, error) {
	return func(ctx context.Context, inputs map[string]any) (any, error) {
		c.mu.Lock()
		c.now++
		c.most = max(c.most, c.now)
		c.began = append(c.began, inputs["n"])
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.now--
		}()
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(time.Duration(seconds) * time.Second):
			return int64(1), nil
		}
	}
}

// checkInTime checks a model in the time of a bubble, again and again. The model returns
// what is wrong, or nothing.
func checkInTime(t *testing.T, model func(*testing.T, *rapid.T) string) {
	rapid.Check(t, func(rt *rapid.T) {
		var wrong string
		synctest.Test(t, func(t *testing.T) { wrong = model(t, rt) })
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// few is a task of which so many work at the same time.
func few(most int) *api.Task {
	task := function("f", "n")
	task.MaxConcurrent = most
	return &task
}

// TestMaxConcurrent: of a task, and of a label, no more runs work than may. The others say
// what they wait for, and go on in the order of their priorities.
func TestMaxConcurrent(t *testing.T) {
	labelled := function("f", "n")
	labelled.Labels = map[string]string{"db": "main"}
	for name, test := range map[string]struct {
		task *api.Task
		text string
	}{"task": {few(1), "at most 1 runs of the task f work"}, "label": {&labelled, "at most 1 runs of the label db=main work"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, c := newHost(t), &crowd{}
				config := h.config("a", h.journal)
				config.LabelLimits = []LabelLimit{{Name: "db", Value: "main", Most: 1}, {Name: "db", Value: "other", Most: 7}}
				h.alive["a"] = true
				e := New(config)
				defer e.Close()
				h.functions.code["f"] = c.work(1)
				var ids []string
				for i, priority := range []int{0, 0, 3, -1} {
					run := submit(t, e, api.Submission{Task: test.task, Inputs: map[string]any{"n": int64(i)}, Priority: &priority})
					ids = append(ids, run.ID)
					synctest.Wait()
				}
				waiting, err := e.Run(t.Context(), ids[1])
				if err != nil || waiting.Waiting == nil || waiting.Waiting.Reason != api.WaitLimit || !strings.Contains(waiting.Waiting.Message, test.text) {
					t.Errorf("it waits: %+v, %v", waiting.Waiting, err)
				}
				for _, id := range ids {
					if _, err := e.Wait(t.Context(), id); err != nil {
						t.Error(err)
					}
				}
				if want := []any{int64(0), int64(2), int64(1), int64(3)}; c.most != 1 || !slices.Equal(c.began, want) {
					t.Errorf("%d worked at once, in the order %v, want %v", c.most, c.began, want)
				}
			})
		})
	}
}

// TestLimitNamesNoRunsOfOthers: an owner learns that a limit is full, and the runs of its
// own; the home learns all.
func TestLimitNamesNoRunsOfOthers(t *testing.T) {
	held := []journal.Permitted{{Run: "1", Owner: "ann"}, {Run: "2", Owner: "bob"}, {Run: "3"}, {Run: "4", Owner: "bob"}}
	for owner, want := range map[string]string{"ann": "1, ...", "bob": "2, 4, ...", "eve": "...", "": "1, 2, 3, ..."} {
		if got := shortList(held, owner); got != want {
			t.Errorf("%q is told %q, want %q", owner, got, want)
		}
	}
}

// TestMaxConcurrentCalls: calls wait, too, and say so. A run that calls what its own permit
// counts shares it, instead of waiting for itself.
func TestMaxConcurrentCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, c := newHost(t), &crowd{}
		e := h.engine("a", nil)
		defer e.Close()
		h.functions.code["f"] = c.work(1)
		many := orchestrate("sum(await gather(*[f(n=i) for i in range(5)]))", integer, *few(2))
		result, err := run1(t, e, many, nil)
		if got := valueFrom(t, result, err); got != int64(5) || c.most != 2 {
			t.Errorf("got %v, and %d worked at once", got, c.most)
		}
		inner := orchestrate("f(n=1)", integer, *few(2))
		inner.MaxConcurrent = 1
		outer := orchestrate("main()", integer, *inner)
		outer.MaxConcurrent = 1
		result, err = run1(t, e, outer, nil)
		if got := valueFrom(t, result, err); got != int64(1) {
			t.Errorf("got %v", got)
		}
	})
}

// TestMaxConcurrentRefused: a number that there cannot be, and a task whose runs cannot be
// counted.
func TestMaxConcurrentRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		e := h.engine("a", nil)
		defer e.Close()
		unnamed := few(1)
		unnamed.Name = ""
		high := 11
		for name, s := range map[string]api.Submission{
			"max_concurrent is -1": {Task: few(-1)}, "no name": {Task: unnamed}, "priority is 11": {Task: few(0), Priority: &high},
		} {
			s.Inputs = map[string]any{"n": int64(1)}
			_, err := e.Submit(t.Context(), s)
			if !errors.Is(err, &api.Error{Code: api.InvalidTask}) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	})
}

// TestLimitModel has two processes on one journal carry out runs of a task that is bounded,
// while runs are cancelled and processes are killed and start again. Never do more work
// than may, and in the end each run has ended.
func TestLimitModel(t *testing.T) {
	checkInTime(t, limitModel)
}

func limitModel(t *testing.T, rt *rapid.T) string {
	h, c, most := newHost(t), &crowd{}, rapid.IntRange(1, 3).Draw(rt, "most")
	h.functions.code["f"] = c.work(rapid.IntRange(1, 4).Draw(rt, "seconds"))
	task := few(most)
	task.Idempotent = true // so that it continues after a crash
	engines, starts := map[int]*Engine{}, 0
	start := func(i int) {
		starts++
		engines[i] = h.engine(fmt.Sprintf("%d-%d", i, starts), nil)
		if _, err := engines[i].Recover(t.Context(), true); err != nil {
			t.Error(err)
		}
	}
	start(0)
	start(1)
	var ids []string
	for range rapid.IntRange(1, 25).Draw(rt, "steps") {
		i := rapid.IntRange(0, 1).Draw(rt, "process")
		switch rapid.SampledFrom([]string{"submit", "submit", "submit", "cancel", "kill", "sleep"}).Draw(rt, "step") {
		case "submit":
			priority := rapid.IntRange(-10, 10).Draw(rt, "priority")
			run := submit(t, engines[i], api.Submission{Task: task, Inputs: map[string]any{"n": int64(len(ids))}, Priority: &priority})
			ids = append(ids, run.ID)
		case "cancel":
			if len(ids) > 0 {
				_ = engines[i].Cancel(t.Context(), rapid.SampledFrom(ids).Draw(rt, "run"), "") // it may have ended
			}
		case "kill":
			engines[i].Close() // nothing of a process works when others take it for dead
			h.kill(engines[i].owner(), engines[i])
			start(i)
		case "sleep":
			time.Sleep(time.Duration(rapid.IntRange(1, 3000).Draw(rt, "ms")) * time.Millisecond)
		}
	}
	deadline, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for _, id := range ids {
		_, err := engines[0].Wait(deadline, id)
		if err != nil && !errors.Is(err, &api.Error{Code: api.Canceled}) || deadline.Err() != nil {
			t.Errorf("run %s: %v", id, err)
		}
	}
	engines[0].Close()
	engines[1].Close()
	if c.most > most || t.Failed() {
		return fmt.Sprintf("%d worked at once, want at most %d", c.most, most)
	}
	return ""
}
