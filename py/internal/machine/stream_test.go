package machine

import "testing"

// TestExtremesStream takes extremes of more items than there is memory for.
func TestExtremesStream(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"max(x for x in range(2_000_000))", "1999999"},
		{"min(range(10**7))", "0"},
		{"max(map(abs, range(-3_000_000, 0)))", "3000000"},
		{"min((x for x in range(2_000_000)), key=lambda x: -x)", "1999999"},
		{"max(iter([]), default=7)", "7"},
		{"max(1, 2.5, True)", "2.5"},
		{"class A:\n    def __init__(self, n): self.n = n\n    def __gt__(self, o): return self.n > o.n\n    def __lt__(self, o): return self.n < o.n\n" +
			"[max(map(A, [1, 3, 2])).n, min(map(A, [2, 1, 3])).n, max(A(1), A(2)).n, max([A(5)]).n]", "[3, 1, 2, 5]"},
		{"max([1, 'a'])", "TypeError: '>' not supported between instances of 'str' and 'int'"},
		{"min([])", "ValueError: min() arg is an empty sequence"},
		{"max(5)", "TypeError: 'int' object is not iterable"},
	} {
		m := eval(t, c.source)
		got := ""
		if m.Status() == Done {
			got, _ = m.Repr()
		} else {
			got = m.Failure().Error()
		}
		if got != c.want {
			t.Errorf("%q = %s, want %s", c.source, got, c.want)
		}
	}
}
