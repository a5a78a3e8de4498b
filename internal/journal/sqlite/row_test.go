package sqlite_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
)

// TestDamagedRow: of what has not ended, one damaged row hides no other.
func TestDamagedRow(t *testing.T) {
	path := newPath(t)
	j := open(t, path).Journal()
	for i := range 3 {
		must(t, j.Submit(journaltest.NewRun(fmt.Sprintf("run-%d", i), i, nil)).Wait(t.Context()))
	}
	execute(t, path, `UPDATE runs SET record = '{}' WHERE id = 'run-1'`)
	found, err := j.Unfinished(t.Context())
	if !errors.Is(err, journal.ErrDamaged) || !errors.Is(err, &api.Error{Code: api.StorageCorrupt}) || !strings.Contains(err.Error(), "run-1") {
		t.Errorf("got error %v, want %s of run-1", err, api.StorageCorrupt)
	}
	var ids []string
	for _, r := range found {
		ids = append(ids, r.ID)
	}
	if diff := cmp.Diff([]string{"run-0", "run-2"}, ids); diff != "" {
		t.Errorf("Unfinished (-want +got):\n%s", diff)
	}
}
