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
		g := &graph.Graph{}
		yes := graph.Node{Kind: graph.Bool}
		found, isDir := tree[string(path)]
		switch {
		case call == 9 && !isDir:
			ev = c.send(requestResumeCall, join(numberSet(1, word(c.t, ev.body, 1)), bytesOf(2, bytesOf(2, text(1, "FileNotFoundError")))))
			continue
		case call == 9:
			var items []uint32
			for _, name := range found {
				items = append(items, g.Add(graph.Node{Kind: graph.Path, Text: string(path) + "/" + name}))
			}
			g.Add(graph.Node{Kind: graph.List, Items: items})
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

func TestFilesAreFound(t *testing.T) {
	for code, want := range map[string]string{
		"' '.join(str(p) for p in Path('/d').glob('*.py'))":                         "/d/b.py",
		"' '.join(str(p) for p in Path('/d').glob('**/*.py'))":                      "/d/b.py /d/sub/c.py",
		"' '.join(str(p) for p in Path('/d').rglob('c*'))":                          "/d/sub/c.py",
		"' '.join(str(p) for p in Path('/d').glob('s*/*.py'))":                      "/d/sub/c.py",
		"' '.join(str(p) for p in Path('/none').glob('*'))":                         "",
		"repr(list(os.walk('/d')))":                                                 "[('/d', ['sub'], ['a.txt', 'b.py']), ('/d/sub', [], ['c.py', 'link'])]",
		"repr([str(d) for d, _, _ in Path('/d').walk(top_down=False)])":             "['/d/sub', '/d']",
		"repr([(e.name, e.is_dir()) for e in os.scandir('/d')])":                    "[('a.txt', False), ('b.py', False), ('sub', True)]",
		"try:\n    os.scandir('/none')\nexcept FileNotFoundError:\n    r = 'no'\nr": "no",
	} {
		c := configured(t)
		if _, n := c.value(c.served(c.feed("import os\nfrom pathlib import Path\n" + code))); n.Text != want {
			t.Errorf("%s: %q, want %q", code, n.Text, want)
		}
	}
}
