package image

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// changedFiles is what a session has changed: a file more, and one less.
func changedFiles(t *testing.T) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{
		{Name: "work/", Typeflag: tar.TypeDir, Mode: 0o755, Uid: 1000}, {Name: "work/result", Typeflag: tar.TypeReg, Mode: 0o640, Uid: 1000, Size: 5},
		{Name: "tmp/scratch", Typeflag: tar.TypeReg, Mode: 0o644}, {Name: "etc/os-release", Typeflag: tar.TypeChar},
	} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte("hello")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// TestExtend: an image of a session has its files, and the image below stays what it
// is.
func TestExtend(t *testing.T) {
	s := fakeService(t, t.TempDir(), &fakeCells{})
	spec := api.ImageSpec{Base: writeBase(t, oci.Config{Cmd: []string{"bash"}}, debianLike()), Commands: []string{"a"}}
	below := ensure(t, s, spec)
	rec, err := s.Extend(t.Context(), below.ID, "of-a-session", changedFiles(t))
	if err != nil {
		t.Fatal(err)
	}
	if again := ensure(t, s, spec); again.ID != below.ID || rec.ID == below.ID {
		t.Errorf("the spec leads to %s, below was %s, and it is %s", again.ID, below.ID, rec.ID)
	}
	if found, err := s.Inspect("of-a-session"); err != nil || found.ID != rec.ID || found.Config.Cmd[0] != "bash" {
		t.Errorf("%+v, %v", found, err)
	}
	root, closer, err := oci.OpenRootFS(s.image(rec, false).RootFS)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	if text, err := fs.ReadFile(root, "work/result"); err != nil || string(text) != "hello" {
		t.Errorf("%q, %v", text, err)
	}
	for _, name := range []string{"tmp/scratch", "etc/os-release"} {
		if _, err := fs.Stat(root, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.collect(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Stored(rec.ID); err != nil {
		t.Errorf("after what nothing needs was removed: %v", err)
	}
	if _, err := s.Extend(t.Context(), below.ID, "Not A Name", changedFiles(t)); err == nil {
		t.Error("a name that is none was taken")
	}
	if _, err := s.Extend(t.Context(), "sha256:none", "", changedFiles(t)); !errors.Is(err, api.ImageNotFound) {
		t.Errorf("an image that there is not: %v", err)
	}
}
