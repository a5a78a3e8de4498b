package autoio_test

import (
	"strings"
	"testing"
)

// TestRunnerSabotage runs code that ends well after it broke what the runner
// could depend on.
func TestRunnerSabotage(t *testing.T) {
	for name, code := range map[string]string{
		"builtins":        "import builtins\nfor n in ('len', 'type', 'isinstance', 'issubclass', 'open', 'dict', 'str', 'repr', 'next', 'iter', 'callable', 'enumerate', 'max', '__import__'):\n    setattr(builtins, n, None)",
		"no builtins":     "del __builtins__",
		"empty builtins":  "import builtins\nbuiltins.__dict__.clear()",
		"modules":         "import sys, json, os\nos.write = os.replace = os.path.join = json.dumps = None\nfor n in list(sys.modules):\n    if n not in ('sys', 'builtins'): sys.modules[n] = None",
		"main":            "import sys\nsys.modules['__main__'] = 5",
		"no stdout":       "import sys\nsys.stdout.close()\nsys.stderr.close()",
		"no descriptors":  "import os\nos.closerange(0, 100)",
		"odd stdout":      "import sys\nsys.stdout = 5\nsys.stderr = None",
		"tracing":         "import sys\ndef trace(*a):\n    if 'autoio' in a[0].f_code.co_filename: raise ValueError\n    return trace\nsys.settrace(trace)",
		"profiling":       "import sys\ndef profile(*a):\n    if 'autoio' in a[0].f_code.co_filename and a[2] is sys.settrace: raise ValueError\nsys.setprofile(profile)",
		"recursion limit": "import sys\nsys.setrecursionlimit(50)",
		"digit limit":     "import sys\ngetattr(sys, 'set_int_max_str_digits', lambda n: 0)(700)",
		"other directory": "import os\nos.chdir('/')",
		"thread":          "import threading, time\ndef f():\n    while threading.main_thread().is_alive(): time.sleep(.01)\nthreading.Thread(target=f).start()",
		"atexit":          "import atexit\n@atexit.register\ndef f():\n    global out\n    out = None\n    print('bye')",
		"excepthook":      "import sys\nsys.excepthook = None",
		"import":          "import builtins\nbuiltins.__import__ = builtins.compile = builtins.exec = builtins.open = None",
		"parts":           "import sys\nfor n in ('start', 'run', 'values', 'times', 'files', 'errors'): sys.modules[n] = 5",
		"own parts":       "for n in ('start', 'run', 'values', 'times', 'files', 'errors'):\n    open(n + '.py', 'w').write('x = 7')\n    assert __import__(n).x == 7",
		"open files":      "import os\nopened = []\ntry:\n    while True: opened.append(os.open('/dev/null', 0))\nexcept OSError: pass",
		"path":            "import sys\nsys.path[:] = []\nsys.meta_path[:] = []\nsys.path_hooks[:] = []",
		"loader":          "__loader__ = __spec__ = __name__ = __file__ = None",
	} {
		t.Run(name, func(t *testing.T) {
			skipWhenShort(t, name, "builtins", "no descriptors")
			r := runRunner(t, code+"\nout = [10 ** 1000, 'x', {'a': (1.5, None)}]", nil, param("out", "Any"))
			want := "[1" + strings.Repeat("0", 1000) + `,"x",{"a":{"$tuple":[1.5,null]}}]`
			if !r.OK || r.exit != 0 || string(r.Outputs["out"]) != want {
				t.Errorf("exit %d, %.300s, %+v\n%s", r.exit, r.Outputs["out"], r.Error, r.stderr)
			}
		})
	}
}

// TestRunnerSabotagedErrors breaks things and then fails: the error must still
// be the user's.
func TestRunnerSabotagedErrors(t *testing.T) {
	for name, code := range map[string]string{
		"builtins":   "import builtins\nbuiltins.__dict__.clear()",
		"traceback":  "import sys\nsys.modules['traceback'] = sys.modules['linecache'] = None",
		"shadow":     "open('traceback.py', 'w').write('1/0')\nopen('token.py', 'w').write('1/0')",
		"no stderr":  "import sys\nsys.stderr.close()",
		"excepthook": "import sys\nsys.excepthook = 5",
		"modules":    "import sys\nfor n in list(sys.modules): sys.modules[n] = None",
		"no modules": "import sys\nsys.modules.clear()",
		"import":     "import builtins\nbuiltins.__import__ = builtins.compile = builtins.exec = builtins.open = None",
		"parts":      "import sys\nfor n in ('run', 'values', 'errors'):\n    sys.modules[n] = 5\n    open(n + '.py', 'w').write('1/0')",
		"open files": "import os\nopened = []\ntry:\n    while True: opened.append(os.open('/dev/null', 0))\nexcept OSError: pass",
		"other path": "import sys\nsys.path[:] = []\nsys.meta_path[:] = []",
	} {
		t.Run(name, func(t *testing.T) {
			skipWhenShort(t, name, "builtins", "modules")
			r := runRunner(t, code+"\nfoo()", nil, param("out", "int"))
			e := r.Error
			if r.exit != 1 || e.Kind != "python_exception" || e.Type != "NameError" || len(e.Frames) != 1 || e.Frames[0].Source != "foo()" {
				t.Errorf("exit %d, %+v\n%s", r.exit, e, r.stderr)
			}
			if name == "open files" && !strings.Contains(r.stderr, "line 6, in <module>\n    foo()\n") {
				t.Errorf("no frames:\n%s", r.stderr)
			}
			if strings.Contains(r.stderr+e.Traceback, "autoio") {
				t.Errorf("a frame of the runner:\n%s\n%s", r.stderr, e.Traceback)
			}
		})
	}
}

// The runner has parts, which the code must not get for modules of its own.
func TestRunnerPartsAreNoModules(t *testing.T) {
	parts := []string{"start", "run", "values", "times", "files", "errors", "awaiting"}
	if testing.Short() {
		parts = parts[:1]
	}
	for _, name := range parts {
		if r := runRunner(t, "import "+name, nil); r.Error.Type != "ModuleNotFoundError" {
			t.Errorf("import %s: %+v", name, r.Error)
		}
	}
}

func TestRunnerExit(t *testing.T) {
	for _, c := range []struct {
		code   string
		exit   int
		stderr string
	}{
		{"import sys; out = 1; sys.exit(3)", 3, ""},
		{"import sys; out = 1; sys.exit('gone wrong')", 1, "gone wrong\n"},
		{"import sys; out = 1; sys.exit(True)", 1, ""},
		{"import sys\nasync def f(): sys.exit(4)\nout = 1; await f()", 4, ""},
		{"import os; out = 1; os._exit(0)", 0, ""},
	} {
		r := runRunner(t, c.code, nil, param("out", "int"))
		if r.found || r.exit != c.exit || r.stderr != c.stderr {
			t.Errorf("%s: exit %d, stderr %q, result %v; want exit %d, stderr %q and no result", c.code, r.exit, r.stderr, r.found, c.exit, c.stderr)
		}
	}
}

// TestRunnerFork lets a child run on to the end: only the parent's outputs count.
func TestRunnerFork(t *testing.T) {
	for _, end := range []string{"pass", "raise ValueError", "raise SystemExit(3)"} {
		code := "import os\nout = 'parent'\npid = os.fork()\nif pid:\n    os.waitpid(pid, 0)\nelse:\n    out = 'child'\n    " + end
		r := runRunner(t, code, nil, param("out", "str"))
		if !r.OK || r.exit != 0 || string(r.Outputs["out"]) != `"parent"` {
			t.Errorf("%s: exit %d, %s, %+v\n%s", end, r.exit, r.Outputs["out"], r.Error, r.stderr)
		}
	}
}
