// Package cachetest is the suite of stores of cached results: what every
// implementation must do, wherever it keeps them.
package cachetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
)

// Run judges a store. Each call of open returns an empty one.
func Run(t *testing.T, open func(t *testing.T) cache.Store) {
	for name, test := range map[string]func(*testing.T, cache.Store){
		"RoundTrip": roundTrip, "Replace": replace, "Recent": recent, "Clear": clear, "EvictOld": evictOld, "EvictLarge": evictLarge,
		"LookupUses": lookupUses, "References": references, "AtOnce": atOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// entry is number n of a task: stored and used at second n, of size n.
func entry(task string, n int) cache.Entry {
	at := time.Date(2026, 1, 1, 0, 0, n, 123456789, time.UTC)
	return cache.Entry{Key: fmt.Sprintf("%s-%d", task, n), Task: task, Run: fmt.Sprintf("run-%d", n), Size: int64(n), Created: at, Used: at}
}

func put(t *testing.T, s cache.Store, entries ...cache.Entry) {
	t.Helper()
	for _, e := range entries {
		if err := s.Put(t.Context(), e); err != nil {
			t.Fatalf("put %s: %v", e.Key, err)
		}
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// keys lists the entries of a task, the last stored first.
func keys(t *testing.T, s cache.Store, task string, limit int) []string {
	t.Helper()
	entries, err := s.Recent(t.Context(), task, limit)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Key)
	}
	return found
}

func roundTrip(t *testing.T, s cache.Store) {
	e := entry("task", 1)
	e.Parts = []api.CachePart{{Name: "code", Value: "x"}, {Name: "input y", Value: "\"z\"\x00"}}
	e.Outputs, e.Image = json.RawMessage(`{"x":1e400}`), "sha256:image"
	e.Stdout, e.Stderr, e.Blobs, e.Size = []byte{0, 255, '\n'}, []byte("err"), []string{"aa", "bb"}, 1<<60
	put(t, s, e)
	got, err := s.Lookup(t.Context(), e.Key)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Used.After(e.Used) {
		t.Errorf("it was used just now, not at %v", got.Used)
	}
	got.Used = e.Used
	same(t, "entry", *got, e)
	if _, err := s.Lookup(t.Context(), "other"); !errors.Is(err, cache.ErrNotFound) {
		t.Errorf("a key that is not there: got error %v, want %v", err, cache.ErrNotFound)
	}
}

func replace(t *testing.T, s cache.Store) {
	put(t, s, entry("task", 1), entry("task", 2))
	again := entry("task", 1)
	again.Run, again.Blobs = "run-again", []string{"new"}
	put(t, s, again)
	same(t, "keys", keys(t, s, "task", 10), []string{"task-1", "task-2"})
	got, err := s.Lookup(t.Context(), "task-1")
	if err != nil || got.Run != "run-again" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func recent(t *testing.T, s cache.Store) {
	for n := range 5 {
		put(t, s, entry("task", n), entry("other", n))
	}
	same(t, "three of the task", keys(t, s, "task", 3), []string{"task-4", "task-3", "task-2"})
	same(t, "none", keys(t, s, "task", 0), []string(nil))
	same(t, "of no task", keys(t, s, "tas", 9), []string(nil))
}

func clear(t *testing.T, s cache.Store) {
	put(t, s, entry("a", 1), entry("a", 2), entry("b", 1))
	for _, step := range []struct {
		task string
		want int
	}{{"c", 0}, {"a", 2}, {"a", 0}, {"", 1}} {
		n, err := s.Clear(t.Context(), step.task)
		if err != nil || n != step.want {
			t.Errorf("clear %q: got %d, %v, want %d", step.task, n, err, step.want)
		}
	}
}

func evict(t *testing.T, s cache.Store, before time.Time, maxBytes int64, want int) {
	t.Helper()
	n, err := s.Evict(t.Context(), before, maxBytes)
	if err != nil || n != want {
		t.Errorf("evict before %v beyond %d bytes: got %d, %v, want %d", before, maxBytes, n, err, want)
	}
}

func evictOld(t *testing.T, s cache.Store) {
	for n := range 6 {
		put(t, s, entry("task", n))
	}
	evict(t, s, time.Time{}, 0, 0)
	evict(t, s, entry("task", 3).Used, 0, 3) // not the one of that very moment
	same(t, "keys", keys(t, s, "task", 9), []string{"task-5", "task-4", "task-3"})
	evict(t, s, entry("task", 4).Used, 5, 2) // both bounds
	same(t, "keys", keys(t, s, "task", 9), []string{"task-5"})
}

func evictLarge(t *testing.T, s cache.Store) {
	for _, n := range []int{4, 1, 3, 2} { // stored in another order than used
		put(t, s, entry("task", n))
	}
	evict(t, s, time.Time{}, 10, 0)
	evict(t, s, time.Time{}, 8, 2) // 4 and 3 are 7, with 2 it would be 9
	same(t, "keys", keys(t, s, "task", 9), []string{"task-3", "task-4"})
	evict(t, s, time.Time{}, 3, 2) // the one used last is too large itself
	same(t, "keys", keys(t, s, "task", 9), []string(nil))
}

func lookupUses(t *testing.T, s cache.Store) {
	put(t, s, entry("task", 1), entry("task", 2), entry("task", 3))
	if _, err := s.Lookup(t.Context(), "task-1"); err != nil {
		t.Fatal(err)
	}
	evict(t, s, time.Time{}, 4, 1)
	same(t, "keys", keys(t, s, "task", 9), []string{"task-3", "task-1"})
}

func references(t *testing.T, s cache.Store) {
	var want []string
	e := entry("task", 1)
	for i := range 2100 {
		want = append(want, fmt.Sprintf("blob-%04d", i))
	}
	e.Blobs = want
	other := entry("task", 2)
	other.Blobs = []string{"blob-0007", "x"}
	put(t, s, e, other, entry("task", 3))
	found := map[string]bool{}
	err := s.References(t.Context(), func(digest string) error {
		found[digest] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, digest := range slices.Concat(want, []string{"x"}) {
		if !found[digest] {
			t.Errorf("blob %s is not referred to", digest)
		}
	}
	same(t, "number of blobs", len(found), len(want)+1)
	stop := errors.New("enough")
	if err := s.References(t.Context(), func(string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want that of the caller", err)
	}
}

func atOnce(t *testing.T, s cache.Store) {
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for n := range 10 {
				e := entry("task", n)
				e.Run = fmt.Sprintf("run-%d", i)
				if err := s.Put(t.Context(), e); err != nil {
					t.Errorf("put: %v", err)
				}
				if _, err := s.Lookup(t.Context(), e.Key); err != nil {
					t.Errorf("lookup: %v", err)
				}
			}
		})
	}
	group.Wait()
	same(t, "number of entries", len(keys(t, s, "task", 100)), 10)
}
