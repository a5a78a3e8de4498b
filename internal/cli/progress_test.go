package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// clockwork is a clock that tests advance by hand.
type clockwork struct{ time.Time }

func (c *clockwork) now() time.Time { return c.Time }

func (c *clockwork) pass(d time.Duration) { c.Time = c.Add(d) }

// progressAt returns progress on a terminal of some columns, or elsewhere if
// there are none.
func progressAt(b *strings.Builder, columns int) (*progress, *clockwork) {
	clock := &clockwork{time.Unix(0, 0)}
	p := &progress{w: b, now: clock.now, began: clock.Time, printed: clock.Time}
	if columns > 0 {
		p.width = func() int { return columns }
	}
	return p, clock
}

func TestProgressOnATerminal(t *testing.T) {
	var b strings.Builder
	p, clock := progressAt(&b, 16)
	p.tick()
	p.show(api.Progress{Stage: "build", Message: "python\x1b[2J numpy and more"})
	clock.pass(61 * time.Second)
	p.show(api.Progress{Stage: "base", Message: "pull", Done: 1, Total: 4})
	p.tick()
	if _, err := p.before(&b).Write([]byte("out\n")); err != nil {
		t.Fatal(err)
	}
	p.tick()
	p.clear()
	want := "\r\x1b[K0s  waiting fo…\r\x1b[K\r\x1b[K0s  python\ufffd[2J…\r\x1b[K\r\x1b[K1m1s  pull 25%" +
		"\r\x1b[K\r\x1b[K1m1s  pull 25%\r\x1b[Kout\n\r\x1b[K1m1s  pull 25%\r\x1b[K"
	if diff := cmp.Diff(b.String(), want); diff != "" {
		t.Errorf("terminal (-got +want):\n%s", diff)
	}
}

// TestProgressElsewhere: a line for each stage of an image, and one now and
// then, none of a run that is over soon.
func TestProgressElsewhere(t *testing.T) {
	var b strings.Builder
	p, clock := progressAt(&b, 0)
	p.show(api.Progress{Stage: "start", Message: "starting the cell"})
	if p.tick(); b.Len() > 0 {
		t.Errorf("it says %q at once", b.String())
	}
	for _, message := range []string{"numpy", "pandas"} {
		p.show(api.Progress{Stage: "build", Message: message})
	}
	p.show(api.Progress{Stage: "base", Message: "base: debian bookworm"})
	if _, err := p.before(&b).Write([]byte("out")); err != nil {
		t.Fatal(err)
	}
	clock.pass(telling)
	p.tick()
	p.tick()
	p.clear()
	if want := "numpy\nbase: debian bookworm\nout\n20s  base: debian bookworm\n"; b.String() != want {
		t.Errorf("output = %q, want %q", b.String(), want)
	}
}

func TestCut(t *testing.T) {
	for text, want := range map[string]string{"abcd": "abcd", "abcde": "abc…", "漢字": "漢字", "漢字x": "漢…", "": ""} {
		if got := cut(text, 4); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestProgressColour(t *testing.T) {
	for value, want := range map[string]bool{"": true, "1": false} {
		p := newProgress(&strings.Builder{}, func(name string) string {
			if name == "NO_COLOR" {
				return value
			}
			return ""
		})
		if p.dim != want {
			t.Errorf("NO_COLOR=%q: dim = %v", value, p.dim)
		}
	}
}
