//go:build unix

package prune

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/home"
)

// TestDownloads prunes the files of runs on servers without any store, and keeps
// what is recent, unfinished or no run's.
func TestDownloads(t *testing.T) {
	d := home.Dir(t.TempDir())
	old, fresh := makeRun(t, d.Downloads(), "run-1", 2*time.Hour), makeRun(t, d.Downloads(), "run-2", time.Minute)
	growing, foreign := makeRun(t, d.Downloads(), "run-3"+partialRun, 2*time.Hour), makeRun(t, d.Downloads(), "mine", 2*time.Hour)
	pruned, err := Downloads(t.Context(), d, 0)
	if err != nil || pruned != (api.Pruned{}) || !exists(old) {
		t.Errorf("without an age: %+v, %v", pruned, err)
	}
	pruned, err = Downloads(t.Context(), d, time.Hour)
	if err != nil || pruned.Files.Count != 1 || pruned.Files.Bytes < 100 {
		t.Errorf("pruned %+v, %v; want one directory", pruned, err)
	}
	if exists(old) || !exists(fresh) || !exists(growing) || !exists(foreign) {
		t.Errorf("old %v, fresh %v, growing %v, foreign %v", exists(old), exists(fresh), exists(growing), exists(foreign))
	}
	if _, err := Downloads(t.Context(), home.Dir(t.TempDir()), time.Hour); err != nil {
		t.Errorf("without downloads: %v", err)
	}
}

func TestAdd(t *testing.T) {
	one := api.Removed{Count: 1, Bytes: 10}
	sum := api.Pruned{Images: one, Runs: one, Files: one, Results: 1, Blobs: one}
	Add(&sum, sum)
	two := api.Removed{Count: 2, Bytes: 20}
	if diff := cmp.Diff(api.Pruned{Images: two, Runs: two, Files: two, Results: 2, Blobs: two}, sum); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
