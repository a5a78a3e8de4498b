package realtest

import (
	"archive/zip"
	"crypto/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// writeFiles writes texts by their names below dir.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// writeSix makes a wheel of six 0.1, older than all of the public index.
func writeSix(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range map[string]string{
		"six.py":                     "__version__ = 'internal'\n",
		"six-0.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: six\nVersion: 0.1\n",
		"six-0.1.dist-info/WHEEL":    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		"six-0.1.dist-info/RECORD":   "six.py,,\nsix-0.1.dist-info/METADATA,,\nsix-0.1.dist-info/WHEEL,,\nsix-0.1.dist-info/RECORD,,\n",
	} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// B11: an index that is named first gives its packages, however new those of
// the public index are, and the lock says so. A package of a git repository is
// locked to its commit.
func TestRealSources(t *testing.T) {
	realHome(t)
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"simple/six/index.html": `<a href="/six-0.1-py3-none-any.whl">six-0.1-py3-none-any.whl</a>`,
		"work/pyproject.toml":   "[project]\nname = 'fromgit'\nversion = '1'\n[build-system]\nrequires = ['setuptools']\nbuild-backend = 'setuptools.build_meta'\n[tool.setuptools]\npy-modules = ['fromgit']\n",
		"work/fromgit.py":       "answer = 42\n",
	})
	writeSix(t, filepath.Join(dir, "six-0.1-py3-none-any.whl"))
	// A branch of its own, so that no earlier run of this test has made the image.
	branch := "b" + rand.Text()
	script := `cd "$1/work" && git init -q -b "$2" . && git add . && git -c user.name=t -c user.email=t@t.example commit -qm x &&
git clone -q --bare . ../fromgit.git && cd ../fromgit.git && git update-server-info && git rev-parse HEAD`
	commit, err := exec.Command("/bin/sh", "-c", script, "sh", dir, branch).Output()
	if err != nil {
		t.Fatalf("making the repository (with git): %v", err)
	}
	s := servedBy(t, http.FileServer(http.Dir(dir)))
	spec := api.ImageSpec{
		Packages: []string{"six", "packaging", "fromgit @ git+https://example.com/fromgit.git@" + branch}, AllowURLs: true,
		ExtraIndexURLs: []string{"https://example.com/simple"},
	}
	img, err := s.Ensure(t.Context(), spec, show(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, api.AsError(err).Details.Log)
	}
	t.Cleanup(func() {
		if err := s.Remove(img.ID); err != nil {
			t.Error(err)
		}
	})
	if got := runIn(t, img, "python", "-c", "import six, packaging, fromgit; print(six.__version__, fromgit.answer)"); got != "internal 42" {
		t.Errorf("the packages say %q", got)
	}
	from := map[string]string{}
	for _, p := range img.Lock.Packages {
		from[p.Name] = p.Index + p.URL
	}
	if from["six"] != "https://example.com/simple" || from["packaging"] != "https://pypi.org/simple" ||
		from["fromgit"] != "git+https://example.com/fromgit.git@"+strings.TrimSpace(string(commit)) {
		t.Errorf("the lock says %v", from)
	}
}
