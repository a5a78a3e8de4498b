package py_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

const sleepy = `
import asyncio, time
log = []
async def nap(name, seconds):
    await asyncio.sleep(seconds)
    log.append((name, round(asyncio.get_event_loop().time(), 3)))
async def main():
    await asyncio.gather(nap("long", 3), nap("short", 1), nap("same", 1))
    late = fetch(1)
    try:
        await asyncio.wait_for(asyncio.shield(late), timeout=2)
    except TimeoutError:
        log.append("late")
    timer = asyncio.get_event_loop().call_later(50, log.append, "never")
    timer.cancel()
    log.append(await late)
asyncio.run(main())
time.sleep(0.5)
log.append(round(asyncio.get_event_loop().time(), 3))
log`

func sleepyProgram(t *testing.T, code string) *py.Program {
	t.Helper()
	integer := value.Type{Kind: value.KindInt}
	p, err := py.Compile(code, py.Options{Dialect: py.Extended, Tools: []py.Tool{{
		Name: "fetch", Async: true, Params: []py.Param{{Name: "x", Type: integer}}, Result: integer,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTimers has a host keep time, which makes a new instance of a snapshot at
// every pause.
func TestTimers(t *testing.T) {
	p := sleepyProgram(t, sleepy)
	o := py.RunOptions{Host: py.Host{Timers: true}}
	s, err := p.Start(t.Context(), nil, o)
	if err != nil {
		t.Fatal(err)
	}
	var waits []string
	for s.Status() == py.Waiting {
		at, timed := s.Timer()
		waits = append(waits, fmt.Sprint(at, timed, len(s.Calls())))
		if s, err = reloaded(p, s, o); err != nil {
			t.Fatal(err)
		}
		var results []py.Result
		if timed {
			s.Advance(at)
		} else {
			s.Advance(7 * time.Second)
			results = append(results, py.Return(s.Calls()[0].ID, int64(42)))
		}
		if err := s.Resume(t.Context(), results...); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(waits, "; "), "1s true 0; 3s true 0; 5s true 1; 0s false 1; 7.5s true 0"; got != want {
		t.Errorf("waited for %s, want %s", got, want)
	}
	checkRepr(t, s, "[('short', 1.0), ('same', 1.0), ('long', 3.0), 'late', 42, 7.5]")
}

func reloaded(p *py.Program, s *py.State, o py.RunOptions) (*py.State, error) {
	snapshot, err := s.Snapshot()
	if err != nil {
		return nil, err
	}
	return p.Load(snapshot, o)
}

func checkRepr(t *testing.T, s *py.State, want string) {
	t.Helper()
	if got, err := s.Repr(); err != nil || got != want {
		_, failure := s.Result()
		t.Errorf("got %s, want %s (%v, %v)", got, want, err, failure)
	}
}

// TestTimersOverlookNothing resumes too early, too late, with nothing, and for
// times that a float does not hold.
func TestTimersOverlookNothing(t *testing.T) {
	p := sleepyProgram(t, "import asyncio\nasync def main():\n    for i in range(10):\n        await asyncio.sleep(0.1)\n"+
		"    for d in (float('inf'), float('nan')):\n        try:\n            await asyncio.wait_for(asyncio.sleep(d), 1e-9)\n"+
		"        except TimeoutError:\n            pass\nawait main()\n'done'")
	s, err := p.Start(t.Context(), nil, py.RunOptions{Host: py.Host{Timers: true}})
	if err != nil {
		t.Fatal(err)
	}
	pauses := 0
	for s.Status() == py.Waiting && pauses < 50 {
		at, _ := s.Timer()
		s.Advance(at - 1)
		if err := s.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		if again, ok := s.Timer(); !ok || again != at {
			t.Fatalf("woke up at %v instead of %v", again, at)
		}
		s.Advance(at)
		if err := s.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		pauses++
	}
	if pauses != 12 {
		t.Errorf("paused %d times", pauses)
	}
	checkRepr(t, s, "'done'")
}

// TestVirtualTime lets nothing wait: sleeping moves the clock.
func TestVirtualTime(t *testing.T) {
	p := sleepyProgram(t, "import asyncio, time\nfrom datetime import datetime\na = time.time()\nasyncio.run(asyncio.sleep(3600))\n"+
		"time.sleep(60)\n(time.time() - a, datetime.now().isoformat())")
	clock := func() time.Time { return time.Date(2024, 2, 29, 23, 0, 0, 0, time.UTC) }
	s, err := p.Start(t.Context(), nil, py.RunOptions{Host: py.Host{Clock: clock}})
	if err != nil {
		t.Fatal(err)
	}
	checkRepr(t, s, "(3660.0, '2024-03-01T00:01:00')")
}

// TestSeed gives the sequence of random.seed(42) in CPython.
func TestSeed(t *testing.T) {
	p := sleepyProgram(t, "import random\n(random.random(), random.randint(1, 100), random.choice('abc'), random.Random(42).random())")
	s, err := p.Start(t.Context(), nil, py.RunOptions{Host: py.Host{Seed: int64(42)}})
	if err != nil {
		t.Fatal(err)
	}
	checkRepr(t, s, "(0.6394267984578837, 4, 'c', 0.6394267984578837)")
}

// TestSleepMessages has CPython's errors.
func TestSleepMessages(t *testing.T) {
	for arg, want := range map[string]string{
		"-1":           "ValueError: sleep length must be non-negative",
		"'a'":          "TypeError: 'str' object cannot be interpreted as an integer",
		"float('nan')": "ValueError: Invalid value NaN (not a number)",
		"float('inf')": "OverflowError: timestamp out of range for platform time_t",
	} {
		p := sleepyProgram(t, "import time\ntry:\n    time.sleep("+arg+")\nexcept Exception as e:\n    r = f'{type(e).__name__}: {e}'\nr")
		s, err := p.Start(t.Context(), nil, py.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(want, "'") {
			want = `"` + want + `"`
		} else {
			want = "'" + want + "'"
		}
		checkRepr(t, s, want)
	}
}
