package machine

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// fuzzSource has frames, generators, classes, iterators, tables and futures at
// the places where it calls tools.
const fuzzSource = `
class A:
    def __init__(self, x):
        self.x = x
    def __eq__(self, o):
        return f(self.x) == o.x
    def __hash__(self):
        return f(7)
class E(ValueError):
    pass
def g(n):
    for i, (a, b) in enumerate(zip(range(n), 'abcdef')):
        y = yield f(a)
        yield from (f(x) for x in [b, y])
def outer(k, *a, **kw):
    n = k
    def inner(x):
        nonlocal n
        n = n + x
        return f(n)
    return sorted([3, 1, 2], key=inner)
async def work(x):
    return await af(x) + 1
d = {A(1): 1, (A(2), 2): 2, 1.5: frozenset({1, frozenset({2})})}
try:
    raise E('bad', f(2**80))
except E as e:
    print(e.args)
s = {x for x in g(3)}
r = outer(1, 2, k2=3)
t = [m for m in map(f, d.items())] + [d.keys(), slice(1, 2), range(9), A(1).__eq__, super]
first, *rest = (f(x) for x in 'xyz')
async def main():
    return await gather(work(1), work(2), af(3))
print(repr(r), f'{f(1)!r:>5}', await main())
`

// fuzzLimits let a loaded program do little.
var fuzzLimits = Limits{Memory: 4 << 20, Steps: 200_000, Time: 2 * time.Second, Depth: 64, Output: 1 << 16, Calls: 1000}

// FuzzLoad loads arbitrary bytes and runs what that gives. Nothing may panic,
// and what was loaded can be dumped and loaded again.
func FuzzLoad(f *testing.F) {
	p := toolProgram(f, fuzzSource)
	header := bytes.Buffer{}
	runCut(f, p, every(7), func(m *Machine) *Machine {
		data, err := m.Snapshot(nil)
		if err != nil {
			f.Fatal(err)
		}
		if header.Len() == 0 {
			header.Write(data[:len(snapshotMagic)+8])
		}
		f.Add(data[header.Len():])
		return m
	})
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := Load(p, append(bytes.Clone(header.Bytes()), body...), nil, fuzzLimits, Host{})
		if err != nil {
			return
		}
		data, err := m.Snapshot(nil)
		if err != nil {
			t.Fatalf("what was loaded cannot be dumped: %v", err)
		}
		again, err := Load(p, data, nil, fuzzLimits, Host{})
		var limit *LimitError
		if err != nil && !errors.As(err, &limit) {
			t.Fatalf("what was dumped cannot be loaded: %v", err)
		}
		if again != nil {
			finishLoaded(t, again)
		}
	})
}

// finishLoaded answers the calls of a loaded program until it ends.
func finishLoaded(t *testing.T, m *Machine) {
	ctx := context.Background()
	for range 50 {
		switch m.Status() {
		case Running:
			m.Run(ctx)
		case Ready:
			m.Start(ctx)
		case Waiting:
			c := m.Calls()[0]
			m.Resume(ctx, []Answer{{ID: c.ID, Value: c.Args[0]}})
		}
	}
	if err := m.Failure(); err != nil && strings.HasPrefix(err.Error(), "internal error") {
		t.Fatal(err)
	}
}

// TestLoadDamaged changes each byte of a snapshot in a few ways.
func TestLoadDamaged(t *testing.T) {
	p := toolProgram(t, fuzzSource)
	n := 0
	runCut(t, p, nil, func(m *Machine) *Machine {
		if n++; n%9 != 0 {
			return m
		}
		data, err := m.Snapshot(nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := len(snapshotMagic) + 8; i < len(data); i++ {
			for _, c := range []byte{0, 1, 6, data[i] + 1, data[i] ^ 0x80, 255} {
				damaged := bytes.Clone(data)
				damaged[i] = c
				if m, err := Load(p, damaged, nil, fuzzLimits, Host{}); err == nil {
					finishLoaded(t, m)
				}
			}
		}
		return m
	})
}

func TestSnapshotRefused(t *testing.T) {
	p := toolProgram(t, "x = f(1)")
	m := New(p, testLimits, Host{})
	m.Start(context.Background())
	key := []byte("a key")
	data, err := m.Snapshot(key)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := m.Snapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(plain); n > 200 {
		t.Errorf("a small snapshot has %d bytes", n)
	}
	other := bytes.Clone(plain)
	other[3]++
	for _, c := range []struct {
		what    string
		p       *Program
		data    []byte
		key     []byte
		refusal error
	}{
		{"the right key", p, data, key, nil},
		{"another key", p, data, []byte("b"), ErrKey},
		{"no tag", p, plain, key, ErrKey},
		{"a tag that nobody asked for", p, data, nil, ErrCorrupt},
		{"another program", toolProgram(t, "x = f(2)"), plain, nil, ErrProgram},
		{"another format", p, other, nil, ErrFormat},
		{"nothing", p, nil, nil, ErrCorrupt},
	} {
		if _, err := Load(c.p, c.data, c.key, testLimits, Host{}); !errors.Is(err, c.refusal) {
			t.Errorf("%s: %v, want %v", c.what, err, c.refusal)
		}
	}
}

func benchmarkSnapshot(b *testing.B, source string) (*Machine, []byte) {
	m := New(toolProgram(b, source), testLimits, Host{})
	m.Start(context.Background())
	data, err := m.Snapshot(nil)
	if err != nil {
		b.Fatal(err)
	}
	return m, data
}

var benchmarkSources = map[string]string{
	"small":   "x = f(1)",
	"strings": "a = [f'string number {i}' for i in range(10000)]\nx = f(1)",
}

func BenchmarkSnapshot(b *testing.B) {
	for name, source := range benchmarkSources {
		b.Run(name, func(b *testing.B) {
			m, data := benchmarkSnapshot(b, source)
			b.ReportMetric(float64(len(data)), "bytes")
			for b.Loop() {
				if _, err := m.Snapshot(nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for name, source := range benchmarkSources {
		b.Run(name, func(b *testing.B) {
			m, data := benchmarkSnapshot(b, source)
			for b.Loop() {
				again, err := Load(m.program, data, nil, testLimits, Host{})
				if err != nil {
					b.Fatal(err)
				}
				again.release() // as if it had ended
			}
		})
	}
}
