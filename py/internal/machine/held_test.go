package machine

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestArgumentsAreHeld makes calls with so little memory that there is a trace
// every few of them, at each place where a call can allocate. No argument may be
// lost on the way.
func TestArgumentsAreHeld(t *testing.T) {
	for name, call := range map[string]string{
		"names":     "def f(*a, b, **k):\n    return (a, b, k)\nwant = ((1, i), 2, {'c': i})\ngot = (lambda *a, **k: f(*a, **k))(1, i, b=2, c=i)",
		"defaults":  "def f(a, b=7, *c, d=8):\n    return (a, b, c, d)\nwant = (i, 1, (2, 3), 8)\ngot = (lambda *a: f(*a))(i, 1, 2, 3)",
		"class":     "class C:\n    def __init__(self, a, *b):\n        self.all = (a, b)\nwant = (i, (1, 2))\ngot = (lambda *a: C(*a))(i, 1, 2).all",
		"exception": "want = (i, 1, 2)\ngot = (lambda *a: ValueError(*a))(i, 1, 2).args",
		"generator": "def g(a, *b):\n    yield a, b\nwant = (i, (1, 2))\ngot = next((lambda *a: g(*a))(i, 1, 2))",
		"getter":    "class C:\n    def __getattr__(self, n, *m):\n        return (n, m)\nwant = ('x', ())\ngot = C().x",
		"method":    "class C:\n    def f(self, a, b=1, c=2, d=3, e=4, f=5, g=6, *h):\n        return (a, b, g, h)\nwant = (i, 1, 6, ())\ngot = C().f(i)",
	} {
		source := "def run(i):\n"
		for _, line := range strings.Split(call, "\n") {
			source += "    " + line + "\n"
		}
		source += "    assert got == want, (i, got, want)\nfor i in range(20000):\n    run(i)"
		limits := testLimits
		limits.Memory, limits.Time = 80<<10, time.Minute
		m := New(testProgram(t, source), limits, Host{})
		m.Start(context.Background())
		if m.Status() != Done {
			t.Errorf("%s: %v", name, describeFailure(m))
		}
	}
}
