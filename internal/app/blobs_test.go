package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob/blobtest"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/prune"
)

// withBlobs opens a home and calls f with it.
func withBlobs(t *testing.T, dir, blobs string, f func(a *App)) error {
	t.Helper()
	a, err := Open(t.Context(), host.Options{Home: dir, Blobs: blobs})
	if err != nil {
		return err
	}
	f(a)
	return a.Close()
}

// has reads a blob in the blobs of a home.
func has(t *testing.T, dir, blobs, content string) {
	t.Helper()
	err := withBlobs(t, dir, blobs, func(a *App) {
		r, _, err := a.blobs.Open(t.Context(), blobtest.RefOf([]byte(content)).Digest)
		if err != nil {
			t.Errorf("%q in %s: %v", content, blobs, err)
			return
		}
		defer r.Close()
		if got, err := io.ReadAll(r); err != nil || string(got) != content {
			t.Errorf("%q in %s: read %d bytes, %v", content, blobs, len(got), err)
		}
	})
	if err != nil {
		t.Errorf("open %s: %v", blobs, err)
	}
}

func putBlob(t *testing.T, dir, blobs, content string) {
	t.Helper()
	err := withBlobs(t, dir, blobs, func(a *App) {
		if _, err := a.blobs.Put(t.Context(), strings.NewReader(content), 0); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestBlobsElsewhere moves the blobs of a home to a bucket and back. Wherever they are,
// they are found there, and nothing else is taken for them.
func TestBlobsElsewhere(t *testing.T) {
	server := s3test.Start(t)
	dir, first, second := t.TempDir(), server.Address("first", ""), server.Address("second", "")
	move := func(blobs, to string) error {
		_, err := Engine{}.MoveBlobs(t.Context(), host.Options{Home: dir, Blobs: blobs}, to)
		return err
	}
	refused := func(what string, err error, code api.Code) {
		t.Helper()
		if !errors.Is(err, &api.Error{Code: code}) {
			t.Errorf("%s: got %v, want %s", what, err, code)
		}
	}
	open := func(dir, blobs string) error { return withBlobs(t, dir, blobs, func(*App) {}) }

	putBlob(t, dir, "", "begun in the home")
	refused("the blobs are in the home", open(dir, first), api.Conflict)
	refused("back, and they are there", move("", host.BlobsInHome), api.Conflict)
	refused("no address", move("", "gs://bucket/prefix"), api.RequestInvalid)
	refused("no bucket", move("", strings.Replace(first, s3test.Bucket, "missing", 1)), api.RequestInvalid)
	if err := move("", first); err != nil {
		t.Fatal(err)
	}
	has(t, dir, first, "begun in the home")
	refused("no address of blobs elsewhere", open(dir, ""), api.RequestInvalid)
	refused("another address", open(dir, second), api.Conflict)
	refused("another home", open(t.TempDir(), first), api.Conflict)
	refused("moved twice", move(first, second), api.Conflict)
	putBlob(t, dir, first, "put in the bucket")

	if err := move(first, host.BlobsInHome); err != nil {
		t.Fatal(err)
	}
	has(t, dir, "", "begun in the home")
	has(t, dir, "", "put in the bucket")
	if err := move("", second); err != nil {
		t.Fatal(err)
	}
	has(t, dir, second, "put in the bucket")
}

// TestBlobsMoveAlone: blobs that another process uses are not moved, and a move that
// fails leaves them where they are.
func TestBlobsMoveAlone(t *testing.T) {
	server := s3test.Start(t)
	dir := t.TempDir()
	err := withBlobs(t, dir, "", func(*App) {
		if _, err := (Engine{}).MoveBlobs(t.Context(), host.Options{Home: dir}, server.Address("p", "")); !errors.Is(err, &api.Error{Code: api.HomeBusy}) {
			t.Errorf("got %v, want %s", err, api.HomeBusy)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	putBlob(t, dir, "", "kept")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Engine{}).MoveBlobs(ctx, host.Options{Home: dir}, server.Address("p", "")); err == nil {
		t.Error("a move that was canceled gave no error")
	}
	if place, err := home.Dir(dir).BlobsPlace(); place != "" || err != nil {
		t.Errorf("the blobs are in %q, %v", place, err)
	}
	has(t, dir, "", "kept")
}

// TestPruneElsewhere: in a bucket that goes by the journal of the home what nothing
// refers to is removed when it is old, and nothing in one of another home.
func TestPruneElsewhere(t *testing.T) {
	server := s3test.Start(t)
	dir, blobs := t.TempDir(), server.Address("p", "")
	putBlob(t, dir, blobs, "old")
	putBlob(t, dir, blobs, "new")
	old := time.Now().Add(-2 * prune.Grace)
	if err := os.Chtimes(server.File("p/blobs/"+blobtest.RefOf([]byte("old")).Digest), old, old); err != nil {
		t.Fatal(err)
	}
	count := func(want int64) {
		t.Helper()
		pruned, err := PruneHome(t.Context(), host.Options{Home: dir, Blobs: blobs}, 0, time.Hour)
		if err != nil || int64(pruned.Blobs.Count) != want {
			t.Errorf("pruned %+v, %v; want %d blobs", pruned.Blobs, err, want)
		}
	}
	count(1)
	count(0)
	has(t, dir, blobs, "new")
	if err := os.WriteFile(server.File("p/owner"), []byte("home-of-others\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := PruneHome(t.Context(), host.Options{Home: dir, Blobs: blobs}, 0, time.Hour); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("prune in the bucket of another home: %v", err)
	}
}

// TestOutputsWaitForTheStore: the outputs of a run that worked are not lost because the
// store is away for a while, and nothing waits for it when the system closes.
func TestOutputsWaitForTheStore(t *testing.T) {
	server := s3test.Start(t)
	err := withBlobs(t, t.TempDir(), server.Address("p", ""), func(a *App) {
		tries := 0
		put := func() error {
			if tries++; tries < 3 {
				return api.Errorf(api.ServerUnavailable, "away")
			}
			_, err := a.blobs.Put(t.Context(), strings.NewReader("an output"), 0)
			return err
		}
		if err := a.keep(t.Context(), put); err != nil || tries != 3 {
			t.Errorf("kept after %d tries: %v", tries, err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		tries = 0
		if err := a.keep(t.Context(), put); !unavailable(err) || tries != 1 {
			t.Errorf("after Close: %d tries, %v", tries, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDoctorElsewhere: the doctor says where the blobs are, finds damage there, and says
// when the store is away.
func TestDoctorElsewhere(t *testing.T) {
	server := s3test.Start(t)
	dir, blobs := t.TempDir(), server.Address("p", "")
	putBlob(t, dir, blobs, "sound")
	finding := func(deep bool) (found api.Finding) {
		t.Helper()
		err := withBlobs(t, dir, blobs, func(a *App) {
			for _, f := range a.Findings(t.Context(), deep) {
				if strings.Contains(f.Subject, "blobs") {
					found = f
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if f := finding(false); !f.OK || !strings.Contains(f.Detail, "s3://blobs/p/") || !strings.Contains(f.Detail, "1 blobs") {
		t.Errorf("finding = %+v", f)
	}
	digest := blobtest.RefOf([]byte("sound")).Digest
	if err := errors.Join(os.WriteFile(server.File("p/blobs/"+digest), []byte("wrong"), 0o644), os.RemoveAll(filepath.Join(dir, "blobs.cache"))); err != nil {
		t.Fatal(err)
	}
	if f := finding(true); f.OK || !strings.Contains(f.Detail, digest) || !strings.Contains(f.Remedy, "s3://blobs/p/") {
		t.Errorf("finding of damage = %+v", f)
	}
	server.Stop()
	if f := finding(false); f.OK || !f.Fatal || !strings.Contains(f.Remedy, "check that the store runs") {
		t.Errorf("finding without the server = %+v", f)
	}
}
