package sandbox

import (
	"archive/tar"
	"context"
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
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/value"
)

func succeeds(leave func(*fakeCell)) func(*fakeCell) (cell.Exit, error) {
	return func(c *fakeCell) (cell.Exit, error) {
		leave(c)
		return cell.Exit{}, nil
	}
}

func TestDirOutput(t *testing.T) {
	f := newFixture(t, succeeds(func(c *fakeCell) {
		c.make(layout.Outputs+"/out", tar.TypeDir)
		c.make(layout.Outputs+"/out/sub", tar.TypeDir)
		c.output("out/a.txt", "A")
		c.output("out/sub/run.sh", "#!/bin/sh\n")
		c.entries[layout.Outputs+"/out/sub/run.sh"].header.Mode = 0o6755
	}))
	result, err := f.run(t, &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "out:Dir")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := result.Outputs[0].Value.(value.Dir)
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
	result, err := f.run(t, &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "out:File")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := value.File{
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
		{"O01 link", file, func(c *fakeCell) { c.make(layout.Outputs+"/out", tar.TypeSymlink) }, []string{"a symbolic link", "regular file"}},
		{"O01 link for a scalar", "out:str", func(c *fakeCell) { c.make(layout.Outputs+"/out", tar.TypeSymlink) }, []string{"a symbolic link"}},
		{"O01 link for a tree", dir, func(c *fakeCell) { c.make(layout.Outputs+"/out", tar.TypeSymlink) }, []string{"a symbolic link", "expected a directory"}},
		{"O03 FIFO", file, func(c *fakeCell) { c.make(layout.Outputs+"/out", tar.TypeFifo) }, []string{"a FIFO"}},
		{"O03 device", file, func(c *fakeCell) { c.make(layout.Outputs+"/out", tar.TypeChar) }, []string{"a device"}},
		{"O03 hard link", file, func(c *fakeCell) { c.make(layout.Outputs+"/out", tar.TypeLink) }, []string{"a hard link"}},
		{"directory for a file", file, func(c *fakeCell) { c.make(layout.Outputs+"/out", tar.TypeDir) }, []string{"a directory"}},
		{"file for a directory", dir, func(c *fakeCell) { c.output("out", "x") }, []string{"a regular file"}},
		{"O01 link in a tree", dir, func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			c.make(layout.Outputs+"/out/l", tar.TypeSymlink)
		}, []string{`"l" is a symbolic link`}},
		{"O03 FIFO in a tree", dir, func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			c.make(layout.Outputs+"/out/p", tar.TypeFifo)
		}, []string{`"p" is a FIFO`}},
		{"O04 newline", dir, func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			c.output("out/a\nb", "")
		}, []string{"control character"}},
		{"O04 not UTF-8", dir, func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			c.output("out/\xff", "")
		}, []string{"not valid UTF-8"}},
		{"O04 case", dir, func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			c.output("out/A", "")
			c.output("out/a", "")
		}, []string{"differ only in case"}},
		{"O04 long", dir, func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			c.output("out/"+strings.Repeat("x", 256), "")
		}, []string{"255 bytes"}},
		{"O04 deep", dir, func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			c.output("out/"+strings.Repeat("d/", 70)+"x", "")
		}, []string{"64 levels"}},
		{"no Parquet", "out:DataFrame", func(c *fakeCell) { c.output("out", "a,b\n") }, []string{"Parquet"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, succeeds(tt.leave))
			_, err := f.run(t, &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, tt.param)}}, nil)
			e := sandboxtest.WantError(t, err, api.BadOutput, append(tt.words, `"out"`)...)
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
			c.entries[layout.Outputs+"/out/sparse"].header.Size = 1 << 60
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
				c.make(layout.Outputs+"/out", tar.TypeDir)
				tt.leave(c)
			}))
			task := &api.Task{
				Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "out:Dir")},
				Limits: api.RunLimits{Outputs: 100, OutputFiles: 10},
			}
			_, err := f.run(t, task, nil)
			e := sandboxtest.WantError(t, err, api.OutputTooLarge, `"out"`, "limit")
			if e.Details.Peak <= e.Details.Limit {
				t.Errorf("limit %d, peak %d", e.Details.Limit, e.Details.Peak)
			}
		})
	}
}

func TestLimitsAreNotInert(t *testing.T) {
	f := newFixture(t, succeeds(func(c *fakeCell) { c.output("out", strings.Repeat("x", 100)) }))
	task := &api.Task{
		Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "out:str")}, Limits: api.RunLimits{Outputs: 100, OutputFiles: 1},
	}
	if _, err := f.run(t, task, nil); err != nil {
		t.Errorf("outputs that just fit are refused: %v", err)
	}
}

// TestReportFile: the report of a program is taken, also of one that failed, and what
// is no file fails one that succeeded.
func TestReportFile(t *testing.T) {
	page := func(c *fakeCell) { c.output(api.ReportFile, "<p>") }
	for name, test := range map[string]struct {
		leave func(*fakeCell)
		exit  cell.Exit
		page  string
		code  api.Code
	}{
		"written":        {page, cell.Exit{}, "<p>", ""},
		"none":           {func(*fakeCell) {}, cell.Exit{}, "", ""},
		"failed":         {page, cell.Exit{Code: 3}, "<p>", api.NonzeroExit},
		"a link":         {func(c *fakeCell) { c.make(layout.Outputs+"/"+api.ReportFile, tar.TypeSymlink) }, cell.Exit{}, "", api.BadOutput},
		"a link, failed": {func(c *fakeCell) { c.make(layout.Outputs+"/"+api.ReportFile, tar.TypeSymlink) }, cell.Exit{Code: 3}, "", api.NonzeroExit},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
				test.leave(c)
				return test.exit, nil
			})
			var got strings.Builder
			task := &api.Task{Command: []string{"sh"}, Report: true}
			_, err := f.Run(t.Context(), "run-1", &api.Request{Task: task, Report: func(_ context.Context, page io.Reader, last bool) error {
				_, err := io.Copy(&got, page)
				if !last {
					t.Error("another page is expected")
				}
				return err
			}})
			if got.String() != test.page || (err != nil || test.code != "") && !errors.Is(err, &api.Error{Code: test.code}) {
				t.Errorf("page %q, error %v", got.String(), err)
			}
		})
	}
}
