package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// impatient gives a call up and makes others until one of them takes long.
const impatient = `
import asyncio
async def main():
    tasks = [asyncio.create_task(slow(i)) for i in range(2)]
    x = await quick(1)
    tasks[0].cancel()
    y = await quick(2)
    return [x, y, await quick(3), await tasks[1], tasks[0].cancelled()]
asyncio.run(main())`

// A call that the code cancels ends, alone, and in the journal.
func TestCanceledByTheCode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		e := h.engine("a", nil)
		defer e.Close()
		ended := h.impatience()
		result, err := run1(t, e, orchestrate(impatient, anything, function("slow", "x"), function("quick", "x")), nil)
		want := []any{int64(1), int64(2), int64(3), int64(1), true}
		if diff := cmp.Diff(want, valueFrom(t, result, err)); diff != "" {
			t.Error(diff)
		}
		if cause := <-ended; cause == nil {
			t.Error("the tool was not told")
		}
		status := map[api.Status]int{}
		calls := h.journal.(*memory).all(func(rec *journal.Record) bool { return rec.Parent != "" })
		for _, rec := range calls {
			status[rec.Status]++
		}
		if diff := cmp.Diff(map[api.Status]int{api.StatusSucceeded: 4, api.StatusCanceled: 1}, status); diff != "" {
			t.Error(diff)
		}
	})
}

// impatience sets the functions of impatient. The channel reports each slow
// call that was ended.
func (h *host) impatience() <-chan error {
	ended := make(chan error, 10)
	h.functions.code["quick"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
	h.functions.code["slow"] = func(ctx context.Context, in map[string]any) (any, error) {
		select {
		case <-time.After(time.Hour):
			return in["x"], nil
		case <-ctx.Done():
			ended <- context.Cause(ctx)
			return nil, context.Cause(ctx)
		}
	}
	return ended
}
