package outputs

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/value"
)

// Archives that no working guest sends.
func TestStrangeArchives(t *testing.T) {
	reg := func(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeReg} }
	dir := func(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeDir} }
	for name, entries := range map[string][]tar.Header{
		"undeclared":      {reg("other")},
		"absolute":        {reg("/file")},
		"parent":          {reg("../file")},
		"twice":           {reg("file"), reg("file")},
		"below a file":    {reg("file/x")},
		"no directory":    {reg("tree/x")},
		"directory twice": {dir("tree"), dir("tree")},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewGatherer(NewStore(t.TempDir(), "run-1"), api.RunLimits{}.WithDefaults(), sandboxtest.Params(t, "file:File", "tree:Dir"))
			defer g.store.Close()
			var err error
			for _, h := range entries {
				if err == nil {
					err = g.entry(&h, strings.NewReader(""))
				}
			}
			sandboxtest.WantError(t, err, api.CellLost, "the cell sent")
		})
	}
}

func TestTreeDoesNotEscape(t *testing.T) {
	for _, name := range []string{"tree/../x", "tree/./x", "tree//x", "tree/a/../../x"} {
		g := NewGatherer(NewStore(t.TempDir(), "run-1"), api.RunLimits{}.WithDefaults(), sandboxtest.Params(t, "tree:Dir"))
		err := g.entry(&tar.Header{Name: "tree", Typeflag: tar.TypeDir}, nil)
		if err == nil {
			err = g.entry(&tar.Header{Name: name, Typeflag: tar.TypeReg}, strings.NewReader(""))
		}
		g.store.Close()
		sandboxtest.WantError(t, err, api.BadOutput, "does not stay")
	}
}

// FuzzCollect feeds any archive to the collection of outputs: nothing may
// appear outside the folder of the run, and no more than the limits allow.
func FuzzCollect(f *testing.F) {
	f.Add(archiveOf(f, tar.Header{Name: "file", Typeflag: tar.TypeReg, Size: 3}, tar.Header{Name: "n", Typeflag: tar.TypeReg, Size: 1}))
	f.Add(archiveOf(f, tar.Header{Name: "tree", Typeflag: tar.TypeDir}, tar.Header{Name: "tree/a", Typeflag: tar.TypeReg, Size: 5}))
	f.Add(archiveOf(f, tar.Header{Name: "tree", Typeflag: tar.TypeSymlink, Linkname: "/etc"}, tar.Header{Name: "tree/passwd", Typeflag: tar.TypeReg, Size: 5}))
	f.Add(archiveOf(f, tar.Header{Name: "tree/../../x", Typeflag: tar.TypeReg, Size: 5}))
	f.Add(archiveOf(f, tar.Header{Name: "files", Typeflag: tar.TypeDir}, tar.Header{Name: "files/a", Typeflag: tar.TypeReg, Size: 5}))
	f.Add(archiveOf(f, tar.Header{Name: "trees", Typeflag: tar.TypeDir}, tar.Header{Name: "trees/a", Typeflag: tar.TypeDir}, tar.Header{Name: "trees/a/b", Typeflag: tar.TypeReg, Size: 5}))
	f.Add(archiveOf(f, tar.Header{Name: ".glovebox.listed", Typeflag: tar.TypeDir}, tar.Header{Name: ".glovebox.listed/0", Typeflag: tar.TypeReg, Size: 5}))
	outputs := []value.Param{
		{Name: "file", Type: value.MustType("File")}, {Name: "n", Type: value.MustType("int")}, {Name: "tree", Type: value.MustType("Dir")},
		{Name: "files", Type: value.MustType("list[File]")}, {Name: "trees", Type: value.MustType("dict[str, Dir]")}, {Name: "listed", Type: value.MustType("list[File]")},
	}
	listed := map[string]any{"listed": []any{value.File{Path: "/etc/passwd"}, value.File{Path: "../../x"}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		base := t.TempDir()
		limits := api.RunLimits{Outputs: 1 << 16, OutputFiles: 20, Logs: 1}
		g := NewGatherer(NewStore(filepath.Join(base, "runs"), "run-1"), limits, outputs)
		defer g.store.Close()
		if err := g.List(listed); err != nil {
			t.Fatal(err)
		}
		archive := tar.NewReader(bytes.NewReader(data))
		for {
			h, err := archive.Next()
			if err != nil || g.entry(h, archive) != nil {
				break
			}
		}
		for _, c := range g.collections {
			_, _ = c.value() // it must end, and may be incomplete
		}
		checkHost(t, base, limits)
	})
}

func checkHost(t *testing.T, base string, limits api.RunLimits) {
	t.Helper()
	var size int64
	files := 0
	err := filepath.WalkDir(base, func(at string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(base, at)
		if name == "." || name == "runs" || name == "runs/run-1.partial" {
			return nil
		}
		if !strings.HasPrefix(name, "runs/run-1.partial/") || !d.IsDir() && !d.Type().IsRegular() {
			t.Errorf("%s %s on the host", d.Type(), name)
		}
		info, err := d.Info()
		files++
		if d.Type().IsRegular() {
			size += info.Size()
		}
		return err
	})
	if err != nil || size > limits.Outputs || files > limits.OutputFiles {
		t.Errorf("%d bytes in %d files on the host, %v", size, files, err)
	}
}

func archiveOf(tb testing.TB, headers ...tar.Header) []byte {
	tb.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range headers {
		if err := w.WriteHeader(&h); err != nil {
			tb.Fatal(err)
		}
		if _, err := io.CopyN(w, zeros{}, h.Size); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// A list has an entry of its own, whose name nobody outside knows.
func TestLimitsNameTheOutput(t *testing.T) {
	place := stagePrefix + "parts"
	g := &Gatherer{wanted: map[string]value.Param{place: {Name: "parts"}}}
	err := api.Errorf(api.OutputTooLarge, "with output %s it is too much", value.Quote(place)).WithDetails(api.Details{Field: place})
	e := sandboxtest.WantError(t, g.byOutput(err), api.OutputTooLarge, `with output "parts" it`)
	if e.Details.Field != "parts" {
		t.Errorf("field %q", e.Details.Field)
	}
}
