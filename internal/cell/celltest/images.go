package celltest

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var imageChecks = []check{
	{"H03_links_in_place_of_system_directories", imageWithLinks},
	{"empty image", imageEmpty},
	{"damaged image", imageDamaged},
}

func digestOfFile(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// image makes a root file system of the entries.
func image(t *testing.T, entries ...entry) string {
	t.Helper()
	var data bytes.Buffer
	w := tar.NewWriter(&data)
	if err := writeEntries(w, entries); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "layer.tar")
	if err := os.WriteFile(archive, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "image.erofs")
	Flatten(t, path, archive)
	return path
}

func link(name, target string) entry {
	return entry{header: tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target, Mode: 0o777}}
}

// imageWithLinks starts a cell whose image has links where a runtime mounts
// and writes, each to a directory of the host that the test watches. The cell
// may be refused; it must not reach the host.
func imageWithLinks(t *testing.T, s *suite) {
	target := t.TempDir()
	for _, name := range []string{"dev", "dev/null", "dev/console", "dev/shm", "proc", "sys", "tmp", "run", "var/inputs", "var/outputs", "work", "etc"} {
		t.Run(name, func(t *testing.T) {
			rootFS := image(t, link(name, target))
			x, err := s.tryOpen(t, func(spec *cell.Spec) { spec.RootFS = rootFS })
			if err != nil {
				t.Logf("refused: %v", describe(err))
			} else {
				x.put("/var/inputs", file("x", []byte("x")))
				x.put("/run/secrets", file("x", []byte("x")))
				x.put("/tmp", file("x", []byte("x")))
				if null := x.mustGet("/dev", "null")["null"]; null.Type != tar.TypeChar {
					t.Errorf("/dev/null of the cell is %+v", null)
				}
				x.death()
			}
			if found := filesBelow(t, target, nil); len(found) > 0 {
				t.Fatalf("the cell reached the host: %q", found)
			}
		})
	}
}

// imageEmpty has nothing in it at all. The guest does not come from the image,
// so the cell works, and a program is simply not there.
func imageEmpty(t *testing.T, s *suite) {
	rootFS := image(t)
	x := s.open(t, func(spec *cell.Spec) { spec.RootFS = rootFS })
	x.exec(cell.Command{Argv: []string{"sh"}, Dir: "/"}).fails(t, api.CommandNotFound)
	x.put("/work", file("a", []byte("x")))
	if e := x.mustGet("/work", "a")["a"]; e.Data != "x" {
		t.Errorf("got %+v", e)
	}
}

// imageDamaged gives the sandbox files that are no file systems.
func imageDamaged(t *testing.T, s *suite) {
	whole, err := os.ReadFile(image(t))
	if err != nil {
		t.Fatal(err)
	}
	noise := bytes.Repeat([]byte("noise"), 100_000)
	for name, data := range map[string][]byte{"empty": nil, "noise": noise, "cut": whole[:1500], "header only": append(bytes.Clone(whole[:1152]), noise...)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "image.erofs")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			spec := s.spec()
			x, err := s.tryOpen(t, func(full *cell.Spec) { full.ID, full.RootFS = spec.ID, path })
			if err == nil {
				x.death()
				t.Skip("the isolation reads it as an empty file system")
			}
			s.nothingRuns(t, spec.ID)
		})
	}
	s.nothingLeft(t)
}
