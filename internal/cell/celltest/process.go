package celltest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var processChecks = []check{
	{"output, order and exit", processOutput},
	{"as whom", processUsers},
	{"set-uid programs", processSetUID},
	{"no such user, directory or command", processRefused},
	{"input", processInput},
	{"input that nobody takes", processInputStuck},
	{"signals", processSignals},
	{"a signal to a group spares other commands", processGroups},
	{"setsid keeps the status", processSetsid},
	{"R10_tree_of_orphans", processTree},
	{"R06_tree_that_forks_on", processForkBomb},
	{"R08_time_limit_of_a_tree", processTimeout},
	{"a child outlives the command", processBackground},
	{"lives on without a follower", processDetached},
	{"follow from an offset", processReconnect},
	{"R07_output_that_nobody_follows", processLost},
	{"R07_follower_that_does_not_read", processHeldBack},
	{"several followers", processFollowers},
	{"fifty at a time", processMany},
	{"list", processList},
	{"limits", processLimits},
	{"end of a call", processContext},
	{"cell that ends", processCellEnds},
}

// shell is a command for StartProcess.
func shell(script string) cell.ProcessSpec {
	return command("/bin/sh", "-c", script)
}

func command(argv ...string) cell.ProcessSpec {
	return cell.ProcessSpec{ProcessSpec: api.ProcessSpec{Argv: argv, Dir: "/work"}, Variables: []string{path, "LANG=C.UTF-8"}}
}

func (x *session) start(spec cell.ProcessSpec) *cell.Attachment {
	x.t.Helper()
	a, err := x.cell.StartProcess(x.ctx, spec)
	if err != nil {
		x.t.Fatalf("starting %q: %v", spec.Argv, describe(err))
	}
	x.t.Cleanup(a.Close)
	return a
}

// startRef starts a process and returns its number too.
func (x *session) startRef(spec cell.ProcessSpec) (*cell.Attachment, api.ProcessRef) {
	x.t.Helper()
	a := x.start(spec)
	event := x.next(a)
	if event.Type != api.ProcessStarted || event.PID <= 1 {
		x.t.Fatalf("the first event is %+v", event)
	}
	return a, api.ProcessRef{PID: event.PID}
}

func (x *session) next(a *cell.Attachment) api.ProcessEvent {
	x.t.Helper()
	event, err := a.Next()
	if err != nil {
		x.t.Fatalf("following a process: %v", describe(err))
	}
	return event
}

// followed is everything that came of a process.
type followed struct {
	streams map[string]string
	offset  int64
	lost    int64
	exit    *api.ProcessExit
	err     error
}

func follow(a *cell.Attachment) followed {
	f := followed{streams: map[string]string{}}
	for {
		event, err := a.Next()
		if errors.Is(err, io.EOF) {
			return f
		}
		if err != nil {
			f.err = err
			return f
		}
		f.streams[event.Stream] += string(event.Data)
		f.offset, f.exit = event.Offset, event.Exit
		f.lost += event.Lost
	}
}

func (x *session) sh(script string) followed {
	x.t.Helper()
	return follow(x.start(shell(script)))
}

func (f followed) prints(t *testing.T, stdout string) {
	t.Helper()
	f.exits(t, api.ProcessExit{})
	if f.streams["stdout"] != stdout {
		t.Errorf("stdout is %.300q, want %.300q; stderr %.1000s", f.streams["stdout"], stdout, f.streams["stderr"])
	}
}

func (f followed) exits(t *testing.T, want api.ProcessExit) {
	t.Helper()
	if f.err != nil {
		t.Fatal(describe(f.err))
	}
	if f.exit == nil || *f.exit != want {
		t.Errorf("the process ended with %+v, want %+v; stderr %.1000s", f.exit, want, f.streams["stderr"])
	}
}

// until reads output until it holds some words.
func (x *session) until(a *cell.Attachment, words string) string {
	x.t.Helper()
	var text strings.Builder
	for !strings.Contains(text.String(), words) {
		event := x.next(a)
		if event.Type == api.ProcessExited {
			x.t.Fatalf("the process ended with %+v and wrote %q, want %q", event.Exit, text.String(), words)
		}
		text.Write(event.Data)
	}
	return text.String()
}

func failsWith(t *testing.T, err error, code api.Code, field string) {
	t.Helper()
	if e := api.AsError(err); err == nil || e.Code != code || e.Details.Field != field {
		t.Errorf("the error is %v, want %s of %q", describe(err), code, field)
	}
}

func processOutput(t *testing.T, s *suite) {
	x := s.open(t)
	f := x.sh("echo out; echo err >&2; printf '\\377\\000x'; exit 7")
	f.exits(t, api.ProcessExit{Code: 7, Status: 7})
	if f.streams["stdout"] != "out\n\xff\x00x" || f.streams["stderr"] != "err\n" || f.offset != 11 || f.lost != 0 {
		t.Errorf("got %q, end at %d, %d lost", f.streams, f.offset, f.lost)
	}
	// The streams are the user's, who can open them by name.
	x.sh("exec 3>&1; echo a >/dev/stdout; echo b >/dev/fd/3; echo c 2>/dev/null >/proc/self/fd/1").prints(t, "a\nb\nc\n")
	var want strings.Builder
	for i := range 20000 {
		fmt.Fprintln(&want, i)
	}
	x.sh("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done").prints(t, want.String())
	x.sh("head -c 30000000 /dev/zero | tr '\\0' x; echo; echo end").prints(t, strings.Repeat("x", 30000000)+"\nend\n")
}

func processUsers(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(`
open("/etc/passwd", "a").write("builder:x:1234:77:B:/home/builder:/bin/sh\n")
open("/etc/group", "a").write("makers:x:77:\nhelpers:x:88:other,builder\nothers:x:99:other\n")
`).succeeds(t)
	const who = "id -u; id -g; id -G; echo $HOME $USER $LOGNAME"
	for user, want := range map[string]string{
		"":        "1000\n1000\n1000\n/work 1000 1000\n",
		"builder": "1234\n77\n77 88\n/home/builder builder builder\n",
		"1234":    "1234\n77\n77 88\n/home/builder builder builder\n",
		"root":    "0\n0\n0\n/root root root\n",
		"0":       "0\n0\n0\n/root root root\n",
		"4321":    "4321\n4321\n4321\n/work 4321 4321\n",
	} {
		spec := shell(who)
		spec.User = user
		follow(x.start(spec)).prints(t, want)
	}
	spec := shell("echo $HOME $USER")
	spec.Variables = append(spec.Variables, "HOME=/work", "USER=me")
	follow(x.start(spec)).prints(t, "/work me\n")
}

// processSetUID: a command of a session may gain what a client could ask for, by
// sudo for example, and keeps its limits. A program that Exec runs gains nothing.
func processSetUID(t *testing.T, s *suite) {
	x := s.open(t)
	make := shell("cp /usr/bin/id /usr/local/bin/as-root && chmod 4755 /usr/local/bin/as-root")
	make.User = "root"
	follow(x.start(make)).exits(t, api.ProcessExit{})
	f := follow(x.start(command("/usr/local/bin/as-root", "-u")))
	f.exits(t, api.ProcessExit{})
	if f.streams["stdout"] != "0\n" {
		t.Errorf("a command of a session is %q", f.streams)
	}
	x.exec(cell.Command{Argv: []string{"/usr/local/bin/as-root", "-u"}}).prints(t, "1000\n")
}

func processRefused(t *testing.T, s *suite) {
	x := s.open(t)
	spec := shell("true")
	spec.User = "nobody-here"
	_, err := x.cell.StartProcess(x.ctx, spec)
	failsWith(t, err, api.RequestInvalid, "user")
	spec = shell("true")
	spec.Dir = "/no/such"
	_, err = x.cell.StartProcess(x.ctx, spec)
	failsWith(t, err, api.CommandNotFound, cell.FieldDir)
	for name, errno := range map[string]string{"no-such-command": "ENOENT", "/no/such": "ENOENT", "/etc/passwd": "EACCES"} {
		_, err = x.cell.StartProcess(x.ctx, command(name))
		failsWith(t, err, api.CommandNotFound, "")
		if got := api.AsError(err).Details.Errno; got != errno {
			t.Errorf("of the command %s Linux said %q, want %s", name, got, errno)
		}
	}
	_, err = x.cell.AttachProcess(x.ctx, api.ProcessRef{PID: 9999}, 0)
	failsWith(t, err, api.NotFound, "pid")
	_, err = x.cell.AttachProcess(x.ctx, api.ProcessRef{Tag: "none"}, 0)
	failsWith(t, err, api.NotFound, "tag")
	x.sh("echo fine").prints(t, "fine\n")
}

func processInput(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("cat; echo empty").prints(t, "empty\n")
	spec := command("/bin/cat")
	spec.Stdin, spec.Tag = true, "kitten"
	a, ref := x.startRef(spec)
	tag := api.ProcessRef{Tag: "kitten"}
	for _, write := range []func() error{
		func() error { return x.cell.WriteInput(x.ctx, ref, []byte("one\n")) },
		func() error { return x.cell.WriteInput(x.ctx, tag, []byte("two\n")) },
	} {
		if err := write(); err != nil {
			t.Fatal(describe(err))
		}
	}
	x.until(a, "one\ntwo\n")
	large := strings.Repeat("0123456789abcdef", 256<<10)
	got := make(chan followed, 1)
	go func() { got <- follow(a) }()
	if err := errors.Join(x.cell.WriteInput(x.ctx, ref, []byte(large)), x.cell.CloseInput(x.ctx, ref)); err != nil {
		t.Fatal(describe(err))
	}
	f := <-got
	f.prints(t, large)
	failsWith(t, x.cell.WriteInput(x.ctx, ref, []byte("x")), api.Conflict, "")

	spec = shell("exec <&-; echo closed; sleep 100")
	spec.Stdin = true
	a, ref = x.startRef(spec)
	x.until(a, "closed")
	failsWith(t, x.cell.WriteInput(x.ctx, ref, []byte("x")), api.Conflict, "")
	_, ref = x.startRef(shell("sleep 100"))
	failsWith(t, x.cell.WriteInput(x.ctx, ref, []byte("x")), api.Conflict, "")
}

// processInputStuck: a call that waits for a process that reads nothing ends
// with its context, and the process can be written to later.
func processInputStuck(t *testing.T, s *suite) {
	x := s.open(t)
	spec := shell("read go < /work/go; cat | wc -c")
	spec.Stdin = true
	x.sh("mkfifo /work/go").prints(t, "")
	a, ref := x.startRef(spec)
	ctx, cancel := context.WithTimeout(x.ctx, 300*time.Millisecond)
	defer cancel()
	failsWith(t, x.cell.WriteInput(ctx, ref, make([]byte, 4<<20)), api.Canceled, "")
	x.sh("echo > /work/go").prints(t, "")
	if err := errors.Join(x.cell.WriteInput(x.ctx, ref, []byte("end")), x.cell.CloseInput(x.ctx, ref)); err != nil {
		t.Fatal(describe(err))
	}
	follow(a).exits(t, api.ProcessExit{})
}

func processSignals(t *testing.T, s *suite) {
	x := s.open(t)
	a, ref := x.startRef(shell("trap 'echo got; exit 3' TERM; echo up; while :; do sleep 0.05; done"))
	x.until(a, "up")
	if err := x.cell.SignalProcess(x.ctx, ref, "SIGTERM", false); err != nil {
		t.Fatal(describe(err))
	}
	x.until(a, "got")
	follow(a).exits(t, api.ProcessExit{Code: 3, Status: 3})
	failsWith(t, x.cell.SignalProcess(x.ctx, ref, "TERM", false), api.Conflict, "")
	failsWith(t, x.cell.SignalProcess(x.ctx, ref, "SIGNONE", false), api.RequestInvalid, "signal")
	a, ref = x.startRef(command("/bin/sleep", "100"))
	if err := x.cell.SignalProcess(x.ctx, ref, "kill", false); err != nil {
		t.Fatal(describe(err))
	}
	follow(a).exits(t, api.ProcessExit{Code: -1, Signal: "SIGKILL", Status: 137})
}

// processGroups: a shell that signals its own group reaches what it has started,
// and no other command.
func processGroups(t *testing.T, s *suite) {
	x := s.open(t)
	_, other := x.startRef(command("/bin/sleep", "100"))
	x.sh("sleep 100 & kill -9 0").exits(t, api.ProcessExit{Code: -1, Signal: "SIGKILL", Status: 137})
	if err := x.cell.SignalProcess(x.ctx, other, "SIGTERM", false); err != nil {
		t.Errorf("the other command: %v", err)
	}
}

func processSetsid(t *testing.T, s *suite) {
	x := s.open(t)
	follow(x.start(command("setsid", "sh", "-c", "sleep 0.1; exit 5"))).exits(t, api.ProcessExit{Code: 5, Status: 5})
}

// daemons starts processes that have left their parent in every way, one of
// which has thrown its variables away, and then waits.
const daemons = `
import os, signal, sys, time
def daemon(clean):
    if os.fork(): return
    os.setsid()
    if os.fork(): os._exit(0)
    for s in range(1, 32):
        if s not in (9, 19): 
            try: signal.signal(s, signal.SIG_IGN)
            except OSError: pass
    if clean: os.execve("/bin/sleep", ["sleep", "1001"], {})
    os.execv("/bin/sleep", ["sleep", "1001"])
daemon(True); daemon(False)
if os.fork() == 0:
    if os.fork() == 0: time.sleep(1001)
    time.sleep(1001)
time.sleep(0.2)
print("up", flush=True)
time.sleep(1001)
`

// alone waits until the guest and the counting command are the only processes.
func (x *session) alone() {
	x.t.Helper()
	const others = `
import os
me = {1, os.getpid(), os.getppid()}
left = []
for pid in os.listdir("/proc"):
    if not pid.isdigit() or int(pid) in me: continue
    try:
        if open("/proc/%s/stat" % pid).read().rpartition(")")[2].split()[0] not in "ZX": left.append(open("/proc/%s/cmdline" % pid).read())
    except OSError: pass
print(left)
`
	follow(x.start(command("/usr/bin/python3", "-c", others))).prints(x.t, "[]\n")
}

func processTree(t *testing.T, s *suite) {
	x := s.open(t)
	a, ref := x.startRef(command("/usr/bin/python3", "-c", daemons))
	x.until(a, "up")
	if err := x.cell.SignalProcess(x.ctx, ref, "SIGKILL", true); err != nil {
		t.Fatal(describe(err))
	}
	follow(a).exits(t, api.ProcessExit{Code: -1, Signal: "SIGKILL", Status: 137})
	x.alone()

	a, ref = x.startRef(command("/usr/bin/python3", "-c", strings.Replace(daemons, "time.sleep(1001)\n", "sys.exit(0)\n", 3)))
	follow(a)
	if err := x.cell.SignalProcess(x.ctx, ref, "SIGKILL", true); err != nil {
		t.Fatal(describe(err))
	}
	x.alone()
}

func processForkBomb(t *testing.T, s *suite) {
	x := s.open(t, func(spec *cell.Spec) { spec.Resources.PIDs = 64 })
	spec := command("/usr/bin/python3", "-c", `
import os
print("up", flush=True)
while True:
    try:
        if os.fork() == 0: os.setsid()
    except OSError: pass
`)
	a, ref := x.startRef(spec)
	x.until(a, "up")
	if err := x.cell.SignalProcess(x.ctx, ref, "SIGKILL", true); err != nil {
		t.Fatal(describe(err))
	}
	x.alone()
}

func processTimeout(t *testing.T, s *suite) {
	x := s.open(t)
	spec := command("/usr/bin/python3", "-c", daemons)
	spec.Timeout = 1500 * time.Millisecond
	begin := time.Now()
	f := follow(x.start(spec))
	f.exits(t, api.ProcessExit{Code: -1, Signal: "SIGKILL", Status: 137, TimedOut: true})
	if took := time.Since(begin); took < spec.Timeout {
		t.Errorf("it ended after %v, before its time of %v", took, spec.Timeout)
	}
	x.alone()
}

// processBackground: the end of a command does not wait for a child that holds
// its outputs, and what the child writes later is kept for later followers.
func processBackground(t *testing.T, s *suite) {
	x := s.open(t)
	a, ref := x.startRef(shell("mkfifo -m 666 /work/go; (read go < /work/go; echo later) & echo now"))
	f := follow(a)
	f.prints(t, "now\n")
	x.sh("echo > /work/go").prints(t, "")
	x.eventually(func() bool {
		again, err := x.cell.AttachProcess(x.ctx, ref, f.offset)
		if err != nil {
			t.Fatal(describe(err))
		}
		defer again.Close()
		return follow(again).streams["stdout"] == "later\n"
	}, "what a child wrote later did not come")
}

func (x *session) eventually(what func() bool, otherwise string) {
	x.t.Helper()
	for !what() {
		if x.ctx.Err() != nil {
			x.t.Fatal(otherwise)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func processDetached(t *testing.T, s *suite) {
	x := s.open(t)
	a, ref := x.startRef(shell("mkfifo /work/go; echo up; read go < /work/go; echo down; exit 4"))
	x.until(a, "up")
	a.Close()
	x.sh("echo > /work/go").prints(t, "")
	again, err := x.cell.AttachProcess(x.ctx, ref, 0)
	if err != nil {
		t.Fatal(describe(err))
	}
	f := follow(again)
	f.exits(t, api.ProcessExit{Code: 4, Status: 4})
	if f.streams["stdout"] != "up\ndown\n" || f.lost != 0 {
		t.Errorf("got %+v", f)
	}
}

func processReconnect(t *testing.T, s *suite) {
	x := s.open(t)
	a, ref := x.startRef(shell("i=0; while [ $i -lt 3000 ]; do echo $i; echo -$i >&2; i=$((i+1)); done"))
	var stdout, stderr strings.Builder
	offset, times := int64(0), 0
	for ended := false; !ended; times++ {
		for range 20 {
			event := x.next(a)
			if event.Lost != 0 {
				t.Fatalf("%d bytes were lost", event.Lost)
			}
			offset = event.Offset
			switch event.Stream {
			case "stdout":
				stdout.Write(event.Data)
			case "stderr":
				stderr.Write(event.Data)
			}
			if ended = event.Type == api.ProcessExited; ended {
				break
			}
		}
		a.Close()
		var err error
		if a, err = x.cell.AttachProcess(x.ctx, ref, offset); err != nil {
			t.Fatal(describe(err))
		}
	}
	a.Close()
	var wantOut, wantErr strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&wantOut, "%d\n", i)
		fmt.Fprintf(&wantErr, "-%d\n", i)
	}
	if stdout.String() != wantOut.String() || stderr.String() != wantErr.String() {
		t.Errorf("%d and %d bytes came in %d parts, want %d and %d", stdout.Len(), stderr.Len(), times, wantOut.Len(), wantErr.Len())
	}
	late, err := x.cell.AttachProcess(x.ctx, ref, -1)
	if err != nil {
		t.Fatal(describe(err))
	}
	if f := follow(late); f.exit == nil || len(f.streams["stdout"]) != 0 || f.offset != offset {
		t.Errorf("from the end came %+v", f)
	}
}

func processLost(t *testing.T, s *suite) {
	x := s.openMemory(t)
	const size = 600 << 20
	a, ref := x.startRef(shell(fmt.Sprintf("mkfifo /work/go; echo up; read go < /work/go; head -c %d /dev/zero | tr '\\0' y; echo done > /work/done; echo tail", size)))
	x.until(a, "up")
	a.Close()
	x.sh("echo > /work/go; read d < /work/done || while [ ! -s /work/done ]; do sleep 0.05; done").exits(t, api.ProcessExit{})
	x.eventually(func() bool {
		list, err := x.cell.Processes(x.ctx)
		if err != nil {
			t.Fatal(describe(err))
		}
		return list[0].Exit != nil
	}, "the process did not end")
	again, err := x.cell.AttachProcess(x.ctx, ref, 3)
	if err != nil {
		t.Fatal(describe(err))
	}
	f := follow(again)
	f.exits(t, api.ProcessExit{})
	kept := int64(len(f.streams["stdout"]))
	if f.offset != size+8 || kept+f.lost != size+5 || kept < 512<<10 || kept > 2<<20 || !strings.HasSuffix(f.streams["stdout"], "yyy"+"tail\n") {
		t.Errorf("%d bytes came, %d were lost, the end is at %d of %d", kept, f.lost, f.offset, size+8)
	}
}

func processHeldBack(t *testing.T, s *suite) {
	x := s.open(t)
	a, ref := x.startRef(shell("i=0; while [ $i -lt 300 ]; do head -c 100000 /dev/zero; i=$((i+1)); echo $i > /work/at; done"))
	x.sh("sleep 1; cat /work/at > /work/first; sleep 1; cmp /work/at /work/first && [ $(cat /work/at) -lt 100 ]").exits(t, api.ProcessExit{})
	if list, err := x.cell.Processes(x.ctx); err != nil || list[0].PID != ref.PID || list[0].Exit != nil {
		t.Errorf("got %+v, %v", list, err)
	}
	f := follow(a)
	f.exits(t, api.ProcessExit{})
	if f.offset != 300*100000 || f.lost != 0 || len(f.streams["stdout"]) != 300*100000 {
		t.Errorf("%d bytes came, %d were lost", len(f.streams["stdout"]), f.lost)
	}
	a, ref = x.startRef(shell("head -c 30000000 /dev/zero; echo over > /work/over"))
	x.next(a)
	a.Close() // it must go on then
	x.sh("while [ ! -s /work/over ]; do sleep 0.05; done").exits(t, api.ProcessExit{})
	_ = ref
}

func processFollowers(t *testing.T, s *suite) {
	x := s.open(t)
	a, ref := x.startRef(shell("mkfifo /work/go; echo up; read go < /work/go; head -c 5000000 /dev/zero | tr '\\0' z"))
	x.until(a, "up\n")
	var all sync.WaitGroup
	for i := range 8 {
		from := int64(i % 4)
		b, err := x.cell.AttachProcess(x.ctx, ref, from)
		if err != nil {
			t.Fatal(describe(err))
		}
		all.Go(func() {
			defer b.Close()
			if f := follow(b); f.lost != 0 || f.streams["stdout"] != "up\n"[from:]+strings.Repeat("z", 5000000) {
				t.Errorf("from %d came %d bytes, %d lost, %v", from, len(f.streams["stdout"]), f.lost, f.err)
			}
		})
	}
	x.sh("echo > /work/go").prints(t, "")
	follow(a).exits(t, api.ProcessExit{})
	all.Wait()
}

func processMany(t *testing.T, s *suite) {
	x := s.open(t)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			a, err := x.cell.StartProcess(x.ctx, shell(fmt.Sprintf("sleep 0.2; ulimit -n; echo %d; exit %d", i, i)))
			if err != nil {
				t.Error(describe(err))
				return
			}
			defer a.Close()
			f := follow(a)
			if want := fmt.Sprintf("1024\n%d\n", i); f.err != nil || f.exit.Code != i || f.streams["stdout"] != want {
				t.Errorf("process %d: %+v", i, f)
			}
		})
	}
	all.Wait()
}

func processList(t *testing.T, s *suite) {
	x := s.open(t)
	if list, err := x.cell.Processes(x.ctx); err != nil || len(list) != 0 {
		t.Errorf("got %+v, %v", list, err)
	}
	spec := shell("echo hi; exit 3")
	spec.Tag, spec.Env = "first", map[string]string{"A": "b"}
	follow(x.start(spec))
	_, ref := x.startRef(command("/bin/sleep", "100"))
	list, err := x.cell.Processes(x.ctx)
	if err != nil || len(list) != 2 {
		t.Fatalf("got %+v, %v", list, err)
	}
	first, second := list[0], list[1]
	if first.Spec.Tag != "first" || first.Spec.Env["A"] != "b" || first.Offset != 3 || first.Exit == nil || first.Exit.Code != 3 || time.Since(first.Started) > patience {
		t.Errorf("the first is %+v", first)
	}
	if second.PID != ref.PID || second.Exit != nil || second.Spec.Argv[0] != "/bin/sleep" {
		t.Errorf("the second is %+v", second)
	}
	for range 300 {
		follow(x.start(shell("true")))
	}
	if list, err = x.cell.Processes(x.ctx); err != nil || len(list) != 257 || list[0].PID != ref.PID {
		t.Errorf("%d are listed, %v", len(list), err)
	}
}

func processLimits(t *testing.T, s *suite) {
	for _, files := range []int{64, 1024} {
		x := s.open(t, func(spec *cell.Spec) { spec.Resources.OpenFiles, spec.Resources.PIDs = files, 32 })
		x.sh("ulimit -n; ulimit -Hn; ulimit -n 2000 2>/dev/null || echo no").prints(t, fmt.Sprintf("%d\n%d\nno\n", files, files))
		for range 40 {
			a, err := x.cell.StartProcess(x.ctx, command("/bin/sleep", "100"))
			if err == nil {
				defer a.Close()
				continue
			}
			failsWith(t, err, api.LimitExceeded, "pids")
			break
		}
		if list, _ := x.cell.Processes(x.ctx); len(list) > 32+1 {
			t.Errorf("%d processes were started", len(list))
		}
	}
}

// processContext: the end of a call ends nothing in the cell.
func processContext(t *testing.T, s *suite) {
	x := s.open(t)
	ctx, cancel := context.WithCancel(x.ctx)
	a, err := x.cell.StartProcess(ctx, shell("mkfifo /work/go; echo up; read go < /work/go; echo alive"))
	if err != nil {
		t.Fatal(describe(err))
	}
	ref := api.ProcessRef{PID: x.next(a).PID}
	x.until(a, "up\n")
	cancel()
	_, err = a.Next()
	failsWith(t, err, api.Canceled, "")
	_, err = x.cell.StartProcess(ctx, shell("true"))
	failsWith(t, err, api.Canceled, "")
	x.sh("echo > /work/go").prints(t, "")
	again, err := x.cell.AttachProcess(x.ctx, ref, 3)
	if err != nil {
		t.Fatal(describe(err))
	}
	follow(again).prints(t, "alive\n")
}

func processCellEnds(t *testing.T, s *suite) {
	x := s.open(t)
	a, ref := x.startRef(command("/bin/sleep", "100"))
	x.death()
	f := follow(a)
	if api.AsError(f.err).Code != api.Canceled && api.AsError(f.err).Code != api.CellLost {
		t.Errorf("got %v", f.err)
	}
	if err := x.cell.SignalProcess(x.ctx, ref, "KILL", true); err == nil {
		t.Error("a closed cell takes a signal")
	}
}
