package copier

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// treeOf makes a tree: a name that ends with a slash is a directory, and
// "name -> target" a symbolic link.
func treeOf(names ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, n := range names {
		name, target, link := strings.Cut(n, " -> ")
		switch {
		case link:
			m[name] = &fstest.MapFile{Mode: fs.ModeSymlink | 0o777, Data: []byte(target)}
		case strings.HasSuffix(name, "/"):
			m[strings.TrimSuffix(name, "/")] = &fstest.MapFile{Mode: fs.ModeDir | 0o700}
		default:
			m[name] = &fstest.MapFile{Mode: 0o640, Data: []byte("of " + name)}
		}
	}
	return m
}

// written lists what an instruction makes: type, mode, owner, name and content.
func written(t *testing.T, c *Copier) []string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(t.Context(), &b, time.Unix(1000, 0)); err != nil {
		t.Fatal(err)
	}
	var out []string
	for r := tar.NewReader(&b); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.ModTime.Unix() != 1000 {
			t.Errorf("%s has the time %v", h.Name, h.ModTime)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%o %d:%d %s", h.Mode, h.Uid, h.Gid, h.Name)
		if h.Linkname != "" {
			line += " -> " + h.Linkname
		}
		if len(data) > 0 {
			line += " = " + string(data)
		}
		out = append(out, line)
	}
}

func TestFiles(t *testing.T) {
	mode := fs.FileMode(0o600)
	from := treeOf("a.txt", "b.txt", "dir/", "dir/x", "dir/sub/", "dir/sub/y", "dir/link -> ../a.txt", "top -> dir/x", "down -> dir", "up -> ../../etc/passwd", "etc/passwd")
	into := treeOf("etc/", "usr/bin/", "bin -> usr/bin", "here/", "file", "outside -> ../../usr")
	for name, test := range map[string]struct {
		source string
		o      Options
		want   []string
	}{
		"a file by its name":          {"/a.txt", Options{Dest: "/new/b"}, []string{"755 0:0 new/", "640 0:0 new/b = of a.txt"}},
		"a file into a directory":     {"/a.txt", Options{Dest: "/here"}, []string{"700 0:0 here/", "640 0:0 here/a.txt = of a.txt"}},
		"a file below a slash":        {"/a.txt", Options{Dest: "/new/"}, []string{"755 0:0 new/", "640 0:0 new/a.txt = of a.txt"}},
		"a file over another":         {"/a.txt", Options{Dest: "/file"}, []string{"640 0:0 file = of a.txt"}},
		"wildcards":                   {"/?.txt", Options{Dest: "/here/"}, []string{"700 0:0 here/", "640 0:0 here/a.txt = of a.txt", "640 0:0 here/b.txt = of b.txt"}},
		"wildcards that fit nothing":  {"/*.md", Options{Dest: "/here/"}, nil},
		"wildcards within components": {"/d*/x", Options{Dest: "/here/"}, []string{"700 0:0 here/", "640 0:0 here/x = of dir/x"}},
		"the content of a directory": {"/dir", Options{Dest: "/here"}, []string{
			"700 0:0 here/", "777 0:0 here/link -> ../a.txt", "700 0:0 here/sub/", "640 0:0 here/sub/y = of dir/sub/y", "640 0:0 here/x = of dir/x"}},
		"a new directory has a mode of its own": {"/dir/sub", Options{Dest: "/new"}, []string{"755 0:0 new/", "640 0:0 new/y = of dir/sub/y"}},
		"links on the way are followed":         {"/top", Options{Dest: "/here/"}, []string{"700 0:0 here/", "640 0:0 here/top = of dir/x"}},
		"a link to a directory":                 {"/down", Options{Dest: "/here/"}, []string{"700 0:0 here/", "777 0:0 here/link -> ../a.txt", "700 0:0 here/sub/", "640 0:0 here/sub/y = of dir/sub/y", "640 0:0 here/x = of dir/x"}},
		"no link leads out of the source":       {"/up", Options{Dest: "/here/"}, []string{"700 0:0 here/", "640 0:0 here/up = of etc/passwd"}},
		"links of the destination":              {"/a.txt", Options{Dest: "/bin/"}, []string{"555 0:0 usr/", "700 0:0 usr/bin/", "640 0:0 usr/bin/a.txt = of a.txt"}},
		"no link leads out of the destination":  {"/a.txt", Options{Dest: "/outside/x/"}, []string{"555 0:0 usr/", "755 0:0 usr/x/", "640 0:0 usr/x/a.txt = of a.txt"}},
		"an owner and a mode": {"/dir/sub", Options{Dest: "/new", Owner: &Owner{5, 6}, Mode: &mode}, []string{
			"600 5:6 new/", "600 5:6 new/y = of dir/sub/y"}},
		"dots end at the root": {"/../../a.txt", Options{Dest: "/here/"}, []string{"700 0:0 here/", "640 0:0 here/a.txt = of a.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := New(into)
			if err := c.Files(from, test.source, test.o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, written(t, c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFilesThatCannotBe(t *testing.T) {
	from := treeOf("a", "dir/", "dir/x/", "loop -> loop")
	into := treeOf("here/", "here/a/", "here/x", "here/to -> x")
	for name, test := range map[string]struct{ source, dest, want string }{
		"nothing there":              {"/none", "/here/", "there is no such file or directory"},
		"a loop":                     {"/loop", "/here/", "symbolic links lead to it"},
		"a bad pattern":              {"/[", "/here/", "syntax error in pattern"},
		"a file over a directory":    {"/a", "/here/", `cannot replace the directory "/here/a"`},
		"a directory over a file":    {"/dir", "/here", `cannot replace "/here/x"`},
		"a directory that is a file": {"/dir", "/here/x", `"/here/x" is no directory`},
		"a file below a file":        {"/a", "/here/to/", `"/here/x" is no directory`},
	} {
		t.Run(name, func(t *testing.T) {
			err := New(into).Files(from, test.source, Options{Dest: test.dest})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// An instruction finds what the ones before made, and writes only its own.
func TestInstructionsFollowEachOther(t *testing.T) {
	from, c := treeOf("a", "b"), New(Empty())
	if err := c.MakeDir("/app/", Options{Owner: &Owner{1, 1}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"755 1:1 app/"}, written(t, c)); diff != "" {
		t.Error(diff)
	}
	c.Next()
	if err := c.MakeDir("/app", Options{}); err != nil || !c.Empty() {
		t.Errorf("%v; making a directory again is not nothing", err)
	}
	if err := c.Files(from, "/a", Options{Dest: "/app"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"755 1:1 app/", "640 0:0 app/a = of a"}, written(t, c)); diff != "" {
		t.Error(diff)
	}
	if err := c.Text("c", "text", Options{Dest: "/one"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Files(from, "/b", Options{Dest: "/one"}); err == nil || !strings.Contains(err.Error(), "several files") {
		t.Errorf("two files of one name give %v", err)
	}
}
