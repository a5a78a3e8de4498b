package app

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/prune"
)

// spoil changes rows of the database of a home that nobody uses.
func spoil(t *testing.T, home, statement string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(home, "glovebox.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	result, err := db.Exec(statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); n != 1 || err != nil {
		t.Fatalf("%d rows were changed: %v", n, err)
	}
}

// homeWithRuns makes a home with so many runs, and returns their ids.
func homeWithRuns(t *testing.T, n int) (home string, ids []string) {
	t.Helper()
	home = t.TempDir()
	a, err := Open(t.Context(), host.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		id := submit(t, a, api.Submission{Task: keepTask(), Inputs: inputFiles(t, "kept"), Cache: api.CacheAuto})
		outputTexts(t, a, id)
		ids = append(ids, id)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return home, ids
}

// TestDamagedRun (D06): one damaged row loses one run. Lists name it, and it
// alone cannot be shown; prune continues past it.
func TestDamagedRun(t *testing.T) {
	home, ids := homeWithRuns(t, 5)
	spoil(t, home, `UPDATE runs SET record = replace(record, 'orchestrator', 'orchestra') WHERE id = ?`, ids[2])
	a := openApp(t, home)
	var listed, damaged []string
	for q := (api.RunQuery{Limit: 2}); ; {
		page, err := a.Service().Runs(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range page.Runs {
			listed = append(listed, run.ID)
		}
		damaged = append(damaged, page.Damaged...)
		if q.Cursor = page.Next; page.Next == "" {
			break
		}
	}
	if want := []string{ids[4], ids[3], ids[1], ids[0]}; !slices.Equal(listed, want) || !slices.Equal(damaged, ids[2:3]) {
		t.Errorf("listed are %v and damaged %v, want %v and %v", listed, damaged, want, ids[2:3])
	}
	for i, id := range ids {
		_, err := a.Service().Run(t.Context(), id)
		if got := errors.Is(err, &api.Error{Code: api.StorageCorrupt}); got != (i == 2) || !got && err != nil {
			t.Errorf("run %d: %v", i, err)
		}
	}
	if _, err := prune.Prune(t.Context(), a.stores(), 0, time.Hour); err != nil {
		t.Errorf("prune: %v", err)
	}
}

// TestDamagedCacheRow (D06): a damaged result is a miss, is forgotten, and takes
// the place of another one.
func TestDamagedCacheRow(t *testing.T) {
	home, _ := homeWithRuns(t, 1)
	spoil(t, home, `UPDATE cache_entries SET entry = replace(entry, '"run-', '"ran-')`)
	a := openApp(t, home)
	for _, cached := range []bool{false, true} {
		id := submit(t, a, api.Submission{Task: keepTask(), Inputs: inputFiles(t, "kept"), Cache: api.CacheAuto})
		outputTexts(t, a, id)
		if run, err := a.Service().Run(t.Context(), id); err != nil || run.Cached != cached {
			t.Errorf("got %+v, %v, want cached: %v", run, err, cached)
		}
	}
}

// TestDoctorFindsDamage: rows in passing where there are few, blobs if asked to.
func TestDoctorFindsDamage(t *testing.T) {
	home, ids := homeWithRuns(t, 3)
	spoil(t, home, `UPDATE events SET data = data || ' ' WHERE run = ? AND seq = 1`, ids[0])
	spoil(t, home, `UPDATE runs SET outputs = replace(outputs, 'file', 'life') WHERE id = ?`, ids[1])
	a := openApp(t, home)
	damagedBlob := ""
	for info, err := range a.blobs.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		damagedBlob = info.Digest
	}
	path := filepath.Join(home, "blobs", damagedBlob[:2], damagedBlob)
	if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, []byte("else"), 0o600)); err != nil {
		t.Fatal(err)
	}
	find := func(deep bool, subject string) (found cell.Finding) {
		for _, f := range a.doctor().State(t.Context(), deep) {
			if f.Subject == subject {
				found = f
			}
		}
		return found
	}
	if f := find(true, "damaged rows"); f.OK || !strings.Contains(f.Detail, "2: ") || !strings.Contains(f.Detail, "event 1 of run "+ids[0]) || !strings.Contains(f.Detail, ids[1]) {
		t.Errorf("of rows: %+v", f)
	}
	if f := find(true, "damaged blobs"); f.OK || !strings.Contains(f.Detail, damagedBlob) {
		t.Errorf("of blobs: %+v", f)
	}
	if f := find(false, "damaged blobs"); f.Subject != "" {
		t.Errorf("blobs were read in passing: %+v", f)
	}
}

// TestDoctorDoesNotClaim: what was not checked is not said to be sound.
func TestDoctorDoesNotClaim(t *testing.T) {
	home, _ := homeWithRuns(t, 1)
	a := openApp(t, home)
	stats, err := a.db.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if f := a.doctor().Journal(over, stats, false)[0]; f.OK || strings.Contains(f.Detail, "sound") || !strings.Contains(f.Remedy, "--deep") {
		t.Errorf("of what was not checked: %+v", f)
	}
}
