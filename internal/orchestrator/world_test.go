package orchestrator

import (
	"bytes"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func realWorld(began time.Time) *World {
	return &World{clock: api.RealClock, began: began, Now: began, seed: []byte("a seed of a run, of 32 bytes....")}
}

// TestClockStands lets time pass only with answers, and never back.
func TestClockStands(t *testing.T) {
	began := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	w := realWorld(began)
	for i := range 5 {
		if got := w.read(); !got.Equal(began.Add(time.Duration(i) * tick)) {
			t.Errorf("look %d shows %v", i, got)
		}
	}
	if passed := w.Reach(began.Add(time.Minute + 7*time.Nanosecond)); passed != time.Minute || !w.read().Equal(began.Add(time.Minute)) {
		t.Errorf("after a minute: %v", passed)
	}
	if passed := w.Reach(began.Add(time.Second)); passed != time.Minute || !w.read().After(began.Add(time.Minute)) {
		t.Errorf("the clock went back: %v", passed)
	}
}

// TestWorldGoesOn restores a world and continues where it was.
func TestWorldGoesOn(t *testing.T) {
	began := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	w := realWorld(began)
	w.Reach(began.Add(time.Hour))
	w.read()
	draw(t, w, 5)
	again := realWorld(began)
	again.restore(*w)
	if !again.read().Equal(w.read()) || again.elapsed() != time.Hour {
		t.Error("the clocks differ")
	}
	if a, b := draw(t, w, 100), draw(t, again, 100); !bytes.Equal(a, b) || bytes.Equal(a[:32], a[32:64]) {
		t.Errorf("%x and %x", a, b)
	}
	other := realWorld(began)
	other.seed = []byte("another")
	if bytes.Equal(draw(t, other, 16), draw(t, realWorld(began), 16)) {
		t.Error("two seeds give the same")
	}
}

func draw(t *testing.T, w *World, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	if err := w.draw(b); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWorldIsValidated refuses what is no clock and no randomness.
func TestWorldIsValidated(t *testing.T) {
	for _, c := range []struct {
		clock  api.Clock
		random api.Random
		field  string
	}{
		{"", "", ""}, {"real", "real", ""}, {"virtual", "seeded:-5", ""}, {"fixed:2024-02-29T12:00:00+01:00", "seeded:0", ""},
		{"Real", "", "orchestrator.clock"}, {"fixed:", "", "orchestrator.clock"}, {"fixed:2024-02-30T00:00:00Z", "", "orchestrator.clock"},
		{"", "seeded:", "orchestrator.random"}, {"", "seeded:1.5", "orchestrator.random"}, {"", "seeded:99999999999999999999", "orchestrator.random"},
	} {
		flow := task("1", "int")
		flow.Orchestrator.Clock, flow.Orchestrator.Random = c.clock, c.random
		err := New(Config{}).Validate(flow)
		if c.field == "" && err == nil {
			continue
		}
		if e := api.AsError(err); c.field == "" || err == nil || e.Code != api.InvalidTask || e.Details.Field != c.field {
			t.Errorf("%q and %q: %v", c.clock, c.random, err)
		}
	}
}

// TestCheckKnowsGrants finds exactly what is not granted.
func TestCheckKnowsGrants(t *testing.T) {
	flow := task("import time\nfrom random import random\n(int(time.time()), random())[0]", "int")
	flow.Orchestrator.Dialect = extended
	for _, c := range []struct {
		clock  api.Clock
		random api.Random
		want   int
	}{{"", "", 2}, {"real", "", 1}, {"virtual", "seeded:1", 1}, {"fixed:2024-02-29T12:00:00Z", "real", 0}} {
		flow.Orchestrator.Clock, flow.Orchestrator.Random = c.clock, c.random
		problems, err := New(Config{}).Check(flow)
		if err != nil || len(problems) != c.want {
			t.Errorf("%q and %q: %v, %v", c.clock, c.random, problems, err)
		}
	}
}
