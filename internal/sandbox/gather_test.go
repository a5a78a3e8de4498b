package sandbox

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

func succeeds(leave func(*fakeCell)) func(*fakeCell) (cell.Exit, error) {
	return func(c *fakeCell) (cell.Exit, error) {
		leave(c)
		return cell.Exit{}, nil
	}
}

func TestDirOutput(t *testing.T) {
	f := newFixture(t, succeeds(func(c *fakeCell) {
		c.make(outputsDir+"/out", tar.TypeDir)
		c.make(outputsDir+"/out/sub", tar.TypeDir)
		c.output("out/a.txt", "A")
		c.output("out/sub/run.sh", "#!/bin/sh\n")
		c.entries[outputsDir+"/out/sub/run.sh"].header.Mode = 0o6755
	}))
	result, err := f.run(t, &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: params(t, "out:Dir")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := result.Outputs[0].Value.(api.Dir)
	if dir.Path != filepath.Join(f.dir, "run-1", "out") || dir.Files != 2 || dir.Size != 11 || len(dir.SHA256) != 64 {
		t.Errorf("value = %+v", dir)
	}
	got := map[string]string{}
	err = filepath.WalkDir(f.dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		name, _ := filepath.Rel(f.dir, at)
		got[name] = info.Mode().String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(got, ".")
	want := map[string]string{
		"run-1": "drwx------", "run-1/out": "drwx------", "run-1/out/sub": "drwx------",
		"run-1/out/a.txt": "-rw-------", "run-1/out/sub/run.sh": "-rwx------",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files on the host:\n%s", diff)
	}
}

func TestFileOutput(t *testing.T) {
	f := newFixture(t, succeeds(func(c *fakeCell) { c.output("out", "abc") }))
	result, err := f.run(t, &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: params(t, "out:File")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := api.File{
		Path: filepath.Join(f.dir, "run-1", "out"), Size: 3,
		SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	}
	if diff := cmp.Diff(want, result.Outputs[0].Value); diff != "" {
		t.Error(diff)
	}
}

// O01, O03 and O04: what may not come out, and what the error says.
func TestRefusedOutputs(t *testing.T) {
	file, dir := "out:File", "out:Dir"
	tests := []struct {
		name  string
		param string
		leave func(*fakeCell)
		words []string
	}{
		{"O01 link", file, func(c *fakeCell) { c.make(outputsDir+"/out", tar.TypeSymlink) }, []string{"a symbolic link", "regular file"}},
		{"O01 link for a scalar", "out:str", func(c *fakeCell) { c.make(outputsDir+"/out", tar.TypeSymlink) }, []string{"a symbolic link"}},
		{"O01 link for a tree", dir, func(c *fakeCell) { c.make(outputsDir+"/out", tar.TypeSymlink) }, []string{"a symbolic link", "expected a directory"}},
		{"O03 FIFO", file, func(c *fakeCell) { c.make(outputsDir+"/out", tar.TypeFifo) }, []string{"a FIFO"}},
		{"O03 device", file, func(c *fakeCell) { c.make(outputsDir+"/out", tar.TypeChar) }, []string{"a device"}},
		{"O03 hard link", file, func(c *fakeCell) { c.make(outputsDir+"/out", tar.TypeLink) }, []string{"a hard link"}},
		{"directory for a file", file, func(c *fakeCell) { c.make(outputsDir+"/out", tar.TypeDir) }, []string{"a directory"}},
		{"file for a directory", dir, func(c *fakeCell) { c.output("out", "x") }, []string{"a regular file"}},
		{"O01 link in a tree", dir, func(c *fakeCell) {
			c.make(outputsDir+"/out", tar.TypeDir)
			c.make(outputsDir+"/out/l", tar.TypeSymlink)
		}, []string{`"l" is a symbolic link`}},
		{"O03 FIFO in a tree", dir, func(c *fakeCell) {
			c.make(outputsDir+"/out", tar.TypeDir)
			c.make(outputsDir+"/out/p", tar.TypeFifo)
		}, []string{`"p" is a FIFO`}},
		{"O04 newline", dir, func(c *fakeCell) {
			c.make(outputsDir+"/out", tar.TypeDir)
			c.output("out/a\nb", "")
		}, []string{"control character"}},
		{"O04 not UTF-8", dir, func(c *fakeCell) {
			c.make(outputsDir+"/out", tar.TypeDir)
			c.output("out/\xff", "")
		}, []string{"not valid UTF-8"}},
		{"O04 case", dir, func(c *fakeCell) {
			c.make(outputsDir+"/out", tar.TypeDir)
			c.output("out/A", "")
			c.output("out/a", "")
		}, []string{"differ only in case"}},
		{"O04 long", dir, func(c *fakeCell) {
			c.make(outputsDir+"/out", tar.TypeDir)
			c.output("out/"+strings.Repeat("x", 256), "")
		}, []string{"255 bytes"}},
		{"O04 deep", dir, func(c *fakeCell) {
			c.make(outputsDir+"/out", tar.TypeDir)
			c.output("out/"+strings.Repeat("d/", 70)+"x", "")
		}, []string{"64 levels"}},
		{"no Parquet", "out:DataFrame", func(c *fakeCell) { c.output("out", "a,b\n") }, []string{"Parquet"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, succeeds(tt.leave))
			_, err := f.run(t, &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: params(t, tt.param)}}, nil)
			e := wantError(t, err, api.BadOutput, append(tt.words, `"out"`)...)
			if e.Details.Field != "out" {
				t.Errorf("Details.Field = %q, want out", e.Details.Field)
			}
			if left, err := os.ReadDir(f.dir); err != nil || len(left) > 0 {
				t.Errorf("left on the host: %v, %v", left, err)
			}
		})
	}
}

// R05 and O07: outputs are counted by their apparent size.
func TestOutputLimits(t *testing.T) {
	tests := []struct {
		name  string
		leave func(*fakeCell)
	}{
		{"R05 sparse 1 EiB", func(c *fakeCell) {
			c.output("out/sparse", "")
			c.entries[outputsDir+"/out/sparse"].header.Size = 1 << 60
		}},
		{"sum of sizes", func(c *fakeCell) {
			c.output("out/a", strings.Repeat("x", 60))
			c.output("out/b", strings.Repeat("x", 60))
		}},
		{"O07 many files", func(c *fakeCell) {
			for _, name := range strings.Split("abcdefghijk", "") {
				c.output("out/"+name, "")
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, succeeds(func(c *fakeCell) {
				c.make(outputsDir+"/out", tar.TypeDir)
				tt.leave(c)
			}))
			task := &api.Task{
				Command: []string{"sh"}, Signature: api.Signature{Outputs: params(t, "out:Dir")},
				Limits: api.RunLimits{Outputs: 100, OutputFiles: 10},
			}
			_, err := f.run(t, task, nil)
			e := wantError(t, err, api.OutputTooLarge, `"out"`, "limit")
			if e.Details.Peak <= e.Details.Limit {
				t.Errorf("limit %d, peak %d", e.Details.Limit, e.Details.Peak)
			}
		})
	}
}

func TestLimitsAreNotInert(t *testing.T) {
	f := newFixture(t, succeeds(func(c *fakeCell) { c.output("out", strings.Repeat("x", 100)) }))
	task := &api.Task{
		Command: []string{"sh"}, Signature: api.Signature{Outputs: params(t, "out:str")}, Limits: api.RunLimits{Outputs: 100, OutputFiles: 1},
	}
	if _, err := f.run(t, task, nil); err != nil {
		t.Errorf("outputs that just fit are refused: %v", err)
	}
}

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
			g := newGatherer(newStore(t.TempDir(), "run-1"), api.RunLimits{}.WithDefaults(), params(t, "file:File", "tree:Dir"))
			defer g.store.close()
			var err error
			for _, h := range entries {
				if err == nil {
					err = g.entry(&h, strings.NewReader(""))
				}
			}
			wantError(t, err, api.CellLost, "the cell sent")
		})
	}
}

func TestTreeDoesNotEscape(t *testing.T) {
	for _, name := range []string{"tree/../x", "tree/./x", "tree//x", "tree/a/../../x"} {
		g := newGatherer(newStore(t.TempDir(), "run-1"), api.RunLimits{}.WithDefaults(), params(t, "tree:Dir"))
		err := g.entry(&tar.Header{Name: "tree", Typeflag: tar.TypeDir}, nil)
		if err == nil {
			err = g.entry(&tar.Header{Name: name, Typeflag: tar.TypeReg}, strings.NewReader(""))
		}
		g.store.close()
		wantError(t, err, api.BadOutput, "does not stay")
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
	outputs := []api.Param{
		{Name: "file", Type: api.MustType("File")}, {Name: "n", Type: api.MustType("int")}, {Name: "tree", Type: api.MustType("Dir")},
		{Name: "files", Type: api.MustType("list[File]")}, {Name: "trees", Type: api.MustType("dict[str, Dir]")}, {Name: "listed", Type: api.MustType("list[File]")},
	}
	listed := map[string]any{"listed": []any{api.File{Path: "/etc/passwd"}, api.File{Path: "../../x"}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		base := t.TempDir()
		limits := api.RunLimits{Outputs: 1 << 16, OutputFiles: 20, Logs: 1}
		g := newGatherer(newStore(filepath.Join(base, "runs"), "run-1"), limits, outputs)
		defer g.store.close()
		if err := g.list(listed); err != nil {
			t.Fatal(err)
		}
		archive := tar.NewReader(bytes.NewReader(data))
		for {
			h, err := archive.Next()
			if err != nil || g.entry(h, archive) != nil {
				break
			}
		}
		for _, c := range g.sets {
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
