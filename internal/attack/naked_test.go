package attack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack/programs"
)

// naked is a target that isolates nothing: its cells are processes of this host, its
// outputs are followed wherever they lead, its proxy reaches everything, its restricted
// Python is CPython and its server lets in everybody.
//
// Programs that would change this host meet a kernel that permits everything and does
// nothing.
type naked struct {
	t      *testing.T
	dir    string
	proxy  *httptest.Server
	secret string
}

func newNaked(t *testing.T) *naked {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skipf("needs python3 on this host: %v", err)
	}
	n := &naked{t: t, dir: t.TempDir(), proxy: httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))}
	t.Cleanup(n.proxy.Close)
	t.Cleanup(func() { // what programs left must not outlive the test
		for _, found := range n.Processes() {
			var pid int
			if _, err := fmt.Sscanf(found, "/proc/%d", &pid); err == nil {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	return n
}

// changing are the programs that would change this host, or send something into its network.
var changing = []programs.Program{
	programs.RunnerBinary, programs.KernelSettings, programs.Mounts, programs.Namespaces, programs.MountsOfRoot, programs.SystemCalls, programs.Devices,
	programs.Clock, programs.Capabilities, programs.NothingLeaves, programs.NoNames,
}

// permissive is the kernel of those programs.
const permissive = `
import builtins, ctypes, io, os, socket, time
class Call:
    def __call__(self, *args): return 0
class Library:
    def __getattr__(self, name): return Call()
class Socket:
    def __init__(self, *args): pass
    def __getattr__(self, name): return lambda *args: None
ctypes.CDLL = lambda *args, **more: Library()
os.open = lambda *args: os.dup(0)
os.write = lambda *args: 0
os.mknod = time.clock_settime = lambda *args: None
builtins.open = lambda path, mode="r", *args: io.BytesIO(b"x") if "b" in mode else io.StringIO("CapPrm:\t1\nNoNewPrivs:\t0\n")
socket.socket = Socket
socket.getaddrinfo = lambda *args: "an address"
`

// python executes a program as a process of this host, within the bounds of a test.
func (n *naked) python(ctx context.Context, code string, arguments ...string) (stdout, stderr string, err error) {
	if slices.ContainsFunc(changing, func(p programs.Program) bool { return p.Code == code }) {
		code = permissive + code
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return "", "", err
	}
	defer null.Close()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 4000000 -c 0; exec python3 -c "$@"`, "sh", code}, arguments...)...)
	cmd.Env = append(os.Environ(), "OUT="+filepath.Join(n.dir, "out"), "KEY="+n.secret, "TMPDIR="+n.dir, "HTTP_PROXY="+n.proxy.URL, "http_proxy="+n.proxy.URL)
	cmd.Dir, cmd.ExtraFiles, cmd.WaitDelay = n.dir, []*os.File{null}, 100*time.Millisecond
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	if err != nil {
		err = api.Errorf(api.PythonException, "%w: %s", err, errs.String())
	}
	return out.String(), errs.String(), err
}

func (n *naked) Run(ctx context.Context, j Job) (Outcome, error) {
	if err := os.RemoveAll(filepath.Join(n.dir, "out")); err != nil {
		return Outcome{}, err
	}
	began := time.Now()
	if j.Timeout > 0 {
		twice, cancel := context.WithTimeout(ctx, 2*j.Timeout)
		defer cancel()
		ctx = twice
	}
	stdout, stderr, err := n.python(ctx, j.Code, j.Arguments...)
	if j.Timeout > 0 && ctx.Err() != nil {
		err = nil // it has outlived its time limit, which is all that there is to see
	}
	both := 2 * time.Since(began) // what two processors give, if nobody else wants them
	return Outcome{Stdout: stdout, Stderr: stderr, Output: filepath.Join(n.dir, "out"), CPU: both}, err
}

func (n *naked) Open(context.Context) (Session, error) { return nakedSession{n}, nil }

func (n *naked) Evaluate(ctx context.Context, code string, _ api.OrchestratorLimits) (string, error) {
	stdout, _, err := n.python(ctx, code)
	return stdout, err
}

func (n *naked) SetSecret(_ context.Context, value string) error {
	n.secret = value
	return nil
}

func (n *naked) Kept() string { return n.dir }

// Processes are those that have the directory in their environment.
func (n *naked) Processes() (found []string) {
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		n.t.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte("TMPDIR="+n.dir)) {
			found = append(found, file)
		}
	}
	return found
}

// Serve answers everything, with the file that a path leads to. It never leaves the loopback.
func (n *naked) Serve(context.Context, string, string) (string, func(), error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := &http.Server{MaxHeaderBytes: 64 << 20, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, _ := url.PathUnescape(r.RequestURI)
		data, _ := os.ReadFile("/" + strings.TrimLeft(path[strings.LastIndex(path, "../")+1:], "./"))
		w.Write(data)
	})}
	go s.Serve(l)
	return l.Addr().String(), func() { s.Close() }, nil
}

type nakedSession struct{ *naked }

func (s nakedSession) Exec(ctx context.Context, _ bool, code string, arguments ...string) (string, error) {
	stdout, _, err := s.python(ctx, code, arguments...)
	return stdout, err
}

func (s nakedSession) Read(_ context.Context, path string) (string, error) {
	data, err := os.ReadFile(path)
	return string(data), err
}

func (nakedSession) Close() error { return nil }

// TestEachCaseCanFail finds cases that show nothing: where nothing is isolated, each has
// to succeed.
func TestEachCaseCanFail(t *testing.T) {
	b, err := NewBench(newNaked(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			if testing.Short() && c.Long {
				t.Skip("a case of the long form; not with -short")
			}
			if r := Try(t.Context(), c, b); r.Verdict != Broken {
				t.Errorf("where nothing is isolated it is %s: %s", r.Verdict, r.Detail)
			}
		})
	}
}

// TestEachProbeCanFail does the same for each program of the interpreter: a case ends at
// the first that succeeds.
func TestEachProbeCanFail(t *testing.T) {
	n := newNaked(t)
	for _, p := range probes {
		for _, code := range p.programs {
			if err := each(code)(t.Context(), &Bench{Target: n}); judge(err).Verdict != Broken {
				t.Errorf("%s: CPython comes to %v with %s", p.name, err, oneLine(code))
			}
		}
	}
}
