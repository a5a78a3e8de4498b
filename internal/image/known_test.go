package image

import (
	"os"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// An image that was found before is found without reading its files, and what
// another process does to it is noticed.
func TestKnownImages(t *testing.T) {
	base, dir := writeBase(t, oci.Config{}, debianLike()), t.TempDir()
	s, other := fakeService(t, dir, &fakeCells{}), fakeService(t, dir, &fakeCells{})
	spec := api.ImageSpec{Base: base, Commands: []string{"a"}, Name: "one"}
	img := ensure(t, s, spec)
	ensure(t, s, spec)
	record := s.store.path("images", hexOf(img.ID)+".json")

	// The content of the record does not have to be read again.
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(record, make([]byte, len(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := ensure(t, s, spec); again.Built || again.ID != img.ID {
		t.Errorf("it was read again: %+v", again)
	}
	if err := os.WriteFile(record, text, 0o600); err != nil {
		t.Fatal(err)
	}

	for what, change := range map[string]func() error{
		"removed by another process": func() error { return other.Remove("one") },
		"its root file system gone":  func() error { return os.Remove(img.RootFS) },
		"its record gone":            func() error { return os.Remove(record) },
		"its lock replaced": func() error {
			return s.store.writeBytes("locks", img.Lock.Spec.Digest()+".json", []byte("{}"))
		},
	} {
		ensure(t, s, spec)
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if s.Known(spec) {
			t.Errorf("%s: it is known still", what)
		}
		if again := ensure(t, s, spec); !again.Built || again.ID != img.ID {
			t.Errorf("%s: got %+v", what, again)
		}
	}
}

// When an image was last used is noted, but not for each run.
func TestUseIsNoted(t *testing.T) {
	s := fakeService(t, t.TempDir(), &fakeCells{})
	spec := api.ImageSpec{Base: writeBase(t, oci.Config{}, debianLike()), Name: "one"}
	img := ensure(t, s, spec)
	record := s.store.path("images", hexOf(img.ID)+".json")
	for _, c := range []struct {
		ago   time.Duration
		noted bool
	}{{time.Hour, true}, {10 * time.Second, false}, {-time.Hour, true}} {
		used := time.Now().Add(-c.ago)
		if err := os.Chtimes(record, used, used); err != nil {
			t.Fatal(err)
		}
		ensure(t, s, spec)
		rec, err := s.Inspect("one")
		if err != nil {
			t.Fatal(err)
		}
		if noted := !rec.Used.Equal(used); noted != c.noted {
			t.Errorf("used %v ago: noted again %v, want %v", c.ago, noted, c.noted)
		}
	}
}
