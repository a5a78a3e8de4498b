package streams

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/internal/secret"
)

func TestTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 20).Draw(t, "limit")
		kept := newTail(int64(limit))
		var all []byte
		for _, p := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 50)).Draw(t, "writes") {
			kept.Write(p)
			all = append(all, p...)
		}
		want := all[max(0, len(all)-limit):]
		if got := kept.kept(); !bytes.Equal(got, want) {
			t.Fatalf("kept %q of %q, want %q", got, all, want)
		}
		mark := ""
		if len(all) > limit {
			mark = fmt.Sprintf("[… %d bytes dropped …]\n", len(all)-limit)
		}
		if got := string(kept.Bytes()); got != mark+string(want) {
			t.Fatalf("Bytes = %q, want the mark %q", got, mark)
		}
	})
}

// blocked is a writer that waits until it is let go.
type blocked struct {
	let chan struct{}
	got bytes.Buffer
}

func (b *blocked) Write(p []byte) (int, error) {
	<-b.let
	return b.got.Write(p)
}

type failing struct{ calls int }

func (f *failing) Write([]byte) (int, error) {
	f.calls++
	return 0, errors.New("broken pipe")
}

// slow takes a second for each call.
type slow struct{ got bytes.Buffer }

func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(time.Second)
	return s.got.Write(p)
}

func fill(w io.Writer, chunks int) string {
	var all strings.Builder
	for i := range chunks {
		line := fmt.Sprintf("%d %s\n", i, strings.Repeat("x", forwardChunk/2))
		io.WriteString(w, line)
		all.WriteString(line)
	}
	return all.String()
}

func TestSlowWriterGetsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &slow{}
		l := New(t.Context(), w, nil, 1<<20, secret.NewRedactor())
		want := fill(l.Stdout, 3*forwardCapacity)
		l.Close()
		if w.got.String() != want {
			t.Errorf("a slow writer got %d bytes of %d", w.got.Len(), len(want))
		}
	})
}

func TestStuckWriterDoesNotHoldTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &blocked{let: make(chan struct{})}
		defer close(w.let)
		began := time.Now()
		l := New(t.Context(), w, nil, 1<<30, secret.NewRedactor())
		want := fill(l.Stdout, 4*forwardCapacity)
		l.Close()
		if waited := time.Since(began); waited > 4*stallPatience {
			t.Errorf("the run waited %s for a stuck writer", waited)
		}
		if got := string(l.Stdout.tail.Bytes()); got != want {
			t.Errorf("the result has %d bytes of %d", len(got), len(want))
		}
	})
}

func TestLossIsMarked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &blocked{let: make(chan struct{})}
		l := New(t.Context(), w, nil, 1<<20, secret.NewRedactor())
		fill(l.Stdout, 4*forwardCapacity)
		close(w.let)
		synctest.Wait()
		io.WriteString(l.Stdout, "last line\n")
		l.Close()
		got := w.got.String()
		if !strings.Contains(got, " bytes dropped …]\n") || !strings.HasSuffix(got, "last line\n") {
			t.Errorf("the writer got %d bytes that end in %q", len(got), got[max(0, len(got)-100):])
		}
	})
}

func TestBrokenWriter(t *testing.T) {
	w := &failing{}
	l := New(t.Context(), w, w, 1<<20, secret.NewRedactor())
	io.WriteString(l.Stdout, "a")
	io.WriteString(l.Stderr, "b")
	io.WriteString(l.Stdout, "c")
	l.Close()
	if w.calls != 1 || string(l.Stdout.tail.Bytes()) != "ac" || string(l.Stderr.tail.Bytes()) != "b" {
		t.Errorf("%d calls, stdout %q, stderr %q", w.calls, l.Stdout.tail.Bytes(), l.Stderr.tail.Bytes())
	}
}

// One writer for both streams sees them in the order of the program.
func TestOneWriterForBoth(t *testing.T) {
	var both bytes.Buffer
	l := New(t.Context(), &both, &both, 1<<20, secret.NewRedactor())
	for i := range 10 {
		fmt.Fprintf(l.Stdout, "o%d ", i)
		fmt.Fprintf(l.Stderr, "e%d ", i)
	}
	l.Close()
	if want := "o0 e0 o1 e1 o2 e2 o3 e3 o4 e4 o5 e5 o6 e6 o7 e7 o8 e8 o9 e9 "; both.String() != want {
		t.Errorf("got %q, want %q", both.String(), want)
	}
}

func TestUncomparableWriters(t *testing.T) {
	type odd struct {
		io.Writer
		_ []int
	}
	if sameWriter(odd{}, odd{}) {
		t.Error("writers that cannot be compared count as one")
	}
}

func TestLastLines(t *testing.T) {
	l := New(t.Context(), nil, nil, 1, secret.NewRedactor())
	for i := range 100 {
		fmt.Fprintf(l.Stderr, "line %d \x1b[31m\xff\r\n", i)
	}
	got := strings.Split(l.Stderr.LastLines(), "\n")
	if len(got) != lastLineMax || got[0] != "line 80 \uFFFD[31m\uFFFD" || got[19] != "line 99 \uFFFD[31m\uFFFD" {
		t.Errorf("got %d lines: %q", len(got), got)
	}
	fmt.Fprint(l.Stderr, strings.Repeat("y", 1<<20))
	if n := len(l.Stderr.LastLines()); n > LastLineBytes {
		t.Errorf("one long line gives %d bytes", n)
	}
}
