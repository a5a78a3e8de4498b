package autoio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestRunnerExceptions(t *testing.T) {
	for _, c := range []struct {
		name, code string
		kind, typ  string
		message    string
		lines      []int
		exit       int
	}{
		{"division", "x = 0\n\ny = 1 / x\n", "python_exception", "ZeroDivisionError", "division by zero", []int{3}, 1},
		{"in a function", "def f():\n    raise ValueError('no')\n\n\nf()\n", "python_exception", "ValueError", "no", []int{5, 2}, 1},
		{"indented code", "\n    x = 1\n    y = z\n", "python_exception", "NameError", "name 'z' is not defined", []int{3}, 1},
		{"in a package", "import json\njson.loads('{')\n", "python_exception", "json.decoder.JSONDecodeError", "Expecting property name", []int{2}, 1},
		{"own class", "class Oops(Exception): pass\nraise Oops('a')", "python_exception", "Oops", "a", []int{2}, 1},
		{"str fails", "class E(Exception):\n    def __str__(self): raise KeyError\nraise E", "python_exception", "E", "<exception str() failed>", []int{3}, 1},
		{"huge message", "raise ValueError('x' * 50_000_000)", "python_exception", "ValueError", "xxx", []int{1}, 1},
		{"surrogate", "raise ValueError('\\ud800')", "python_exception", "ValueError", "\ufffd", []int{1}, 1},
		{"no memory", "raise MemoryError", "python_exception", "MemoryError", "", []int{1}, 1},
		{"interrupt", "raise KeyboardInterrupt", "python_exception", "KeyboardInterrupt", "", []int{1}, 130},
		{"generator exit", "raise GeneratorExit", "python_exception", "GeneratorExit", "", []int{1}, 1},
		{"awaited", "async def f():\n    raise ValueError('no')\n\n\nawait f()\n", "python_exception", "ValueError", "no", []int{5, 2}, 1},
		{"in a task", "import asyncio\nasync def f():\n    x\nawait asyncio.gather(f(), f())", "python_exception", "NameError", "name 'x' is not", []int{4, 3}, 1},
		{"interrupt while it awaits", "async def f(): raise KeyboardInterrupt\nawait f()", "python_exception", "KeyboardInterrupt", "", []int{2, 1}, 130},
		{"await in a def", "def f():\n    await g()\n", "syntax_error", "SyntaxError", "'await' outside async function", []int{2}, 1},
		{"syntax of other code", "x = 1\neval('1 +')", "python_exception", "SyntaxError", "", []int{2}, 1},
		{"syntax", "x = 1\ny = = 2\n", "syntax_error", "SyntaxError", "invalid syntax", []int{2}, 1},
		{"indentation", "if True:\nx = 1\n", "syntax_error", "IndentationError", "expected an indented block", []int{2}, 1},
		{"return outside", "x = 1\nreturn x", "syntax_error", "SyntaxError", "'return' outside function", []int{2}, 1},
		{"bytes that are no text", "x = '\xff'", "syntax_error", "UnicodeDecodeError", "'utf-8' codec can't decode", []int{0}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			skipWhenShort(t, c.name, "in a function", "awaited", "syntax")
			r := runRunner(t, c.code, nil, param("out", "int"))
			e := r.Error
			if r.OK || r.exit != c.exit || e.Kind != c.kind || e.Type != c.typ || !strings.HasPrefix(e.Message, c.message) {
				t.Errorf("exit %d, %.800s", r.exit, fmt.Sprint(e))
			}
			var lines []int
			for _, f := range e.Frames {
				lines = append(lines, f.Line)
			}
			if fmt.Sprint(lines) != fmt.Sprint(c.lines) {
				t.Errorf("frames at %v, want %v", lines, c.lines)
			}
			if len(e.Message) > 70_000 || len(e.Traceback) > 70_000 || len(r.stderr) > 2<<20 {
				t.Errorf("lengths %d, %d, %d are not bounded", len(e.Message), len(e.Traceback), len(r.stderr))
			}
			if strings.Contains(r.stderr, "autoio") || strings.Contains(e.Traceback, "autoio") || strings.Contains(e.Traceback, "json/decoder.py") || strings.Contains(r.stderr, "asyncio/") {
				t.Errorf("frames that are not the user's: %.2000s\n%.2000s", r.stderr, e.Traceback)
			}
			if last := c.typ[strings.LastIndexByte(c.typ, '.')+1:]; !strings.Contains(r.stderr, last) || !strings.Contains(e.Traceback, last) {
				t.Errorf("no %s in %.500s\n%.500s", last, r.stderr, e.Traceback)
			}
		})
	}
}

func TestRunnerTraceback(t *testing.T) {
	r := runRunner(t, "def f(n):\n    return 1 / n\ntry:\n    f(0)\nexcept Exception as e:\n    raise KeyError('boom') from e\n", nil)
	for _, want := range []string{
		"Traceback (most recent call last):\n  File \"etl.py\", line 4, in <module>\n    f(0)\n",
		"  File \"etl.py\", line 2, in f\n    return 1 / n\n",
		"\nZeroDivisionError: division by zero\n\nThe above exception was the direct cause of the following exception:\n\n",
		"  File \"etl.py\", line 6, in <module>\n    raise KeyError('boom') from e\nKeyError: 'boom'\n",
	} {
		if !strings.Contains(r.Error.Traceback, want) {
			t.Errorf("no %q in\n%s", want, r.Error.Traceback)
		}
	}
	if r.stderr != r.Error.Traceback {
		t.Errorf("stderr has something else:\n%s", r.stderr)
	}
	want := api.Frame{File: "etl.py", Line: 6, Function: "<module>", Source: "raise KeyError('boom') from e"}
	if len(r.Error.Frames) != 1 {
		t.Fatalf("frames %+v", r.Error.Frames)
	}
	got := r.Error.Frames[0]
	got.Column = 0
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRunnerSyntaxErrorPlace(t *testing.T) {
	r := runRunner(t, "    x = 1\n    y = x +* 2\n", nil)
	if len(r.Error.Frames) != 1 {
		t.Fatalf("%+v", r.Error)
	}
	if want := (api.Frame{File: "etl.py", Line: 2, Column: 12, Source: "y = x +* 2"}); r.Error.Frames[0] != want {
		t.Errorf("got %+v, want %+v", r.Error.Frames[0], want)
	}
	if want := "  File \"etl.py\", line 2\n    y = x +* 2\n           ^\nSyntaxError: invalid syntax\n"; r.Error.Traceback != want {
		t.Errorf("got %q, want %q", r.Error.Traceback, want)
	}
}

func TestRunnerDeepRecursion(t *testing.T) {
	r := runRunner(t, "def f(): f()\nf()", nil)
	if r.Error.Type != "RecursionError" || len(r.Error.Frames) != 100 || !strings.Contains(r.Error.Traceback, "[Previous line repeated") {
		t.Errorf("%d frames, %.1000s", len(r.Error.Frames), r.Error.Traceback)
	}
}
