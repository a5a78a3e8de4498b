package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// idlers is a Runner of sandboxes that only take their time.
type idlers struct{ takes func() time.Duration }

func (idlers) Validate(*api.Task) error { return nil }

func (idlers) Identity(context.Context, *api.Task, func(api.Progress)) (string, error) {
	return "", nil
}

func (c idlers) Run(ctx context.Context, _ string, _ *api.Request) (*api.Result, error) {
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-time.After(c.takes()):
		return &api.Result{}, nil
	}
}

// node starts a process with 4 GiB that takes runs.
func (h *host) node(owner string, c idlers) *Engine {
	config := h.config(owner, h.journal)
	config.Place.Place = journal.Place{CPU: 8, Memory: 4 * gi}
	config.Kinds[api.KindSandbox], config.Limits = c, map[api.TaskKind]int{api.KindSandbox: 8}
	h.alive[owner] = true
	e := New(config)
	e.Share(true)
	e.work.Go(func() {
		for e.ctx.Err() == nil {
			for n := 1; n > 0; {
				n, _ = e.TakeFree(e.ctx)
			}
			select {
			case <-e.ctx.Done():
			case <-e.Freed():
			case <-time.After(500 * time.Millisecond):
			}
		}
	})
	return e
}

// cellOf is a task that asks for so much memory.
func cellOf(memory int64) *api.Task {
	return &api.Task{Name: "cell", Kind: api.KindSandbox, Code: "1", Cache: api.CacheDisable, Resources: api.Resources{Memory: memory}}
}

// TestLargeIsNotOvertaken: small runs that come without end do not keep one that needs all
// memory of a node from it: it begins soon after it has waited for reserveAfter.
func TestLargeIsNotOvertaken(t *testing.T) {
	checkInTime(t, largeAmongSmall)
}

func largeAmongSmall(t *testing.T, rt *rapid.T) string {
	const longest = 5 * time.Second
	seconds := rapid.IntRange(1, int(longest/time.Second)).Draw(rt, "seconds")
	h := newHost(t)
	var nodes []*Engine
	for i := range rapid.IntRange(1, 2).Draw(rt, "nodes") {
		nodes = append(nodes, h.node(fmt.Sprint("node-", i), idlers{func() time.Duration { return time.Duration(seconds) * time.Second }}))
		defer nodes[i].Close()
	}
	small := func() {
		for range 8 {
			submit(t, nodes[0], api.Submission{Task: cellOf(gi)})
		}
	}
	small()
	large := submit(t, nodes[0], api.Submission{Task: cellOf(4 * gi)})
	for began := time.Now(); ; {
		run, err := nodes[0].Run(t.Context(), large.ID)
		if err != nil {
			return err.Error()
		}
		if run.Status != api.StatusQueued {
			return ""
		}
		if time.Since(began) > reserveAfter+2*longest {
			return fmt.Sprintf("it waits still: %+v", run.Waiting)
		}
		small()
		time.Sleep(time.Second)
	}
}

// TestReservedIsGivenUp: a run that memory is kept for can be cancelled, and others take it
// when the node stops.
func TestReservedIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		long := idlers{func() time.Duration { return time.Hour }}
		a := h.node("a", long)
		submit(t, a, api.Submission{Task: cellOf(3 * gi)})
		large := submit(t, a, api.Submission{Task: cellOf(4 * gi)})
		time.Sleep(reserveAfter + 2*time.Second)
		rec, err := h.journal.Load(t.Context(), large.ID)
		if err != nil || rec.Holder != "a" {
			t.Fatalf("it belongs to %q, %v", rec.Holder, err)
		}
		run, err := a.Run(t.Context(), large.ID)
		if err != nil || run.Waiting == nil || !strings.Contains(run.Waiting.Message, "keeps for it") {
			t.Errorf("it waits for %+v, %v", run.Waiting, err)
		}
		second := submit(t, a, api.Submission{Task: cellOf(gi)})
		synctest.Wait()
		if run, err := a.Run(t.Context(), second.ID); err != nil || run.Status != api.StatusQueued {
			t.Errorf("a run took what is kept: %s, %v", run.Status, err)
		}
		if err := a.Cancel(t.Context(), large.ID, ""); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		if run, err := a.Run(t.Context(), second.ID); err != nil || run.Status != api.StatusRunning {
			t.Errorf("after the end of the large run: %s, %v", run.Status, err)
		}
		again := submit(t, a, api.Submission{Task: cellOf(4 * gi)})
		time.Sleep(reserveAfter + 2*time.Second)
		h.kill("a", a)
		b := h.node("b", idlers{func() time.Duration { return time.Second }})
		defer b.Close()
		if _, err := b.Recover(t.Context(), false); err != nil {
			t.Error(err)
		}
		if _, err := b.Wait(t.Context(), again.ID); err != nil && !errors.Is(err, &api.Error{Code: api.Canceled}) {
			t.Error(err)
		}
	})
}
