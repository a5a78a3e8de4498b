package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

func ensure(t *testing.T, s *Service, spec api.ImageSpec) *Image {
	t.Helper()
	img, err := s.Ensure(t.Context(), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Images that share layers or a root file system outlive each other.
func TestRemoveSparesWhatIsShared(t *testing.T) {
	base := writeBase(t, oci.Config{}, debianLike())
	s := fakeService(t, t.TempDir(), &fakeCells{})
	one := ensure(t, s, api.ImageSpec{Base: base, Commands: []string{"a"}, Name: "one"})
	two := ensure(t, s, api.ImageSpec{Base: base, Commands: []string{"a", "b"}, Name: "two"})
	plain := ensure(t, s, api.ImageSpec{Base: base, Name: "plain"})
	prebuilt := ensure(t, s, api.ImageSpec{Ref: base})
	if plain.RootFS != prebuilt.RootFS || plain.ID == prebuilt.ID {
		t.Fatalf("%s and %s should share a file", plain.RootFS, prebuilt.RootFS)
	}
	for _, name := range []string{"one", plain.ID[:20]} {
		if err := s.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(one.RootFS); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the root file system of a removed image is there: %v", err)
	}
	if _, err := s.Inspect("one"); !errors.Is(err, &api.Error{Code: api.ImageNotFound}) {
		t.Errorf("a removed image is found: %v", err)
	}
	s.config.Start = nil // nothing is built any more
	for _, spec := range []api.ImageSpec{{Base: base, Commands: []string{"a", "b"}}, {Ref: base}} {
		if img := ensure(t, s, spec); img.Built {
			t.Errorf("%+v was made again", spec)
		}
	}
	if err := checkStore(s.store); err != nil {
		t.Error(err)
	}
	if rec, err := s.Inspect("two"); err != nil || rec.ID != two.ID {
		t.Errorf("two is %v, %v", rec, err)
	}
}

func TestPrune(t *testing.T) {
	base := writeBase(t, oci.Config{}, debianLike())
	s := fakeService(t, t.TempDir(), &fakeCells{})
	var ids []string
	for i, name := range []string{"old", "middle", "new"} {
		img := ensure(t, s, api.ImageSpec{Base: base, Commands: []string{name}, Name: name})
		used := time.Now().Add(time.Duration(i-3) * time.Hour)
		if err := os.Chtimes(s.store.path("images", hexOf(img.ID)+".json"), used, used); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, img.ID)
	}
	removed, err := s.Prune(0, 150*time.Minute, func(string) bool { return false })
	if err != nil || len(removed) != 1 || removed[0].ID != ids[0] {
		t.Errorf("by age: %v, %v", removed, err)
	}
	rec, err := s.Inspect("new")
	if err != nil {
		t.Fatal(err)
	}
	removed, err = s.Prune(rec.Size, 0, func(string) bool { return false })
	if err != nil || len(removed) != 1 || removed[0].ID != ids[1] {
		t.Errorf("by size: %v, %v", removed, err)
	}
	if left, err := s.List(); err != nil || len(left) != 1 || left[0].ID != ids[2] {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestDamagedFilesAreMadeAgain(t *testing.T) {
	base := writeBase(t, oci.Config{}, debianLike())
	s := fakeService(t, t.TempDir(), &fakeCells{})
	spec := api.ImageSpec{Base: base, Commands: []string{"a"}}
	img := ensure(t, s, spec)
	for _, path := range []string{
		s.store.path("locks", img.Lock.Spec.Digest()+".json"), s.store.path("images", hexOf(img.ID)+".json"),
	} {
		if err := os.Truncate(path, 10); err != nil {
			t.Fatal(err)
		}
		if again := ensure(t, s, spec); !again.Built || again.ID != img.ID {
			t.Errorf("after %s was cut: %+v", path, again)
		}
	}
	if err := os.Remove(img.RootFS); err != nil {
		t.Fatal(err)
	}
	if again := ensure(t, s, spec); !again.Built || again.ID != img.ID {
		t.Errorf("after the root file system was lost: %+v", again)
	}
}

func TestStorageError(t *testing.T) {
	err := storageError("write", fmt.Errorf("wrapped: %w", syscall.ENOSPC))
	if e := api.AsError(err); e.Code != api.StorageFull || !e.Retryable {
		t.Errorf("a full disk is %v", err)
	}
	err = storageError("write", &os.PathError{Op: "open", Path: "store.lock", Err: syscall.EROFS})
	if e := api.AsError(err); !strings.Contains(e.Hint, "writable") {
		t.Errorf("of a disk that cannot be written the hint is %q", e.Hint)
	}
	if storageError("write", nil) != nil {
		t.Error("no error became one")
	}
}

// checkStore says what in the store is half-written or left over.
func checkStore(s *store) error {
	entries, err := os.ReadDir(filepath.Join(s.dir, "tmp"))
	if err != nil || len(entries) > 0 {
		return fmt.Errorf("tmp has %v: %w", entries, err)
	}
	refs, err := s.references()
	if err != nil {
		return err
	}
	err = s.each("rootfs", func(name string) error {
		if !refs.chains[strings.TrimSuffix(name, ".erofs")] {
			return fmt.Errorf("rootfs/%s belongs to nothing", name)
		}
		_, closer, err := oci.OpenRootFS(s.path("rootfs", name))
		if err != nil {
			return err
		}
		return closer.Close()
	})
	blobs, listErr := s.blobs.List()
	err = errors.Join(err, listErr)
	for d := range blobs {
		if !refs.layers[d] {
			err = errors.Join(err, fmt.Errorf("blob %s belongs to nothing", d))
		}
		r, openErr := s.blobs.Open(d)
		if openErr != nil {
			return openErr
		}
		_, readErr := io.Copy(io.Discard, r)
		err = errors.Join(err, readErr, r.Close())
	}
	locks := s.each("locks", func(name string) error {
		text, err := os.ReadFile(s.path("locks", name))
		if err != nil {
			return err
		}
		if _, ok := s.byID(oci.DigestOf(text).Hex()); !ok {
			return fmt.Errorf("lock %s has no image", name)
		}
		return nil
	})
	return errors.Join(err, locks)
}

const killedDir, killedBase = "GLOVEBOX_TEST_KILLED_DIR", "GLOVEBOX_TEST_KILLED_BASE"

// TestKilledBuild kills a building process with SIGKILL at random moments. The
// next start finds nothing half-written or left over and can build.
func TestKilledBuild(t *testing.T) {
	if dir := os.Getenv(killedDir); dir != "" {
		buildForever(t, dir, os.Getenv(killedBase))
		return
	}
	dir, base := t.TempDir(), writeBase(t, oci.Config{}, append(debianLike(), entry{name: "big", content: strings.Repeat("0123456789abcdef", 1<<18)}))
	for round := range 15 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledBuild$")
		cmd.Env = append(os.Environ(), killedDir+"="+dir, killedBase+"="+base)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Reading a random number of steps ends at a random moment of the build.
		_, _ = io.CopyN(io.Discard, out, int64(rand.IntN(12)))
		spin(rand.IntN(1 << 22))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		s := fakeService(t, dir, &fakeCells{})
		if err := checkStore(s.store); err != nil {
			t.Fatalf("after kill %d: %v", round, err)
		}
	}
	ensure(t, fakeService(t, dir, &fakeCells{}), api.ImageSpec{Base: base, Commands: []string{"last"}})
}

// spin passes a little time that is not the same every time.
func spin(n int) {
	for x := uint32(1); n > 0; n-- {
		x ^= x << 13
	}
}

// buildForever is the process that is killed: it builds images and prints a
// byte a step.
func buildForever(t *testing.T, dir, base string) {
	s := fakeService(t, dir, &fakeCells{})
	for i := range 1000 {
		spec := api.ImageSpec{Base: base, Commands: []string{fmt.Sprint(i, os.Getpid()), "second"}}
		_, err := s.Ensure(context.Background(), spec, func(api.Progress) { fmt.Print(".") })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Remove(nameOf(spec)); err != nil {
			t.Fatal(err)
		}
	}
}

func nameOf(spec api.ImageSpec) string {
	c, err := Canonical(spec)
	if err != nil {
		return err.Error()
	}
	return c.DefaultName()
}
