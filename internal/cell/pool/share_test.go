package pool

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestShare(t *testing.T) {
	light := func(asked, wanted int) claim { return claim{cost: 1, asked: asked, wanted: wanted} }
	for _, c := range []struct {
		name   string
		claims []claim
		bounds hold
		want   []int
	}{
		{"none", nil, hold{10, 100}, []int{}},
		{"all get all", []claim{light(0, 3), light(2, 7)}, hold{10, 100}, []int{3, 7}},
		{"equal shares", []claim{light(0, 9), light(0, 9)}, hold{10, 100}, []int{5, 5}},
		{"who wants little gets it", []claim{light(0, 100), light(0, 2), light(0, 3)}, hold{10, 100}, []int{5, 2, 3}},
		{"asked for goes first", []claim{light(0, 9), light(8, 8)}, hold{10, 100}, []int{2, 8}},
		{"asked for counts in the share", []claim{light(3, 9), light(0, 9)}, hold{10, 100}, []int{5, 5}},
		{"fewer cells than keys", []claim{light(0, 5), light(0, 5), light(0, 5)}, hold{2, 100}, []int{1, 1, 0}},
		{"heavy ones pay in memory", []claim{{cost: 10, wanted: 99}, {cost: 1, wanted: 99}}, hold{100, 100}, []int{5, 50}},
		{"too heavy for all", []claim{{cost: 101, wanted: 1}, {cost: 1, wanted: 1}}, hold{10, 100}, []int{0, 1}},
		{"no bounds", []claim{light(1, 1)}, hold{}, []int{0}},
		{"no overflow", []claim{{cost: maxMemory, wanted: maxCells}, light(0, 1)}, hold{maxCells, maxMemory}, []int{1, 0}},
	} {
		if diff := cmp.Diff(c.want, share(c.claims, c.bounds)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Nothing is above the bounds, nobody gets more than it wants, nothing is left
// that somebody could have, and whoever wants more has no less than anybody who
// was not asked for.
func TestShareIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := hold{rapid.IntRange(1, 40).Draw(t, "cells"), rapid.Int64Range(1, 1000).Draw(t, "memory")}
		var claims []claim
		for range rapid.IntRange(0, 12).Draw(t, "claims") {
			asked := rapid.IntRange(0, 5).Draw(t, "asked")
			claims = append(claims, claim{
				cost:   rapid.Int64Range(1, 200).Draw(t, "cost"),
				asked:  asked,
				wanted: asked + rapid.IntRange(0, 20).Draw(t, "more"),
			})
		}
		got := share(claims, bounds)
		s := sharing{claims: claims, bounds: bounds, free: bounds, got: make([]int, len(claims))}
		for i, n := range got {
			if n < 0 || n > claims[i].wanted {
				t.Fatalf("claim %d of %+v got %d", i, claims[i], n)
			}
			s.give(i, n)
		}
		if s.free.cells < 0 || s.free.memory < 0 {
			t.Fatalf("%v of %+v is above the bounds %+v", got, claims, bounds)
		}
		for i, c := range claims {
			hungry := got[i] < c.wanted
			if hungry && s.free.cells > 0 && c.cost <= s.free.memory {
				t.Fatalf("%+v is left, and claim %d wants it: %v of %+v", s.free, i, got, claims)
			}
			for j, other := range claims {
				if !hungry || got[j] <= other.asked || got[j] == 0 {
					continue
				}
				// Claim j got its last item when it had no more than i, unless
				// i could not have one for want of memory.
				s.got[j]--
				if s.has(j) > s.has(i)+1e-9 && c.cost <= s.free.memory+other.cost && c.cost <= other.cost {
					t.Fatalf("claim %d has more than %d, which wants more: %v of %+v in %+v", j, i, got, claims, bounds)
				}
				s.got[j]++
			}
		}
	})
}

func TestHotKeyTakesFromColdOnesNotBelowTheirShare(t *testing.T) {
	inBubble(t, Config{Cells: 8, Memory: 1 << 30, Starts: 4}, func(b bench) {
		b.burst("cold", 8)
		b.pass(time.Second)
		b.wantIdle("cold", 8)
		for range 30 {
			b.burst("hot", 20)
			b.pass(time.Second)
		}
		b.wantIdle("hot", 4)
		b.wantIdle("cold", 4)
	})
}

// Where there are more keys than cells, the most taken ones have them, and
// nothing is torn down for a small difference.
func TestMoreKeysThanCells(t *testing.T) {
	inBubble(t, Config{Cells: 4, Memory: 1 << 30, Starts: 4}, func(b bench) {
		for range 100 {
			for i := range 10 {
				b.take(keyOf(i))
				if i < 3 {
					b.take(keyOf(i))
					b.take(keyOf(i))
				}
			}
			b.pass(5 * time.Second)
		}
		for i := range 3 {
			if s := b.stat(keyOf(i)); s.Idle != 1 {
				b.Errorf("%q is taken most and has %d", keyOf(i), s.Idle)
			}
		}
		discarded := 0
		for _, i := range b.all {
			discarded += i.discarded
		}
		if discarded > 10 {
			b.Errorf("%d items were torn down for others", discarded)
		}
	})
}

func TestAskedForGoesBeforeDemand(t *testing.T) {
	inBubble(t, Config{Cells: 4, Memory: 1 << 30, Starts: 4}, func(b bench) {
		b.burst("hot", 20)
		b.pass(time.Second)
		b.keep("asked", 3)
		b.burst("hot", 20)
		b.pass(time.Second)
		b.wantIdle("asked", 3)
		b.wantIdle("hot", 1)
	})
}

// Any number of keys leaves nothing behind, and nothing above the bounds.
func TestManyKeys(t *testing.T) {
	inBubble(t, Config{Cells: 8, Memory: 8 * mb, Starts: 2}, func(b bench) {
		b.memory = mb
		b.keep("asked", 2)
		keys := 10_000
		if testing.Short() {
			keys = 1000
		}
		for i := range keys {
			b.burst(keyOf(i), 3)
			if i%100 != 0 {
				continue
			}
			b.pool.mu.Lock()
			shelves := len(b.pool.shelves)
			b.pool.mu.Unlock()
			if shelves > maxShelves {
				b.Fatalf("%d keys are remembered", shelves)
			}
			if n := len(b.pool.Stats()); n > maxShelves {
				b.Fatalf("%d keys are told of", n)
			}
		}
		b.pass(time.Second)
		b.wantIdle("asked", 2)
		b.pass(10 * time.Minute)
		if n := len(b.pool.shelves); n != 1 {
			b.Errorf("%d keys are remembered after it was quiet", n)
		}
	})
}

func TestHeatHasNoFalseNumbers(t *testing.T) {
	cfg := Config{}.complete()
	var d demand
	now := time.Unix(0, 0)
	for range 1000 {
		now = now.Add(time.Hour)
		d.take(now, cfg)
		if h := d.heatAt(now, cfg); math.IsNaN(h) || h < 1 {
			t.Fatalf("heat is %g", h)
		}
	}
}

// TestAskedForIsStartedFirst: requested items start before items that are only
// in demand, however few are requested.
func TestAskedForIsStartedFirst(t *testing.T) {
	inBubble(t, Config{Cells: 16, Memory: 1 << 30, Starts: 1}, func(b bench) {
		b.keep("asked", 2)
		b.burst("hot", 3)
		b.pass(time.Second)
		b.wantIdle("asked", 2)
		for range 3 {
			b.take("hot")
		}
		b.take("asked")
		b.pass(2 * breath)
		if s := b.stat("asked"); s.Starting != 1 {
			b.Errorf("got %+v", s)
		}
	})
}

// TestSlowDiscardsAreNotAWayAroundTheBounds: an item counts until it is
// discarded.
func TestSlowDiscardsAreNotAWayAroundTheBounds(t *testing.T) {
	inBubble(t, Config{Cells: 4, Memory: 1 << 30, Starts: 4}, func(b bench) {
		b.parting = 10 * time.Second
		b.keep("a", 4)
		b.pass(time.Minute)
		for range 60 {
			for _, i := range b.waiting("a") {
				i.die()
			}
			b.pass(time.Second)
			if n := len(b.waiting("a")); n > 4 {
				b.Fatalf("%d items are there, want at most 4", n)
			}
		}
	})
}
