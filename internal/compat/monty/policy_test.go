package monty

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

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

// at is a clock that stands, in a zone.
func at(seconds uint64, zone []byte) []byte {
	return policyField(bytesOf(3, numberSet(1, seconds)), bytesOf(4, zone))
}

func TestTimeZoneByPolicy(t *testing.T) {
	const january = 1705361405 // 2024-01-15 23:30:05 UTC
	cet := bytesOf(3, join(signedNumber(1, 3600), text(2, "CET")))
	london := text(2, "Europe/London")
	for code, want := range map[string]string{
		"str(datetime.now()) + ' ' + str(date.today())":                                        "2024-01-16 00:30:05 2024-01-16",
		"str(datetime.now(timezone.utc))":                                                      "2024-01-15 23:30:05+00:00",
		"str(datetime.utcnow())":                                                               "2024-01-15 23:30:05",
		"str(datetime.utcfromtimestamp(0)) + ' ' + str(datetime.fromtimestamp(0))":             "1970-01-01 00:00:00 1970-01-01 01:00:00",
		"repr(time.time()) + ' ' + repr(datetime.now().timestamp())":                           "1705361405.0 1705361405.0",
		"datetime(2024, 6, 15, 12, 30, tzinfo=timezone.utc).astimezone().strftime('%H %z %Z')": "13 +0100 CET",
		"str(datetime(2024, 6, 15, 12, 30).astimezone(timezone.utc))":                          "2024-06-15 11:30:00+00:00",
		"repr((time.timezone, time.altzone, time.daylight, time.tzname))":                      "(-3600, -3600, 0, ('CET', 'CET'))",
		"time.strftime('%H:%M %z %Z') + ' ' + str(time.mktime(time.localtime()))":              "00:30 +0100 CET 1705361405.0",
	} {
		c := configured(t, at(january, cet))
		if _, n := c.value(c.feed("import time\nfrom datetime import date, datetime, timezone\n" + code)); n.Text != want {
			t.Errorf("%s: %q, want %q", code, n.Text, want)
		}
	}
	for code, want := range map[string]string{
		"repr((time.timezone, time.altzone, time.daylight, time.tzname))":      "(0, -3600, 1, ('GMT', 'BST'))",
		"datetime(2024, 6, 15, 12, 30).astimezone().strftime('%H:%M %Z %z')":   "12:30 BST +0100",
		"str(datetime(2024, 10, 27, 1, 30).astimezone(timezone.utc))":          "2024-10-27 00:30:00+00:00",
		"str(datetime(2024, 10, 27, 1, 30, fold=1).astimezone(timezone.utc))":  "2024-10-27 01:30:00+00:00",
		"repr(datetime.fromtimestamp(1729992600))":                             "datetime.datetime(2024, 10, 27, 1, 30, fold=1)",
		"repr([time.localtime(n).tm_isdst for n in (1705361405, 1720000000)])": "[0, 1]",
		"str(time.mktime((2024, 6, 15, 12, 30, 0, 0, 0, -1)))":                 "1718451000.0",
	} {
		c := configured(t, at(january, london))
		if _, n := c.value(c.feed("import time\nfrom datetime import datetime, timezone\n" + code)); n.Text != want {
			t.Errorf("%s: %q, want %q", code, n.Text, want)
		}
	}
	for _, zone := range [][]byte{text(2, "../../etc/passwd"), text(2, ""), bytesOf(3, signedNumber(1, 90_000))} {
		c := connect(t)
		if ev := c.send(requestConfigure, join(number(9, 6), at(january, zone))); ev.kind != eventFatal {
			t.Errorf("%q: event %d: %q", zone, ev.kind, ev.body)
		}
	}
}

func TestProcessTimeByPolicy(t *testing.T) {
	code := "import time\nstart = time.process_time()\nfor _ in range(10000): pass\nint(time.process_time() > start and time.thread_time_ns() > 0)"
	for arm, want := range map[protowire.Number]int64{9: 0, 10: 1} {
		c := configured(t, policyField(bytesOf(arm, nil)))
		if got := c.number(c.feed(code)); got != want {
			t.Errorf("policy %d: got %d", arm, got)
		}
	}
}

func TestGeneratorsUnderASeedDiffer(t *testing.T) {
	code := "import random\nn = [random.Random().random(), random.Random().random(), random.random()]\nassert len(set(n)) == 3\nrepr(n)"
	var seen []string
	for range 2 {
		c := configured(t, policyField(bytesOf(8, bytesOf(1, []byte{42}))))
		_, n := c.value(c.feed(code))
		seen = append(seen, n.Text)
	}
	if seen[0] != seen[1] || !strings.HasSuffix(seen[0], "0.6394267984578837]") {
		t.Errorf("got %q", seen)
	}
}
