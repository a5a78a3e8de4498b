package celltest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

var streamChecks = []check{
	{"binary clean", streamsBinaryClean},
	{"R07_hundred_megabytes", streamsHundredMegabytes},
	{"R07_no_newline_no_utf8", streamsNoNewline},
	{"order", streamsOrder},
	{"R07_slow_reader", streamsSlowReader},
	{"unbuffered", streamsUnbuffered},
	{"from children", streamsFromChildren},
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func streamsBinaryClean(t *testing.T, s *suite) {
	o := s.open(t).python(`
import os
data = bytes(range(256)) * 1000
os.write(2, data[::-1][:60000])
import sys
sys.stdout.buffer.write(data)
`)
	o.succeeds(t)
	var want bytes.Buffer
	for range 1000 {
		for b := range 256 {
			want.WriteByte(byte(b))
		}
	}
	if o.stdout != want.String() {
		t.Errorf("standard output of %d bytes came as %d other bytes", want.Len(), len(o.stdout))
	}
	for i := range len(o.stderr) {
		if o.stderr[i] != byte(255-i%256) {
			t.Fatalf("byte %d of standard error is %d", i, o.stderr[i])
		}
	}
	if len(o.stderr) != 60000 {
		t.Errorf("standard error of 60000 bytes came as %d bytes", len(o.stderr))
	}
}

// counter keeps what a flood comes to, and none of it.
type counter struct {
	bytes int64
	hash  hash.Hash
}

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	return c.hash.Write(p)
}

func streamsHundredMegabytes(t *testing.T, s *suite) {
	c := &counter{hash: sha256.New()}
	x := s.open(t)
	o := x.exec(cell.Command{Stdout: c, Argv: []string{"/usr/bin/python3", "-c", `
import hashlib, sys
h = hashlib.sha256()
for i in range(1600):
    chunk = (b"%08d" % i) * 8192
    h.update(chunk)
    sys.stdout.buffer.write(chunk)
sys.stdout.flush()
print(h.hexdigest(), end="", file=sys.stderr)
`}})
	o.succeeds(t)
	if want := int64(1600 * 65536); c.bytes != want {
		t.Errorf("%d bytes came, want %d", c.bytes, want)
	}
	if got := hex.EncodeToString(c.hash.Sum(nil)); got != o.stderr {
		t.Errorf("the bytes hash to %s, the program wrote %s", got, o.stderr)
	}
}

func streamsNoNewline(t *testing.T, s *suite) {
	c := &counter{hash: sha256.New()}
	const code = `import os
for _ in range(256): os.write(1, b"\x00\xff\xfe" * 20000)`
	o := s.open(t).exec(cell.Command{Stdout: c, Argv: []string{"/usr/bin/python3", "-c", code}})
	o.succeeds(t)
	if want := int64(256 * 60000); c.bytes != want {
		t.Errorf("%d bytes came, want %d", c.bytes, want)
	}
}

func streamsOrder(t *testing.T, s *suite) {
	var want strings.Builder
	for i := range 20000 {
		want.WriteString(strings.Repeat("ab", i%7))
		want.WriteByte('\n')
	}
	const code = `import os
for i in range(20000): os.write(1, b"ab" * (i % 7) + b"\n")`
	s.open(t).python(code).prints(t, want.String())
}

// slow takes long over every chunk.
type slow struct{ counter }

func (s *slow) Write(p []byte) (int, error) {
	for range 20 {
		s.hash.Write(p)
	}
	return s.counter.Write(p)
}

// streamsSlowReader reads more slowly than the program writes. The program has
// to wait, because nothing on the way may buffer without bound.
func streamsSlowReader(t *testing.T, s *suite) {
	reader := &slow{counter{hash: sha256.New()}}
	o := s.open(t).exec(cell.Command{Stdout: reader, Argv: []string{"/usr/bin/python3", "-c", `
import os, select, sys
os.set_blocking(1, False)
total, waits = 0, 0
while total < 64 << 20:
    try:
        total += os.write(1, b"x" * 65536)
    except BlockingIOError:
        waits += 1
        select.select([], [1], [])
print(total, waits > 0, end="", file=sys.stderr)
`}})
	o.succeeds(t)
	if want := fmt.Sprintf("%d True", reader.bytes); o.stderr != want {
		t.Errorf("the program says %q (bytes, had to wait), want %q", o.stderr, want)
	}
}

// streamsUnbuffered ends the program through what it printed, so the output
// must come while the program still runs.
func streamsUnbuffered(t *testing.T, s *suite) {
	x := s.open(t)
	seen := make(chan struct{})
	done := make(chan outcome, 1)
	go func() {
		exit, err := x.cell.Exec(x.ctx, cell.Command{
			Argv:   []string{"/bin/sh", "-c", "echo first; while :; do sleep 1; done"},
			Env:    []string{path},
			Stdout: writerFunc(func([]byte) { close(seen) }),
		})
		done <- outcome{exit: exit, err: err}
	}()
	select {
	case <-seen:
	case o := <-done:
		t.Fatalf("the program ended before its output came: %+v", o)
	}
	x.death()
	if o := <-done; o.err == nil {
		t.Errorf("the program of a closed cell ended with %+v", o.exit)
	}
}

func streamsFromChildren(t *testing.T, s *suite) {
	o := s.open(t).exec(cell.Command{Argv: []string{"/bin/sh", "-c", "echo a; (echo b; (echo c >&2)); echo d"}})
	o.prints(t, "a\nb\nd\n")
	if o.stderr != "c\n" {
		t.Errorf("stderr is %q", o.stderr)
	}
}
