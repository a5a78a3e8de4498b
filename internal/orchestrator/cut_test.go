package orchestrator

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// program is a program with what it gives and how many calls it makes.
type program struct {
	name, code, result string
	params             []string
	inputs             map[string]any
	want               any
	calls              int
}

func dict(pairs ...any) *value.Dict {
	d := value.NewDict()
	for i := 0; i < len(pairs); i += 2 {
		d.Set(pairs[i].(string), pairs[i+1])
	}
	return d
}

func examples() []program {
	return []program{
		{"pipeline", `
def pipeline(n: int) -> dict[str, int]:
    fib_result = fib(n)
    linear_result = add(multiply(n, 2), 5)
    total = add(fib_result, linear_result)
    return {"fib": fib_result, "linear": linear_result, "total": total}
pipeline(n)
`, "dict[str, int]", []string{"n", "int"}, map[string]any{"n": 10}, dict("fib", int64(55), "linear", int64(25), "total", int64(80)), 4},
		{"async pipeline", "async def main(n):\n    return await add(await fib(n), n)\nawait main(n)",
			"int", []string{"n", "int"}, map[string]any{"n": 10}, int64(65), 2},
		{"code string", "partial = add(x, y)\nmultiply(partial, scale)", "int", []string{"x", "int", "y", "int", "scale", "int"},
			map[string]any{"x": 2, "y": 3, "scale": 4}, int64(20), 2},
		{"one shot", "add(x, y) * 2", "int", []string{"x", "int", "y", "int"}, map[string]any{"x": 1, "y": 2}, int64(6), 1},
		{"reducer", "acc = 0\nfor v in values:\n    acc = add(acc, v)\nacc", "int", []string{"values", "list[int]"},
			map[string]any{"values": []any{1, 2, 3, 4}}, int64(10), 4},
		{"nested loops", "out = []\nfor i in range(3):\n    for j in range(3):\n        if i != j:\n            out.append(multiply(i, j))\nout",
			"list[int]", nil, nil, []any{int64(0), int64(0), int64(0), int64(2), int64(0), int64(2)}, 6},
		{"gather", "a, b, c = await gather(fib(5), add(1, 2), multiply(3, 4))\n[a, b, c]", "list[int]", nil, nil, []any{int64(5), int64(3), int64(12)}, 3},
		{"chains in gather", `
async def chain(i):
    x = await add(i, 1)
    return await multiply(x, x)
await gather(*[chain(i) for i in range(5)])
`, "list[int]", nil, nil, []any{int64(1), int64(4), int64(9), int64(16), int64(25)}, 10},
		{"map", `
found = glovebox_map(fails, ["value", "timeout"], concurrency=2) + glovebox_map("add", [1, 2], [3, 4])
[x if isinstance(x, int) else type(x).__name__ + ": " + str(x) for x in found]
`, "list[Any]", nil, nil, []any{"ValueError: no such value", "TimeoutError: it failed by timeout", int64(4), int64(6)}, 4},
		{"caught", `
out = []
for how in ["value", "key", "number", "timeout", "out_of_memory", "nonzero_exit", "stop", "exit", "own"]:
    try:
        out.append(fails(how))
    except Exception as e:
        out.append(type(e).__name__ + ": " + str(e))
out
`, "list[str]", nil, nil, []any{"ValueError: no such value", "KeyError: 'no such key'", "KeyError: 404", "TimeoutError: it failed by timeout",
			"MemoryError: it failed by out_of_memory", "RuntimeError: it failed by nonzero_exit", "RuntimeError: StopIteration: no such stop",
			"RuntimeError: SystemExit: no such exit", "RuntimeError: etl.Broken: no such own"}, 9},
		{"given up", `
import asyncio
async def main():
    tasks = [asyncio.create_task(add(i, 1)) for i in range(4)]
    x = await tasks[0]
    print(tasks[1].cancel(), tasks[3].cancel())
    y = await add(x, 1)
    return [x, y, await tasks[2], [t.cancelled() for t in tasks]]
asyncio.run(main())
`, "list[Any]", nil, nil, []any{int64(1), int64(2), int64(3), []any{false, true, false, true}}, 5},
		{"several outputs", `size, label = stats(3)
[size + 1, label, nothing()]`, "list[Any]", nil, nil, []any{int64(4), "n3", nil}, 2},
		{"in a sort key", "sorted([3, 1, 2], key=lambda v: add(v, 0))", "list[int]", nil, nil, []any{int64(1), int64(2), int64(3)}, 3},
		{"handles", "made = make(\"a.csv\")\n[size(made), size(given), made, given]", "list[Any]", []string{"given", "File"},
			map[string]any{"given": file("in.csv")}, []any{int64(7), int64(7), file("a.csv"), file("in.csv")}, 3},
		{"output", "print(\"one\")\nx = add(1, 1)\nprint(x)\nadd(x, x)", "int", nil, nil, int64(4), 2},
		{"echo", `[echo(v) for v in [None, 1.5, "\ud800", b"x", 10 ** 30, (1, 2), {"a": [1]}]]`, "list[Any]", nil, nil,
			[]any{nil, 1.5, "\xed\xa0\x80", []byte("x"), mustBig("1000000000000000000000000000000"), value.Tuple{int64(1), int64(2)}, dict("a", []any{int64(1)})}, 7},
	}
}

// TestCutAnywhere runs every program straight, and cut at every step, with and
// without snapshots: the values, the calls and the output are the same, and no
// call is executed twice.
func TestCutAnywhere(t *testing.T) {
	for _, p := range examples() {
		for _, worth := range []func() bool{always, never} {
			t.Run(p.name, func(t *testing.T) { cutAnywhere(t, p, testRunner(worth)) })
		}
	}
}

func cutAnywhere(t *testing.T, p program, r *Runner) {
	task := task(p.code, p.result, p.params...)
	straight := newEngine(funcs())
	want, err := attemptOn(t, r, task, p.inputs, straight)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p.want, want.Outputs[0].Value, compareValues()); diff != "" {
		t.Fatal(diff)
	}
	if len(straight.starts) != p.calls {
		t.Fatalf("%d calls, want %d", len(straight.starts), p.calls)
	}
	for cut := range 2*p.calls + 1 {
		e := newEngine(funcs())
		e.cut = cut
		if _, err := attemptOn(t, r, task, p.inputs, e); !errors.Is(err, errCut) && cut < 2*p.calls {
			t.Fatalf("cut %d: got %v", cut, err)
		}
		e.again()
		got, err := attemptOn(t, r, task, p.inputs, e)
		if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		same(t, fmt.Sprint("cut ", cut), straight, e, want, got)
	}
}

// same compares two ways to the end of a run.
func same(t testing.TB, what string, a, b *engine, want, got *api.Result) {
	t.Helper()
	if diff := cmp.Diff(want.Outputs, got.Outputs, compareValues()); diff != "" {
		t.Fatalf("%s: outputs: %s", what, diff)
	}
	if string(want.Stdout) != string(got.Stdout) {
		t.Fatalf("%s: printed %q, want %q", what, got.Stdout, want.Stdout)
	}
	if diff := cmp.Diff(a.starts, b.starts, compareValues()); diff != "" {
		t.Fatalf("%s: calls: %s", what, diff)
	}
	for id, n := range b.done {
		if n != 1 {
			t.Fatalf("%s: call %d was carried out %d times", what, id, n)
		}
	}
}

// TestRandomPrograms makes random programs of calls in sequence and side by
// side, lets the answers come in random order, and cuts them at random places.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		code := "x = 1\n"
		for range rapid.IntRange(1, 5).Draw(rt, "statements") {
			code += statement(rt)
		}
		task := task(code+"x", "int")
		r := testRunner(func() bool { return rapid.Bool().Draw(rt, "snapshot") })
		seed := rapid.Uint64().Draw(rt, "order")
		straight := newEngine(funcs())
		straight.order = rand.New(rand.NewPCG(seed, 1))
		want, err := attemptOn(t, r, task, nil, straight)
		if err != nil {
			rt.Fatalf("%s\n%v", code, err)
		}
		e := newEngine(funcs())
		e.order = rand.New(rand.NewPCG(seed, 1))
		for range 3 {
			e.cut = rapid.IntRange(0, 2*len(straight.starts)).Draw(rt, "cut")
			if _, err = attemptOn(t, r, task, nil, e); err != nil && !errors.Is(err, errCut) {
				rt.Fatalf("%s\n%v", code, err)
			}
			e.again()
		}
		got, err := attemptOn(t, r, task, nil, e)
		if err != nil {
			rt.Fatalf("%s\n%v", code, err)
		}
		same(t, code, straight, e, want, got)
	})
}

func statement(rt *rapid.T) string {
	n := rapid.IntRange(1, 4).Draw(rt, "n")
	return rapid.SampledFrom([]string{
		fmt.Sprintf("x = add(x, %d)\n", n),
		fmt.Sprintf("for i in range(%d):\n    x = add(x, multiply(i, 2))\n", n),
		fmt.Sprintf("x = x + sum(await gather(*[add(x, i) for i in range(%d)]))\n", n),
		fmt.Sprintf("async def f(i):\n    y = await add(i, x)\n    return await fib(y %% 20)\nx = sum(await gather(*[f(i) for i in range(%d)]))\n", n),
		fmt.Sprintf("x = sum(glovebox_map(multiply, range(%d), range(%d), concurrency=2))\n", n, n),
		"try:\n    x = fails('value')\nexcept ValueError:\n    x = x + 1\nprint(x)\n",
		"r = await gather(add(x, 1), fails('key'), return_exceptions=True)\nx = r[0]\n",
	}).Draw(rt, "statement")
}
