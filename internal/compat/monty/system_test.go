package monty

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/graph"
)

// tree is the files of a client: the directories, and what is in them.
var tree = map[string][]string{"/d": {"a.txt", "b.py", "sub"}, "/d/sub": {"c.py", "link"}}

// served answers calls about tree until the code ends. link is a symlink to /d.
func (c *client) served(ev event) event {
	c.t.Helper()
	for ev.kind == eventOSCall {
		call, path := osCall(c.t, ev)
		if call == int32(osScan) {
			path = part(c.t, path, 1)
		}
		g := &graph.Graph{}
		yes := graph.Node{Kind: graph.Bool}
		found, isDir := tree[string(path)]
		switch {
		case call == int32(osScan) && strings.HasSuffix(string(path), "c.py"):
			items := []uint32{g.Add(graph.Node{Kind: graph.Str}), g.Add(yes), g.Add(graph.Node{Kind: graph.Bool, Int: 1}), g.Add(yes)}
			g.Add(graph.Node{Kind: graph.Tuple, Items: items})
			g.Add(graph.Node{Kind: graph.List, Items: []uint32{4}})
		case call == int32(osScan) && isDir:
			g = scanned(string(path))
		case (call == 9 || call == int32(osScan)) && !isDir:
			ev = c.send(requestResumeCall, join(numberSet(1, word(c.t, ev.body, 1)), bytesOf(2, bytesOf(2, text(1, "FileNotFoundError")))))
			continue
		case call == 9:
			var items []uint32
			for _, name := range found {
				items = append(items, g.Add(graph.Node{Kind: graph.Path, Text: string(path) + "/" + name}))
			}
			g.Add(graph.Node{Kind: graph.List, Items: items})
		case call == 2 && strings.HasSuffix(string(path), "c.py"):
			yes.Int = 1
			g.Add(yes)
		case call == 4 && (isDir || strings.HasSuffix(string(path), "/link")), call == 5 && strings.HasSuffix(string(path), "/link"):
			yes.Int = 1
			fallthrough
		default:
			g.Add(yes)
		}
		ev = c.send(requestResumeCall, join(numberSet(1, word(c.t, ev.body, 1)),
			bytesOf(2, number(1, uint64(len(g.Nodes)-1))), bytesOf(3, version6.arena(g))))
	}
	return ev
}

// scanned answers the call for a tree, with what is at most depth levels below path.
func scanned(path string) *graph.Graph {
	g := &graph.Graph{}
	var entries []uint32
	add := func(name string, dir, file, link int64) {
		var parts []uint32
		for _, n := range []graph.Node{{Kind: graph.Str, Text: name}, {Kind: graph.Bool, Int: dir}, {Kind: graph.Bool, Int: file}, {Kind: graph.Bool, Int: link}} {
			parts = append(parts, g.Add(n))
		}
		entries = append(entries, g.Add(graph.Node{Kind: graph.Tuple, Items: parts}))
	}
	add("", 1, 0, 0)
	for dir, names := range tree {
		below, ok := strings.CutPrefix(dir, path)
		for _, name := range names {
			_, isDir := tree[dir+"/"+name]
			isLink := name == "link"
			if ok {
				add(strings.TrimPrefix(below+"/"+name, "/"), bit(isDir || isLink), bit(!isDir && !isLink), bit(isLink))
			}
		}
	}
	g.Add(graph.Node{Kind: graph.List, Items: entries})
	return g
}

func bit(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func TestFilesAreFound(t *testing.T) {
	for code, want := range map[string]string{
		"' '.join(str(p) for p in Path('/d').glob('*.py'))":                              "/d/b.py",
		"' '.join(str(p) for p in Path('/d').glob('*.PY', case_sensitive=False))":        "/d/b.py",
		"' '.join(str(p) for p in Path('/d').glob('**/*.py'))":                           "/d/b.py /d/sub/c.py",
		"' '.join(str(p) for p in Path('/d').rglob('c*'))":                               "/d/sub/c.py",
		"' '.join(str(p) for p in Path('/d').glob('s*/*.py'))":                           "/d/sub/c.py",
		"' '.join(str(p) for p in Path('/d').glob('sub/c.py'))":                          "/d/sub/c.py",
		"' '.join(str(p) for p in Path('/none').glob('*'))":                              "",
		"repr(list(os.walk('/d')))":                                                      "[('/d', ['sub'], ['a.txt', 'b.py']), ('/d/sub', ['link'], ['c.py'])]",
		"repr([str(d) for d, _, _ in Path('/d').walk(top_down=False)])":                  "['/d/sub', '/d']",
		"repr([n for _, _, n in Path('/d').walk()])":                                     "[['a.txt', 'b.py'], ['c.py', 'link']]",
		"repr([(e.name, e.is_dir()) for e in os.scandir('/d')])":                         "[('a.txt', False), ('b.py', False), ('sub', True)]",
		"try:\n    os.scandir('/none')\nexcept FileNotFoundError:\n    r = 'no'\nr":      "no",
		"seen = []\nlist(os.walk('/none', onerror=seen.append))\ntype(seen[0]).__name__": "FileNotFoundError",
	} {
		for version := range uint64(2) {
			c := connect(t)
			c.send(requestConfigure, number(9, 5+version))
			if _, n := c.value(c.served(c.feed("import os\nfrom pathlib import Path\n" + code))); n.Text != want {
				t.Errorf("%s by version %d: %q, want %q", code, 5+version, n.Text, want)
			}
		}
	}
}

// A path leaves with what leads nowhere in it, for a client that judges that.
func TestPathsLeaveAsTheyWereWritten(t *testing.T) {
	c := configured(t)
	if _, path := osCall(t, c.feed("from pathlib import Path\nPath('a/../x').read_text()", text(5, "/d"))); string(path) != "/d/a/../x" {
		t.Errorf("got %q", path)
	}
}

func TestPathsWithNULAskNobody(t *testing.T) {
	for code, want := range map[string]string{
		"open('a\\0')":                    "embedded null byte",
		"Path('a\\0').read_text()":        "embedded null byte",
		"os.listdir('a\\0')":              "listdir: embedded null character in path",
		"os.rename('a', 'b\\0')":          "rename: embedded null character in dst",
		"list(os.walk('a\\0'))":           "scandir: embedded null character in path",
		"os.chdir('a\\0')":                "chdir: embedded null character in path",
		"1 / os.path.exists('a\\0')":      "division by zero",
		"1 / Path('a\\0').is_dir()":       "division by zero",
		"list(Path('/').glob('a\\0/b*'))": "embedded null byte",
		"list(Path('/a\\0').walk())":      "embedded null byte",
		"Path('a').rename('b\\0')":        "rename: embedded null character in dst",
	} {
		c := configured(t)
		if r := c.raisedBy(c.feed("import os\nfrom pathlib import Path\n" + code)); r.message != want {
			t.Errorf("%s: %q, want %q", code, r.message, want)
		}
	}
}

func TestDirectoryIsChanged(t *testing.T) {
	c := configured(t)
	mode := &graph.Graph{Nodes: []graph.Node{{Kind: graph.Int, Int: 0o040755}}}
	mode.Add(graph.Node{Kind: graph.NamedTuple, Text: "os.stat_result", Names: []string{"st_mode"}, Items: []uint32{0}})
	ev := c.feed("import os\nos.chdir('sub/../new/')", text(5, "/d"))
	if call, path := osCall(t, ev); call != 8 || string(path) != "/d/sub/../new/" {
		t.Fatalf("call %d of %q", call, path)
	}
	c.send(requestResumeCall, join(bytesOf(2, number(1, 1)), bytesOf(3, version6.arena(mode))))
	state := dumped(t, c)
	d := connect(t)
	d.send(requestLoad, bytesOf(1, state))
	for _, s := range []*client{c, d} {
		if _, n := s.value(s.feed("import os\nos.getcwd() + ' ' + __file__")); n.Text != "/d/new /d/main.py" {
			t.Errorf("got %q", n.Text)
		}
	}
	mode.Nodes[0].Int = 0o100644
	c.feed("os.chdir('/file')")
	r := c.raisedBy(c.send(requestResumeCall, join(number(1, 1), bytesOf(2, number(1, 1)), bytesOf(3, version6.arena(mode)))))
	if r.class != "NotADirectoryError" || r.message != "[Errno 20] Not a directory: '/file'" {
		t.Errorf("got %+v", r)
	}
}

func TestOpenFilesCross(t *testing.T) {
	c := configured(t)
	g := &graph.Graph{Nodes: []graph.Node{{Kind: graph.File, Text: "/d/a.txt", Names: []string{"r"}, Int: 2}}}
	ev := c.feed("f.read(3) + f.name", join(bytesOf(2, text(1, "f")), bytesOf(3, version6.arena(g))))
	if call, path := osCall(t, ev); call != 6 || string(path) != "/d/a.txt" {
		t.Fatalf("call %d of %q", call, path)
	}
	if _, n := c.value(c.answered(ev, graph.Node{Kind: graph.Str, Text: "abcdef"})); n.Text != "cde/d/a.txt" {
		t.Errorf("got %q", n.Text)
	}
	if _, n := c.value(c.feed("f")); n.Kind != graph.File || n.Text != "/d/a.txt" || n.Int != 5 {
		t.Errorf("got %+v", n)
	}
	g.Nodes[0].Names[0] = "rwx"
	if ev := c.feed("1", join(bytesOf(2, text(1, "f")), bytesOf(3, version6.arena(g)))); ev.kind != eventFatal {
		t.Errorf("a mode that there is not: event %d: %q", ev.kind, ev.body)
	}
}

// A client is not believed what it says of a tree.
func TestTreesThatAreNone(t *testing.T) {
	for _, name := range []string{"/etc/passwd", "../x", "a/../b", "a//b", "."} {
		g := &graph.Graph{Nodes: []graph.Node{{Kind: graph.Str, Text: name}, {Kind: graph.Bool, Int: 1}, {Kind: graph.Str}}}
		g.Add(graph.Node{Kind: graph.Tuple, Items: []uint32{2, 1, 1, 1}})
		g.Add(graph.Node{Kind: graph.Tuple, Items: []uint32{0, 1, 1, 1}})
		g.Add(graph.Node{Kind: graph.List, Items: []uint32{3, 4}})
		c := configured(t)
		c.feed("import os\nlist(os.walk('/d'))")
		r := c.raisedBy(c.send(requestResumeCall, join(bytesOf(2, number(1, 5)), bytesOf(3, version6.arena(g)))))
		if r.class != "RuntimeError" || !strings.Contains(r.message, "Path.scan") {
			t.Errorf("%s: got %+v", name, r)
		}
	}
}
