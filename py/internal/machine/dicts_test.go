package machine

import "testing"

// runs checks programs against the repr of their value or their last line of
// error.
func runs(t *testing.T, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		m := eval(t, c[0])
		got := ""
		if m.Status() == Done {
			s, err := m.ReprNative(m.Result())
			if err != nil {
				t.Errorf("%q: %v", c[0], err)
			}
			got = s
		} else {
			got = m.Failure().Error()
		}
		if got != c[1] {
			t.Errorf("%q = %s; want %s", c[0], got, c[1])
		}
	}
}

const oddKeys = `
class K:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return isinstance(other, K) and self.n == other.n
    def __hash__(self):
        return hash(self.n)
    def __repr__(self):
        return f"K{self.n}"
`

func TestDictMethods(t *testing.T) {
	runs(t, [][2]string{
		{"d = {'a': 1}\n(d.get('a'), d.get('b'), d.get('b', 2), d.setdefault('c'), d.setdefault('a', 5), d)",
			"(1, None, 2, None, 1, {'a': 1, 'c': None})"},
		{"d = {'a': 1}\n(d.pop('a'), d.pop('a', 7), d)", "(1, 7, {})"},
		{"{}.pop('x')", "KeyError: 'x'"},
		{"{}.pop()", "TypeError: pop expected at least 1 argument, got 0"},
		{"{}.popitem()", "KeyError: 'popitem(): dictionary is empty'"},
		{"d = {1: 2, 3: 4}\n(d.popitem(), d.popitem(), d)", "((3, 4), (1, 2), {})"},
		{"d = {1: 2}\n(d.keys(), d.values(), d.items(), len(d.keys()), list(reversed(d)) if False else 0)",
			"(dict_keys([1]), dict_values([2]), dict_items([(1, 2)]), 1, 0)"},
		{"d = {1: 2}\nd.update({3: 4}, x=5)\nd.update([(6, 7), 'ab'])\nd.update(z=0)\nd", "{1: 2, 3: 4, 'x': 5, 6: 7, 'a': 'b', 'z': 0}"},
		{"dict([(1, 2)], a=3)", "{1: 2, 'a': 3}"},
		{"dict({1: 2}, a=3)", "{1: 2, 'a': 3}"},
		{"dict(((x, x * x) for x in [1, 2]), a=3)", "{1: 1, 2: 4, 'a': 3}"},
		{"dict([[1, 2], (x for x in (3, 4)), iter([5, 6])])", "{1: 2, 3: 4, 5: 6}"},
		{"dict(1, 2)", "TypeError: dict expected at most 1 argument, got 2"},
		{"dict(1)", "TypeError: 'int' object is not iterable"},
		{"dict([1])", "TypeError: cannot convert dictionary update sequence element #0 to a sequence"},
		{"dict(x for x in [(1, 2), 3])", "TypeError: cannot convert dictionary update sequence element #1 to a sequence"},
		{"dict([(1, 2, 3)])", "ValueError: dictionary update sequence element #0 has length 3; 2 is required"},
		{"dict(x for x in ['abc'])", "ValueError: dictionary update sequence element #0 has length 3; 2 is required"},
		{"dict.fromkeys('ab', 1)", "{'a': 1, 'b': 1}"},
		{"dict.fromkeys(x for x in 'ab')", "{'a': None, 'b': None}"},
		{"dict.fromkeys()", "TypeError: fromkeys expected at least 1 argument, got 0"},
		{"d = {1: [2]}\ne = d.copy()\ne[3] = 4\n(d, e, e[1] is d[1])", "({1: [2]}, {1: [2], 3: 4}, True)"},
		{"d = {1: 2}\nd.clear()\nd", "{}"},
		{"dict.get(1, 2)", "TypeError: descriptor 'get' for 'dict' objects doesn't apply to a 'int' object"},
		{"{}.get([])", "TypeError: unhashable type: 'list'"},
		{"({1: 2}.keys().isdisjoint([1]), {1: 2}.keys().isdisjoint({2}), {1: 2}.items().isdisjoint([(1, 2)]))", "(False, True, False)"},
		{"{1: 2}.keys().isdisjoint(x for x in [3, 1])", "False"},
		{"class D(dict):\n    pass\nd = D([(1, 2)], a=3)\n(d['a'], d.get(1), d.copy(), type(D.fromkeys('a')) is D, len(d))", "(3, 2, {1: 2, 'a': 3}, True, 2)"},
		{"class D(dict):\n    def __missing__(self, k):\n        return k * 2\nd = D()\n(d[4], d.get(4))", "(8, None)"},
		{"class M:\n    def keys(self):\n        return ['a', 'b']\n    def __getitem__(self, k):\n        return k + k\nd = dict(M(), c=1)\nd.update(M())\nd", "{'a': 'aa', 'b': 'bb', 'c': 1}"},
	})
}

func TestDictKeysOfProgram(t *testing.T) {
	runs(t, [][2]string{
		{oddKeys + "d = {K(1): 'a'}\n(d.get(K(1)), d.get(K(2)), d.setdefault(K(1), 'z'), d.setdefault(K(3), 'c'), d.pop(K(3)), d.pop(K(9), 0), len(d))",
			"('a', None, 'a', 'c', 'c', 0, 1)"},
		{oddKeys + "try:\n    {}.pop(K(1))\nexcept KeyError as e:\n    r = e.args[0].n\nr", "1"},
		{oddKeys + "d = dict([(K(1), 1), (K(1), 2)], a=0)\nd.update({K(1): 3})\nrepr(d)", "\"{K1: 3, 'a': 0}\""},
		{oddKeys + "d = dict(iter([(K(1), 1), (K(2), 2)]))\nlen(d)", "2"},
		{oddKeys + "len(dict.fromkeys(iter([K(1), K(1), K(2)]), 0))", "2"},
		{"class E:\n    def __hash__(self):\n        return 1\n    def __eq__(self, o):\n        d.clear()\n        return True\nd = {E(): 1}\n(d.get(E(), 'gone'), d)", "('gone', {})"},
		{"class E:\n    def __hash__(self):\n        return 1\n    def __eq__(self, o):\n        d.clear()\n        return o is None\nd = {E(): 1}\nd[E()] = 5\nlen(d)", "1"},
	})
}

func TestSetOperatorsOfProgram(t *testing.T) {
	runs(t, [][2]string{
		{oddKeys + "a = {K(1), K(2)}\nb = {K(2), K(3)}\nrepr((a | b, a & b, a - b, a ^ b, frozenset(a) & b))", "'({K1, K2, K3}, {K2}, {K1}, {K1, K3}, frozenset({K2}))'"},
		{oddKeys + "a = {K(1), K(2)}\nc = a\na |= {K(2), K(3)}\na &= {K(2), K(3)}\na -= {K(3)}\na ^= {K(2), K(5)}\nrepr((a, c is a))", "'({K5}, True)'"},
		{oddKeys + "d = {K(1): 1}\ne = d\nf = d | {K(1): 2, K(2): 3}\nd |= {K(1): 5}\nrepr((f, d, e is d))", "'({K1: 2, K2: 3}, {K1: 5}, True)'"},
		{oddKeys + "d = {K(1): 1}\nrepr((d.keys() & [K(1)], d.keys() - (x for x in [K(3)]), d.items() | [(K(1), 1)]))", "'({K1}, {K1}, {(K1, 1)})'"},
		{"{1: 2}.keys() & (x for x in [1, 5])", "{1}"},
		{"{1: 2}.keys() & 5", "TypeError: 'int' object is not iterable"},
		{"{}.update(1, 2)", "TypeError: update expected at most 1 argument, got 2"},
		{oddKeys + "({K(1)} == {K(1)}, {K(1)} < {K(1), K(2)}, {K(1): 2} == {K(1): 2}, {K(1)} <= {K(2)}, {K(1): 1}.keys() == {K(1)})", "(True, True, True, False, True)"},
	})
}

func TestSetMethods(t *testing.T) {
	runs(t, [][2]string{
		{"s = {1}\ns.add(2)\ns.discard(5)\ns.remove(1)\n(s, s.pop(), s)", "(set(), 2, set())"},
		{"set().pop()", "KeyError: 'pop from an empty set'"},
		{"{1}.remove('x')", "KeyError: 'x'"},
		{"({1, 2}.union([3], (4,)), {1, 2}.intersection([2, 3]), {1, 2}.difference([2], [1]), {1, 2}.symmetric_difference([2, 3]))",
			"({1, 2, 3, 4}, {2}, set(), {1, 3})"},
		{"s = {1, 2, 3}\ns.update([4], {5: 6})\ns.difference_update([1])\ns.intersection_update([2, 3, 4])\ns.symmetric_difference_update([4, 9])\ns", "{2, 3, 9}"},
		{"({1}.issubset([1, 2]), {1, 2}.issuperset([1]), {1}.isdisjoint([2]), {1} <= {1, 2})", "(True, True, True, True)"},
		{"set(x for x in 'aab')", "{'a', 'b'}"},
		{"frozenset(x for x in 'aab')", "frozenset({'a', 'b'})"},
		{"(frozenset([1]).union([2]), frozenset([1]) | {2}, frozenset([1]).copy())", "(frozenset({1, 2}), frozenset({1, 2}), frozenset({1}))"},
		{"{1}.union(x for x in [2])", "{1, 2}"},
		{"{1}.union(iter([2]), (x for x in [3]))", "{1, 2, 3}"},
		{"set(1, 2)", "TypeError: set expected at most 1 argument, got 2"},
		{"set(1)", "TypeError: 'int' object is not iterable"},
		{"set(a=1)", "TypeError: set() takes no keyword arguments"},
		{"{1}.union(1)", "TypeError: 'int' object is not iterable"},
		{"set([[]])", "TypeError: unhashable type: 'list'"},
		{"{frozenset([1])}.remove({1})", "None"},
		{"set.add(1, 2)", "TypeError: descriptor 'add' for 'set' objects doesn't apply to a 'int' object"},
		{"set().add()", "TypeError: set.add() takes exactly one argument (0 given)"},
		{"class S(set):\n    pass\ns = S([1, 2])\ns.add(3)\n(len(s), s.union([4]), 3 in s)", "(3, {1, 2, 3, 4}, True)"},
		{oddKeys + "s = set([K(1), K(1), K(2)])\ns.add(K(2))\ns.discard(K(9))\ns.remove(K(1))\nrepr((s, s.union([K(2), K(3)]), s.issubset([K(2)]), s.isdisjoint([K(2)]), s.issuperset(iter([K(2)]))))",
			"'({K2}, {K2, K3}, True, False, True)'"},
		{oddKeys + "s = {K(1)}\ns.update(iter([K(1), K(2)]))\ns.symmetric_difference_update([K(1), K(5)])\nrepr((s, frozenset(iter([K(1), K(1)]))))",
			"'({K2, K5}, frozenset({K1}))'"},
		{oddKeys + "try:\n    set().remove(K(1))\nexcept KeyError as e:\n    r = e.args[0].n\nr", "1"},
	})
}
