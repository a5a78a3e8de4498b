package machine

import (
	"strings"
	"testing"
)

func TestStrs(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"a, e, l = 'a', '', 'é' * 40\n[a + e + 'b', e + a + e, a + a + a + a, l + a + 'é', e + e + e, len('é' + a + 'é'), len(l + l + a)]", "['ab', 'a', 'aaaa', '" + strings.Repeat("é", 40) + "aé', '', 3, 81]"},
		{"class A:\n    def __radd__(self, s): return s + '!'\na, n = 'x', 'xyz'\ndef f(a, n): return a + a + a + n\na + 'b' + A(), a + A() + 'c', f(a, n), ('<' + n + '>').upper()", "('xb!', 'x!c', 'xxxxyz', '<XYZ>')"},
		{"try:\n    'a' + 'b' + 1\nexcept TypeError as e:\n    r = str(e)\nr", "'can only concatenate str (not \"int\") to str'"},
		{"'a,b,,c'.split(',')", "['a', 'b', '', 'c']"},
		{"'-'.join(['a', 'b'])", "'a-b'"},
		{"'-'.join(str(i) for i in range(3))", "'0-1-2'"},
		{"' x '.strip(), 'xxhixx'.strip('x')", "('x', 'hi')"},
		{"'hello'.replace('l', 'L', 1)", "'heLlo'"},
		{"'hello'.startswith(('x', 'he'))", "True"},
		{"'ß'.upper(), 'ÄÖ'.lower()", "('SS', 'äö')"},
		{"class I:\n    def __index__(self): return 7\n'a'.center(I(), '*'), 'abc'.find('c', I())", "('***a***', -1)"},
		{"class I:\n    def __index__(self): return 1\n'a b c'.split(None, maxsplit=I())", "['a', 'b c']"},
		{"f'{3.14159:.2f}|{255:#x}|{\"a\":>3}|{1e22}|{10**20:,}'", "'3.14|0xff|  a|1e+22|100,000,000,000,000,000,000'"},
		{"[f'{x:>8.2f}|{x:,.1f}|{x:e}|{x:%}' for x in (0.0, -1234.5, 1e40, float('nan'))]", "['    0.00|0.0|0.000000e+00|0.000000%', '-1234.50|-1,234.5|-1.234500e+03|-123450.000000%', '10000000000000000303786028427003666890752.00|10,000,000,000,000,000,303,786,028,427,003,666,890,752.0|1.000000e+40|1000000000000000044885712678075916785549312.000000%', '     nan|nan|nan|nan%']"},
		{"str(b'abc', 'ascii'), 'é'.encode()", "('abc', b'\\xc3\\xa9')"},
		{"'%s-%r-%5.2f|%-5d|%05d|%x|%c%%' % ('a', 'b', 3.14159, 42, 7, 255, 'z')", "\"a-'b'- 3.14|42   |00007|ff|z%\""},
		{"'%(a)s %(b)d' % {'a': 1, 'b': 2}", "'1 2'"},
		{"class A:\n    def __str__(self): return 'A!'\n    def __repr__(self): return 'rA'\n    def __int__(self): return 9\n'%s,%d,%r,%*s|' % (A(), A(), A(), 4, A())", "'A!,9,rA,  A!|'"},
		{"class A:\n    def __str__(self): return 'A!'\nclass M:\n    def __getitem__(self, k): return k if k == 'x' else A()\n'%(x)s.%(y)s.%(x)s' % M()", "'x.A!.x'"},
		{"b'%s %d' % (b'x', 3)", "b'x 3'"},
		{"'{} {!r} {:>5} {}'.format(1, 'a', 'b', 2.5)", "\"1 'a'     b 2.5\""},
		{"'{0[a]} {x[1]} {x} {1:{w}}|'.format({'a': 3}, 5, x=[1,2], w=3)", "'3 2 [1, 2]   5|'"},
		{"class A:\n    def __init__(self): self.n = 4\n    def __format__(self, s): return '<' + s + '>'\n    @property\n    def p(self): return 'prop'\n    def __getitem__(self, k): return k\n'{:abc}{}{0.n}{0.p}{0[k]}{:{}d}'.replace('{0', '{a').format(A(), 3, 5, 4, a=A())", "'<abc>34propk   5'"},
		{"'{a} {b:>3}'.format_map({'a': 1, 'b': 2})", "'1   2'"},
		{"try:\n    '{0.__class__}'.format(5)\nexcept AttributeError as e:\n    r = str(e)\nr", "\"'int' object has no attribute '__class__'\""},
		{"try:\n    'a' % 5\nexcept TypeError as e:\n    r = str(e)\nr", "'not all arguments converted during string formatting'"},
		{"bytes([1, 2, 255]), bytes(3), bytes('é', 'utf-8'), bytes(b'x'), bytes()", "(b'\\x01\\x02\\xff', b'\\x00\\x00\\x00', b'\\xc3\\xa9', b'x', b'')"},
		{"bytes(i for i in range(3))", "b'\\x00\\x01\\x02'"},
		{"b'abc'.hex(), b'abc'.hex(':'), bytes.fromhex('61 62'), b'\\xe9'.decode('latin-1')", "('616263', '61:62:63', b'ab', 'é')"},
		{"b'a,b'.split(b','), b'abc'.find(98), b','.join([b'x', b'y'])", "([b'a', b'b'], 1, b'x,y')"},
		{"'abc'.translate({97: 'XX', 98: None, 99: 100}), 'abc'.translate(str.maketrans('ab', 'xy', 'c'))", "('XXd', 'xy')"},
		{"class T:\n    def __getitem__(self, k):\n        if k == 98: raise KeyError(k)\n        return k + 1\n'abc'.translate(T())", "'bbd'"},
		{"b'abc'.translate(bytes.maketrans(b'a', b'z'), b'c')", "b'zb'"},
		{"[int(x) for x in ('0', '-12', '0042', '999999999999999999', '1_0', ' 7 ', '+3', 2.9, -2.9, 1e15, True)]", "[0, -12, 42, 999999999999999999, 10, 7, 3, 2, -2, 1000000000000000, 1]"},
		{"[float(x) for x in ('1', '-0', '.5', '5.', '1_0', ' 7e1 ', 'inf', 3, 2**53 + 1, True)]", "[1.0, -0.0, 0.5, 5.0, 10.0, 70.0, inf, 3.0, 9007199254740992.0, 1.0]"},
		{"[str(x) for x in (0, 999, 1000, -1, 2**63, 1.5, -0.0, 1e100, 'é', True, None)]", "['0', '999', '1000', '-1', '9223372036854775808', '1.5', '-0.0', '1e+100', 'é', 'True', 'None']"},
	} {
		m := eval(t, c.source)
		if m.Status() != Done {
			t.Errorf("%q: %v", c.source, m.Failure())
			continue
		}
		s, err := m.ReprNative(m.Result())
		if err != nil || s != c.want {
			t.Errorf("%q = %s, %v; want %s", c.source, s, err, c.want)
		}
	}
}
