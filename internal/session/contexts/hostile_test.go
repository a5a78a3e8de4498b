package contexts

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// fake is a driver that says what a test wants.
type fake struct {
	answer  func(id string, out io.Writer) // to a request
	ready   func(id string, out io.Writer) // to the opening; nil is what it should be
	started int
}

func (f *fake) StartDriver(_ context.Context, c Command) (Process, error) {
	f.started++
	in, requests := io.Pipe()
	p := &fakeProcess{Writer: requests, killed: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		first := true
		for scan := bufio.NewReader(in); ; first = false {
			line, err := scan.ReadBytes('\n')
			if err != nil {
				return
			}
			var r struct{ ID string }
			_ = json.Unmarshal(line, &r)
			switch {
			case !first:
				f.answer(r.ID, c.Stdout)
			case f.ready != nil:
				f.ready(r.ID, c.Stdout)
			default:
				fmt.Fprintf(c.Stdout, `{"id":%q,"type":"ready"}`+"\n", r.ID)
			}
		}
	}()
	p.kill = func() { in.Close() }
	return p, nil
}

type fakeProcess struct {
	io.Writer
	kill   func()
	once   sync.Once
	killed chan struct{}
	ended  chan struct{}
}

func (p *fakeProcess) Interrupt() error { return nil }
func (p *fakeProcess) Kill()            { p.once.Do(func() { close(p.killed); p.kill() }) }
func (p *fakeProcess) Wait() string     { <-p.killed; <-p.ended; return "killed" }

func event(id, kind, more string) string {
	return fmt.Sprintf(`{"id":%q,"type":%q%s}`+"\n", id, kind, more)
}

// A driver that says what no driver says is killed, and the next execution has a new one.
func TestHostileDriver(t *testing.T) {
	for name, said := range map[string]string{
		"no JSON":       "hello\n",
		"no object":     "[1]\n",
		"no text":       "{\"id\":\"\xff\"}\n",
		"unknown type":  event("ID", "launch", ""),
		"empty error":   event("ID", "error", ""),
		"wrong type":    event("ID", "stdout", `,"text":1`),
		"two in a line": strings.TrimSuffix(event("ID", "stdout", ""), "\n") + event("ID", "end", ""),
		"a long line":   strings.Repeat("x", maxLine+1),
		"deep":          event("ID", "result", `,"data":{"application/json":`+strings.Repeat("[", 100_000)+`}`),
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{}
			f.answer = func(id string, out io.Writer) { _, _ = io.WriteString(out, strings.ReplaceAll(said, "ID", id)) }
			c, err := New(t.Context(), f, api.ContextSpec{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if got := run(t, c, "1"); got.failure == nil || got.failure.Name != restarting {
				t.Fatalf("got %.200q", got.said())
			}
			f.answer = func(id string, out io.Writer) { _, _ = io.WriteString(out, event(id, "end", "")) }
			if got := run(t, c, "1"); got.said() != "" || f.started != 2 {
				t.Errorf("then %.200q, started %d times", got.said(), f.started)
			}
		})
	}
}

func TestHostileEvents(t *testing.T) {
	for name, c := range map[string]struct{ said, want string }{
		"another execution":    {event("other", "stdout", `,"text":"forged"`) + event("other", "end", "") + event("ID", "stdout", `,"text":"mine"`), "o:mine"},
		"no id":                {event("", "end", ""), ""},
		"forged start":         {event("ID", "ready", ""), ""},
		"dropped by itself":    {event("ID", "dropped", `,"bytes":9`), "e:[… "},
		"a form that is none":  {event("ID", "result", `,"data":{"text/plain":5,"x":"y","image/png":"<script>","text/<b>":"z","text/html":null}`), "r:"},
		"a form that is one":   {event("ID", "result", `,"data":{"text/plain":"a","image/png":"aGk=","image/svg+xml":"<svg/>"}`), "r:a"},
		"a line in two pieces": {event("ID", "stdout", `,"text":"`+strings.Repeat("y", 100)+`"`), "o:" + strings.Repeat("y", 100)},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{answer: func(id string, out io.Writer) {
				said := strings.ReplaceAll(c.said, "ID", id) + event(id, "end", "")
				for len(said) > 0 {
					n := min(len(said), 7)
					_, _ = io.WriteString(out, said[:n])
					said = said[n:]
				}
			}}
			x, err := New(t.Context(), f, api.ContextSpec{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			if got := run(t, x, "1"); got.said() != c.want && (!strings.HasPrefix(got.said(), c.want) || c.want == "" || c.want == "r:") {
				t.Errorf("got %q, want %q", got.said(), c.want)
			}
		})
	}
}

// Output beyond the bound is dropped, and the end of the execution is not.
func TestTooMuchOutput(t *testing.T) {
	f := &fake{answer: func(id string, out io.Writer) {
		chunk := []byte(event(id, "stdout", `,"text":"`+strings.Repeat("x", 1<<20)+`"`))
		for range 70 {
			_, _ = out.Write(chunk)
		}
		_, _ = io.WriteString(out, event(id, "end", ""))
	}}
	c, err := New(t.Context(), f, api.ContextSpec{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got := run(t, c, "1")
	if len(got.stdout) != 63 || len(got.stderr) != 1 || !strings.Contains(got.stderr[0], "bytes dropped") {
		t.Errorf("%d of stdout, stderr %q", len(got.stdout), got.stderr)
	}
}

// A driver that never answers does not hold up whoever starts or restarts it.
func TestSilentDriver(t *testing.T) {
	silent := func(string, io.Writer) {}
	if _, err := New(t.Context(), &fake{ready: silent}, api.ContextSpec{}, Options{StartTime: 10 * time.Millisecond}); err == nil {
		t.Error("it is ready")
	}
	c, err := New(t.Context(), &fake{answer: silent}, api.ContextSpec{}, Options{Patience: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got := execute(t, c, api.CodeRequest{Code: "1", Timeout: time.Millisecond})
	if got.failure == nil || got.failure.Name != restarting {
		t.Errorf("got %q", got.said())
	}
}

// Code that finds the descriptors of its driver can end its own execution, and
// nothing else.
func TestCodeForgesItsEnd(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		forge := `
import json, os, time
from glovebox_context.outlet import outlet
line = lambda **e: os.write(outlet.fd, json.dumps(dict(e, id=outlet.id)).encode() + b"\n")
line(type="stdout", text="forged")
line(type="end")
time.sleep(.1)
line(type="stdout", text="late")
line(type="end")
`
		if got := run(t, c, forge[1:]); got.said() != "o:forged" {
			t.Errorf("got %q", got.said())
		}
		if got := run(t, c, "1 + 1"); got.said() != "r:2" {
			t.Errorf("the next one: %q", got.said())
		}
		if got := run(t, c, `os.write(outlet.fd, b"garbage\n")`); got.failure == nil || got.failure.Name != restarting {
			t.Errorf("garbage: %q", got.said())
		}
		if got := run(t, c, "1 + 1"); got.said() != "r:2" {
			t.Errorf("after it: %q", got.said())
		}
	})
}

func FuzzLines(f *testing.F) {
	for _, kind := range []string{"stdout", "result", "error", "ready", "end", "dropped", "x"} {
		f.Add([]byte(event("id", kind, `,"text":"a","data":{"text/plain":"a","image/png":"aGk="},"error":{"name":"E"}`)), 3)
	}
	f.Fuzz(func(t *testing.T, said []byte, cut int) {
		var whole, pieces []message
		_, err := (&lines{deliver: collect(&whole)}).Write(said)
		l := &lines{deliver: collect(&pieces)}
		cut = max(0, min(cut, len(said)))
		_, err1 := l.Write(said[:cut])
		if err1 == nil {
			_, err1 = l.Write(said[cut:])
		}
		if (err == nil) != (err1 == nil) || !reflect.DeepEqual(whole, pieces) {
			t.Fatalf("cut at %d: %v and %v, %v and %v", cut, whole, pieces, err, err1)
		}
		for _, m := range whole {
			if line, err := json.Marshal(m.event); err != nil || !utf8.Valid(line) {
				t.Fatalf("%q: %v", line, err)
			}
		}
	})
}

func FuzzMarks(f *testing.F) {
	id := strings.Repeat("A", 26)
	f.Add([]byte("\x1e"+id+" begin\x1ehi\n\x1e"+id+" 0\x1e"), 4)
	f.Add([]byte("\x1e"+id+" begin\x1e\xc3\xa9\n\x1e"+id+" 130 unwound\x1e"), 33)
	f.Fuzz(func(t *testing.T, said []byte, cut int) {
		for _, at := range []int{len(said), max(0, min(cut, len(said)))} {
			var got []message
			stdout, stderr := bash{}.listen("", collect(&got))
			for _, piece := range [][]byte{said[:at], said[at:]} {
				if _, err := stdout.Write(piece); err != nil {
					t.Fatal(err)
				}
				if _, err := stderr.Write(piece); err != nil {
					t.Fatal(err)
				}
			}
			for _, m := range got {
				if !utf8.ValidString(m.event.Text) {
					t.Fatalf("%q", m.event.Text)
				}
			}
		}
	})
}

func collect(into *[]message) func(message) error {
	return func(m message) error {
		*into = append(*into, m)
		return nil
	}
}

// The parts of the driver leave nothing in the cell.
func TestDriverLeavesNoFiles(t *testing.T) {
	needsPython(t)
	dir := t.TempDir()
	c := launch(t, &local{}, api.ContextSpec{Plain: true, Dir: dir}, Options{})
	run(t, c, "1")
	if found, err := os.ReadDir(dir); err != nil || len(found) != 0 {
		t.Errorf("%v, %v in %s", found, err, filepath.Base(dir))
	}
}
