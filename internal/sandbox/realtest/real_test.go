// Package realtest runs code sandboxes in real cells. It is apart from package
// sandbox so that the tests and fuzz targets there do not link gVisor.
package realtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/egress"
	"github.com/glovebox-dev/glovebox/internal/runsc"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/value"
)

func TestMain(m *testing.M) {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
	os.Exit(m.Run())
}

// realImages has the Debian of the cell tests, with Python and a C compiler.
type realImages struct{ rootFS string }

func (realImages) Check(api.ImageSpec) error { return nil }

func (r realImages) Ensure(context.Context, api.ImageSpec, func(api.Progress)) (*sandbox.Image, error) {
	return &sandbox.Image{
		ID: "sha256:test", RootFS: r.rootFS, Python: "/usr/bin/python3", Cmd: []string{"python3", "-c", "print('from cmd')"},
		Env: []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
	}, nil
}

func (r realImages) Stored(string) (*sandbox.Image, error) {
	return r.Ensure(context.Background(), api.ImageSpec{}, nil)
}

// real is a runner over gVisor.
type real struct {
	runner *sandbox.Runner
	dir    string
	mu     sync.Mutex
	count  int
}

func newReal(t *testing.T) *real {
	t.Helper()
	return newRealWith(t, pool.Config{})
}

// newRealWith keeps some cells ready.
func newRealWith(t *testing.T, warm pool.Config) *real {
	t.Helper()
	return newRealAt(t, warm, greetings, nil)
}

// newRealAt has another way out, and the certificates of a host.
func newRealAt(t *testing.T, warm pool.Config, out func(api.Network, func(api.Connection), sandbox.Ways) (sandbox.Handler, error), bundle []byte) *real {
	t.Helper()
	if os.Getenv("GLOVEBOX_TEST_REAL") == "" {
		t.Skip("set GLOVEBOX_TEST_REAL=1 to run in gVisor cells")
	}
	driver, err := gvisor.New(gvisor.Config{Program: "/proc/self/exe", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	secrets := func(string) ([]byte, error) { return []byte("hunter2hunter2"), nil }
	r := &real{dir: dir, runner: sandbox.New(sandbox.Config{
		Driver: driver, Images: realImages{celltest.RootFS(t)}, Secrets: secrets, Egress: out, Within: egress.Within, Dir: dir, Warm: warm,
		Derive:       func(purpose string) ([]byte, error) { return []byte("a key of this test for the " + purpose), nil },
		Certificates: func(bool) ([]byte, error) { return bundle, nil },
	})}
	t.Cleanup(func() {
		if err := r.runner.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// greetings is a way out that says which policy it is under.
func greetings(n api.Network, _ func(api.Connection), _ sandbox.Ways) (sandbox.Handler, error) {
	return func(_ context.Context, conn net.Conn) {
		_, _ = fmt.Fprintf(conn, "public=%t allow=%v\n", n.Public, n.Allow)
	}, nil
}

func (r *real) run(t *testing.T, task *api.Task, given map[string]any) (*api.Result, error) {
	t.Helper()
	if err := r.runner.Validate(task); err != nil {
		t.Fatalf("Validate: %v", err)
	}
	r.mu.Lock()
	r.count++
	id := fmt.Sprintf("run-%d", r.count)
	r.mu.Unlock()
	inputs, err := (&api.Submission{Inputs: given}).CompleteInputs(task.Signature.Inputs)
	if err != nil {
		return nil, err
	}
	return r.runner.Run(t.Context(), id, &api.Request{Task: task, Inputs: inputs})
}

// must runs a task that has to succeed and returns its outputs by name.
func (r *real) must(t *testing.T, task *api.Task, given map[string]any) map[string]any {
	t.Helper()
	result, err := r.run(t, task, given)
	if err != nil {
		t.Fatalf("%v\nstdout: %s\nstderr: %s", err, result.Stdout, result.Stderr)
	}
	values := map[string]any{}
	for _, o := range result.Outputs {
		values[o.Name] = o.Value
	}
	return values
}

func sig(t *testing.T, inputs, outputs string) api.Signature {
	t.Helper()
	return api.Signature{Inputs: typed(t, inputs), Outputs: typed(t, outputs)}
}

func typed(t *testing.T, list string) []value.Param {
	t.Helper()
	var out []value.Param
	for _, pair := range strings.Fields(list) {
		name, word, _ := strings.Cut(pair, ":")
		parsed, err := value.ParseType(word)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, value.Param{Name: name, Type: parsed})
	}
	return out
}

func TestRealValues(t *testing.T) {
	r := newReal(t)
	big := strings.Repeat("0123456789", 1<<20)
	given := map[string]any{
		"s": "'\"$(id)`;\\\r\n\x00--x 😀\xed\xa0\x80", "big": big, "b": []byte("\x00\xff\n"), "i": 42, "f": math.Copysign(0, -1),
		"t": true, "n": nil, "l": []any{int64(1), "two", nil}, "when": value.NaiveDateTime(time.Date(2024, 1, 1, 0, 0, 0, 5000, time.UTC)),
		"d": value.NewTimedelta(-time.Second),
	}
	const list = "s:str big:str b:bytes i:int f:float t:bool n:Optional[int] l:list[Any] when:datetime d:timedelta"
	inputs := typed(t, list)
	outputs := make([]value.Param, len(inputs))
	var code strings.Builder
	for i, p := range inputs {
		outputs[i] = value.Param{Name: "out_" + p.Name, Type: p.Type}
		fmt.Fprintf(&code, "out_%s = %s\n", p.Name, p.Name)
	}
	got := r.must(t, &api.Task{Code: code.String(), Signature: api.Signature{Inputs: inputs, Outputs: outputs}}, given)
	for name, value := range given {
		want := value
		if name == "i" {
			want = int64(42)
		}
		if diff := cmp.Diff(want, got["out_"+name]); diff != "" {
			t.Errorf("%s came back changed: %.500s", name, diff)
		}
	}
}

func TestRealVerbatimFiles(t *testing.T) {
	r := newReal(t)
	for name, value := range map[string]string{"plain": "x y", "option": "--x", "shell": "'$(id)`\n", "nul": "a\x00b", "empty": ""} {
		task := &api.Task{
			Code:     "import shutil; shutil.copy('/var/inputs/v', '/var/outputs/w')",
			Verbatim: true, Signature: sig(t, "v:bytes", "w:bytes"),
		}
		got := r.must(t, task, map[string]any{"v": []byte(value)})
		if string(got["w"].([]byte)) != value {
			t.Errorf("%s: %q came back as %q", name, value, got["w"])
		}
	}
}

// Values that are large together do not keep a script from starting.
func TestRealManyArguments(t *testing.T) {
	r := newReal(t)
	task := &api.Task{Code: "import sys; open('/var/outputs/n', 'w').write(str(len(sys.argv)))", Verbatim: true, Env: map[string]string{}}
	given := map[string]any{}
	for i := range 20 {
		name := fmt.Sprintf("v%d", i)
		task.Signature.Inputs = append(task.Signature.Inputs, typed(t, name+":str")...)
		given[name] = strings.Repeat("x", 100<<10)
	}
	for i := range 4 {
		task.Env[fmt.Sprintf("E%d", i)] = strings.Repeat("x", 120<<10)
	}
	task.Signature.Outputs = typed(t, "n:int")
	if got := r.must(t, task, given)["n"]; got != int64(11) {
		t.Errorf("the script got %v arguments, want its name and five values", got)
	}
}

// The examples of the documents.
func TestRealExamples(t *testing.T) {
	r := newReal(t)
	payload, lines := filepath.Join(t.TempDir(), "payload"), filepath.Join(t.TempDir(), "lines")
	if err := errors.Join(os.WriteFile(payload, []byte(`{"values": [1, 2, 3, 4, 5]}`), 0o600), os.WriteFile(lines, []byte("line 1\n\nline 2\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		task  *api.Task
		given map[string]any
		want  map[string]any
	}{
		{&api.Task{Name: "double", Code: "result = x * 2", Signature: sig(t, "x:int", "result:int")},
			map[string]any{"x": 21}, map[string]any{"result": int64(42)}},
		{&api.Task{Name: "sum-to-n", Code: "total = sum(range(n + 1)) if conditional else 0", Signature: sig(t, "n:int conditional:bool", "total:int")},
			map[string]any{"n": 10, "conditional": true}, map[string]any{"total": int64(55)}},
		{&api.Task{Name: "etl-script", Verbatim: true, Signature: sig(t, "payload:File", "total:int"), Code: `import json, pathlib

payload = json.loads(pathlib.Path("/var/inputs/payload").read_text())
total = sum(payload["values"])

pathlib.Path("/var/outputs/total").write_text(str(total))
`}, map[string]any{"payload": value.File{Path: payload}}, map[string]any{"total": int64(15)}},
		{&api.Task{Name: "line-counter", Signature: sig(t, "data_file:File", "line_count:str"), Command: []string{"/bin/bash", "-c",
			"grep -c . /var/inputs/data_file > /var/outputs/line_count || echo 0 > /var/outputs/line_count"}},
			map[string]any{"data_file": value.File{Path: lines}}, map[string]any{"line_count": "2"}},
		{&api.Task{Name: "test-runner", Command: []string{"/bin/bash", "-c", "test -f $0 && test -f $1 && exit 3"},
			Arguments: []string{"/var/inputs/solution.py", "/var/inputs/tests.py"}, Signature: sig(t, "solution.py:File tests.py:File", "exit_code:str")},
			map[string]any{"solution.py": value.File{Path: payload}, "tests.py": value.File{Path: lines}}, map[string]any{"exit_code": "3"}},
		{&api.Task{Name: "deployable", Signature: sig(t, "payload:File", "total:int"),
			Code: "import json, pathlib\ndata = json.loads(pathlib.Path(payload).read_text())\ntotal = sum(data['values'])\n"},
			map[string]any{"payload": value.File{Path: payload}}, map[string]any{"total": int64(15)}},
		{&api.Task{Name: "arguments", Verbatim: true, Signature: sig(t, "n:int s:str", "r:str"),
			Code: "import argparse\np = argparse.ArgumentParser()\np.add_argument('--n', type=int)\np.add_argument('--s')\na = p.parse_args()\nopen('/var/outputs/r', 'w').write(repr((a.n, a.s)))\n"},
			map[string]any{"n": -5, "s": "--rm 'x'"}, map[string]any{"r": `(-5, "--rm 'x'")`}},
	}
	for _, tt := range tests {
		t.Run(tt.task.Name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, r.must(t, tt.task, tt.given)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRealEntrypoint(t *testing.T) {
	r := newReal(t)
	result, err := r.run(t, &api.Task{}, nil)
	if err != nil || string(result.Stdout) != "from cmd\n" {
		t.Errorf("%v, stdout %q", err, result.Stdout)
	}
}

func TestRealFailures(t *testing.T) {
	r := newReal(t)
	out := sig(t, "", "result:int")
	file := sig(t, "", "result:File")
	tests := []struct {
		name  string
		task  api.Task
		code  api.Code
		words string
	}{
		{"exception", api.Task{File: "etl.py", Code: "def main():\n    raise ValueError('bad')\n\nmain()\n"}, api.PythonException, "ValueError: bad, at etl.py:2 in main"},
		{"syntax error", api.Task{File: "etl.py", Code: "x = 1\ny = = 2\n"}, api.SyntaxError, "at etl.py:2"},
		{"verbatim exception", api.Task{File: "etl.py", Verbatim: true, Code: "def main():\n    raise ValueError('bad')\n\nmain()\n"}, api.PythonException, "ValueError: bad, at etl.py:2 in main"},
		{"verbatim syntax error", api.Task{File: "etl.py", Verbatim: true, Code: "x = 1\ny = = 2\n"}, api.SyntaxError, "at etl.py:2"},
		{"missing", api.Task{Code: "x = 1", Signature: out}, api.MissingOutput, `"result"`},
		{"wrong type", api.Task{Code: "result = 'a'", Signature: out}, api.BadOutput, "expected int, got str"},
		{"sys.exit(3)", api.Task{Code: "import sys; sys.exit(3)"}, api.NonzeroExit, "status 3"},
		{"os._exit(0)", api.Task{Code: "import os; os._exit(0)", Signature: out}, api.MissingOutput, "status 0"},
		{"killed interpreter", api.Task{Code: "import os; os.kill(os.getpid(), 9)"}, api.Signaled, "SIGKILL"},
		{"crash", api.Task{Code: "import ctypes; ctypes.string_at(0)"}, api.Signaled, "SIGSEGV"},
		{"forged report", api.Task{Code: "import os; open('/run/glovebox/result/result.json', 'w').write('{'); os._exit(0)"}, api.BadOutput, "damaged"},
		{"no such command", api.Task{Command: []string{"nosuch"}}, api.CommandNotFound, "nosuch"},
		{"no such command in a shell", api.Task{Command: []string{"sh", "-c", "nosuch"}}, api.CommandNotFound, "127"},
		{"not executable", api.Task{Command: []string{"/etc/passwd"}}, api.CommandNotFound, ""},
		{"FIFO", api.Task{Command: []string{"mkfifo", "/var/outputs/result"}, Signature: file}, api.BadOutput, "a FIFO"},
		{"link", api.Task{Command: []string{"ln", "-s", "/etc/passwd", "/var/outputs/result"}, Signature: file}, api.BadOutput, "a symbolic link"},
		{"socket", api.Task{Code: "import socket; socket.socket(socket.AF_UNIX).bind('/var/outputs/result')", Signature: file}, api.BadOutput, "expected a regular file"},
		{"sparse 1 EiB", api.Task{Command: []string{"truncate", "-s", "1E", "/var/outputs/result"}, Signature: file}, "", ""},
		{"sparse 2 GiB", api.Task{Command: []string{"truncate", "-s", "2G", "/var/outputs/result"}, Signature: file}, api.OutputTooLarge, "limit"},
		{"many files", api.Task{Command: []string{"bash", "-c", "mkdir /var/outputs/d; touch /var/outputs/d/{1..50}"},
			Signature: sig(t, "", "d:Dir"), Limits: api.RunLimits{OutputFiles: 20}}, api.OutputTooLarge, "files"},
		{"time-out", api.Task{Command: []string{"sh", "-c", "sleep 1000 & sleep 1000"}, Timeout: 2 * time.Second}, api.Timeout, "2s"},
		{"out of memory", api.Task{Command: []string{"python3", "-c", "x = bytearray(500 << 20)\nprint(len(x))"}, Resources: api.Resources{Memory: 128 << 20}}, api.OutOfMemory, ""},
		{"inputs are read-only", api.Task{Command: []string{"sh", "-c", "rm /var/inputs/x"}, Signature: sig(t, "x:str", "")}, api.NonzeroExit, ""},
		{"system is read-only", api.Task{Command: []string{"touch", "/etc/x"}}, api.NonzeroExit, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			began := time.Now()
			given := map[string]any{}
			for _, p := range tt.task.Signature.Inputs {
				given[p.Name] = "value"
			}
			result, err := r.run(t, &tt.task, given)
			if tt.code == "" {
				if err == nil {
					t.Errorf("it succeeded, %s", time.Since(began))
				}
				return
			}
			var e *api.Error
			if !errors.As(err, &e) || e.Code != tt.code || !strings.Contains(e.Message, tt.words) {
				t.Errorf("got %v, want %s with %q\nstderr: %s", err, tt.code, tt.words, result.Stderr)
			}
		})
	}
	if left, err := os.ReadDir(r.dir); err != nil || len(left) > 0 {
		t.Errorf("failed runs left %v, %v", left, err)
	}
}

func TestRealTrees(t *testing.T) {
	r := newReal(t)
	root := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(root, "sub"), 0o700), os.WriteFile(filepath.Join(root, "sub", "a"), []byte("A"), 0o600),
		os.Symlink("sub/a", filepath.Join(root, "link"))); err != nil {
		t.Fatal(err)
	}
	task := &api.Task{
		Command:   []string{"sh", "-c", "cat /var/inputs/d/link /var/inputs/d/sub/a > /var/outputs/f; cp -rL /var/inputs/d /var/outputs/t"},
		Signature: sig(t, "d:Dir", "f:File t:Dir"),
	}
	got := r.must(t, task, map[string]any{"d": value.Dir{Path: root}})
	text, err := os.ReadFile(got["f"].(value.File).Path)
	if err != nil || string(text) != "AA" {
		t.Errorf("file holds %q, %v", text, err)
	}
	text, err = os.ReadFile(filepath.Join(got["t"].(value.Dir).Path, "link"))
	if err != nil || string(text) != "A" || got["t"].(value.Dir).Files != 2 {
		t.Errorf("tree %+v: link holds %q, %v", got["t"], text, err)
	}
}

func TestRealSurroundings(t *testing.T) {
	r := newReal(t)
	task := &api.Task{
		Name: "json", Env: map[string]string{"LOG_LEVEL": "DEBUG"},
		Secrets: []api.SecretRef{{Name: "a", Env: "API_KEY"}, {Name: "b", File: "key"}},
		Code: `
import os, json, sys, getpass
seen = json.dumps([os.getuid(), os.getgid(), os.getcwd(), os.environ["HOME"], os.environ["LOG_LEVEL"], __name__, sys.argv])
key = open("/run/secrets/key").read()
same = key == os.environ["API_KEY"]
print("the key is", key[:7], flush=True)
os.write(1, key[:7].encode()); os.write(1, key[7:].encode())
proxies = [k for k in os.environ if "proxy" in k.lower()]
`,
		Signature: sig(t, "", "seen:str same:bool proxies:list[str]"),
	}
	result, err := r.run(t, task, nil)
	if err != nil {
		t.Fatalf("%v %s", err, result.Stderr)
	}
	if got := result.Outputs[0].Value; got != `[1000, 1000, "/work", "/work", "DEBUG", "__main__", ["json.py"]]` {
		t.Errorf("seen = %v", got)
	}
	if result.Outputs[1].Value != true || len(result.Outputs[2].Value.([]any)) > 0 {
		t.Errorf("outputs = %+v", result.Outputs)
	}
	if want := "the key is hunter2\n[redacted]"; string(result.Stdout) != want {
		t.Errorf("stdout = %q, want %q", result.Stdout, want)
	}
	timings := result.Timings
	if timings.Start <= 0 || timings.Guest <= 0 || timings.Inputs <= 0 || timings.Exec <= 0 || timings.Collect <= 0 || timings.Destroy <= 0 {
		t.Errorf("timings = %+v", timings)
	}
	t.Logf("timings %+v, usage %+v", timings, result.Usage)
}

// R07: a flood of output costs bounded memory, and its end is kept.
func TestRealFlood(t *testing.T) {
	r := newReal(t)
	task := &api.Task{
		Command: []string{"bash", "-c", "yes | head -c 50000000; printf END; echo err >&2"}, Limits: api.RunLimits{Logs: 1 << 10},
	}
	result, err := r.run(t, task, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(result.Stdout, []byte("y\nEND")) || !bytes.HasPrefix(result.Stdout, []byte("[… 49998979 bytes dropped …]\n")) {
		t.Errorf("stdout = %.60q ... %q", result.Stdout, result.Stdout[len(result.Stdout)-10:])
	}
	if len(result.Stdout) > 1<<10+60 || string(result.Stderr) != "err\n" {
		t.Errorf("%d bytes of stdout, stderr %q", len(result.Stdout), result.Stderr)
	}
}

// O02: nothing of a program lives on to change its outputs or to hold its
// streams open.
func TestRealBackground(t *testing.T) {
	r := newReal(t)
	loop := "while :; do ln -sfn /etc/passwd /var/outputs/result; rm -f /var/outputs/result; echo x > /var/outputs/result; done"
	task := &api.Task{
		Command:   []string{"bash", "-c", "setsid bash -c '" + loop + "' & sleep 1000 & sleep 0.3"},
		Signature: sig(t, "", "result:str"), Timeout: 30 * time.Second,
	}
	for range 5 {
		result, err := r.run(t, task, nil)
		var e *api.Error
		if err != nil && !(errors.As(err, &e) && (e.Code == api.BadOutput || e.Code == api.MissingOutput)) {
			t.Fatalf("%v %s", err, result.Stderr)
		}
		if err == nil && result.Outputs[0].Value != "x" && result.Outputs[0].Value != "" {
			t.Fatalf("result = %v", result.Outputs[0].Value)
		}
	}
}

func TestRealCancel(t *testing.T) {
	r := newReal(t)
	ctx, cancel := context.WithCancel(t.Context())
	started := writer(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	})
	task := &api.Task{Command: []string{"sh", "-c", "echo started; sleep 1000"}}
	_, err := r.runner.Run(ctx, "run-1", &api.Request{Task: task, Stdout: started})
	if !errors.Is(err, &api.Error{Code: api.Canceled}) {
		t.Errorf("got %v, want canceled", err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// A program that may open few files starts all the same, in a cell that gets
// files meanwhile, and has that limit.
func TestRealFewOpenFiles(t *testing.T) {
	r := newReal(t)
	const code = "import resource\nlimit = list(resource.getrlimit(resource.RLIMIT_NOFILE))\ntry:\n    held = [open('/dev/null') for _ in range(30)]\n    limit = 'no limit'\nexcept OSError as e:\n    limit.append(e.errno)"
	for _, files := range []int64{16, 17, 25} {
		task := &api.Task{
			Code: code, Signature: sig(t, "x:int s:str", "limit:Any"), Secrets: []api.SecretRef{{Name: "f"}},
			Resources: api.Resources{OpenFiles: int(files)},
		}
		got := r.must(t, task, map[string]any{"x": 1, "s": "text"})
		if diff := cmp.Diff(map[string]any{"limit": []any{files, files, int64(24)}}, got); diff != "" {
			t.Errorf("with %d open files (-want +got):\n%s", files, diff)
		}
		shell := &api.Task{Command: []string{"sh", "-c", "ulimit -Sn > /var/outputs/soft; ulimit -Hn > /var/outputs/hard"}, Signature: sig(t, "", "soft:str hard:str"), Resources: task.Resources}
		if got := r.must(t, shell, nil); got["soft"] != fmt.Sprint(files) || got["hard"] != fmt.Sprint(files) {
			t.Errorf("a command has %q", got)
		}
	}
}
