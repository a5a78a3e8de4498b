package image

import (
	"os"
	"syscall"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// TestDamagedRootFS: an image whose root file system is cut, does not begin as
// it did, or is something else, is made again, and nobody waits for a FIFO.
func TestDamagedRootFS(t *testing.T) {
	base, dir := writeBase(t, oci.Config{}, debianLike()), t.TempDir()
	spec := api.ImageSpec{Base: base, Commands: []string{"x"}}
	first, err := fakeService(t, dir, &fakeCells{}).Ensure(t.Context(), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(first.RootFS)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(with func(path string) error) func(string) error {
		return func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return with(path)
		}
	}
	for name, damage := range map[string]func(path string) error{
		"cut":     func(path string) error { return os.Truncate(path, int64(len(want)/2)) },
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"longer":  func(path string) error { return os.Truncate(path, int64(len(want)+1)) },
		"a FIFO":  replace(func(path string) error { return syscall.Mkfifo(path, 0o600) }),
		"a link":  replace(func(path string) error { return os.Symlink("/etc/passwd", path) }),
		"a place": replace(func(path string) error { return os.Mkdir(path, 0o700) }),
		"noise at its beginning": func(path string) error {
			spoilt := append([]byte(nil), want...)
			spoilt[1024+100] ^= 1
			return os.WriteFile(path, spoilt, 0o600)
		},
	} {
		if err := damage(first.RootFS); err != nil {
			t.Fatal(err)
		}
		again, err := fakeService(t, dir, &fakeCells{}).Ensure(t.Context(), spec, nil)
		if err != nil || again.ID != first.ID {
			t.Errorf("%s: got %+v, %v", name, again, err)
			continue
		}
		if got, err := os.ReadFile(again.RootFS); string(got) != string(want) {
			t.Errorf("%s: it was not made again: %d bytes, %v", name, len(got), err)
		}
	}
}
