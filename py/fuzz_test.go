package py_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/py/internal/difftest"
	"github.com/glovebox-dev/glovebox/value"
)

var mutations = flag.Int("mutations", 300, "how many mutated programs TestMutations runs")
var mutationSeed = flag.Uint64("mutation-seed", 1, "the first seed of TestMutations")

// FuzzRun runs any source in both dialects under tiny limits. Whatever it is,
// it must end, and the interpreter must not be the one that fails.
func FuzzRun(f *testing.F) {
	for i, source := range corpus(f) {
		if !testing.Short() || i%4 == 0 {
			f.Add(source, uint64(len(source)))
		}
	}
	f.Fuzz(func(t *testing.T, source string, seed uint64) {
		hostile(t, source, seed)
	})
}

// TestMutations runs programs that are put together from pieces of the corpus:
// most of them still parse, unlike those that change bytes.
func TestMutations(t *testing.T) {
	sources := corpus(t)
	for i := range uint64(*mutations) {
		seed := *mutationSeed + i
		r := rand.New(rand.NewPCG(seed, 1))
		source := mutate(r, sources)
		for !hostile(t, source, seed) {
			source = mutate(r, sources)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, source)
		}
	}
}

func corpus(t testing.TB) (sources []string) {
	for _, dir := range []string{"../testdata/py", "../testdata/py/strict", "../testdata/py/tools"} {
		files, err := difftest.Files(filepath.FromSlash(dir))
		if err != nil || len(files) == 0 {
			t.Fatalf("no programs in %s: %v", dir, err)
		}
		for _, file := range files {
			programs, err := difftest.ReadPrograms(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range programs {
				sources = append(sources, p.Source)
			}
		}
	}
	return sources
}

var pieces = regexp.MustCompile(`[A-Za-z_]\w*|\d[\w.]*|"[^"\n]*"|'[^'\n]*'|[^\w\s]|\s+`)

// mutate replaces, doubles and removes words and lines of a program.
func mutate(r *rand.Rand, sources []string) string {
	lines := strings.SplitAfter(sources[r.IntN(len(sources))], "\n")
	for range 1 + r.IntN(6) {
		at := r.IntN(len(lines))
		other := strings.SplitAfter(sources[r.IntN(len(sources))], "\n")
		switch r.IntN(6) {
		case 0: // a line of another program, as deep as this one
			line := strings.TrimLeft(other[r.IntN(len(other))], " ")
			indent := len(lines[at]) - len(strings.TrimLeft(lines[at], " "))
			lines[at] = strings.Repeat(" ", indent) + line
		case 1:
			lines[at] += lines[at]
		default:
			lines[at] = mutateLine(r, lines[at], lines, other)
		}
	}
	return strings.Join(lines, "")
}

// spice is what programs seldom hold and what tends to hurt.
var spice = []string{
	"0", "-1", "1", "2**63", "-2**63", "10**30", "1e308", "float('nan')", "''", "'\\udc80'", "'é€𝄞'", "b''", "None", "[]", "()", "{}", "set()",
	"[[]]*3", "range(10**18)", "slice(None,None,-1)", "iter([1,2])", "(x for x in [1])", "object()", "type", "int", "str", "list", "dict", "Exception",
	"...", "NotImplemented", "f", "tool", "print", "len", "sorted", "lambda *a, **k: a", "True", "self", "__class__", "__dict__", "super()", "2**31", "10**5",
}

func mutateLine(r *rand.Rand, line string, own, other []string) string {
	words := pieces.FindAllString(line, -1)
	if len(words) == 0 {
		return line
	}
	at := r.IntN(len(words))
	switch r.IntN(4) {
	case 0:
		words[at] = spice[r.IntN(len(spice))]
	case 1:
		if like := pieces.FindAllString(own[r.IntN(len(own))], -1); len(like) > 0 {
			words[at] = like[r.IntN(len(like))]
		}
	case 2:
		if like := pieces.FindAllString(other[r.IntN(len(other))], -1); len(like) > 0 {
			words[at] = like[r.IntN(len(like))]
		}
	case 3:
		words[at] = "(" + words[at] + ")" + words[at]
	}
	return strings.Join(words, "")
}

// hostile runs a source in both dialects and fails the test when the
// interpreter broke. It tells whether the source is a program at all.
func hostile(t *testing.T, source string, seed uint64) (compiles bool) {
	t.Helper()
	anything := value.Type{Kind: value.KindAny}
	tools := []py.Tool{
		{Name: "tool", Params: []py.Param{{Name: "x", Type: anything, HasDefault: true}, {Name: "y", Type: anything, HasDefault: true}}, Result: anything},
		{Name: "later", Params: []py.Param{{Name: "x", Type: anything, HasDefault: true}}, Result: anything, Async: true},
	}
	for _, dialect := range []py.Dialect{py.Strict, py.Extended} {
		stop := watch(source)
		program, err := py.Compile(source, py.Options{Dialect: dialect, Tools: tools})
		if err != nil {
			stop()
			continue
		}
		compiles = true
		runHostile(t, program, rand.New(rand.NewPCG(seed, 2)))
		feedHostile(t, source, py.Options{Dialect: dialect, Tools: tools}, rand.New(rand.NewPCG(seed, 3)))
		stop()
	}
	return compiles
}

var hostileLimits = py.Limits{Memory: 8 << 20, Steps: 2_000_000, Time: 2 * time.Second, Depth: 60, Output: 64 << 10, Calls: 200}

// feedHostile runs a source in pieces, whatever became of those before, and ends
// some from outside.
func feedHostile(t *testing.T, source string, o py.Options, r *rand.Rand) {
	t.Helper()
	limits := hostileLimits
	limits.Steps, limits.Memory = 100_000, 1<<20
	c, err := py.NewConsole(o, value.Fields{}, py.RunOptions{Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	pieces, _ := py.Pieces(source, true)
	for _, piece := range pieces[:min(len(pieces), 50)] {
		_ = c.Check(piece)
		var refused *py.SourceError
		if err := c.Feed(context.Background(), "", piece); errors.As(err, &refused) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		answerPiece(t, c, r)
		_, err := c.State().Result()
		sound(t, err)
	}
}

func answerPiece(t *testing.T, c *py.Console, r *rand.Rand) {
	t.Helper()
	for s := c.State(); s.Status() == py.Waiting; {
		calls := s.Calls()
		if len(calls) == 0 {
			t.Fatal("the piece waits for nothing")
		}
		if r.IntN(10) == 0 {
			if err := c.Abort("KeyboardInterrupt", "enough"); err != nil {
				t.Fatal(err)
			}
			return
		}
		call := calls[r.IntN(len(calls))]
		if err := s.Resume(context.Background(), answer(r, call)); err != nil {
			if err := s.Resume(context.Background(), py.Raise(call.ID, "OSError", err.Error())); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func runHostile(t *testing.T, program *py.Program, r *rand.Rand) {
	t.Helper()
	ctx := context.Background()
	limits := hostileLimits
	state, err := program.Start(ctx, nil, py.RunOptions{Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	for state.Status() == py.Waiting {
		calls := state.Calls()
		if len(calls) == 0 {
			t.Fatal("the program waits for nothing")
		}
		var results []py.Result
		for _, call := range calls {
			results = append(results, answer(r, call))
		}
		if r.IntN(2) == 0 {
			state = reload(t, program, state, limits)
		}
		if err := state.Resume(ctx, results...); err != nil && state.Status() == py.Waiting {
			if err := state.Resume(ctx, py.Raise(calls[0].ID, "OSError", err.Error())); err != nil {
				t.Fatalf("%v after %v", err, results)
			}
		}
	}
	_, err = state.Result()
	_, _ = state.Repr()
	_ = state.Usage()
	sound(t, err)
	for _, secret := range []string{"code of the program decides", "a frame was entered", "a call takes the place"} {
		if strings.Contains(state.Output(), secret) || err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("a signal of the machine came out: %v\n%s", err, state.Output())
		}
	}
}

// reload takes an instance through a snapshot. One that no longer fits the limits
// continues as it is.
func reload(t *testing.T, program *py.Program, state *py.State, limits py.Limits) *py.State {
	t.Helper()
	snapshot, err := state.Snapshot()
	if err != nil {
		return state
	}
	again, err := program.Load(snapshot, py.RunOptions{Limits: limits})
	var limit *py.LimitError
	if errors.As(err, &limit) {
		return state
	}
	if err != nil {
		t.Fatalf("its own snapshot: %v", err)
	}
	return again
}

// answer makes up the result of a call.
func answer(r *rand.Rand, call py.Call) py.Result {
	values := []any{nil, int64(1), "é", []any{int64(1), "a"}, 1.5, []byte("x"), call.Args[0]}
	switch r.IntN(6) {
	case 0:
		if call.Tool == "later" {
			return py.Pending(call.ID)
		}
		return py.Raise(call.ID, "ValueError", "no")
	case 1:
		return py.Raise(call.ID, "no such class", "")
	}
	return py.Return(call.ID, values[r.IntN(len(values))])
}

// sound fails the test when an error is not one that a program can cause.
func sound(t testing.TB, err error) {
	t.Helper()
	var exception *py.Exception
	var limit *py.LimitError
	var refused *api.Error
	switch {
	case err == nil, errors.As(err, &limit), errors.As(err, &refused), errors.As(err, &exception):
	default:
		t.Errorf("the interpreter failed: %T: %v", err, err)
	}
}
