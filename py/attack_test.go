package py_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// The limits of every attack.
var attackLimits = py.Limits{Memory: 64 << 20, Time: time.Second, Steps: 200_000_000, Depth: 256, Output: 1 << 20, Calls: 1000}

// outcomes are the ends that an attack may come to. A test names those that are
// a defence; anything else is a hole, or a hole in the test.
type outcome string

const (
	refused   outcome = "refused"     // by Compile
	finished  outcome = "value"       // the program ended
	exception outcome = "exception"   // it failed, and could have caught that
	memory    outcome = "memory"      // limits
	timed     outcome = "time, steps" // which of the two comes first depends on the host
	depth     outcome = "depth"
	output    outcome = "output"
	calls     outcome = "calls"
)

// attack is a program and how it must end.
type attack struct {
	source string
	ends   []outcome
	shows  string // part of what it prints, of its result or of the message
}

func ends(source string, ways ...outcome) attack { return attack{source, ways, ""} }

// refusal is a program that must not get what it asks for: it is refused, or
// gets an exception with the message.
func refusal(source, message string) attack {
	return attack{source, []outcome{refused, exception}, message}
}

func shows(source, text string) attack { return attack{source, []outcome{finished}, text} }

// attacked is what became of an attack.
type attacked struct {
	end   outcome
	text  string // output, then the result or the error
	state *py.State
}

func anyType() value.Type { return value.Type{Kind: value.KindAny} }

func attackTools() []py.Tool {
	x := []py.Param{{Name: "x", Type: anyType(), HasDefault: true}}
	return []py.Tool{{Name: "echo", Params: x, Result: anyType()}, {Name: "fail", Params: x, Result: anyType()}}
}

// runAttack runs a program to its end, within the limits of every attack.
func runAttack(t testing.TB, source string, dialect py.Dialect) attacked {
	t.Helper()
	return runWithin(t, source, dialect, attackLimits)
}

// runWithin runs a program to its end.
func runWithin(t testing.TB, source string, dialect py.Dialect, limits py.Limits) attacked {
	t.Helper()
	defer watch(source)()
	program, err := py.Compile(source, py.Options{Dialect: dialect, Tools: attackTools()})
	if err != nil {
		return attacked{refused, err.Error(), nil}
	}
	ctx := context.Background()
	state, err := program.Start(ctx, nil, py.RunOptions{Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	for state.Status() == py.Waiting {
		if err := state.Resume(ctx, answerAll(state.Calls())...); err != nil {
			t.Fatal(err)
		}
	}
	result, err := state.Result()
	return attacked{endOf(t, err), state.Output() + fmt.Sprint(result, err), state}
}

// hanging is the processor time after which a program hangs.
const hanging = 20 * time.Second

// watch ends the test binary if a program hangs, since that cannot be ended in
// another way. A host that is busy with others gives the processor late.
func watch(source string) (stop func()) {
	done, began := make(chan struct{}), processTime()
	go func() {
		for ticks := time.Tick(hanging); ; {
			select {
			case <-done:
				return
			case <-ticks:
				if processTime()-began > hanging {
					panic("hangs: " + source)
				}
			}
		}
	}()
	return func() { close(done) }
}

func answerAll(waiting []py.Call) (results []py.Result) {
	for _, call := range waiting {
		if call.Tool == "fail" {
			results = append(results, py.Raise(call.ID, "ValueError", "the tool failed"))
		} else {
			results = append(results, py.Return(call.ID, call.Args[0]))
		}
	}
	return results
}

func endOf(t testing.TB, err error) outcome {
	t.Helper()
	sound(t, err)
	var limit *py.LimitError
	var e *py.Exception
	switch {
	case err == nil:
		return finished
	case errors.As(err, &e) && e.Class == "RecursionError" && e.Message == "maximum recursion depth exceeded":
		return depth
	case !errors.As(err, &limit):
		return exception
	}
	switch limit.Limit {
	case py.MemoryLimit:
		return memory
	case py.TimeLimit, py.StepLimit:
		return timed
	case py.DepthLimit:
		return depth
	case py.OutputLimit:
		return output
	case py.CallLimit:
		return calls
	}
	t.Errorf("ended by %v", err)
	return ""
}

// defend runs attacks one after the other and holds the interpreter to what a
// state promises after any end.
func defend(t *testing.T, attacks ...attack) {
	for _, a := range attacks {
		got := runDespiteHost(t, a)
		slow := got.end == timed && slices.Contains(a.ends, finished) && a.shows == "" // a busy host takes longer
		if !slices.Contains(a.ends, got.end) && !slow {
			t.Errorf("%s\nended by %s: %s\nwant one of %q", a.source, got.end, brief(got.text), a.ends)
		}
		if !strings.Contains(got.text, a.shows) {
			t.Errorf("%s\nshows %s\nwant %q in it", a.source, brief(got.text), a.shows)
		}
		for _, secret := range []string{"internal error", "code of the program decides", "snapshot is corrupt", "/work", ".go:", "0xc0"} {
			if strings.Contains(got.text, secret) {
				t.Errorf("%s\nlets out %q: %s", a.source, secret, brief(got.text))
			}
		}
		intact(t, got.state)
		runAttack(t, a.source, py.Strict) // any end will do: most is refused
	}
}

// intact inspects a state that has ended.
func intact(t *testing.T, state *py.State) {
	t.Helper()
	if state == nil {
		return
	}
	usage := state.Usage()
	if usage.Output > attackLimits.Output || usage.Calls > attackLimits.Calls {
		t.Errorf("used %+v", usage)
	}
	if most := attackLimits.Memory + attackLimits.Memory/10; usage.Memory > most {
		t.Errorf("charged %d bytes, more than %d", usage.Memory, most)
	}
	if err := state.Resume(context.Background()); !errors.Is(err, py.ErrNotWaiting) {
		t.Errorf("resumed after its end: %v", err)
	}
	first, before := state.Result()
	second, after := state.Result()
	if late(before) || late(after) { // a busy host takes longer
		return
	}
	if fmt.Sprint(first, before) != fmt.Sprint(second, after) {
		t.Errorf("two results: %v, %v", before, after)
	}
}

// runDespiteHost runs an attack, and once more with more time if the limit came
// first because the host gave the processor to others: the program has to end as
// it must within a second of processor time.
func runDespiteHost(t *testing.T, a attack) attacked {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for limits := attackLimits; ; limits.Time *= 4 {
		before := threadTime()
		got := runWithin(t, a.source, py.Extended, limits)
		had := threadTime() - before
		if slices.Contains(a.ends, got.end) || got.end != timed || had > attackLimits.Time*9/10 || limits.Time > time.Minute {
			return got
		}
	}
}

func late(err error) bool {
	var limit *py.LimitError
	return errors.As(err, &limit) && limit.Limit == py.TimeLimit
}

func brief(s string) string {
	if len(s) > 400 {
		return s[:400] + "..."
	}
	return s
}

// long leaves out a test that takes several seconds when only short ones are asked for.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes several seconds: run without -short")
	}
}

// TestMemoryOvershoot fills the memory in many ways and looks at what the Go
// heap really holds then.
func TestMemoryOvershoot(t *testing.T) {
	long(t)
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	for _, item := range []string{
		"n", "str(n)", "n + 0.5", "10**30 + n", "[]", "{}", "{'a': n}", "set([n])", "(n, n)", "[n] * 100", "s + 'b'", "s + 'b' + str(n)",
		"'%100d' % n", "f'{n:>100}'", "b * 2", "lambda: l", "A()", "A().m", "iter(l)", "(x for x in l)", "range(n)", "slice(n)", "d.keys()",
		"ValueError(n)", "map(str, l)", "zip(l, l)", "enumerate(l)", "reversed(l)", "'a b c'.split()", "frozenset([n])", "type('T', (), {})",
	} {
		t.Run(item, func(t *testing.T) {
			source := "class A:\n    def __init__(self): self.x = 1\n    def m(self): pass\n" +
				"n, d, s, b, l = 0, {}, 'a' * 1000, b'a' * 500, []\nwhile True:\n    l.append(" + item + ")\n    n += 1\n"
			before := heap()
			got := runAttack(t, source, py.Extended)
			held := heap() - before
			runtime.KeepAlive(got.state)
			if got.end != memory && got.end != timed {
				t.Fatalf("ended by %s: %s", got.end, brief(got.text))
			}
			if most := attackLimits.Memory*11/10 + 4<<20; held > most {
				t.Errorf("the heap holds %d bytes of a program that may have %d", held, attackLimits.Memory)
			}
		})
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
