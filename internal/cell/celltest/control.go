package celltest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

var controlChecks = []check{
	{"job and result", controlJob},
	{"what came before it was ready", controlEarly},
	{"a program that is never ready", controlNotReady},
	{"R07_never_reads_its_job", controlNeverReads},
	{"R07_floods_the_control_stream", controlFloods},
	{"R09_descendants_hold_the_control_stream", controlHeld},
	{"a result before the end", controlResult},
	{"an end without a result", controlEnd},
}

// waiting begins a program that is ready at once: code follows.
func (x *session) waiting(t *testing.T, code string) *cell.Process {
	t.Helper()
	p, err := x.begin(code)
	if err != nil {
		t.Fatalf("starting a program that waits: %v", describe(err))
	}
	if err := p.Ready(x.ctx); err != nil {
		t.Fatalf("waiting for the program: %v", describe(err))
	}
	return p
}

// prelude is what a program that waits begins with; job reads it all.
const prelude = `
import os, sys, time
def job():
    data = b""
    while piece := os.read(3, 1 << 20): data += piece.lstrip(b"\n") if not data else piece
    return data
`

func (x *session) begin(code string) (*cell.Process, error) {
	if !strings.Contains(code, "#late") {
		code = "os.write(4, b'.')\n" + code
	}
	return x.cell.Begin(x.ctx, cell.Command{
		Argv: []string{"/usr/bin/python3", "-c", prelude + code}, Env: []string{path, "HOME=/work"}, Dir: "/work",
	})
}

// answer is what a program wrote, stream by stream.
type answer struct{ out, err, control bytes.Buffer }

// finish sends a job and waits for the end of the program.
func (x *session) finish(t *testing.T, p *cell.Process, job []byte) (answer, cell.Exit) {
	t.Helper()
	if err := p.Send(x.ctx, job); err != nil {
		t.Fatalf("sending the job: %v", describe(err))
	}
	var got answer
	exit, err := p.Finish(x.ctx, &got.out, &got.err, &got.control)
	if err != nil {
		t.Fatalf("waiting for the end: %v", describe(err))
	}
	return got, exit
}

func controlJob(t *testing.T, s *suite) {
	x := s.open(t)
	for _, size := range []int{0, 1, 100_000, 5 << 20} {
		p := x.waiting(t, "d = job(); print('out'); os.write(2, b'err'); os.write(4, d[::-1]) if d else 0; sys.exit(7)")
		job := bytes.Repeat([]byte("ab"), size/2+1)[:size]
		got, exit := x.finish(t, p, job)
		backwards := bytes.Repeat([]byte("ba"), size/2+1)
		if size%2 == 1 {
			backwards = backwards[1:]
		}
		if !bytes.Equal(got.control.Bytes(), backwards[:size]) || got.out.String() != "out\n" || got.err.String() != "err" || exit.Code != 7 {
			t.Errorf("a job of %d bytes: %d came back; out %q, err %q, %+v", size, got.control.Len(), got.out.String(), got.err.String(), exit)
		}
	}
	x.python("print('another')").prints(t, "another\n")
}

func controlEarly(t *testing.T, s *suite) {
	x := s.open(t)
	p := x.waiting(t, "#late\nprint('early', flush=True); os.write(2, b'words'); os.write(4, b'.more'); job(); print('late')")
	got, exit := x.finish(t, p, []byte("x"))
	if got.out.String() != "early\nlate\n" || got.err.String() != "words" || got.control.String() != "more" || exit.Code != 0 {
		t.Errorf("out %q, err %q, control %q, %+v", got.out.String(), got.err.String(), got.control.String(), exit)
	}
}

func controlNotReady(t *testing.T, s *suite) {
	x := s.open(t)
	p, err := x.begin("#late\nprint('no'); sys.exit('a reason')")
	if err != nil {
		t.Fatal(describe(err))
	}
	var never *cell.NotReadyError
	if err := p.Ready(x.ctx); !errors.As(err, &never) || never.Exit.Code != 1 || never.Stderr != "a reason\n" {
		t.Errorf("got %v, want the status and the last words", err)
	}
	p, err = x.begin("#late\nwhile True: os.write(1, b'x' * 65536)")
	if err != nil {
		t.Fatal(describe(err))
	}
	if err := p.Ready(x.ctx); err == nil {
		t.Error("a program that only prints is ready")
	}
}

// controlNeverReads has a job that no pipe holds, and output that is larger too.
func controlNeverReads(t *testing.T, s *suite) {
	x := s.open(t)
	p := x.waiting(t, "os.write(1, b'x' * (3 << 20)); sys.exit(5)")
	got, exit := x.finish(t, p, make([]byte, 8<<20))
	if got.out.Len() != 3<<20 || exit.Code != 5 {
		t.Errorf("%d bytes of output, %+v", got.out.Len(), exit)
	}
	x.python("print('another')").prints(t, "another\n")
}

func controlFloods(t *testing.T, s *suite) {
	x := s.open(t)
	const size = 100 << 20
	p := x.waiting(t, "b = b'x' * (1 << 20)\nfor i in range(100):\n    n = 0\n    while n < len(b): n += os.write(4, b[n:])")
	var n int
	count := writerFunc(func(p []byte) { n += len(p) })
	exit, err := p.Finish(x.ctx, nil, nil, count)
	if err != nil || exit.Code != 0 || n != size {
		t.Errorf("%d bytes, %+v, %v; want %d", n, exit, err, size)
	}
}

// controlHeld leaves a daemon behind that holds both control descriptors.
func controlHeld(t *testing.T, s *suite) {
	x := s.open(t)
	p := x.waiting(t, `
job()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(10**6)
    os._exit(0)
os.wait(); os.write(4, b'done'); os._exit(3)
`)
	got, exit := x.finish(t, p, []byte("x"))
	if got.control.String() != "done" || exit.Code != 3 {
		t.Errorf("control %q, %+v", got.control.String(), exit)
	}
}

// controlResult wants what was printed before the result, of a program that
// does not end.
func controlResult(t *testing.T, s *suite) {
	x := s.open(t)
	p := x.waiting(t, "d = job(); os.write(1, b'o' * 60000); os.write(2, b'e' * 60000); os.write(4, d); os.close(4)\nwhile True: time.sleep(1)")
	if got := x.result(t, p); got.out.Len() != 60000 || got.err.Len() != 60000 {
		t.Errorf("%d and %d bytes of output came before the result, want 60000 each", got.out.Len(), got.err.Len())
	}
	x.cell.Release()
	x.death()
	s.nothingRuns(t, x.spec.ID)
}

// result has a program answer a job without ending.
func (x *session) result(t *testing.T, p *cell.Process) (got answer) {
	t.Helper()
	if err := p.Send(x.ctx, []byte("answer")); err != nil {
		t.Fatal(describe(err))
	}
	_, ended, err := p.Result(x.ctx, &got.out, &got.err, &got.control)
	if err != nil || ended || got.control.String() != "answer" {
		t.Fatalf("ended %v, control %q, %v", ended, got.control.String(), describe(err))
	}
	return got
}

func controlEnd(t *testing.T, s *suite) {
	x := s.open(t)
	p := x.waiting(t, "job(); print('last'); os.kill(os.getpid(), 11)")
	if err := p.Send(x.ctx, nil); err != nil {
		t.Fatal(describe(err))
	}
	var out bytes.Buffer
	exit, ended, err := p.Result(x.ctx, &out, io.Discard, io.Discard)
	if !ended && err == nil {
		// The stream ends an instant before the program, as seen from outside.
		exit, err = p.Finish(x.ctx, &out, io.Discard, io.Discard)
	}
	if err != nil || exit.Signal != "SIGSEGV" {
		t.Errorf("%+v, %v; want the signal", exit, err)
	}
}
