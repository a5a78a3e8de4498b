package machine

import "testing"

func TestStrs(t *testing.T) {
	for _, c := range []struct{ source, want string }{
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
		{"str(b'abc', 'ascii'), 'é'.encode()", "('abc', b'\\xc3\\xa9')"},
	} {
		m := eval(t, c.source)
		if m.Status() != Done {
			t.Errorf("%q: %v", c.source, m.Failure())
			continue
		}
		s, err := m.reprNative(m.Result())
		if err != nil || s != c.want {
			t.Errorf("%q = %s, %v; want %s", c.source, s, err, c.want)
		}
	}
}
