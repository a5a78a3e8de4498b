package monty

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// storing is a client of a server that stores sessions in dir. stop stops the
// server; end leaves it and waits until it has parked.
func storing(t *testing.T, dir string) (c *client, stop, end func()) {
	t.Helper()
	in, toWorker := io.Pipe()
	fromWorker, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = Serve(ctx, Pipe{In: in, Out: out}, Options{Key: testKey, Store: &Store{Dir: dir}})
		in.CloseWithError(io.ErrClosedPipe)
		out.Close()
	}()
	end = func() {
		toWorker.Close()
		go io.Copy(io.Discard, fromWorker)
		<-done
	}
	t.Cleanup(func() { stop(); end() })
	return &client{t: t, in: toWorker, out: fromWorker}, stop, end
}

// begun is the name that the first answer for a session gives it.
func (c *client) begun(kind requestKind, body []byte) string {
	c.t.Helper()
	if err := (Pipe{Out: c.in}).Write(context.Background(), bytesOf(protowire.Number(kind), body)); err != nil {
		c.t.Fatal(err)
	}
	frame, err := Pipe{In: c.out}.Read(context.Background())
	if err != nil {
		c.t.Fatal(err)
	}
	if ev := readEvent(c.t, frame); ev.kind == eventError || ev.kind == eventFatal {
		c.t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	return string(part(c.t, frame, 28))
}

func TestSessionIsParked(t *testing.T) {
	dir := t.TempDir()
	c, _, end := storing(t, dir)
	name := c.begun(requestConfigure, number(9, 6))
	if !strings.HasPrefix(name, namePrefix) || len(name) != len(namePrefix)+32 {
		t.Fatalf("the session is %q", name)
	}
	c.feed("x = 40")
	end()

	first, _, _ := storing(t, dir)
	again := first.begun(requestLoad, text(1, name))
	if again == name || again == "" {
		t.Errorf("a session that was loaded is %q, as before", again)
	}
	first.feed("x = 0")
	second, _, _ := storing(t, dir)
	second.begun(requestLoad, text(1, name))
	if got := second.number(second.feed("x + 2")); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

func TestSessionIsParkedWhereItWaits(t *testing.T) {
	dir := t.TempDir()
	c, _, end := storing(t, dir)
	name := c.begun(requestConfigure, number(9, 6))
	c.feed("host() + 2")
	end()
	d, _, _ := storing(t, dir)
	ev := d.send(requestLoad, text(1, name))
	if ev.kind != eventFunctionCall {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	if got := d.number(d.send(requestResumeCall, returns(0, 40))); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

func TestDumpOfStoredSessionIsARecord(t *testing.T) {
	dir := t.TempDir()
	c, _, _ := storing(t, dir)
	c.begun(requestConfigure, number(9, 6))
	c.feed("x = 40")
	name := dumped(t, c)
	c.feed("x = 0")
	d, _, _ := storing(t, dir)
	d.begun(requestLoad, bytesOf(1, name))
	if got := d.number(d.feed("x + 2")); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
	if r := d.raisedBy(connect(t).send(requestLoad, bytesOf(1, name))); !strings.Contains(r.message, errNotStored.Error()) {
		t.Errorf("a worker without a store: %+v", r)
	}
}

func TestEphemeralSessionIsNotStored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	c, _, end := storing(t, dir)
	if name := c.begun(requestConfigure, join(number(9, 6), number(12, ephemeral))); name != "" {
		t.Errorf("it is called %q", name)
	}
	c.feed("x = 1")
	if state := dumped(t, c); !strings.HasPrefix(string(state), dumpMagic) {
		t.Errorf("its dump is %q", state)
	}
	end()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("something was stored: %v", err)
	}
}

func TestServerThatStopsParks(t *testing.T) {
	dir := t.TempDir()
	c, stop, _ := storing(t, dir)
	name := c.begun(requestConfigure, number(9, 6))
	c.feed("x = 40")
	stop()
	ev := c.feed("x = 0")
	if ev.kind != eventShutdown || string(part(t, ev.body, 1)) != name {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	d, _, _ := storing(t, dir)
	d.begun(requestLoad, text(1, name))
	if got := d.number(d.feed("x + 2")); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

// TestServerThatStopsDoesNotWait stops while code runs that never ends, and while
// a client says nothing.
func TestServerThatStopsDoesNotWait(t *testing.T) {
	for _, code := range []string{"while True: pass", ""} {
		c, stop, end := storing(t, t.TempDir())
		c.begun(requestConfigure, number(9, 6))
		if code != "" {
			if err := (Pipe{Out: c.in}).Write(context.Background(), bytesOf(3, text(1, code))); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		stop()
		end()
		if took := time.Since(began); took > 10*grace {
			t.Errorf("%q: stopped after %v", code, took)
		}
	}
}

func TestNamesThatThereAreNot(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{namePrefix, namePrefix + "../../etc/passwd", namePrefix + strings.Repeat("0", 32), namePrefix + "\x00"} {
		c, _, _ := storing(t, dir)
		if r := c.raisedBy(c.send(requestLoad, bytesOf(1, []byte(name)))); !strings.Contains(r.message, errNotStored.Error()) {
			t.Errorf("%q: %+v", name, r)
		}
	}
}

// TestStoredFileWasChanged writes another state under the name.
func TestStoredFileWasChanged(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	name := newName()
	if err := s.put(name, []byte(dumpMagic+strings.Repeat("a", 100))); err != nil {
		t.Fatal(err)
	}
	c, _, _ := storing(t, s.Dir)
	if r := c.raisedBy(c.send(requestLoad, text(1, name))); !strings.Contains(r.message, errForged.Error()) {
		t.Errorf("got %+v", r)
	}
}

func TestStoreIsBounded(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	if err := s.put(newName(), make([]byte, maxStoredSize+1)); err == nil {
		t.Error("a session of any size is stored")
	}
	var names []string
	for i := range maxStored + 3 {
		name := newName()
		names = append(names, name)
		if err := os.WriteFile(s.path(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-2*maxStored) * time.Second)
		if err := os.Chtimes(s.path(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	last := newName()
	if err := s.put(last, []byte("last")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil || len(entries) != maxStored {
		t.Errorf("%d files are left, want %d: %v", len(entries), maxStored, err)
	}
	for name, want := range map[string]bool{names[3]: false, names[4]: true, last: true} {
		if _, err := s.get(name); (err == nil) != want {
			t.Errorf("%v, want it there: %v", err, want)
		}
	}
	old := time.Now().Add(-maxStoredAge - time.Minute)
	if err := os.Chtimes(s.path(last), old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := s.get(last); err == nil {
		t.Error("what is too old can be loaded")
	}
	if err := s.put(newName(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.path(last)); !os.IsNotExist(err) {
		t.Errorf("what is too old is kept: %v", err)
	}
	if err := s.sweep(maxStoredBytes+1, time.Now()); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(s.Dir); len(entries) != 0 {
		t.Errorf("beyond the bytes that may be kept, %d files are left", len(entries))
	}
}
