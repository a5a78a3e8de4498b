package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/value"
)

// hostTree makes files below a new directory: a name that ends in "/" is a
// directory, content that begins with "->" a link, "FIFO" a FIFO.
func hostTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		at := filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(at), 0o700)
		target, isLink := strings.CutPrefix(content, "->")
		switch {
		case err != nil:
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(at, 0o700)
		case isLink:
			err = os.Symlink(target, at)
		case content == "FIFO":
			err = syscall.Mkfifo(at, 0o600)
		default:
			err = os.WriteFile(at, []byte(content), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDirInput(t *testing.T) {
	root := hostTree(t, map[string]string{"a.txt": "A", "sub/b": "B", "empty/": "", "sub/link": "->../a.txt", "名前": "N"})
	f := newFixture(t, exits(0))
	task := &api.Task{Command: []string{"ls"}, Signature: api.Signature{Inputs: sandboxtest.Params(t, "d:Dir")}}
	if _, err := f.run(t, task, map[string]any{"d": value.Dir{Path: root}}); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for at, e := range f.cell.entries {
		if name, ok := strings.CutPrefix(at, "/var/inputs/d"); ok {
			got[name] = fmt.Sprintf("%c %d %o %s%s", e.header.Typeflag, e.header.Uid, e.header.Mode, e.content, e.header.Linkname)
		}
	}
	want := map[string]string{
		"": "5 0 755 ", "/a.txt": "0 0 555 A", "/sub": "5 0 755 ", "/sub/b": "0 0 555 B", "/empty": "5 0 755 ",
		"/sub/link": "2 0 777 ../a.txt", "/名前": "0 0 555 N",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRefusedSources: files of the host that may not go into a cell are
// refused, and none of them makes a run hang.
func TestRefusedSources(t *testing.T) {
	root := hostTree(t, map[string]string{
		"file": "x", "link": "->file", "fifo": "FIFO", "dangling": "->nowhere",
		"out/link": "->/etc/passwd", "up/link": "->../file", "pipe/p": "FIFO", "dirlink": "->up",
	})
	tests := []struct {
		name, kind, path string
		words            []string
	}{
		{"link", "File", "link", []string{"a symbolic link"}},
		{"dangling link", "File", "dangling", []string{"a symbolic link"}},
		{"FIFO", "File", "fifo", []string{"a FIFO"}},
		{"device", "File", "/dev/zero", []string{"a device"}},
		{"directory", "File", "up", []string{"a directory"}},
		{"missing", "DataFrame", "nope", []string{"not there"}},
		{"missing directory", "Dir", "nope", []string{"not there"}},
		{"file as Dir", "Dir", "file", []string{"a regular file", "expected a directory"}},
		{"link as Dir", "Dir", "dirlink", []string{"a symbolic link"}},
		{"absolute link inside", "Dir", "out", []string{"leads out", "out/link"}},
		{"link upwards inside", "Dir", "up", []string{"leads out"}},
		{"FIFO inside", "Dir", "pipe", []string{"a FIFO", "pipe/p"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := tt.path
			if !filepath.IsAbs(path) {
				path = filepath.Join(root, path)
			}
			value := map[string]any{"File": value.File{Path: path}, "Dir": value.Dir{Path: path}, "DataFrame": value.DataFrame{Path: path}}[tt.kind]
			f := newFixture(t, exits(0))
			task := &api.Task{Command: []string{"ls"}, Signature: api.Signature{Inputs: sandboxtest.Params(t, "in:"+tt.kind)}}
			_, err := f.run(t, task, map[string]any{"in": value})
			sandboxtest.WantError(t, err, api.InvalidInput, append(tt.words, "input in")...)
		})
	}
}

func TestValuesArriveUnchanged(t *testing.T) {
	values := []string{`'"$(id)` + "`;\\", "--x", "-rf", "a\nb\r\n", "nul\x00nul", strings.Repeat("10 MB ", 10<<20/6), "😀é", ""}
	for i, value := range values {
		f := newFixture(t, func(*fakeCell) (cell.Exit, error) { return cell.Exit{}, nil })
		task := &api.Task{Command: []string{"x"}, Signature: api.Signature{Inputs: sandboxtest.Params(t, "s:str", "b:bytes")}}
		if _, err := f.run(t, task, map[string]any{"s": value, "b": []byte(value)}); err != nil {
			t.Fatal(err)
		}
		if f.cell.text("/var/inputs/s") != value || f.cell.text("/var/inputs/b") != value {
			t.Errorf("value %d arrived changed", i)
		}
		if len(f.cell.command.Argv) != 1 {
			t.Errorf("a command got arguments: %.100q", f.cell.command.Argv)
		}
	}
}
