package monty

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/value"
)

// policyField is an OsPolicy in a Configure.
func policyField(parts ...[]byte) []byte { return bytesOf(11, join(parts...)) }

var (
	clockOfClient  = bytesOf(2, nil)
	randomOfClient = bytesOf(7, nil)
)

// answered answers the call of the system that ev is.
func (c *client) answered(ev event, n graph.Node) event {
	c.t.Helper()
	values := version6.arena(&graph.Graph{Nodes: []graph.Node{n}})
	return c.send(requestResumeCall, join(numberSet(1, word(c.t, ev.body, 1)), bytesOf(2, number(1, 0)), bytesOf(3, values)))
}

func TestClockIsTheClients(t *testing.T) {
	seconds := graph.Node{Kind: graph.Float, Float: 86400.5}
	noon := graph.Node{Kind: graph.Moment, Time: value.DateTime{Wall: time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), Aware: true}}
	for code, want := range map[string]struct {
		call   int32
		body   []byte
		answer graph.Node
		result int64
	}{
		"import time\nint(time.time() * 10)":                 {26, text(1, "time.time"), seconds, 864005},
		"import time\nint(time.monotonic())":                 {26, text(1, "time.monotonic"), seconds, 86400},
		"import time\ntime.perf_counter_ns()":                {26, text(1, "time.perf_counter"), seconds, 86400_500_000_000},
		"import time\ntime.gmtime().tm_mday":                 {26, text(1, "time.gmtime"), seconds, 2},
		"from datetime import date\ndate.today().year":       {23, nil, graph.Node{Kind: graph.Moment, Time: value.Date{Year: 2024, Month: 2, Day: 29}}, 2024},
		"from datetime import datetime\ndatetime.now().hour": {24, nil, noon, 12},
		"from datetime import datetime, timezone, timedelta\ndatetime.now(timezone(timedelta(hours=2))).hour": {
			24, bytesOf(1, signedNumber(1, 7200)), noon, 14},
	} {
		c := configured(t, policyField(clockOfClient))
		ev := c.feed(code)
		call, body := osCall(t, ev)
		if call != want.call || !bytes.Equal(body, want.body) {
			t.Errorf("%s: call %d with %q, want %d with %q", code, call, body, want.call, want.body)
		}
		if got := c.number(c.answered(ev, want.answer)); got != want.result {
			t.Errorf("%s is %d, want %d", code, got, want.result)
		}
	}
}

func TestRandomnessIsTheClients(t *testing.T) {
	c := configured(t, policyField(randomOfClient))
	ev := c.feed("import random, os\nn = random.randint(1, 100)\nrandom.random()\nn")
	if call, body := osCall(t, ev); call != 25 || word(t, body, 1) != 2496 {
		t.Fatalf("call %d with %q", call, body)
	}
	drawn := graph.Node{Kind: graph.Bytes, Text: strings.Repeat("\x07", 2496)}
	first := c.number(c.answered(ev, drawn))
	d := configured(t, policyField(randomOfClient))
	if again := d.number(d.answered(d.feed("import random\nrandom.randint(1, 100)"), drawn)); again != first {
		t.Errorf("the same bytes give %d and %d", first, again)
	}
	if got := c.number(c.answered(c.feed("len(os.urandom(3))"), graph.Node{Kind: graph.Bytes, Text: "abc"})); got != 3 {
		t.Errorf("got %d", got)
	}
}

// TestWrongReadings answers with what is no time and no randomness.
func TestWrongReadings(t *testing.T) {
	for code, want := range map[string]string{
		"import time\ntime.time()":                      "'time.time' must return a float, not list",
		"from datetime import date\ndate.today()":       "'date.today' must return a date, not list",
		"from datetime import datetime\ndatetime.now()": "'datetime.now' must return a datetime, not list",
		"import os\nos.urandom(4)":                      "'os.urandom' must return bytes, not list",
		"import random\nrandom.random()":                "'os.urandom' must return bytes, not list",
		"import uuid\nuuid.uuid4()":                     "'os.urandom' must return bytes, not list",
	} {
		c := configured(t, policyField(clockOfClient, randomOfClient))
		if r := c.raisedBy(c.answered(c.feed(code), graph.Node{Kind: graph.List})); r.class != "RuntimeError" || r.message != want {
			t.Errorf("%s: %+v", code, r)
		}
	}
	c := configured(t, policyField(clockOfClient))
	osCall(t, c.feed("import time\ntime.time()"))
	r := c.raisedBy(c.send(requestResumeCall, bytesOf(2, bytesOf(5, nil))))
	if r.message != "'time.time' is not supported in this environment" {
		t.Errorf("got %+v", r)
	}
}

// TestSeeds compares the first numbers with those of CPython.
func TestSeeds(t *testing.T) {
	for name, test := range map[string]struct {
		seed []byte
		want int64
	}{
		"int":   {bytesOf(1, []byte{42}), 82},
		"float": {float(2, 1.5), 71},
		"str":   {text(3, "abc"), 99},
	} {
		c := configured(t, policyField(bytesOf(8, test.seed)))
		if got := c.number(c.feed("import random\nrandom.randint(1, 100)")); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
