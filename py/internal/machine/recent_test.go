package machine

import (
	"context"
	"testing"
)

// TestRecentIdentities compares which strs are one object when the program is
// saved while it waits, when it is not, and when little memory makes it trace.
func TestRecentIdentities(t *testing.T) {
	p := toolProgram(t, `
def words():
    return "aa bb aa long-enough-to-be-its-own éé".split() + list("ééß日日") + ["xx".upper(), "xx".upper()]
def same(a, b):
    return [x is y for x, y in zip(a, b)]
before = words()
found = [same(before, words())]
f(1)
found.append(same(before, words()))
garbage = [str(i) * 3 for i in range(20000)]
found.append(same(before, before[:]) + same(words(), words()))
found
`)
	straight := runCut(t, p, nil, func(m *Machine) *Machine { return m })
	cut := runCut(t, p, nil, func(m *Machine) *Machine {
		if m.Status() == Waiting {
			return reload(t, m)
		}
		return m
	})
	limits := testLimits
	limits.Memory = 3 << 20
	tracing := New(p, limits, Host{})
	tracing.Start(context.Background())
	tracing.Resume(context.Background(), []Answer{answerTool(tracing.Calls()[0])})
	if tracing.epoch == 0 {
		t.Error("no trace was made")
	}
	want := snapshotOutcome(straight)
	for what, m := range map[string]*Machine{"saved": cut, "tracing": tracing} {
		if got := snapshotOutcome(m); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
}

// TestRecentWords makes more words than are kept, of all lengths, and looks at them.
func TestRecentWords(t *testing.T) {
	runs(t, [][2]string{
		{"text = ' '.join('x' * (i % 20) + str(i) for i in range(3000))\n" +
			"all(w.endswith(str(i)) and len(w) == i % 20 + len(str(i)) for _ in range(3) for i, w in enumerate(text.split(' ')))", "True"},
		{"text = ''.join(chr(i) for i in range(0xc0, 0x2000))\n[ord(c) for c in text] == list(range(0xc0, 0x2000)) and all(len(c) == 1 for c in text)", "True"},
	})
}
