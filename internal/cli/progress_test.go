package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestProgressOnATerminal(t *testing.T) {
	var b strings.Builder
	p := &progress{w: &b, width: func() int { return 12 }}
	p.show(api.Progress{Stage: "build", Message: "python\x1b[2J numpy and more"})
	p.show(api.Progress{Stage: "base", Message: "pull", Done: 1, Total: 4})
	p.show(api.Progress{Stage: "start"})
	if _, err := p.before(&b).Write([]byte("out\n")); err != nil {
		t.Fatal(err)
	}
	p.clear()
	want := "\r\x1b[Kpython\ufffd[2J…\r\x1b[Kpull 25%\r\x1b[Kstart\r\x1b[Kout\n"
	if diff := cmp.Diff(b.String(), want); diff != "" {
		t.Errorf("terminal (-got +want):\n%s", diff)
	}
}

func TestProgressElsewhere(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, func(string) string { return "" })
	p.show(api.Progress{Stage: "build", Message: "numpy"})
	p.show(api.Progress{Stage: "base", Message: "base: debian bookworm"})
	if _, err := p.before(&b).Write([]byte("out\n")); err != nil {
		t.Fatal(err)
	}
	p.clear()
	if b.String() != "base: debian bookworm\nout\n" {
		t.Errorf("output = %q", b.String())
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
