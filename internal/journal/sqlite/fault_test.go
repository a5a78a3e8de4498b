package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// content is what can be read from a journal.
type content struct {
	Records []*journal.Record
	Events  map[string][]api.Event
}

// fill writes runs and returns what is then there. With a checkpoint all of it
// is in the database, else in its log.
func fill(t *testing.T, db *sqlite.DB) content {
	t.Helper()
	j := db.Journal()
	for i := range 20 {
		c := journaltest.NewRun(fmt.Sprintf("run-%02d", i), i, nil)
		c.Record.InputsPayload.Inline = fmt.Appendf(nil, `"%s"`, strings.Repeat("input ", 100))
		next := journaltest.Next(c.Record, api.EventStarted, api.EventCallStarted, api.EventCallEnded)
		end := journaltest.Ended(next.Record, api.StatusSucceeded, 1)
		if err := j.Submit(c, next, end).Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	all, err := read(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(ctx context.Context, j journal.Journal) (content, error) {
	all := content{Events: map[string][]api.Event{}}
	listed, _, err := j.List(ctx, api.RunQuery{Limit: 1000})
	if err != nil {
		return all, err
	}
	for _, l := range listed {
		r, err := j.Load(ctx, l.ID)
		if err != nil {
			return all, err
		}
		all.Records = append(all.Records, r)
		if all.Events[r.ID], err = j.Events(ctx, r.ID, 0, 1000); err != nil {
			return all, err
		}
	}
	return all, nil
}

// copyDB copies a database that may be open, with its log, to a new place.
func copyDB(t *testing.T, from string) string {
	t.Helper()
	to := newPath(t)
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(from + suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(to+suffix, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// TestDamage spoils the database in many ways (attack D06): what is then read
// is right, or the damage is reported; nothing is made up and nothing panics.
func TestDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("opens 130 databases: run without -short")
	}
	t.Parallel()
	path := newPath(t)
	db := open(t, path)
	want := fill(t, db)
	inLog := copyDB(t, path)
	if err := db.Close(); err != nil { // which empties the log into the database
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	reported := 0
	for range 80 {
		spoiled := copyDB(t, path)
		spoil(t, spoiled, random)
		if judge(t, spoiled, want, false) {
			reported++
		}
	}
	if reported < 25 {
		t.Errorf("only %d of 80 damages were reported", reported)
	}
	for range 50 {
		spoiled := copyDB(t, inLog)
		spoil(t, spoiled+"-wal", random)
		judge(t, spoiled, want, true)
	}
}

// spoil flips bytes of a file, overwrites a piece, or cuts it.
func spoil(t *testing.T, path string, random *rand.Rand) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := random.IntN(len(data))
	switch random.IntN(4) {
	case 0:
		data = data[:at]
	case 1:
		for i := at; i < min(at+4096, len(data)); i++ {
			data[i] = byte(random.Uint32())
		}
	default:
		data[at] ^= 1 << random.IntN(8)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// judge reads a spoiled database and reports whether the damage was found. A
// torn log may lose its end, as it does when the power fails before the sync.
func judge(t *testing.T, path string, want content, torn bool) bool {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		return damage(t, err)
	}
	defer db.Close()
	got, err := read(t.Context(), db.Journal())
	if err != nil {
		return damage(t, err)
	}
	if torn && len(got.Records) < len(want.Records) {
		want.Records = want.Records[len(want.Records)-len(got.Records):] // the oldest
	}
	diff := ""
	for i, r := range want.Records {
		if i >= len(got.Records) || !reflect.DeepEqual(r, got.Records[i]) || !reflect.DeepEqual(want.Events[r.ID], got.Events[r.ID]) {
			diff += cmp.Diff(want.Records, got.Records, cmpopts.EquateEmpty()) + cmp.Diff(want.Events[r.ID], got.Events[r.ID])
		}
	}
	err = db.Check(t.Context())
	if err != nil {
		return damage(t, err)
	}
	if diff != "" {
		t.Errorf("damage that nobody noticed (-want +got):\n%s", diff)
	}
	return false
}

func damage(t *testing.T, err error) bool {
	t.Helper()
	// A row that is gone from an index reads as not found.
	if !errors.Is(err, &api.Error{Code: api.StorageCorrupt}) && !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("damage reads as %v", err)
	}
	return true
}

func TestOpenRefuses(t *testing.T) {
	healthy := newPath(t)
	if err := open(t, healthy).Close(); err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path+name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, test := range map[string]struct {
		make func(t *testing.T, path string)
		code api.Code
	}{
		"text":             {write("", []byte(strings.Repeat("this is a letter\n", 100))), api.StorageCorrupt},
		"short":            {write("", []byte("SQLite format 3\x00")), api.StorageCorrupt},
		"log without file": {write("-wal", []byte("log")), api.StorageCorrupt},
		"directory":        {func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }, api.StorageCorrupt},
		"other program":    {func(t *testing.T, path string) { execute(t, path, `CREATE TABLE places (x)`) }, api.StorageCorrupt},
		"newer": {func(t *testing.T, path string) {
			must(t, os.Rename(copyDB(t, healthy), path))
			execute(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`)
		}, api.StorageNewer},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			test.make(t, path)
			before, _ := os.ReadFile(path)
			_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if !errors.Is(err, &api.Error{Code: test.code}) || !strings.Contains(err.Error(), path) {
				t.Errorf("got error %v, want one of code %s that names %s", err, test.code, path)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
	if _, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "none", "x.db"), sqlite.Options{}); err == nil {
		t.Error("opened a database in a directory that is not there")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPrivate(t *testing.T) {
	path := newPath(t)
	must(t, os.WriteFile(path, nil, 0o644)) // by somebody less careful
	fill(t, open(t, path))
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		info, err := os.Stat(path + suffix)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v, %v, want mode 0600", path+suffix, info, err)
		}
	}
}

func TestReadOnly(t *testing.T) {
	dir := mount(t, "4m")
	path := filepath.Join(dir, "glovebox.db")
	db := open(t, path)
	fill(t, db)
	must(t, db.Close())
	must(t, unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if !errors.Is(err, &api.Error{Code: api.IsolationUnavailable}) || !strings.Contains(err.Error(), path) {
		t.Errorf("got error %v, want one that names %s", err, path)
	}
}

// mount makes a small file system of its own.
func mount(t *testing.T, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a small file system")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("needs to mount a small file system: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

func TestDiskFull(t *testing.T) {
	dir := mount(t, "2m")
	db := open(t, filepath.Join(dir, "glovebox.db"))
	j := db.Journal()
	a := journaltest.NewRun("run-a", 0, nil)
	must(t, j.Submit(a).Wait(t.Context()))
	ballast := filepath.Join(dir, "ballast")
	fillUp(t, ballast)
	var err error
	for err == nil { // what was allocated is used up
		a = journaltest.Next(a.Record, slicesOf(api.EventProgress, 50)...)
		err = j.Submit(a).Wait(t.Context())
	}
	if !errors.Is(err, &api.Error{Code: api.StorageFull}) || !api.AsError(err).Retryable {
		t.Fatalf("got error %v, want storage_full", err)
	}
	must(t, os.Remove(ballast))
	if err := j.Submit(journaltest.Next(a.Record, api.EventProgress)).Wait(t.Context()); !errors.Is(err, journal.ErrSequence) {
		t.Errorf("after a lost submission: got error %v, want %v", err, journal.ErrSequence)
	}
	must(t, j.Submit(journaltest.NewRun("run-b", 1, nil)).Wait(t.Context()))
	r, err := j.Load(t.Context(), "run-a")
	must(t, err)
	if want := a.Record.Seq - 50; r.Seq != want {
		t.Errorf("run-a is at event %d, want %d", r.Seq, want)
	}
	must(t, j.Submit(journaltest.Next(*r, api.EventProgress)).Wait(t.Context()))
	must(t, db.Check(t.Context()))
}

func slicesOf(kind api.EventKind, n int) []api.EventKind {
	kinds := make([]api.EventKind, n)
	for i := range kinds {
		kinds[i] = kind
	}
	return kinds
}

// fillUp writes a file until nothing more fits.
func fillUp(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	must(t, err)
	defer f.Close()
	for _, size := range []int{1 << 16, 1 << 12} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
}

// TestLocked meets a process that never lets go.
func TestLocked(t *testing.T) {
	path := newPath(t)
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{LockWait: time.Millisecond})
	must(t, err)
	defer db.Close()
	release := occupy(t, path)
	if err := db.Journal().Submit(journaltest.NewRun("run-a", 0, nil)).Wait(t.Context()); !errors.Is(err, &api.Error{Code: api.HomeBusy}) {
		t.Errorf("got error %v, want home_busy", err)
	}
	release()
	must(t, db.Journal().Submit(journaltest.NewRun("run-a", 0, nil)).Wait(t.Context()))
}

// TestProcesses has several handles of one database write at the same time, as
// several processes do.
func TestProcesses(t *testing.T) {
	path := newPath(t)
	const handles, runs = 4, 25
	ended := make(chan error, handles)
	for h := range handles {
		go func() {
			db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
			for i := 0; i < runs && err == nil; i++ {
				err = db.Journal().Submit(journaltest.NewRun(fmt.Sprintf("run-%d-%d", h, i), i, nil)).Wait(context.Background())
			}
			if db != nil {
				err = errors.Join(err, db.Close())
			}
			ended <- err
		}()
	}
	for range handles {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	records, _, err := open(t, path).Journal().List(t.Context(), api.RunQuery{Limit: 1000})
	if err != nil || len(records) != handles*runs {
		t.Errorf("got %d runs, %v, want %d", len(records), err, handles*runs)
	}
}

// TestFileTakenAway: what goes to a file that nobody finds again is not said to
// be durable.
func TestFileTakenAway(t *testing.T) {
	for _, suffix := range []string{"", "-wal"} {
		for _, replaced := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "glovebox.db")
			db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fill(t, db)
			if err := os.Rename(path+suffix, path+".away"); err != nil {
				t.Fatal(err)
			}
			if replaced {
				if err := os.WriteFile(path+suffix, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err = db.Journal().Submit(journaltest.NewRun("run-after", 100, nil)).Wait(t.Context())
			if !errors.Is(err, &api.Error{Code: api.StorageCorrupt}) {
				t.Errorf("%q replaced %v: %v", suffix, replaced, err)
			}
			if err := os.Rename(path+".away", path+suffix); err != nil {
				t.Fatal(err)
			}
			if err := db.Journal().Submit(journaltest.NewRun("run-after", 100, nil)).Wait(t.Context()); err != nil {
				t.Errorf("put back: %v", err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestFullAtTheEnd (R15): the end of a run waits for space, and what else there
// is of the run with it; a new run does not wait, and is refused.
func TestFullAtTheEnd(t *testing.T) {
	dir := mount(t, "2m")
	db := open(t, filepath.Join(dir, "glovebox.db"))
	j := db.Journal()
	run := journaltest.NewRun("run-a", 0, nil)
	must(t, j.Submit(run).Wait(t.Context()))
	ballast := filepath.Join(dir, "ballast")
	fillUp(t, ballast)
	useUp(t, j)
	end := largeEnd(run.Record)
	ended := j.Submit(end)
	after := j.Submit(journaltest.Next(end.Record, api.EventProgress))
	if err := j.Submit(largeRun("run-c", 1)).Wait(t.Context()); !errors.Is(err, &api.Error{Code: api.StorageFull}) {
		t.Errorf("a new run: %v, want storage_full", err)
	}
	must(t, os.Remove(ballast))
	must(t, ended.Wait(t.Context()))
	must(t, after.Wait(t.Context()))
	r, err := j.Load(t.Context(), "run-a")
	if err != nil || r.Status != api.StatusSucceeded {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestFullWithoutPatience: whoever closes does not wait for space.
func TestFullWithoutPatience(t *testing.T) {
	dir := mount(t, "2m")
	db := open(t, filepath.Join(dir, "glovebox.db"))
	j := db.Journal()
	run := journaltest.NewRun("run-a", 0, nil)
	must(t, j.Submit(run).Wait(t.Context()))
	fillUp(t, filepath.Join(dir, "ballast"))
	useUp(t, j)
	ended := j.Submit(largeEnd(run.Record))
	db.SetPatience(0)
	if err := ended.Wait(t.Context()); !errors.Is(err, &api.Error{Code: api.StorageFull}) {
		t.Errorf("got %v, want storage_full", err)
	}
}

// TestReserveIsForEnds: what a run has done is written with the help of the
// reserve, and a new run does not get it.
func TestReserveIsForEnds(t *testing.T) {
	dir := mount(t, "2m")
	ballast := filepath.Join(dir, "ballast")
	given := 0
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, "glovebox.db"), sqlite.Options{Give: func() bool {
		given++
		return os.Truncate(ballast, 0) == nil
	}})
	must(t, err)
	defer db.Close()
	j := db.Journal()
	run := journaltest.NewRun("run-a", 0, nil)
	must(t, j.Submit(run).Wait(t.Context()))
	fillUp(t, ballast)
	useUp(t, j)
	if given != 0 {
		t.Errorf("new runs were given the reserve")
	}
	must(t, j.Submit(largeEnd(run.Record)).Wait(t.Context()))
	if given != 1 {
		t.Errorf("the reserve was given %d times", given)
	}
}

// useUp begins runs until there is no space for one.
func useUp(t *testing.T, j journal.Journal) {
	t.Helper()
	var err error
	for i := 100; err == nil; i++ {
		err = j.Submit(largeRun(fmt.Sprintf("run-%d", i), i)).Wait(t.Context())
	}
	if !errors.Is(err, &api.Error{Code: api.StorageFull}) {
		t.Fatal(err)
	}
}

// large is what does not fit into a few pages that are left.
var large = journal.Payload{Inline: json.RawMessage(`"` + strings.Repeat("x", 60<<10) + `"`)}

func largeRun(id string, n int) journal.Change {
	c := journaltest.NewRun(id, n, nil)
	c.Record.InputsPayload = large
	return c
}

func largeEnd(r journal.Record) journal.Change {
	c := journaltest.Ended(r, api.StatusSucceeded, 1)
	c.Record.OutputsPayload = large
	return c
}
