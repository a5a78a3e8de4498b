package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// seal mounts a directory onto itself, read-only.
func seal(t *testing.T, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a directory read-only")
	}
	if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("needs to mount: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	if err := unix.Mount("", dir, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("needs to mount read-only: %v", err)
	}
}

// TestOpenReadOnly reads all there is on a read-only file system: of a database that
// was closed, of one that is in use, and of one whose user was killed.
func TestOpenReadOnly(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, path string) content{
		"closed": func(t *testing.T, path string) content {
			db := open(t, path)
			want := fill(t, db)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			return want
		},
		"in use": func(t *testing.T, path string) content { return fill(t, open(t, path)) },
		"killed": func(t *testing.T, path string) content {
			used := newPath(t)
			want := fill(t, open(t, used))
			for _, suffix := range []string{"", "-wal", "-shm"} {
				data, err := os.ReadFile(used + suffix)
				if err == nil {
					err = os.WriteFile(path+suffix, data, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			return want
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			want := prepare(t, path)
			seal(t, filepath.Dir(path))
			if db, err := sqlite.Open(t.Context(), path, sqlite.Options{}); err == nil {
				t.Error("it can be written", db.Close())
			}
			db, err := sqlite.OpenReadOnly(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			got, err := read(t.Context(), db.Journal())
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Errorf("%v, %s", err, diff)
			}
			err = db.Journal().Submit(journaltest.NewRun("run-new", 99, nil)).Wait(t.Context())
			if !errors.Is(err, &api.Error{Code: api.IsolationUnavailable}) {
				t.Errorf("writing = %v, want isolation_unavailable", err)
			}
		})
	}
}

// TestOpenReadOnlyLog: what is in a log is never left out in silence, and what is
// not there is not made.
func TestOpenReadOnlyLog(t *testing.T) {
	used := newPath(t)
	fill(t, open(t, used))
	path := copyDB(t, used) // without the index
	missing := newPath(t)
	seal(t, filepath.Dir(path))
	for path, part := range map[string]string{path: "-wal of the database", missing: "there is no database"} {
		db, err := sqlite.OpenReadOnly(t.Context(), path, sqlite.Options{})
		if err == nil {
			t.Errorf("opened %s: %v", path, db.Close())
			continue
		}
		if e := api.AsError(err); e.Code != api.IsolationUnavailable || !strings.Contains(e.Message, part) || e.Hint == "" {
			t.Errorf("got %v", e)
		}
	}
	if _, err := os.Lstat(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a database was made: %v", err)
	}
}
