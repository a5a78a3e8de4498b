package celltest

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var programChecks = []check{
	{"exit status", exitStatus},
	{"signals", signals},
	{"not started", notStarted},
	{"argv is untouched", argvUntouched},
	{"O08_input_is_byte_identical", inputByteIdentical},
	{"several in turn", severalInTurn},
	{"stdin is empty", stdinEmpty},
	{"stdin is a file", stdinFile},
	{"cancel", cancelProgram},
	{"cancel before start", cancelBeforeStart},
	{"clean slate", cleanSlate},
	{"R09_daemon_that_holds_the_pipes", daemonHoldsPipes},
	{"R10_orphans_are_reaped", orphansReaped},
	{"closed output", closedOutput},
	{"timings", timings},
}

func exitStatus(t *testing.T, s *suite) {
	x := s.open(t)
	for _, code := range []int{0, 1, 2, 77, 255} {
		x.exec(cell.Command{Argv: []string{"/bin/sh", "-c", "exit " + strconv.Itoa(code)}}).exits(t, code)
	}
}

func signals(t *testing.T, s *suite) {
	x := s.open(t)
	for _, name := range []string{"SIGKILL", "SIGTERM", "SIGSEGV", "SIGABRT", "SIGPIPE", "SIGUSR1"} {
		o := x.python("import os, signal, sys; s = getattr(signal, sys.argv[1]); s in (9, 19) or signal.signal(s, signal.SIG_DFL); os.kill(os.getpid(), s)", name)
		if o.err != nil {
			t.Fatal(describe(o.err))
		}
		if want := (cell.Exit{Code: -1, Signal: name}); o.exit != want {
			t.Errorf("%s came as %+v", name, o.exit)
		}
	}
}

func notStarted(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/work", file("plain", []byte("no program")))
	for _, row := range []struct {
		argv []string
		code int
	}{
		{[]string{"no-such-program"}, 127},
		{[]string{"/no/such/program"}, 127},
		{[]string{"/work/plain"}, 126},
		{[]string{"/work"}, 126},
		{[]string{""}, 126},
	} {
		o := x.exec(cell.Command{Argv: row.argv})
		o.fails(t, api.CommandNotFound)
		if o.exit.Code != row.code {
			t.Errorf("%q gave the status %d, want %d", row.argv, o.exit.Code, row.code)
		}
	}
	for _, dir := range []string{"/no/such/dir", "/work/plain"} {
		o := x.exec(cell.Command{Argv: []string{"/bin/sh"}, Dir: dir})
		o.fails(t, api.CommandNotFound)
		if e := api.AsError(o.err); o.exit.Code != 127 || e.Details.Field != cell.FieldDir || !strings.Contains(e.Message, dir) {
			t.Errorf("in %s: %d, %+v", dir, o.exit.Code, e)
		}
	}
	x.python("print('alive')").prints(t, "alive\n")
}

func argvUntouched(t *testing.T, s *suite) {
	args := []string{"", " ", "a b", `"`, `'`, "$(id)", "`id`", "\n", "--x", "-", "*", `\`, "é😀", "\xff\xfe", strings.Repeat("x", 100<<10)}
	x := s.open(t)
	const code = "import sys, os; sys.stdout.buffer.write(b'\\0'.join(os.fsencode(a) for a in sys.argv[1:]))"
	x.python(code, args...).prints(t, strings.Join(args, "\x00"))
}

func inputByteIdentical(t *testing.T, s *suite) {
	x := s.open(t)
	var data bytes.Buffer
	for _, part := range []string{`"quotes'`, "$(touch /tmp/x)", "\n--flag\n", "\x00", "\r\n", "😀", "\xff\xfe\x80"} {
		data.WriteString(part)
	}
	for data.Len() < 10<<20 {
		data.Write(data.Bytes())
	}
	x.put("/var/inputs", file("payload", data.Bytes()))
	const code = "import hashlib; print(hashlib.sha256(open('/var/inputs/payload', 'rb').read()).hexdigest())"
	x.python(code).prints(t, digest(data.Bytes())+"\n")
}

func severalInTurn(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("open('/work/note', 'w').write('one')").succeeds(t)
	x.python("print(open('/work/note').read())").prints(t, "one\n")
}

func stdinEmpty(t *testing.T, s *suite) {
	s.open(t).python("import sys; print(repr(sys.stdin.read()))").prints(t, "''\n")
}

// stdinFile gives a program a file as standard input, and none that is missing
// or that somebody else would have to fill.
func stdinFile(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/var/inputs", file("data", []byte("hi\x00there")))
	var out bytes.Buffer
	exit, err := x.run(x.ctx, cell.Command{Argv: []string{"/bin/cat"}, Env: []string{path}, Stdin: "/var/inputs/data", Stdout: &out})
	if err != nil || exit.Code != 0 || out.String() != "hi\x00there" {
		t.Errorf("got %+v, %v, %q", exit, err, out.String())
	}
	x.pythonRoot("import os; os.mkfifo('/var/inputs/pipe')").succeeds(t)
	for _, at := range []string{"/var/inputs/missing", "/var/inputs/pipe", "/var/inputs"} {
		_, err := x.run(x.ctx, cell.Command{Argv: []string{"/bin/cat"}, Env: []string{path}, Stdin: at})
		outcome{err: err}.fails(t, api.CommandNotFound)
	}
}

// cancelProgram ends the caller's context while the program runs.
func cancelProgram(t *testing.T, s *suite) {
	x := s.open(t)
	ctx, cancel := context.WithCancelCause(x.ctx)
	reason := errors.New("changed my mind")
	_, err := x.run(ctx, cell.Command{
		Argv:   []string{"/bin/sh", "-c", "echo up; trap '' TERM INT; while :; do sleep 1; done"},
		Env:    []string{path},
		Stdout: writerFunc(func([]byte) { cancel(reason) }),
	})
	outcome{err: err}.fails(t, api.Canceled)
	x.death()
	s.nothingRuns(t, x.spec.ID)
}

func cancelBeforeStart(t *testing.T, s *suite) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	spec := s.spec()
	c, err := cell.Start(ctx, s.driver, spec)
	if err == nil {
		c.Close()
	}
	outcome{err: err}.fails(t, api.Canceled)
	s.nothingRuns(t, spec.ID)
	s.nothingLeft(t)
}

// cleanSlate writes wherever it can and looks for it from the next cell.
func cleanSlate(t *testing.T, s *suite) {
	first := s.open(t)
	first.pythonRoot(`
import os
for dir in ("/", "/etc", "/usr/bin", "/tmp", "/var/tmp", "/run", "/dev/shm", "/work"):
    open(os.path.join(dir, "canary"), "w").write("x")
os.remove("/etc/hostname") if os.path.exists("/etc/hostname") else None
os.remove("/usr/bin/env")
`).succeeds(t)
	first.death()
	s.open(t).python(`
import os
found = [d for d in ("/", "/etc", "/usr/bin", "/tmp", "/var/tmp", "/run", "/dev/shm", "/work") if os.path.exists(os.path.join(d, "canary"))]
print(found, os.path.exists("/usr/bin/env"))
`).prints(t, "[] True\n")
}

// daemonHoldsPipes leaves a daemon behind that holds standard output open and
// would write to it later. The run ends with its main program all the same.
func daemonHoldsPipes(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(`
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for s in range(1, 32):
            if s not in (9, 19, 17): signal.signal(s, signal.SIG_IGN)
        while True:
            time.sleep(0.05)
            open("/work/beat", "a").write("x")
    os._exit(0)
os.wait()
time.sleep(0.2)
print("done", flush=True)
`).prints(t, "done\n")
	const beats = "import os; print(os.path.getsize('/work/beat'), [p for p in os.listdir('/proc') if p.isdigit() and int(p) not in (1, os.getpid())])"
	before := x.python(beats)
	before.succeeds(t)
	if !strings.HasSuffix(before.stdout, " []\n") {
		t.Errorf("processes outlived their program: %s", before.stdout)
	}
	x.python("import time; time.sleep(0.3);"+beats).prints(t, before.stdout)
}

// orphansReaped makes more orphans than there may be processes. Zombies would use up the limit
// of processes.
func orphansReaped(t *testing.T, s *suite) {
	x := s.open(t, func(spec *cell.Spec) { spec.Resources.PIDs = 64 })
	x.python(`
import os, time
for i in range(300):
    for attempt in range(1000):
        try:
            pid = os.fork()
            break
        except BlockingIOError:
            time.sleep(0.01)
    else:
        raise SystemExit("orphans use up the limit of processes")
    if pid == 0:
        try:
            if os.fork() == 0: os._exit(0)
        except BlockingIOError:
            pass
        os._exit(0)
    os.waitpid(pid, 0)
print("reaped")
`).prints(t, "reaped\n")
}

func closedOutput(t *testing.T, s *suite) {
	s.open(t).python("import os; os.close(1); os.close(2); os._exit(5)").exits(t, 5)
}

func (o outcome) exits(t *testing.T, code int) {
	t.Helper()
	if o.err != nil {
		t.Fatal(describe(o.err))
	}
	if o.exit != (cell.Exit{Code: code}) {
		t.Errorf("the program ended with %+v, want the status %d", o.exit, code)
	}
}

func timings(t *testing.T, s *suite) {
	start, guest := s.open(t).cell.Timings()
	if start <= 0 || guest <= 0 {
		t.Errorf("the stages took %v and %v; both must be measured", start, guest)
	}
}
