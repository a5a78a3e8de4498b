package buildcontext

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// store keeps what was put last.
type store struct {
	data []byte
	err  error
}

func (s *store) PutBlob(_ context.Context, r io.Reader) (string, int64, error) {
	if s.err != nil {
		return "", 0, s.err
	}
	var err error
	s.data, err = io.ReadAll(r)
	return api.DigestOf(s.data), int64(len(s.data)), err
}

// entries lists the tar that was stored: mode, name, and a target or content.
func (s *store) entries(t *testing.T) []string {
	t.Helper()
	var out []string
	for r := tar.NewReader(bytes.NewReader(s.data)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 || h.ModTime.Unix() != 0 {
			t.Errorf("%s has an owner or a time: %+v", h.Name, h)
		}
		out = append(out, fmt.Sprintf("%o %s%s%s", h.Mode, h.Name, h.Linkname, data))
	}
}

// write makes files below a new directory; one whose content begins with -> is
// a symbolic link.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, link := strings.CutPrefix(content, "->"); link {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(content), 0o640)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func take(t *testing.T, dir, name string) (*store, api.ImageSpec) {
	t.Helper()
	s := &store{}
	spec, err := Take(t.Context(), s, api.ImageSpec{Ref: filepath.Join(dir, name), Target: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	return s, spec
}

func TestTake(t *testing.T) {
	dir := write(t, map[string]string{
		"Dockerfile": "FROM a", "b/c": "C", ".dockerignore": "# words\n*.md\n!keep.md\nsecret\n", "keep.md": "k", "drop.md": "d", "secret/key": "s",
	})
	if err := os.Chmod(filepath.Join(dir, "b/c"), 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	s, spec := take(t, dir, "Dockerfile")
	want := []string{"640 .dockerignore# words\n*.md\n!keep.md\nsecret\n", "640 DockerfileFROM a", "755 b/", "4755 b/cC", "640 keep.mdk"}
	if diff := cmp.Diff(want, s.entries(t)); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
	if spec.Ref != "" || spec.Dockerfile != "FROM a" || spec.Context != api.DigestOf(s.data) || spec.Target != "kept" {
		t.Errorf("spec %+v", spec)
	}
	if err := os.Chtimes(filepath.Join(dir, "keep.md"), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, again := take(t, dir, "Dockerfile"); again.Context != spec.Context {
		t.Error("another time of a file gives another context")
	}
}

// A Dockerfile may have a list of its own, and a pattern with ! takes files out
// of a directory that is left out.
func TestIgnored(t *testing.T) {
	dir := write(t, map[string]string{
		"x.Dockerfile": "FROM a", "x.Dockerfile.dockerignore": "*\n!in/**/*.py\n", ".dockerignore": "in\n", "in/a/b.py": "p", "in/a/c": "c", "d": "d",
	})
	s, _ := take(t, dir, "x.Dockerfile")
	if diff := cmp.Diff([]string{"640 in/a/b.pyp"}, s.entries(t)); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

// B12: links are packed as what they are, and none is followed out of the
// directory.
func TestContextStaysInside(t *testing.T) {
	outside := write(t, map[string]string{"key": "private", "ignore": "Dockerfile"})
	dir := write(t, map[string]string{"Dockerfile": "FROM a", "file": "->" + outside + "/key", "dir": "->" + outside, "up": "->../../../etc/passwd"})
	s, _ := take(t, dir, "Dockerfile")
	if bytes.Contains(s.data, []byte("private")) {
		t.Errorf("the context has a file from outside: %q", s.entries(t))
	}
	if len(s.entries(t)) != 4 {
		t.Errorf("context %q", s.entries(t))
	}
	if err := os.Symlink(outside+"/ignore", filepath.Join(dir, ".dockerignore")); err != nil {
		t.Fatal(err)
	}
	_, err := Take(t.Context(), &store{}, api.ImageSpec{Ref: dir + "/Dockerfile"})
	if e := api.AsError(err); e == nil || e.Details.Field != "image.context" {
		t.Errorf("a list from outside gives %v", err)
	}
}

func TestTakeFails(t *testing.T) {
	dir := write(t, map[string]string{"Dockerfile": "", "bad/Dockerfile": "FROM a", "bad/.dockerignore": "[\n"})
	for ref, want := range map[string]api.Code{
		dir + "/none/Dockerfile": api.ImageNotFound,
		dir + "/Dockerfile":      api.InvalidTask,
		dir + "/bad/Dockerfile":  api.InvalidTask,
	} {
		if _, err := Take(t.Context(), &store{}, api.ImageSpec{Ref: ref}); !errors.Is(err, &api.Error{Code: want}) {
			t.Errorf("%s gives %v, want %s", ref, err, want)
		}
	}
	full := api.Errorf(api.StorageFull, "full")
	good := write(t, map[string]string{"Dockerfile": "FROM a", "big": strings.Repeat("x", 1<<20)})
	if _, err := Take(t.Context(), &store{err: full}, api.ImageSpec{Ref: good + "/Dockerfile"}); !errors.Is(err, full) {
		t.Errorf("a store that fails gives %v", err)
	}
}

func TestNames(t *testing.T) {
	for ref, want := range map[string]bool{
		"./Dockerfile": true, "/a/Containerfile": true, "../x/Dockerfile.test": true, "./test.dockerfile": true,
		"Dockerfile": false, "./layout": false, "oci:./Dockerfile": false, "python:3.12": false, "./Dockerfiles": false, "": false,
	} {
		if Names(ref) != want {
			t.Errorf("%q names a Dockerfile: %v", ref, !want)
		}
	}
}
