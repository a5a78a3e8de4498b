package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// fake takes as long as it says, and counts what is done with it.
type fake struct {
	took          time.Duration
	fails         int // the turn that fails; 0 is none
	turns, waited int
	order         *[]string
	name          string
}

func (f *fake) way() way {
	return way{name: f.name, against: "slow", once: timed(func(context.Context) error {
		f.turns++
		*f.order = append(*f.order, f.name)
		time.Sleep(f.took)
		if f.turns == f.fails {
			return errors.New("broken")
		}
		return nil
	}), settle: func(context.Context) error {
		f.waited++
		time.Sleep(time.Hour)
		return nil
	}}
}

func TestInTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		slow := &fake{name: "slow", took: 200 * time.Millisecond, order: &order}
		fast := &fake{name: "fast", took: 2 * time.Millisecond, order: &order}
		bad := &fake{name: "bad", took: time.Second, order: &order, fails: 3}
		const rounds = 8
		rows := inTurns(t.Context(), "work", rounds, []way{slow.way(), fast.way(), {name: "none", absent: "not here"}, bad.way()})
		g := report.Group{Rows: rows}
		g.Finish()
		if slow.turns != rounds+1 || fast.turns != rounds+1 || bad.turns != 3 {
			t.Errorf("turns are %d, %d and %d, want %d, %d and 3", slow.turns, fast.turns, bad.turns, rounds+1, rounds+1)
		}
		if fast.waited != fast.turns {
			t.Errorf("it was waited %d times for %d turns to settle", fast.waited, fast.turns)
		}
		row := g.Row("work", "fast")
		if len(row.Samples) != rounds || row.Median != 2 || row.P95 != 2 || row.Ratio != 0.01 {
			t.Errorf("the fast one is %+v, want %d samples of 2 ms without what is waited for, and a ratio of 0.01", row, rounds)
		}
		if got := g.Row("work", "none").Absent; got != "not here" {
			t.Errorf("the absent one is %q", got)
		}
		if got := g.Row("work", "bad").Absent; !strings.Contains(got, "broken") {
			t.Errorf("the failed one is %q", got)
		}
		if !differs(order, rounds) {
			t.Errorf("the order is always the same: %v", order)
		}
	})
}

// differs tells whether the two that are there all the time change their order.
func differs(order []string, rounds int) bool {
	order = slices.DeleteFunc(slices.Clone(order), func(s string) bool { return s == "bad" })
	for i := range rounds {
		if order[0] != order[2*i] {
			return true
		}
	}
	return false
}

func TestInterruptedTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		turns := 0
		inTurns(ctx, "work", 1000, []way{{name: "a", once: func(context.Context) (time.Duration, error) {
			if turns++; turns == 5 {
				cancel()
			}
			return time.Second, nil
		}}})
		if turns != 5 {
			t.Errorf("%d turns, want none after the fifth", turns)
		}
	})
}

func TestFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{options: options{seconds: 10 * time.Second}}
		sleep := timed(func(context.Context) error { time.Sleep(250 * time.Millisecond); return nil })
		rows := b.floods(t.Context(), "4 at once", 4, []way{{name: "a", once: sleep}, {name: "b", absent: "not here"}})
		if got := rows[0]; got.PerSecond != 16 || len(got.Samples) != 160 {
			t.Errorf("%v a second, %d samples, want 16 and 160", got.PerSecond, len(got.Samples))
		}
		if rows[1].Absent != "not here" || rows[1].PerSecond != 0 {
			t.Errorf("the absent one is %+v", rows[1])
		}
	})
}

// TestFloodThatFails: a failure ends a flood immediately, and is returned.
func TestFloodThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := flood{once: func(context.Context) (time.Duration, error) { time.Sleep(time.Second); return 0, errors.New("broken") }}
		took, err := f.run(t.Context(), 4, time.Hour)
		if err == nil || took > 2*time.Second {
			t.Errorf("it took %v and the error is %v", took, err)
		}
	})
}

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string // in the error
	}{
		"unknown group":   {[]string{"-only", "oneshot,nothing"}, "nothing"},
		"negative rounds": {[]string{"-rounds", "-1"}, "-rounds is -1"},
		"argument":        {[]string{"oneshot"}, "oneshot"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parse(c.args); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one that names %q", err, c.want)
			}
		})
	}
	o, err := parse([]string{"-only", "py,oneshot", "-quick"})
	if err != nil || o.full || o.rounds != quickRounds || len(o.groups) != 2 || o.groups[0].name != "oneshot" {
		t.Errorf("got %+v, %v", o, err)
	}
	if o, err = parse(nil); err != nil || !o.full || o.rounds != wholeRounds || len(o.groups) != len(groups()) {
		t.Errorf("got %+v, %v", o, err)
	}
}
