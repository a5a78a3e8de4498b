package celltest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var saveChecks = []check{
	{"continue what was killed", saveKillRestore},
	{"the saved cell continues", saveThaw},
	{"two cells of one state", saveFork},
	{"often", saveOften},
	{"no room for the state", saveFails},
	{"what is asked of a saved cell", saveWaits},
	{"output of a process", saveProcess},
	{"a terminal", saveTerminal},
	{"a server and its client", saveServer},
	{"what does not fit", saveMisfit},
	{"a new identity", saveIdentity},
	{"memory counts as before", saveMemory},
}

// keeper is a program with something in each place that a state has: it serves
// files of requests below /work and answers in files, so that it can be asked
// when every connection to it was cut.
const keeper = `
import mmap, os, random, sys, threading, time
held = bytearray(b"memory" * 100000)
mapped = mmap.mmap(-1, 1 << 20); mapped[:6] = b"mapped"
disk = open("/work/open", "w+b", buffering=0); disk.write(b"opened")
gone = open("/work/gone", "w+b", buffering=0); gone.write(b"no name"); os.remove("/work/gone")
open("/tmp/tmpfs", "w").write("in memory")
for i in range(100): open(f"/work/file{i}", "w").write(str(i) * 100)
r, w = os.pipe(); os.write(w, b"piped")
ticks = 0
def tick():
    global ticks
    while True: ticks += 1; time.sleep(0.001)
threading.Thread(target=tick, daemon=True).start()
child = os.fork()
if child == 0:
    while True: time.sleep(1000)
random.seed(1)
os.write(4, b".")
n = 0
while True:
    try: code = open(f"/work/ask{n}").read()
    except FileNotFoundError: code = ""
    if not code.endswith("\n"): time.sleep(0.001); continue
    try: answer = str(eval(code))
    except Exception as e: answer = repr(e)
    open("/work/next", "w").write(answer); os.rename("/work/next", f"/work/answer{n}")
    n += 1
`

// kept is a cell with a keeper.
type kept struct {
	*session
	asked int // how many expressions
}

func (s *suite) kept(t *testing.T) *kept {
	t.Helper()
	x := s.open(t)
	p, err := x.begin("#late\n" + keeper)
	if err != nil {
		t.Fatal(describe(err))
	}
	if err := p.Ready(x.ctx); err != nil {
		t.Fatal(describe(err))
	}
	return &kept{session: x}
}

// ask has the keeper evaluate an expression.
func (k *kept) ask(expression string) string {
	k.t.Helper()
	n := k.asked
	k.asked++
	k.put("/work", file(fmt.Sprintf("ask%d", n), []byte(expression+"\n")))
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		name := fmt.Sprintf("answer%d", n)
		if answer, ok := k.mustGet("/work", name)[name]; ok {
			return answer.Data
		}
	}
	k.t.Fatalf("the program does not answer %q", expression)
	return ""
}

// same asks the keeper for everything that it has.
func (k *kept) same(t *testing.T) {
	t.Helper()
	for expression, want := range map[string]string{
		"bytes(held) == b'memory' * 100000": "True",
		"bytes(mapped[:6])":                 "b'mapped'",
		"os.pread(disk.fileno(), 100, 0)":   "b'opened'",
		"os.pread(gone.fileno(), 100, 0)":   "b'no name'",
		"open('/tmp/tmpfs').read()":         "in memory",
		"[open(f'/work/file{i}').read() == str(i) * 100 for i in range(100)].count(True)": "100",
		"os.kill(child, 0)": "None",
	} {
		if got := k.ask(expression); got != want {
			t.Errorf("%s is %q, want %q", expression, got, want)
		}
	}
	before := k.ask("ticks")
	if after := k.ask("(time.sleep(0.05), ticks)[1]"); after == before {
		t.Errorf("the thread that counts stands at %s", after)
	}
}

// state is a saved cell.
type state struct {
	saved cell.Saved
	files cell.SavedFiles
	asked int // of its keeper
}

func newState(t *testing.T) *state {
	t.Helper()
	dir := t.TempDir()
	create := func(name string) *os.File {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR|os.O_EXCL, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	return &state{files: cell.SavedFiles{Kernel: create("kernel"), Index: create("index"), Pages: create("pages")}}
}

func (x *session) save(t *testing.T) *state {
	t.Helper()
	st := newState(t)
	x.saveInto(t, st)
	return st
}

func (x *session) saveInto(t *testing.T, st *state) {
	t.Helper()
	var err error
	if st.saved, err = x.cell.Save(x.ctx, st.files); err != nil {
		t.Fatalf("saving: %v", describe(err))
	}
}

// restore makes a cell of a state.
func (s *suite) restore(t *testing.T, st *state, adjust ...func(*cell.Spec)) *session {
	t.Helper()
	x, err := s.tryRestore(t, st, adjust...)
	if err != nil {
		t.Fatalf("restoring: %v", describe(err))
	}
	return x
}

func (s *suite) tryRestore(t *testing.T, st *state, adjust ...func(*cell.Spec)) (*session, error) {
	t.Helper()
	return s.openWith(t, func(ctx context.Context, spec cell.Spec) (*cell.Cell, error) {
		return cell.Restore(ctx, s.driver, spec, st.saved, st.files)
	}, adjust...)
}

func (k *kept) save(t *testing.T) *state {
	t.Helper()
	st := newState(t)
	k.saveInto(t, st)
	return st
}

func (k *kept) saveInto(t *testing.T, st *state) {
	t.Helper()
	k.session.saveInto(t, st)
	st.asked = k.asked
}

// again restores a cell with a keeper.
func (s *suite) again(t *testing.T, st *state, adjust ...func(*cell.Spec)) *kept {
	t.Helper()
	return &kept{s.restore(t, st, adjust...), st.asked}
}

func saveKillRestore(t *testing.T, s *suite) {
	k := s.kept(t)
	before := k.ask("os.getpid(), child, ticks > 0")
	st := k.save(t)
	if err := st.files.Sync(); err != nil {
		t.Fatal(err)
	}
	k.death()
	s.nothingRuns(t, k.spec.ID)
	again := s.again(t, st)
	if after := again.ask("os.getpid(), child, ticks > 0"); after != before {
		t.Errorf("the processes were %s and are %s", before, after)
	}
	again.same(t)
	if got := again.ask("os.read(r, 100)"); got != "b'piped'" {
		t.Errorf("the pipe holds %s", got)
	}
	again.ask("open('/work/file8', 'w').write('new')")
	_, contents := again.contents()
	for name, want := range map[string]string{"work/file7": strings.Repeat("7", 100), "work/file8": "new"} {
		if contents[name] != want {
			t.Errorf("in the layer %s has %q, want %q", name, contents[name], want)
		}
	}
}

// saveThaw also saves twice in a row, and freezes between.
func saveThaw(t *testing.T, s *suite) {
	k := s.kept(t)
	st := k.save(t)
	k.saveInto(t, st)
	k.thaw(t)
	k.same(t)
	k.freeze(t)
	k.saveInto(t, st)
	k.thaw(t)
	k.thaw(t)
	k.same(t)
	s.again(t, st).same(t)
}

func saveFork(t *testing.T, s *suite) {
	k := s.kept(t)
	st := k.save(t)
	k.thaw(t)
	first, second := s.again(t, st), s.again(t, st)
	for name, each := range map[string]*kept{"parent": k, "first": first, "second": second} {
		write := fmt.Sprintf("[open(p, 'w').write(%q) for p in ('/work/name', '/tmp/name', '/work/file7')]", name)
		each.ask(write + ", held.__setitem__(slice(0, 6), " + fmt.Sprintf("b'%6s'", name) + ")")
	}
	for name, each := range map[string]*kept{"parent": k, "first": first, "second": second} {
		want := fmt.Sprint(strings.Repeat(name+" ", 3), fmt.Sprintf("%6s", name))
		got := each.ask("' '.join(open(p).read() for p in ('/work/name', '/tmp/name', '/work/file7')) + ' ' + bytes(held[:6]).decode()")
		if got != want {
			t.Errorf("the %s has %q, want %q", name, got, want)
		}
	}
}

// saveOften kills and restores again and again while the tree grows.
func saveOften(t *testing.T, s *suite) {
	k := s.kept(t)
	const rounds = 20
	for round := range rounds {
		k.ask(fmt.Sprintf("[os.makedirs('/work/tree/%d'), [open(f'/work/tree/%[1]d/{i}', 'w').write(str(i) * 2000) for i in range(20)]]", round))
		st := k.save(t)
		k.death()
		k = s.again(t, st)
		count := fmt.Sprintf("sum(open(f'/work/tree/{d}/{i}').read() == str(i) * 2000 for d in range(%d) for i in range(20))", round+1)
		if got, want := k.ask(count), fmt.Sprint(20*(round+1)); got != want {
			t.Fatalf("after round %d there are %s whole files, want %s", round, got, want)
		}
	}
	k.same(t)
}

// saveFails wants a cell that runs on when its state cannot be written.
func saveFails(t *testing.T, s *suite) {
	k := s.kept(t)
	for _, which := range []string{"kernel", "index", "pages"} {
		st := newState(t)
		limited := sealed(t)
		*map[string]**os.File{"kernel": &st.files.Kernel, "index": &st.files.Index, "pages": &st.files.Pages}[which] = limited
		if _, err := k.cell.Save(k.ctx, st.files); err == nil {
			t.Errorf("the state was saved, although there is no room for its %s", which)
		}
		k.same(t)
	}
	closed := newState(t)
	closed.files.Pages.Close()
	if _, err := k.cell.Save(k.ctx, closed.files); err == nil {
		t.Error("the state was saved into a closed file")
	}
	k.same(t)
	canceled, cancel := context.WithCancel(k.ctx)
	cancel()
	if _, err := k.cell.Save(canceled, newState(t).files); err == nil {
		t.Error("the state was saved for a caller that is gone")
	}
	k.same(t)
	s.again(t, k.save(t)).same(t)
}

// saveWaits wants a program that runs to be lost to its caller, and a later one to
// wait.
func saveWaits(t *testing.T, s *suite) {
	x := s.open(t)
	over := make(chan outcome, 2)
	go func() { over <- x.python("import time; open('/work/up', 'w').close(); time.sleep(1000)") }()
	for len(x.mustGet("/work", "up")) == 0 {
		time.Sleep(time.Millisecond)
	}
	x.save(t)
	(<-over).fails(t, api.Conflict)
	asked := make(chan struct{})
	var found map[string]got
	go func() {
		defer close(asked)
		found = x.mustGet("/work", "up")
	}()
	select {
	case <-asked:
		t.Error("a frozen cell answers")
	case <-time.After(100 * time.Millisecond):
	}
	x.thaw(t)
	if <-asked; len(found) != 1 {
		t.Errorf("the answer is %v", found)
	}
}

// sealed is a file that cannot grow.
func sealed(t *testing.T) *os.File {
	t.Helper()
	fd, err := unix.MemfdCreate("full", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "full")
	t.Cleanup(func() { f.Close() })
	if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_GROW); err != nil {
		t.Fatal(err)
	}
	return f
}

func saveMisfit(t *testing.T, s *suite) {
	x := s.open(t)
	st := x.save(t)
	for name, change := range map[string]func(*cell.Saved){
		"driver": func(o *cell.Saved) { o.Driver = "other" }, "build": func(o *cell.Saved) { o.Build = "other" },
		"image": func(o *cell.Saved) { o.Image = "other.erofs" }, "resources": func(o *cell.Saved) { o.Resources.Memory++ },
		"proxy": func(o *cell.Saved) { o.Proxy = true },
	} {
		other := &state{saved: st.saved, files: st.files}
		change(&other.saved)
		_, err := s.tryRestore(t, other)
		if e := api.AsError(err); e == nil || e.Code != api.Conflict || e.Details.Field != name {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if err := st.files.Kernel.Truncate(1000); err != nil {
		t.Fatal(err)
	}
	if _, err := s.tryRestore(t, st); err == nil {
		t.Error("a state that is cut was restored")
	}
	x.thaw(t)
	x.python("print('alive')").prints(t, "alive\n")
}

func saveIdentity(t *testing.T, s *suite) {
	k := s.kept(t)
	const who = "__import__('socket').gethostname(), os.path.exists('/run/glovebox/generation') and open('/run/glovebox/generation').read()"
	own := k.ask(who)
	st := k.save(t)
	k.thaw(t)
	if got := k.ask(who); got != own || !strings.Contains(own, "False") {
		t.Errorf("the saved cell was %s and is %s", own, got)
	}
	child := s.again(t, st, func(spec *cell.Spec) { spec.Host, spec.Machine = "child", "0123456789abcdef0123456789abcdef" })
	if got, want := child.ask(who), `('child', '1\n')`; got != want {
		t.Errorf("the child is %s, want %s", got, want)
	}
	if got := child.ask("open('/etc/machine-id').read()"); got != "0123456789abcdef0123456789abcdef\n" {
		t.Errorf("its machine is %q", got)
	}
	grandchild := s.again(t, child.save(t))
	if got, want := grandchild.ask(who), own[:strings.Index(own, ",")]+`, '2\n')`; got != want {
		t.Errorf("the grandchild is %s, want %s", got, want)
	}
	if a, b := s.again(t, st).ask("os.urandom(16)"), s.again(t, st).ask("os.urandom(16)"); a == b {
		t.Errorf("the kernel gave two cells the same random bytes: %s", a)
	}
}

// saveMemory wants the limit of memory to hold after any number of restores.
func saveMemory(t *testing.T, s *suite) {
	small := func(spec *cell.Spec) { spec.Resources.Memory = 128 << 20 }
	x := s.open(t, small)
	p, err := x.begin("#late\nheld = [os.urandom(64 << 20)]; os.write(4, b'.')\nwhile not os.path.exists('/work/more'): time.sleep(0.01)\nwhile True: held.append(os.urandom(1 << 20))")
	if err != nil {
		t.Fatal(describe(err))
	}
	if err := p.Ready(x.ctx); err != nil {
		t.Fatal(describe(err))
	}
	for range 3 {
		st := x.save(t)
		if held := st.saved.Memory; held < 64<<20 || held > 100<<20 {
			t.Errorf("the programs held %d bytes when they were saved", held)
		}
		x.death()
		x = s.restore(t, st, small)
	}
	x.put("/work", file("more", nil))
	select {
	case <-x.cell.Done():
	case <-time.After(patience):
		t.Fatal("a restored program can hold more than its limit")
	}
	if death := x.death(); !death.OutOfMemory || death.PeakMemory > 200<<20 {
		t.Errorf("the cell ended with %+v, want it out of memory", death)
	}
}

// saveProcess follows what a process prints over saves, without a gap or a repeat,
// in the saved cell and in others of its state.
func saveProcess(t *testing.T, s *suite) {
	x := s.open(t)
	_, ref := x.startRef(shell("i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo $i; sleep 0.002; done; exit 7"))
	var want strings.Builder
	for i := range 200 {
		fmt.Fprintln(&want, i+1)
	}
	states := make(chan *state, 3)
	var st *state
	text, offset := "", int64(0)
	for range 3 {
		a, err := x.cell.AttachProcess(x.ctx, ref, offset)
		if err != nil {
			t.Fatal(describe(err))
		}
		time.AfterFunc(100*time.Millisecond, func() { st := x.save(t); x.thaw(t); states <- st })
		f := follow(a)
		failsWith(t, f.err, api.Conflict, "")
		st = <-states
		text, offset = text+f.streams["stdout"], f.offset
	}
	check := func(name string, x *session) {
		a, err := x.cell.AttachProcess(x.ctx, ref, offset)
		if err != nil {
			t.Fatal(describe(err))
		}
		f := follow(a)
		f.exits(t, api.ProcessExit{Code: 7, Status: 7})
		if text+f.streams["stdout"] != want.String() || f.lost != 0 {
			t.Errorf("%s: %d and %d bytes came, %d were lost, want %d", name, len(text), len(f.streams["stdout"]), f.lost, want.Len())
		}
	}
	check("the saved cell", x)
	check("another one", s.restore(t, st))
}

// saveTerminal continues at the prompt of a shell.
func saveTerminal(t *testing.T, s *suite) {
	x := s.open(t)
	spec := command("/bin/sh", "-i")
	spec.Terminal = &api.TerminalSize{Columns: 80, Rows: 24}
	spec.Variables = append(spec.Variables, "PS1=ready> ")
	a, ref := x.startRef(spec)
	x.until(a, "ready> ")
	st := x.save(t)
	x.thaw(t)
	for _, x := range []*session{x, s.restore(t, st)} {
		a, err := x.cell.AttachProcess(x.ctx, ref, -1)
		if err != nil {
			t.Fatal(describe(err))
		}
		if err := x.cell.WriteInput(x.ctx, ref, []byte("echo st''ill $(stty size); exit 6\n")); err != nil {
			t.Fatal(describe(err))
		}
		x.until(a, "still 24 80")
		follow(a).exits(t, api.ProcessExit{Code: 6, Status: 6})
	}
}

// saveServer continues with a server, and with the connection between two programs.
func saveServer(t *testing.T, s *suite) {
	x := s.open(t)
	a, _ := x.startRef(command("/usr/bin/python3", "-c", server, "4"))
	x.until(a, "up")
	spec := command("/usr/bin/python3", "-c", `
import socket, sys
conn = socket.create_connection(("127.0.0.1", 8000))
for line in sys.stdin:
    conn.sendall(line.encode()); print(conn.recv(100).decode(), end="", flush=True)
`)
	spec.Stdin = true
	client, ref := x.startRef(spec)
	say := func(x *session, a *cell.Attachment, text string) {
		if err := x.cell.WriteInput(x.ctx, ref, []byte(text)); err != nil {
			t.Fatal(describe(err))
		}
		x.until(a, text)
	}
	say(x, client, "before\n")
	st := x.save(t)
	x.thaw(t)
	for _, x := range []*session{x, s.restore(t, st)} {
		client, err := x.cell.AttachProcess(x.ctx, ref, -1)
		if err != nil {
			t.Fatal(describe(err))
		}
		say(x, client, "after\n")
		if got, err := exchange(x.dial(), "new"); err != nil || got != "newgot 3" {
			t.Errorf("a new connection gave %q, %v", got, err)
		}
	}
}
