package realtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Files inside lists, dicts and Optional, in and out, in each mode.
func TestRealFileCollections(t *testing.T) {
	r := newReal(t)
	root := t.TempDir()
	file := func(name string) value.File {
		path := filepath.Join(root, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		return value.File{Path: path}
	}
	given := map[string]any{"fs": []any{file("a"), file("b")}, "named": map[string]any{"k": file("c")}, "no": nil}
	const inputs, outputs = "fs:list[File] named:dict[str,File] no:Optional[File]", "up:list[File] by:dict[str,File] trees:list[Dir] none:Optional[File]"
	tests := map[string]*api.Task{
		"auto": {Code: `
import os
assert no is None and not os.path.exists("/var/inputs/no")
os.makedirs("/var/outputs/work/deep")
for p in fs + [named["k"]]:
    open("/var/outputs/work/deep/" + os.path.basename(p), "w").write(open(p).read().upper())
base = "/var/outputs/work/deep/"
up, by, trees = [base + "b", base + "a", base + "b"], {"see": base + "k"}, ["/var/outputs/work"]
`},
		"verbatim": {Verbatim: true, Code: `
import argparse, json, os, shutil
p = argparse.ArgumentParser()
for n in ("--fs", "--named"): p.add_argument(n, type=json.loads)
p.add_argument("--no")
a = p.parse_args()
assert a.no is None and a.fs == json.load(open("/run/glovebox/inputs/fs"))
for n in ("up", "by", "trees/work/deep"): os.makedirs("/var/outputs/" + n)
for at, source in (("up/1", a.fs[1]), ("up/2", a.fs[0]), ("up/3", a.fs[1]), ("by/see", a.named["k"]), ("trees/work/deep/a", a.fs[0]), ("trees/work/deep/b", a.fs[1]), ("trees/work/deep/k", a.named["k"])):
    open("/var/outputs/" + at, "w").write(open(source).read().upper())
`},
		"command": {Command: []string{"bash", "-ec", `
test ! -e /var/inputs/no
cd /var/outputs; mkdir -p up by trees/work/deep
tr a-z A-Z < /var/inputs/fs/b | tee up/1 > trees/work/deep/b; cp up/1 up/3
tr a-z A-Z < /var/inputs/fs/a | tee up/2 > trees/work/deep/a
tr a-z A-Z < /var/inputs/named/k | tee by/see > trees/work/deep/k
`}},
	}
	for name, task := range tests {
		t.Run(name, func(t *testing.T) {
			task.Signature = sig(t, inputs, outputs)
			got := r.must(t, task, given)
			var up []string
			for _, f := range got["up"].([]any) {
				up = append(up, read(t, f.(value.File).Path))
			}
			if diff := cmp.Diff([]string{"B", "A", "B"}, up); diff != "" {
				t.Error(diff)
			}
			if see, ok := got["by"].(*value.Dict).Get("see"); !ok || read(t, see.(value.File).Path) != "C" {
				t.Errorf("by = %+v", got["by"])
			}
			tree := got["trees"].([]any)[0].(value.Dir)
			if tree.Files != 3 || filepath.Base(tree.Path) != "work" || read(t, filepath.Join(tree.Path, "deep", "a")) != "A" {
				t.Errorf("tree = %+v", tree)
			}
			if got["none"] != nil {
				t.Errorf("none = %v", got["none"])
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A cell cannot make a file of the host, or one of its own that the program
// may not read, an output by naming it.
func TestRealListedElsewhere(t *testing.T) {
	r := newReal(t)
	for name, code := range map[string]string{
		"path":      "up = ['/etc/passwd']",
		"upwards":   "up = ['/var/outputs/../../etc/passwd']",
		"link":      "import os; os.symlink('/etc/passwd', '/var/outputs/l'); up = ['/var/outputs/l']",
		"directory": "import os; os.symlink('/etc', '/var/outputs/l'); up = ['/var/outputs/l/shadow']",
		"staged": "import os; os.mkdir('/var/outputs/.glovebox.up'); os.symlink('/etc/passwd', '/var/outputs/.glovebox.up/0'); " +
			"open('/run/glovebox/result/result.json', 'w').write('{\"ok\":true,\"outputs\":{\"up\":[{\"path\":\"/etc/passwd\"}]},\"file_outputs\":[]}'); os._exit(0)",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := r.run(t, &api.Task{Code: code, Signature: sig(t, "", "up:list[File]")}, nil)
			if e := api.AsError(err); err == nil || e.Code != api.BadOutput || !strings.HasPrefix(e.Details.Field, "up") {
				t.Errorf("got %v, want bad_output for up", err)
			}
		})
	}
}
