package contexts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// withIPython returns a Python that has modules, and IPython.
func withIPython(t testing.TB, modules ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("imports much: run without -short")
	}
	here, _ := filepath.Abs("../../../.build/contexts/bin/python")
	for _, python := range []string{os.Getenv("GLOVEBOX_TEST_IPYTHON"), here, "python3"} {
		check := "import importlib.util as u, sys; sys.exit(not all(u.find_spec(m) for m in sys.argv[1:]))"
		if python != "" && exec.Command(python, append([]string{"-c", check, "IPython"}, modules...)...).Run() == nil {
			return python
		}
	}
	t.Skipf("needs a Python with IPython %s: make one by .ci/contexts", strings.Join(modules, ", "))
	return ""
}

func needsPython(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
}

// eachPython runs a test by Python alone and by IPython.
func eachPython(t *testing.T, test func(t *testing.T, open func(Options) *Context)) {
	t.Run("plain", func(t *testing.T) {
		needsPython(t)
		test(t, func(o Options) *Context {
			return openWith(t, "python3", api.ContextSpec{Plain: true}, o)
		})
	})
	t.Run("ipython", func(t *testing.T) {
		python := withIPython(t)
		test(t, func(o Options) *Context { return openWith(t, python, api.ContextSpec{}, o) })
	})
}

func openWith(t testing.TB, python string, spec api.ContextSpec, o Options) *Context {
	t.Helper()
	return launch(t, &local{programs: map[string]string{"python3": python}}, spec, o)
}

func TestPython(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		for _, step := range []struct{ code, want string }{
			{"1 + 1", `r:2`},
			{"x = 1; x", `r:1`},
			{"x += 1; x", `r:2`},
			{"x;", ``},
			{"None", ``},
			{"", ``},
			{"# nothing", ``},
			{"print('a', 1)\nprint('b')", "o:a 1\n|o:b\n"},
			{"print('a\\nb')", "o:a\nb\n"},
			{"print('.', end='', flush=True); print('.', end='')", "o:.|o:."},
			{"import sys; print(1, file=sys.stderr); print(2)", "e:1\n|o:2\n"},
			{"import os; print(1); os.system('echo 2; echo 3 >&2'); print(4); 5", "o:1\n|o:2\n|e:3\n|o:4\n|r:5"},
			{"import subprocess; subprocess.run(['echo', 'é'])", "o:é\n|r:CompletedProcess(args=['echo', 'é'], returncode=0)"},
			{"sys.stdout.buffer.write(b'raw\\n'); os.write(1, b'lower\\n');", "o:raw\n|o:lower\n"},
			{"print('\\ud800')", "o:\\ud800\n"},
			{"\n    y = 3\n    if y:\n        print(y)\n    y", "o:3\n|r:3"},
			{"import asyncio\nawait asyncio.sleep(0)\nasync def f():\n    return 4\nawait f()", `r:4`},
			{"queue = asyncio.Queue()\nawait queue.put(5)", ``},
			{"await queue.get()", `r:5`},
			{"asyncio.run(f())", `r:4`},
			{"xyz", "!:NameError: name 'xyz' is not defined"},
			{"print('before'); 1 / 0", "o:before\n|!:ZeroDivisionError: division by zero"},
			{"y = = 2", "!:SyntaxError: invalid syntax (<cell 23>, line 1)"},
			{"import sys; sys.exit(3)", "!:SystemExit: 3"},
			{"raise KeyboardInterrupt", "!:KeyboardInterrupt: "},
			{"class E(Exception):\n    def __str__(self): raise ValueError\nraise E", "!:E: <exception str() failed>"},
			{"input()", "!:EOFError: EOF when reading a line"},
			{"from __future__ import annotations\ndef g(a: nowhere): pass", ``},
			{"def h(a: nowhere): pass\n_ = 1", ``},
			{"__name__", `r:'__main__'`},
			{"import inspect; print(inspect.getsource(g), end='')", "o:def g(a: nowhere): pass\n"},
			{"display(1, 'a'); 2", `r:1|r:'a'|r:2`},
			{"class Broken:\n    def __repr__(self): return 1 / 0\nx = 7", ``},
			{"x", `r:7`},
			{"import threading\nt = threading.Thread(target=print, args=('thread',)); t.start(); t.join()", "o:thread\n"},
			{"pid = os.fork()\nif pid: print(os.waitpid(pid, 0)[1])\nelse: print('child')", "o:child\n|o:0\n"},
			{"print('gone', end='')\nsys.stdout.close()", "o:gone"},
			{"print('there')", "o:there\n"},
		} {
			if got := run(t, c, step.code); got.said() != step.want {
				t.Errorf("%q: got %q, want %q", step.code, got.said(), step.want)
			}
		}
	})
}

func TestPythonTraceback(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		run(t, c, "def f(n):\n    return 1 / n\n")
		got := run(t, c, "try:\n    f(0)\nexcept Exception as e:\n    raise KeyError('boom') from e").failure
		for _, want := range []string{
			"File \"<cell 2>\", line 2, in <module>\n    f(0)\n",
			"File \"<cell 1>\", line 2, in f\n    return 1 / n\n",
			"The above exception was the direct cause",
			"line 4, in <module>\n    raise KeyError('boom') from e\n",
			"\nKeyError: 'boom'\n",
		} {
			if !strings.Contains(got.Traceback, want) {
				t.Errorf("no %q in\n%s", want, got.Traceback)
			}
		}
		for _, code := range []string{"1 / 0", "x = = 1", "import json\njson.loads('{')", "async def g(): 1 / 0\nawait g()", "class B:\n    def __repr__(self): 1 / 0\nraise ValueError(B())"} {
			got := run(t, c, code).failure
			if got == nil {
				t.Fatalf("%q: no error", code)
			}
			for _, other := range []string{"glovebox_context", "interactiveshell", "asyncio", "\x1b"} {
				if strings.Contains(got.Traceback, other) {
					t.Errorf("%q: %q in\n%s", code, other, got.Traceback)
				}
			}
			if !strings.Contains(got.Traceback, "<cell ") {
				t.Errorf("%q: no frame of the code in\n%s", code, got.Traceback)
			}
		}
	})
}

var openers = map[string]func(b *testing.B) *Context{
	"plain":   func(b *testing.B) *Context { return openWith(b, "python3", api.ContextSpec{Plain: true}, Options{}) },
	"ipython": func(b *testing.B) *Context { return openWith(b, withIPython(b), api.ContextSpec{}, Options{}) },
}

// BenchmarkPython shows what the driver and the host add to code, outside a cell.
func BenchmarkPython(b *testing.B) {
	for name, open := range openers {
		b.Run(name, func(b *testing.B) {
			c := open(b)
			for b.Loop() {
				run(b, c, "1 + 1")
			}
		})
	}
}

// BenchmarkStart shows how long an interpreter takes to be ready.
func BenchmarkStart(b *testing.B) {
	for name, open := range openers {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				open(b).Close()
			}
		})
	}
}
