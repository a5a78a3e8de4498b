package sandbox

import (
	"archive/tar"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/value"
)

func dictOf(pairs ...any) *value.Dict {
	d := value.NewDict()
	for i := 0; i < len(pairs); i += 2 {
		d.Set(pairs[i].(string), pairs[i+1])
	}
	return d
}

// TestFileCollectionInputs: programs get the files inside other types.
func TestFileCollectionInputs(t *testing.T) {
	root := hostTree(t, map[string]string{"a/x.txt": "AX", "b/x.txt": "BX", "b/-rf": "D", "tree/f": "F"})
	file := func(name string) value.File {
		return value.File{Path: filepath.Join(root, name), SHA256: "of the host"}
	}
	tests := []struct {
		name, typ string
		value     any
		files     string // below /var/inputs, name=content
		text      string // JSON of the value, and the argument of a script; "" is none
	}{
		{"list", "list[File]", []value.File{file("a/x.txt"), file("b/x.txt")}, "=dir /1-x.txt=BX /x.txt=AX", `["/var/inputs/v/x.txt","/var/inputs/v/1-x.txt"]`},
		{"empty list", "list[File]", []any{}, "=dir", `[]`},
		{"unsafe name", "list[File]", []any{file("b/-rf")}, "=dir /0=D", `["/var/inputs/v/0"]`},
		{"dict", "dict[str, File]", dictOf("train", file("a/x.txt"), "a/../b", file("b/x.txt"), "", file("b/-rf")), "=dir /1=BX /2=D /train=AX",
			`{"train":"/var/inputs/v/train","a/../b":"/var/inputs/v/1","":"/var/inputs/v/2"}`},
		{"tuple", "tuple[File, ...]", value.Tuple{file("a/x.txt")}, "=dir /x.txt=AX", `["/var/inputs/v/x.txt"]`},
		{"mixed tuple", "tuple[File, int, Any]", value.Tuple{file("a/x.txt"), 7, "s"}, "=dir /x.txt=AX", `["/var/inputs/v/x.txt",7,"s"]`},
		{"trees", "list[Dir]", []value.Dir{{Path: filepath.Join(root, "tree")}}, "=dir /tree=dir /tree/f=F", `["/var/inputs/v/tree"]`},
		{"nested", "dict[str, list[Optional[File]]]", dictOf("k", []any{file("a/x.txt"), nil}), "=dir /x.txt=AX", `{"k":["/var/inputs/v/x.txt",null]}`},
		{"optional file", "Optional[File]", file("a/x.txt"), "=AX", `/var/inputs/v`},
		{"optional table", "Optional[DataFrame]", value.DataFrame{Path: file("a/x.txt").Path}, "=AX", `/var/inputs/v`},
		{"optional tree", "Optional[Dir]", value.Dir{Path: filepath.Join(root, "tree")}, "=dir /f=F", `/var/inputs/v`},
		{"None", "Optional[File]", nil, "", ""},
		{"None for a list", "Optional[list[File]]", nil, "", ""},
		{"optional list", "Optional[list[File]]", []any{file("a/x.txt")}, "=dir /x.txt=AX", `["/var/inputs/v/x.txt"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, verbatim := range []bool{true, false} {
				f := newFixture(t, exits(0))
				task := &api.Task{Code: "pass", Verbatim: verbatim, Signature: api.Signature{Inputs: sandboxtest.Params(t, "v:"+tt.typ)}}
				if !verbatim {
					f.cell.program = succeeds(func(c *fakeCell) { c.report(`{"ok":true,"outputs":{},"file_outputs":[]}`) })
				}
				if _, err := f.run(t, task, map[string]any{"v": tt.value}); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.ReplaceAll(tt.files, "=dir", "=dir"), staged(f.cell)); diff != "" {
					t.Error(diff)
				}
				if verbatim {
					checkOffered(t, f.cell, tt.text)
				}
			}
		})
	}
}

// checkOffered finds the value of a script's input among its arguments, and
// that of a collection in its file.
func checkOffered(t *testing.T, c *fakeCell, text string) {
	t.Helper()
	var want []string
	if text != "" {
		want = []string{"--v", text}
	}
	if got := c.arguments(); !slices.Equal(got, want) {
		t.Errorf("arguments %q, want %q", got, want)
	}
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		if got := c.text("/run/glovebox/inputs/v"); got != text {
			t.Errorf("the value is %s, want %s", got, text)
		}
	}
}

// staged lists what is at /var/inputs/v, and checks that nobody can write it.
func staged(c *fakeCell) string {
	var found []string
	for _, at := range slices.Sorted(maps.Keys(c.entries)) {
		e := c.entries[at]
		name, ok := strings.CutPrefix(at, "/var/inputs/v")
		if !ok {
			continue
		}
		content := string(e.content)
		if e.header.Typeflag == tar.TypeDir {
			content = "dir"
		}
		if e.header.Uid != 0 || e.header.Mode&0o022 != 0 {
			content = fmt.Sprintf("%s, of %d with %o", content, e.header.Uid, e.header.Mode)
		}
		found = append(found, name+"="+content)
	}
	return strings.Join(found, " ")
}

// Auto-IO gets the same value with paths for files, whatever they were called.
func TestFileCollectionJob(t *testing.T) {
	root := hostTree(t, map[string]string{"x": "X"})
	f := newFixture(t, succeeds(func(c *fakeCell) { c.report(`{"ok":true,"outputs":{},"file_outputs":[]}`) }))
	task := &api.Task{Code: "pass", Signature: api.Signature{Inputs: sandboxtest.Params(t, "v:tuple[File, Optional[Dir], Any]", "no:Optional[File]", "one:Optional[File]")}}
	x := value.File{Path: filepath.Join(root, "x")}
	if _, err := f.run(t, task, map[string]any{"v": value.Tuple{x, nil, value.Tuple{int64(1)}}, "no": nil, "one": x}); err != nil {
		t.Fatal(err)
	}
	want := `"inputs":[{"name":"v","type":"tuple[str, Optional[str], Any]","value":["/var/inputs/v/x",null,{"$tuple":[1]}]},` +
		`{"name":"no","type":"Optional[str]","value":null},{"name":"one","type":"Optional[File]","value":"/var/inputs/one"}]`
	if got := f.cell.job; !strings.Contains(got, want) {
		t.Errorf("job = %s\nwant %s in it", got, want)
	}
}

func TestRefusedFileCollections(t *testing.T) {
	root := hostTree(t, map[string]string{"file": "x", "link": "->file", "fifo": "FIFO", "d/p": "FIFO"})
	at := func(name string) string { return filepath.Join(root, name) }
	tests := []struct {
		name, typ string
		value     any
		words     []string
	}{
		{"link", "list[File]", []any{value.File{Path: at("file")}, value.File{Path: at("link")}}, []string{"a symbolic link"}},
		{"FIFO", "dict[str, File]", dictOf("k", value.File{Path: at("fifo")}), []string{"a FIFO"}},
		{"missing", "tuple[File, ...]", value.Tuple{value.File{Path: at("nope")}}, []string{"not there"}},
		{"FIFO in a tree", "list[Dir]", []any{value.Dir{Path: at("d")}}, []string{"a FIFO"}},
		{"tree for a file", "Optional[File]", value.File{Path: root}, []string{"a directory"}},
		{"None in a list", "list[File]", []any{nil}, []string{"expected File", "[0]"}},
		{"str", "list[File]", []any{"file"}, []string{"expected File", "[0]"}},
		{"in Any", "tuple[File, Any]", value.Tuple{value.File{Path: at("file")}, []any{value.File{Path: at("file")}}}, []string{"a value with a file in it"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, exits(0))
			task := &api.Task{Command: []string{"ls"}, Signature: api.Signature{Inputs: sandboxtest.Params(t, "v:"+tt.typ)}}
			_, err := f.run(t, task, map[string]any{"v": tt.value})
			sandboxtest.WantError(t, err, api.InvalidInput, append(tt.words, "input v")...)
		})
	}
}

// contents reads the files of an output back from the host.
func contents(t *testing.T, typ value.Type, v any) any {
	t.Helper()
	read, err := files.Replace(typ, v, func(file any, _ string) (any, error) {
		if tree, ok := file.(value.Dir); ok {
			return fmt.Sprintf("%s with %d", filepath.Base(tree.Path), tree.Files), nil
		}
		text, err := os.ReadFile(files.PathOf(file))
		return filepath.Base(files.PathOf(file)) + "=" + string(text), err
	})
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestFileCollectionOutputs(t *testing.T) {
	directory := func(entries ...string) func(*fakeCell) {
		return func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			for _, e := range entries {
				if name, content, isFile := strings.Cut(e, "="); isFile {
					c.output("out/"+name, content)
					continue
				}
				c.make(layout.Outputs+"/out/"+e, tar.TypeDir)
			}
		}
	}
	listed := func(report string, files ...string) func(*fakeCell) {
		return func(c *fakeCell) {
			c.report(`{"ok":true,"outputs":{"out":` + report + `},"file_outputs":[]}`)
			c.make(layout.Outputs+"/.glovebox.out", tar.TypeDir)
			for i, content := range files {
				c.output(fmt.Sprintf(".glovebox.out/%d", i), content)
			}
		}
	}
	unlisted := func(leave func(*fakeCell)) func(*fakeCell) {
		return func(c *fakeCell) {
			c.report(`{"ok":true,"outputs":{},"file_outputs":["out"]}`)
			leave(c)
		}
	}
	nothing := func(*fakeCell) {}
	tests := []struct {
		name, typ string
		auto      bool
		leave     func(*fakeCell)
		want      any
	}{
		{"list", "list[File]", false, directory("b=B", "a=A"), []any{"a=A", "b=B"}},
		{"dict", "dict[str, File]", false, directory("b=B", "a=A"), dictOf("a", "a=A", "b", "b=B")},
		{"tuple", "tuple[File, ...]", false, directory("a=A"), value.Tuple{"a=A"}},
		{"tables", "list[DataFrame]", false, directory("a=PAR1"), []any{"a=PAR1"}},
		{"trees", "dict[str, Dir]", false, directory("t", "t/f=F", "t/g=G", "u"), dictOf("t", "t with 2", "u", "u with 0")},
		{"empty", "list[File]", false, directory(), []any{}},
		{"optional list", "Optional[list[File]]", false, directory("a=A"), []any{"a=A"}},
		{"no optional list", "Optional[list[File]]", false, nothing, nil},
		{"optional file", "Optional[File]", false, func(c *fakeCell) { c.output("out", "A") }, "out=A"},
		{"no optional file", "Optional[File]", false, nothing, nil},
		{"no optional tree", "Optional[Dir]", false, nothing, nil},
		{"no optional table", "Optional[DataFrame]", false, nothing, nil},
		{"optional tree", "Optional[Dir]", false, directory("a=A"), "out with 1"},
		{"variable without a value", "list[File]", true, unlisted(directory("b=B", "a=A")), []any{"a=A", "b=B"}},
		{"optional file of a variable", "Optional[File]", true, unlisted(nothing), nil},
		{"variable", "list[File]", true, listed(`[{"path":"/var/outputs/z"},{"path":"/etc/z"},{"path":"/x/.."}]`, "A", "B", "C"), []any{"z=A", "z=B", "2=C"}},
		{"variable with a dict", "dict[str, File]", true, listed(`{"b":{"path":"/x"},"a/b":{"path":"/x"}}`, "B", "A"), dictOf("b", "x=B", "a/b", "x=A")},
		{"variable with the path of a file", "File", true, listed(`{"path":"/var/outputs/0/report.txt"}`, "A"), "report.txt=A"},
		{"variable with the path of an optional file", "Optional[File]", true, listed(`{"path":"/var/outputs/.."}`, "A"), "0=A"},
		{"variable with nothing", "list[File]", true, listed(`[]`), []any{}},
		{"variable with None", "Optional[dict[str, File]]", true, listed(`null`), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, succeeds(tt.leave))
			task := &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "out:"+tt.typ)}}
			if tt.auto {
				task.Command, task.Code = nil, "pass"
			}
			result, err := f.run(t, task, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := contents(t, task.Signature.Outputs[0].Type, result.Outputs[0].Value)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(value.Dict{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusedFileCollectionOutputs(t *testing.T) {
	in := func(kind byte, name string) func(*fakeCell) {
		return func(c *fakeCell) {
			c.make(layout.Outputs+"/out", tar.TypeDir)
			c.make(layout.Outputs+"/out/"+name, kind)
		}
	}
	report := func(value string, leave func(*fakeCell)) func(*fakeCell) {
		return func(c *fakeCell) {
			c.report(`{"ok":true,"outputs":{"out":` + value + `},"file_outputs":[]}`)
			c.make(layout.Outputs+"/.glovebox.out", tar.TypeDir)
			leave(c)
		}
	}
	host := `[{"path":"/etc/passwd"}]`
	tests := []struct {
		name, typ string
		leave     func(*fakeCell)
		code      api.Code
		words     []string
	}{
		{"no directory", "list[File]", func(c *fakeCell) {}, api.MissingOutput, []string{"/var/outputs/out"}},
		{"a file", "list[File]", func(c *fakeCell) { c.output("out", "x") }, api.BadOutput, []string{"a regular file"}},
		{"a link", "list[File]", func(c *fakeCell) { c.make(layout.Outputs+"/out", tar.TypeSymlink) }, api.BadOutput, []string{"a symbolic link"}},
		{"link inside", "list[File]", in(tar.TypeSymlink, "x"), api.BadOutput, []string{`"x" is a symbolic link`}},
		{"hard link inside", "list[File]", in(tar.TypeLink, "x"), api.BadOutput, []string{`"x" is a hard link`}},
		{"FIFO inside", "dict[str, File]", in(tar.TypeFifo, "x"), api.BadOutput, []string{"a FIFO"}},
		{"directory inside", "list[File]", in(tar.TypeDir, "x"), api.BadOutput, []string{"a directory"}},
		{"file among trees", "list[Dir]", in(tar.TypeReg, "x"), api.BadOutput, []string{"a regular file"}},
		{"link in a tree", "list[Dir]", func(c *fakeCell) { in(tar.TypeDir, "x")(c); c.make(layout.Outputs+"/out/x/l", tar.TypeSymlink) }, api.BadOutput, []string{"a symbolic link"}},
		{"bad name", "list[File]", in(tar.TypeReg, "a\nb"), api.BadOutput, []string{"control character"}},
		{"case", "list[File]", func(c *fakeCell) { in(tar.TypeReg, "A")(c); c.output("out/a", "") }, api.BadOutput, []string{"differ only in case"}},
		{"no table", "list[DataFrame]", func(c *fakeCell) { in(tar.TypeReg, "x")(c) }, api.BadOutput, []string{"Parquet"}},
		{"path of the host", "list[File]", report(host, func(c *fakeCell) {}), api.BadOutput, []string{`"/etc/passwd"`, "did not come out"}},
		{"link for a path", "list[File]", report(host, func(c *fakeCell) { c.make(layout.Outputs+"/.glovebox.out/0", tar.TypeSymlink) }), api.BadOutput, []string{"a symbolic link"}},
		{"more than listed", "list[File]", report(host, func(c *fakeCell) { c.output(".glovebox.out/0", ""); c.output(".glovebox.out/1", "") }), api.BadOutput, []string{"does not list"}},
		{"link for all", "list[File]", report(host, func(c *fakeCell) { c.make(layout.Outputs+"/.glovebox.out", tar.TypeSymlink) }), api.BadOutput, []string{"a symbolic link"}},
		{"nothing for a value", "list[File]", report(host, func(c *fakeCell) { delete(c.entries, layout.Outputs+"/.glovebox.out") }), api.MissingOutput, nil},
		{"not files", "list[File]", report(`[5]`, func(c *fakeCell) {}), api.BadOutput, []string{"expected File"}},
		{"text as a path", "list[File]", report(`["/etc/passwd"]`, func(c *fakeCell) {}), api.BadOutput, []string{"did not come out"}},
		{"too many", "list[File]", report(`[`+strings.Repeat(`{"path":"/x"},`, 20)+`{"path":"/x"}]`, func(c *fakeCell) {}), api.OutputTooLarge, []string{"files"}},
		{"too large", "list[File]", func(c *fakeCell) { in(tar.TypeReg, "x")(c); c.output("out/x", strings.Repeat("x", 2000)) }, api.OutputTooLarge, []string{"bytes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, succeeds(tt.leave))
			task := &api.Task{
				Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "out:"+tt.typ)}, Limits: api.RunLimits{Outputs: 1000, OutputFiles: 10},
			}
			tt.leave(f.cell)
			if strings.Contains(f.cell.text(layout.Result+"/"+layout.ResultName), "ok") {
				task.Command, task.Code = nil, "pass"
			}
			_, err := f.run(t, task, nil)
			e := sandboxtest.WantError(t, err, tt.code, append(tt.words, `out`)...)
			if e.Details.Field != "out" && !strings.HasPrefix(e.Details.Field, "out[") {
				t.Errorf("Details.Field = %q, want out", e.Details.Field)
			}
			if left, err := os.ReadDir(f.dir); err != nil || len(left) > 0 {
				t.Errorf("left on the host: %v, %v", left, err)
			}
		})
	}
}
