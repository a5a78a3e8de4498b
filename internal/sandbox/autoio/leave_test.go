package autoio_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/sandbox/autoio"
	"github.com/glovebox-dev/glovebox/value"
)

// TestRunnerEnd checks that nothing is lost of what a program does at its end,
// though the runner ends it sooner than Python would.
func TestRunnerEnd(t *testing.T) {
	for name, c := range map[string]struct{ code, stdout, file string }{
		"nothing":           {"out = 1", "", ""},
		"finalizer":         {"class D:\n    def __del__(self): print('gone', flush=True)\nd = D()", "gone\n", ""},
		"order":             {"class D:\n    def __init__(s, n): s.n = n\n    def __del__(s): print(s.n)\na, _b, c = D('a'), D('b'), D('c')", "a\nb\nc\n", ""},
		"generator":         {"def g():\n    try: yield\n    finally: print('closed')\ni = g()\nnext(i)", "closed\n", ""},
		"in a module":       {"open('m.py', 'w').write('class D:\\n    def __del__(self): print(1)\\nd = D()')\nimport m", "1\n", ""},
		"at exit":           {"import atexit\natexit.register(print, 'bye')\natexit.register(print, 'good')", "good\nbye\n", ""},
		"at exit it fails":  {"import atexit\natexit.register(print, 'bye')\natexit.register(lambda: 1 / 0)", "bye\n", ""},
		"finalize":          {"import weakref\nclass C: pass\nc = C()\nweakref.finalize(c, print, 'over')", "over\n", ""},
		"buffered":          {"import sys\nsys.stdout = open(1, 'w', closefd=False)\nprint('late')", "late\n", ""},
		"open file":         {"f = open('f', 'w')\nf.write('kept')", "", "kept"},
		"file in a cycle":   {"f = open('f', 'w')\nf.write('kept')\nl = [f]\nl.append(l)", "", "kept"},
		"file of a module":  {"open('m.py', 'w').write('f = open(\"f\", \"w\")')\nimport m\nm.f.write('kept')", "", "kept"},
		"thread":            {"import threading, time\ndef f():\n    time.sleep(.2)\n    print('done')\nthreading.Thread(target=f).start()", "done\n", ""},
		"executor":          {"from concurrent.futures import ThreadPoolExecutor\nimport time\nThreadPoolExecutor().submit(lambda: (time.sleep(.2), print('done')))", "done\n", ""},
		"before threads":    {"import threading\ngetattr(threading, '_register_atexit', lambda f, v: f(v))(print, 'joining')", "joining\n", ""},
		"daemon":            {"import threading, time\nthreading.Thread(target=time.sleep, args=(100,), daemon=True).start()", "", ""},
		"C library":         {"import ctypes\nctypes.CDLL(None).printf(b'from C\\n')", "from C\n", ""},
		"broken threading":  {"import threading\ndel threading._shutdown", "", ""},
		"broken finalizer":  {"class D:\n    def __del__(self): raise SystemExit(7)\nd = D()", "", ""},
		"closed stdout":     {"import sys\nsys.stdout.close()", "", ""},
		"no proc":           {"import os\nos.listdir = None", "", ""},
		"developer's flags": {"import sys\nprint(sys.flags.dev_mode)", "False\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			skipWhenShort(t, name, "finalizer", "open file")
			t.Parallel()
			r := runRunner(t, c.code, nil)
			if !r.OK || r.exit != 0 || r.stdout != c.stdout {
				t.Errorf("exit %d, stdout %q, want %q, %+v\n%s", r.exit, r.stdout, c.stdout, r.Error, r.stderr)
			}
			if c.file == "" {
				return
			}
			if text, err := os.ReadFile(filepath.Join(r.dir, "f")); err != nil || string(text) != c.file {
				t.Errorf("the file holds %q, %v", text, err)
			}
		})
		t.Run(name+", killed at its report", func(t *testing.T) {
			skipWhenShort(t, name, "finalizer", "open file")
			t.Parallel()
			dir := t.TempDir()
			i := startLingering(t, dir, c.code+"\nout = 1")
			i.cmd.Process.Kill()
			if stdout, stderr, _ := i.wait(t); stdout != c.stdout {
				t.Errorf("stdout %q, want %q\n%s", stdout, c.stdout, stderr)
			}
			if text, _ := os.ReadFile(filepath.Join(dir, "f")); string(text) != c.file {
				t.Errorf("the file holds %q", text)
			}
		})
	}
}

// startLingering runs code whose end nobody waits for, until it has closed its
// control stream. It would stay for ever then, unless it has to end.
func startLingering(t *testing.T, dir, code string) *interpreter {
	t.Helper()
	keepDescriptors(t)
	program := bytes.Replace(autoio.Program(), []byte("LINGERING = 1 "), []byte("LINGERING = 1 << 20 "), 1)
	i := startProgram(t, program, dir, "run")
	i.send(t, runnerJob{
		File: "etl.py", SourcePath: filepath.Join(dir, ".etl.py"), Inputs: []runnerInput{}, Outputs: []value.Param{},
		ResultPath: filepath.Join(dir, "result.json"), OutputsDir: dir,
		Environ: os.Environ(), Dir: dir, Argv: []string{"etl.py"}, OriginalArgv: []string{"etl.py"}, Linger: true,
	}, code)
	i.copying.Wait()
	return i
}

// TestRunnerLingers checks that a program whose end nobody waits for closes its
// control stream and stays, unless it has to end.
func TestRunnerLingers(t *testing.T) {
	for name, c := range map[string]struct {
		code  string
		stays bool
	}{
		"value":     {"out = 1", true},
		"forked":    {"import os\nif os.fork() == 0: os._exit(0)\nos.wait()", false},
		"closed":    {"import os\nos.close(4)", false},
		"failed":    {"1 / 0", false},
		"finalizer": {"class D:\n    def __del__(self): pass\nd = D()", false},
	} {
		t.Run(name, func(t *testing.T) {
			skipWhenShort(t, name, "value", "failed")
			t.Parallel()
			i := startLingering(t, t.TempDir(), c.code)
			if c.stays {
				i.cmd.Process.Kill()
			}
			if _, _, exit := i.wait(t); (exit == -1) != c.stays {
				t.Errorf("it ended with %d", exit)
			}
		})
	}
}

// keepDescriptors lets no program have what this process was started with.
func keepDescriptors(t *testing.T) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// TestRunnerPipe checks by which way a result comes: where the code has closed
// the pipe, or put something else in its place, it is in the file.
func TestRunnerPipe(t *testing.T) {
	for name, c := range map[string]struct {
		code  string
		piped bool
	}{
		"untouched":      {"", true},
		"written":        {"import os\nos.write(4, b'{')", true},
		"closed":         {"import os\nos.close(4)", false},
		"a file":         {"import os\nos.dup2(os.open('f', os.O_CREAT | os.O_RDWR), 4)", false},
		"another pipe":   {"import os\nr, w = os.pipe()\nos.dup2(w, 4)", false},
		"moved and back": {"import os\nx = os.dup(4)\nos.close(4)\nos.dup2(x, 4)", true},
		"not inherited":  {"import subprocess\nassert subprocess.call(['test', '-e', '/proc/self/fd/4'], close_fds=False) == 1", true},
	} {
		t.Run(name, func(t *testing.T) {
			skipWhenShort(t, name, "untouched", "closed")
			t.Parallel()
			r := runRunner(t, c.code+"\nout = 5", nil, param("out", "int"))
			if !r.OK || string(r.Outputs["out"]) != "5" || r.piped != c.piped {
				t.Errorf("piped %t, want %t: %+v\n%s", r.piped, c.piped, r.Error, r.stderr)
			}
		})
	}
}
