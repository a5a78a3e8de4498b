package cache

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestMode(t *testing.T) {
	out := api.Signature{Outputs: []value.Param{{Name: "n"}}}
	tests := []struct {
		name     string
		task     api.Task
		override api.CacheMode
		want     api.CacheMode
		reason   string
	}{
		{"pure", api.Task{Signature: out}, "", api.CacheAuto, "inputs alone"},
		{"no outputs", api.Task{}, "", api.CacheDisable, "no outputs"},
		{"no outputs, whoever asks", api.Task{Cache: api.CacheAuto}, api.CacheAuto, api.CacheDisable, "no outputs"},
		{"network", api.Task{Signature: out, Network: api.Network{Public: true}}, "", api.CacheDisable, "network"},
		{"some network", api.Task{Signature: out, Network: api.Network{Allow: []string{"a.org"}}}, "", api.CacheDisable, "network"},
		{"starting runs", api.Task{Signature: out, StartsRuns: true}, "", api.CacheDisable, "starts runs"},
		{"secrets", api.Task{Signature: out, Secrets: []api.SecretRef{{Name: "k"}}}, "", api.CacheDisable, "secrets"},
		{"network that changes nothing", api.Task{Signature: out, Network: api.Network{Public: true}, Cache: api.CacheAuto}, "", api.CacheAuto, "the task asks"},
		{"function", api.Task{Signature: out, Kind: api.KindFunction}, "", api.CacheDisable, "kind function"},
		{"orchestrator", api.Task{Signature: out, Kind: api.KindOrchestrator}, "", api.CacheDisable, "kind orchestrator"},
		{"function that asks", api.Task{Signature: out, Kind: api.KindFunction, Cache: api.CacheAuto}, "", api.CacheAuto, "the task asks"},
		{"the task disables", api.Task{Signature: out, Cache: api.CacheDisable}, "", api.CacheDisable, "the task disables"},
		{"the request disables", api.Task{Signature: out, Cache: api.CacheAuto}, api.CacheDisable, api.CacheDisable, "the request disables"},
		{"the request asks", api.Task{Signature: out, Cache: api.CacheDisable}, api.CacheOverride, api.CacheOverride, "the request asks"},
		{"the task overrides", api.Task{Signature: out, Cache: api.CacheOverride}, "", api.CacheOverride, "the task asks"},
	}
	for _, tt := range tests {
		mode, reason, err := Mode(&tt.task, tt.override)
		if err != nil || mode != tt.want || !strings.Contains(reason, tt.reason) {
			t.Errorf("%s: %s because %q, %v; want %s because of %q", tt.name, mode, reason, err, tt.want, tt.reason)
		}
	}
	for _, task := range []api.Task{{Cache: "always"}, {Cache: "always", Signature: out}} {
		if _, _, err := Mode(&task, ""); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
			t.Errorf("unknown mode: %v", err)
		}
	}
	if _, _, err := Mode(&api.Task{}, "Auto"); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Errorf("unknown mode of a request: %v", err)
	}
}

func part(name, value, was string) api.CachePart {
	return api.CachePart{Name: name, Value: value, Was: was}
}

func TestDiffers(t *testing.T) {
	was := []api.CachePart{part("kind", "sandbox", ""), part("code", "a", ""), part("secret", "x", ""), part("secret", "y", ""), part("env A", "1", "")}
	now := []api.CachePart{part("kind", "sandbox", ""), part("code", "b", ""), part("secret", "x", ""), part("env B", "2", "")}
	want := []api.CachePart{part("code", "b", "a"), part("env B", "2", ""), part("secret", "", "y"), part("env A", "", "1")}
	if diff := cmp.Diff(Differs(now, was), want); diff != "" {
		t.Errorf("differs (-got +want):\n%s", diff)
	}
	if differs := Differs(now, now); differs != nil {
		t.Errorf("a key differs from itself in %v", differs)
	}
}

func TestNearest(t *testing.T) {
	entry := func(run string, parts ...api.CachePart) Entry { return Entry{Run: run, Parts: parts} }
	now := []api.CachePart{part("a", "1", ""), part("b", "1", "")}
	entries := []Entry{
		entry("far", part("a", "2", ""), part("b", "2", "")),
		entry("near", part("a", "1", ""), part("b", "2", "")),
		entry("as near, but older", part("a", "2", ""), part("b", "1", "")),
	}
	nearest, differs := Nearest(now, entries)
	if nearest.Run != "near" || cmp.Diff(differs, []api.CachePart{part("b", "1", "2")}) != "" {
		t.Errorf("nearest = %v, differs in %v", nearest, differs)
	}
	if nearest, differs := Nearest(now, nil); nearest != nil || differs != nil {
		t.Errorf("nearest of none = %v, %v", nearest, differs)
	}
}

// evicting notes the bounds of each eviction.
type evicting struct {
	Store
	before []time.Time
	bytes  []int64
}

func (e *evicting) Evict(_ context.Context, before time.Time, maxBytes int64) (int, error) {
	e.before, e.bytes = append(e.before, before), append(e.bytes, maxBytes)
	return 7, nil
}

func TestEviction(t *testing.T) {
	store := &evicting{}
	eviction := &Eviction{Store: store}
	start := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	var gone []int
	for _, after := range []time.Duration{0, time.Minute, 59 * time.Minute, time.Hour, 90 * time.Minute, 3 * time.Hour} {
		n, err := eviction.Run(t.Context(), start.Add(after))
		if err != nil {
			t.Fatal(err)
		}
		gone = append(gone, n)
	}
	if diff := cmp.Diff(gone, []int{7, 0, 0, 7, 0, 7}); diff != "" {
		t.Errorf("evicted (-got +want):\n%s", diff)
	}
	if store.before[0] != time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) || store.bytes[0] != 10<<30 {
		t.Errorf("bounds = %v, %d", store.before[0], store.bytes[0])
	}
}
