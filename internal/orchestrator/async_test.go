package orchestrator

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// watched is an engine that notes how many calls are under way whenever the code
// waits.
type watched struct {
	*engine
	under []int
}

func (w *watched) Next(ctx context.Context, wake time.Time) (api.Answer, error) {
	w.under = append(w.under, len(w.started)-w.next)
	return w.engine.Next(ctx, wake)
}

// Tasks that are async are so in the code that calls them.
func TestAsyncTasks(t *testing.T) {
	for _, c := range []struct {
		name, dialect, code string
		under               []int
		want                any
	}{
		{"list", extended, "cs = [echo(i) for i in range(3)]\nawait gather(*cs)", []int{3, 2, 1}, []any{int64(0), int64(1), int64(2)}},
		{"map", extended, "await gather(*map(echo, 'ab'))", []int{2, 1}, []any{"a", "b"}},
		{"return_exceptions", extended, "cs = [echo(1), fails('value')]\n[str(r) for r in await gather(*cs, return_exceptions=True)]",
			[]int{2, 1}, []any{"1", "no such value"}},
		{"helper", extended, `
async def safe(call):
    try:
        return await call
    except ValueError as e:
        return str(e)
await gather(safe(echo(1)), safe(fails("value")))`, []int{2, 1}, []any{int64(1), "no such value"}},
		{"tasks", extended, "import asyncio\nts = [asyncio.create_task(echo(i)) for i in range(2)]\n[await t for t in ts]", []int{2, 1}, []any{int64(0), int64(1)}},
		{"run", extended, "import asyncio\nasyncio.run(echo(5))", []int{1}, int64(5)},
		{"strict", strict, "x = echo(1)\ny = await echo(x + 1)\nc = echo(3)\n[x, y, await c, echo(4) + (await echo(5))]",
			[]int{1, 1, 1, 1, 1}, []any{int64(1), int64(2), int64(3), int64(9)}},
		{"strict gather", strict, "await gather(echo(1), *[echo(i) for i in range(2)])", []int{3, 2, 1}, []any{int64(1), int64(0), int64(1)}},
		{"strict helper", strict, "async def twice(c):\n    return 2 * await c\nawait twice(echo(4))", []int{1}, int64(8)},
	} {
		task := task(c.code, "Any")
		task.Orchestrator.Dialect = c.dialect
		task.Orchestrator.Tools = slices.Clone(task.Orchestrator.Tools)
		for i := range task.Orchestrator.Tools {
			task.Orchestrator.Tools[i].Signature.Async = true
		}
		e := &watched{engine: newEngine(funcs())}
		result, err := testRunner(never).Run(t.Context(), "run", &api.Request{Task: task, Caller: e})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, result.Outputs[0].Value); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if !slices.Equal(e.under, c.under) {
			t.Errorf("%s: %v calls were under way, want %v", c.name, e.under, c.under)
		}
		problems, err := testRunner(never).Check(task)
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: check says %v, %v", c.name, problems, err)
		}
	}
}
