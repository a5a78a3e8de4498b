package machine

import "testing"

// TestTableMoves changes tables so that their entries move while they are
// iterated, where CPython itself skips or continues at random.
func TestTableMoves(t *testing.T) {
	runs(t, [][2]string{
		{"d = {i: i for i in range(7)}\nseen = []\nfor k in d:\n    seen.append(k)\n    if k == 3:\n        del d[0], d[1], d[2], d[5]\n        d[10] = d[11] = d[12] = d[13] = 0\nseen",
			"RuntimeError: dictionary keys changed during iteration"},
		{"d = {'a': 1, 'b': 2, 'c': 3}\nfor k in d:\n    d[k.upper()] = d.pop(k)\nd", "RuntimeError: dictionary keys changed during iteration"},
		{"s = {0, 1, 2, 3}\nseen = []\nfor k in s:\n    seen.append(k)\n    if k == 1:\n        s.remove(2)\n        s.add(9)\nseen", "[0, 1, 3, 9]"},
		{"s = {1, 2, 3}\nfor k in s:\n    s.remove(k)\n    s.add(k)\ns", "RuntimeError: Set changed size during iteration"},
		{"s = {1, 2, 3}\nt = []\nfor k in s:\n    t.append(k)\n    s |= {3}\n    s &= {1, 2, 3}\nt", "[1, 2, 3]"},
		{"d = {i: i for i in range(40)}\nit = iter(d)\nt = [next(it) for _ in range(20)]\n" +
			"for n in range(6):\n    for i in range(10):\n        d[1000 + n * 10 + i] = d.pop(30 + i if n == 0 else 990 + n * 10 + i)\nlist(it)",
			"RuntimeError: dictionary keys changed during iteration"},
	})
}

// TestTableMovesSaved saves iterators between a move and their next item.
func TestTableMovesSaved(t *testing.T) {
	for source, want := range map[string]string{
		"d = {0: 0, 1: 1, 2: 2, 3: 3}\nit = iter(d)\nback = reversed(d)\nnext(it), next(it), next(back)\ndel d[2]\nd[9] = 9\nf(1)\n(list(it), list(back))": "([3, 9], [1, 0])",
		"d = {0: 0, 1: 1}\nit = iter(d)\nnext(it), next(it)\ndel d[1]\nd[2] = 2\nf(1)\nlist(it)":                                                           "RuntimeError: dictionary keys changed during iteration",
		"s = {0, 1}\nit = iter(s)\nnext(it), next(it)\ns.remove(1)\ns.add(2)\nf(1)\nlist(it)":                                                              "RuntimeError: Set changed size during iteration",
	} {
		m := runCut(t, toolProgram(t, source), nil, func(m *Machine) *Machine {
			if m.Status() == Waiting {
				return reload(t, m)
			}
			return m
		})
		if got := snapshotOutcome(m); got != "\n"+want {
			t.Errorf("%s\n got %q\nwant %q", source, got, want)
		}
	}
}
