package py_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// later is a tool that is async.
var later = py.Tool{
	Name: "later", Async: true, Result: value.Type{Kind: value.KindAny},
	Params: []py.Param{{Name: "x", Type: value.Type{Kind: value.KindAny}}},
}

// Each program gives calls up; its host answers the others, the smallest
// first, with what they were called with.
func TestCanceledCalls(t *testing.T) {
	for _, c := range []struct {
		name, source string
		canceled     []uint64
		want         any
	}{
		{"task", `
import asyncio
async def main():
    t = asyncio.create_task(later(1))
    await asyncio.sleep(0)
    print(t.cancel(), t.done())
    await later(2)
    return [t.cancelled(), t.cancel()]
asyncio.run(main())`, []uint64{1}, []any{true, false}},
		{"gather", `
import asyncio
async def both():
    await asyncio.gather(later(1), later(2))
async def main():
    t = asyncio.create_task(both())
    await asyncio.sleep(0)
    t.cancel()
    return [repr(e) for e in await asyncio.gather(t, return_exceptions=True)] + [await later(3)]
asyncio.run(main())`, []uint64{1, 2}, []any{"CancelledError('')", int64(3)}},
		{"group", `
import asyncio
async def fails():
    await later(1)
    raise ValueError("no")
async def main():
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
            group.create_task(later(2))
            group.create_task(later(3))
    except Exception as e:
        return [str(e), await later(4)]
asyncio.run(main())`, []uint64{1, 2}, []any{"unhandled errors in a TaskGroup (1 sub-exception)", int64(4)}},
		{"run", `
import asyncio
async def waits():
    try:
        await later(9)
    finally:
        print("ended")
async def main():
    asyncio.create_task(waits())
    return await later(2)
[asyncio.run(main()), await later(3)]`, []uint64{2}, []any{int64(2), int64(3)}},
		{"shield", `
import asyncio
async def main():
    inner = asyncio.create_task(later(1))
    async def outer():
        await asyncio.shield(inner)
    t = asyncio.create_task(outer())
    await asyncio.sleep(0)
    t.cancel()
    await asyncio.gather(t, return_exceptions=True)
    return [t.cancelled(), await inner]
asyncio.run(main())`, nil, []any{true, int64(1)}},
		{"bare", `
f = later(1)
f.cancel()
await later(2)`, []uint64{1}, int64(2)},
		{"outside", `
import asyncio
me = None
async def who():
    return asyncio.current_task()
me = await who()
async def stops():
    await later(1)
    me.cancel("stop")
asyncio.ensure_future(stops())
try:
    await later(2)
except asyncio.CancelledError as e:
    found = e.args
[found, await later(3)]`, []uint64{1}, []any{value.Tuple{"stop"}, int64(3)}},
	} {
		for _, reload := range []bool{false, true} {
			got, canceled := runCanceling(t, c.source, reload)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, reload %v (-want +got):\n%s", c.name, reload, diff)
			}
			if !slices.Equal(canceled, c.canceled) {
				t.Errorf("%s, reload %v: %v were canceled, want %v", c.name, reload, canceled, c.canceled)
			}
		}
	}
}

// runCanceling runs a program to its end, from a snapshot at each answer if
// reload is set, and returns its result and the calls that it gave up.
func runCanceling(t *testing.T, source string, reload bool) (any, []uint64) {
	t.Helper()
	program, err := py.Compile(source, py.Options{Dialect: py.Extended, Tools: []py.Tool{later}})
	if err != nil {
		t.Fatal(err)
	}
	state, err := program.Start(context.Background(), nil, py.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	canceled := state.Canceled()
	for state.Status() == py.Waiting {
		if reload {
			if state, err = reloaded(program, state, py.RunOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		call := slices.MinFunc(state.Calls(), func(a, b py.Call) int { return int(a.Args[0].(int64) - b.Args[0].(int64)) })
		if err := state.Resume(context.Background(), py.Return(call.ID, call.Args[0])); err != nil {
			t.Fatal(err)
		}
		canceled = append(canceled, state.Canceled()...)
	}
	v, err := state.Result()
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return v, canceled
}

// TestCanceledCallsTakeNoAnswer resumes a program with the result of a call that
// it has canceled: Resume refuses it.
func TestCanceledCallsTakeNoAnswer(t *testing.T) {
	program, err := py.Compile("f = later(1)\nf.cancel()\nawait later(2)", py.Options{Dialect: py.Extended, Tools: []py.Tool{later}})
	if err != nil {
		t.Fatal(err)
	}
	state, err := program.Start(context.Background(), nil, py.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if calls := state.Calls(); len(calls) != 1 || calls[0].ID != 2 || state.Usage().Calls != 2 {
		t.Fatalf("calls %v", calls)
	}
	if err := state.Resume(context.Background(), py.Return(1, nil)); err == nil {
		t.Error("an answer was taken that nobody waits for")
	}
}

// A time limit that the host's clock reaches ends the call that it is about, in
// a function and outside.
func TestTimeLimitsEndCalls(t *testing.T) {
	for _, source := range []string{
		`
import asyncio
async def main():
    try:
        return await asyncio.wait_for(later(1), timeout=0.05)
    except TimeoutError:
        return ["too late", await later(2)]
asyncio.run(main())`,
		`
import asyncio
try:
    async with asyncio.timeout(0.05):
        r = await later(1)
except TimeoutError:
    r = ["too late", await later(2)]
r`,
	} {
		program, err := py.Compile(source, py.Options{Dialect: py.Extended, Tools: []py.Tool{later}})
		if err != nil {
			t.Fatal(err)
		}
		state, err := program.Start(t.Context(), nil, py.RunOptions{Host: py.Host{Timers: true}})
		if err != nil {
			t.Fatal(err)
		}
		at, ok := state.Timer()
		if !ok || len(state.Calls()) != 1 {
			t.Fatalf("it waits until %v, %v, for %v", at, ok, state.Calls())
		}
		state.Advance(at)
		if err := state.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := state.Canceled(); !slices.Equal(got, []uint64{1}) {
			t.Errorf("%v were canceled", got)
		}
		if err := state.Resume(t.Context(), py.Return(2, int64(2))); err != nil {
			t.Fatal(err)
		}
		v, err := state.Result()
		if diff := cmp.Diff([]any{"too late", int64(2)}, v); err != nil || diff != "" {
			t.Errorf("%v: %s", err, diff)
		}
	}
}
