package contexts

import (
	"strings"
	"testing"
	"time"
)

// TestLineInParts: parts of a line are one event, also with a mark between them and
// what was written before.
func TestLineInParts(t *testing.T) {
	said := make(chan message, 8)
	stdout, _ := newMarks(func(m message) error { said <- m; return nil }, time.Hour).streams()
	write := func(parts ...string) {
		t.Helper()
		for _, part := range parts {
			if _, err := stdout.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
		}
	}
	expect := func(want string) {
		t.Helper()
		select {
		case m := <-said:
			if got := m.event.Type + ":" + m.event.Text; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		default:
			t.Errorf("nothing came, want %q", want)
		}
	}
	id := strings.Repeat("A", 26)
	write("\x1e"+id, " begin\x1e", "[1]", " 2", "\n", "[1] 3")
	expect("stdout:[1] 2\n")
	write("\x1e", id+` event {"type":"resu`, `lt","data":{"text/plain":"4"}}`, "\x1eafter\n")
	expect("stdout:[1] 3")
	expect("result:")
	expect("stdout:after\n")
	long := strings.Repeat("x", longMark) + "\n"
	write("\x1e"+id+" nothing\x1e", long)
	expect("stdout:\x1e" + id + " nothing\x1e" + long)
	if _, err := stdout.Write([]byte("\x1e" + id + " event none\x1e")); err == nil {
		t.Error("an event that is none is taken")
	}
}

// TestLineSettles: a line whose end does not come is passed on all the same.
func TestLineSettles(t *testing.T) {
	said := make(chan message, 1)
	stdout, _ := newMarks(func(m message) error { said <- m; return nil }, time.Millisecond).streams()
	if _, err := stdout.Write([]byte("\x1e" + strings.Repeat("A", 26) + " begin\x1eworking...")); err != nil {
		t.Fatal(err)
	}
	if got := (<-said).event.Text; got != "working..." {
		t.Errorf("got %q", got)
	}
}
