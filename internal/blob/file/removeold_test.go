package file

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// makeOld makes the store take a blob for one of long ago.
func makeOld(t *testing.T, s *Store, digest string) {
	t.Helper()
	old := time.Unix(1e9, 0)
	if err := os.Chtimes(s.path(digest), old, old); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveOld(t *testing.T) {
	hourAgo := time.Now().Add(-time.Hour)
	for name, c := range map[string]struct {
		touch func(s *Store, digest string) error
		want  Removed
	}{
		"old":            {func(*Store, string) error { return nil }, Removed{true, 7}},
		"asked for":      {func(s *Store, digest string) error { _, err := s.Stat(t.Context(), digest); return err }, Removed{}},
		"stored again":   {func(s *Store, _ string) error { mustPut(t, s, "content"); return nil }, Removed{}},
		"gone":           {func(s *Store, digest string) error { return s.Remove(t.Context(), digest) }, Removed{}},
		"with two names": {func(s *Store, digest string) error { return os.Link(s.path(digest), filepath.Join(t.TempDir(), "two")) }, Removed{true, 0}},
	} {
		s := newStore(t)
		digest := mustPut(t, s, "content")
		makeOld(t, s, digest)
		if err := c.touch(s, digest); err != nil {
			t.Fatal(err)
		}
		got, err := s.RemoveOld(digest, hourAgo)
		if err != nil || got != c.want {
			t.Errorf("%s: RemoveOld = %+v, %v; want %+v", name, got, err, c.want)
		}
		_, err = s.Stat(t.Context(), digest)
		if gone := errors.Is(err, blob.ErrNotFound); gone != (c.want.Done || name == "gone") {
			t.Errorf("%s: Stat = %v", name, err)
		}
		leftovers(t, s)
	}
	if _, err := newStore(t).RemoveOld("../../etc/passwd", hourAgo); !errors.Is(err, blob.ErrDigest) {
		t.Errorf("RemoveOld of a path = %v", err)
	}
}

// TestRemoveOldLosesNothing lets a removal race with Stat: a blob that Stat
// reports is there afterwards.
func TestRemoveOldLosesNothing(t *testing.T) {
	s := newStore(t)
	digest := mustPut(t, s, "content")
	if err := s.Remove(t.Context(), digest); err != nil {
		t.Fatal(err)
	}
	hourAgo := time.Now().Add(-time.Hour)
	for i := range 2000 {
		if err := os.WriteFile(s.path(digest), []byte("content"), 0o600); err != nil {
			t.Fatal(err)
		}
		makeOld(t, s, digest)
		var removed Removed
		var removing, asking error
		var both sync.WaitGroup
		both.Go(func() { removed, removing = s.RemoveOld(digest, hourAgo) })
		both.Go(func() { _, asking = s.Stat(t.Context(), digest) })
		both.Wait()
		_, lost := os.Lstat(s.path(digest))
		if removing != nil || asking == nil && lost != nil || asking != nil && !errors.Is(asking, blob.ErrNotFound) {
			t.Fatalf("round %d: removal %+v, %v; Stat %v; afterwards %v", i, removed, removing, asking, lost)
		}
	}
}
