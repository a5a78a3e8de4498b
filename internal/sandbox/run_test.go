package sandbox

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/internal/sandbox/traceback"
	"github.com/glovebox-dev/glovebox/value"
)

func TestAutoIO(t *testing.T) {
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		fmt.Fprint(c.command.Stdout, "hello\n")
		c.report(`{"ok": true, "outputs": {"result": 42, "name": "x"}, "file_outputs": ["table"]}`)
		c.output("table", "PAR1data")
		return cell.Exit{}, nil
	})
	task := &api.Task{
		Name: "double", Code: "result = x * 2",
		Signature: api.Signature{Inputs: sandboxtest.Params(t, "x:int", "data:File"), Outputs: sandboxtest.Params(t, "result:int", "table:DataFrame", "name:str")},
	}
	path := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	f.cell.removal = make(chan struct{})
	result, err := f.run(t, task, map[string]any{"x": 21, "data": value.File{Path: path}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range result.Outputs {
		names = append(names, o.Name)
	}
	if diff := cmp.Diff([]string{"result", "table", "name"}, names); diff != "" {
		t.Errorf("outputs are not in declaration order:\n%s", diff)
	}
	if got := result.Outputs[0].Value; got != int64(42) {
		t.Errorf("result = %v, want 42", got)
	}
	table := result.Outputs[1].Value.(value.DataFrame)
	if text, err := os.ReadFile(table.Path); err != nil || string(text) != "PAR1data" || table.Path != filepath.Join(f.dir, "run-1", "table") {
		t.Errorf("table at %q holds %q, %v", table.Path, text, err)
	}
	if string(result.Stdout) != "hello\n" || result.Image != "sha256:abc" || result.RunID != "run-1" {
		t.Errorf("result = %+v", result)
	}
	if diff := cmp.Diff([]string{"/opt/venv/bin/python3", "/run/glovebox/importlib_bootstrap/start.py", "run"}, f.cell.command.Argv); diff != "" {
		t.Errorf("argv: %s", diff)
	}
	if f.cell.command.Root || f.cell.command.Dir != "/work" {
		t.Errorf("command = %+v, want it as the user, in /work", f.cell.command)
	}
	wantJob := `{"verbatim":false,"file":"double.py","source_path":"/work/.double.py",` + testEnv +
		`"dir":"/work","stdin":"","argv":["double.py"],"orig_argv":["/work/.double.py"],` +
		`"inputs":[{"name":"x","type":"int","value":21},{"name":"data","type":"File","value":"/var/inputs/data"}],` +
		`"outputs":[{"name":"result","type":"int"},{"name":"table","type":"DataFrame"},{"name":"name","type":"str"}],` +
		`"result_path":"/run/glovebox/result/result.json","linger":false,"source_bytes":14}` + "\nresult = x * 2"
	if diff := cmp.Diff(wantJob, f.cell.job); diff != "" {
		t.Errorf("job: %s", diff)
	}
	if f.cell.released+f.cell.closed != 0 {
		t.Error("the run waited for the end of its cell, which has no way out")
	}
	close(f.cell.removal)
	if err := f.Close(t.Context()); err != nil || f.cell.closed != 1 {
		t.Errorf("the cell was closed %d times, want once; %v", f.cell.closed, err)
	}
}

// testEnv is the environment of code in the image of the tests.
const testEnv = `"env":["HOME=/work","IMAGE=1","LANG=C.UTF-8","PATH=/opt/venv/bin:/usr/bin","PYTHONUNBUFFERED=1"],`

func TestJobOfNothing(t *testing.T) {
	f := newFixture(t, exits(0))
	if _, err := f.run(t, &api.Task{Code: "pass"}, nil); err != nil {
		t.Fatal(err)
	}
	want := `{"verbatim":false,"file":"sandbox.py","source_path":"/work/.sandbox.py",` + testEnv + `"dir":"/work","stdin":"","argv":["sandbox.py"],` +
		`"orig_argv":["/work/.sandbox.py"],"inputs":[],"outputs":[],"result_path":"/run/glovebox/result/result.json","linger":true,"source_bytes":4}` + "\npass"
	if diff := cmp.Diff(want, f.cell.job); diff != "" {
		t.Error(diff)
	}
}

func TestOwnersAndModes(t *testing.T) {
	f := newFixture(t, exits(0))
	task := &api.Task{
		Code: "pass", Verbatim: true, Signature: api.Signature{Inputs: sandboxtest.Params(t, "x:str")},
		Secrets: []api.SecretRef{{Name: "token"}, {Name: "pem", File: "key.pem"}},
	}
	if _, err := f.run(t, task, map[string]any{"x": "a'b\n"}); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for at, e := range f.cell.entries {
		got[at] = fmt.Sprintf("%c %d:%d %o", e.header.Typeflag, e.header.Uid, e.header.Gid, e.header.Mode)
	}
	want := map[string]string{
		"/work": "5 1000:1000 755", "/work/sandbox.py": "0 1000:1000 644",
		"/var/inputs": "5 0:0 755", "/var/inputs/x": "0 0:0 444", "/var/outputs": "5 1000:1000 755",
		"/run/glovebox": "5 0:0 755", "/run/glovebox/importlib_bootstrap": "5 0:0 755", "/run/glovebox/importlib_bootstrap/start.py": "0 0:0 444",
		"/run/glovebox/result": "5 1000:1000 700",
		"/run/secrets":         "5 0:0 755", "/run/secrets/token": "0 1000:1000 400", "/run/secrets/key.pem": "0 1000:1000 400",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files in the cell:\n%s", diff)
	}
	if got := f.cell.text("/var/inputs/x"); got != "a'b\n" {
		t.Errorf("input x arrived as %q", got)
	}
}

// Code of auto-IO that has only values gets nothing as a file.
func TestValuesAreNoFiles(t *testing.T) {
	f := newFixture(t, exits(0))
	if _, err := f.run(t, &api.Task{Code: "pass", Signature: api.Signature{Inputs: sandboxtest.Params(t, "x:str")}}, map[string]any{"x": "a"}); err != nil {
		t.Fatal(err)
	}
	for at, e := range f.cell.entries {
		if e.header.Typeflag == tar.TypeReg && at != layout.RunnerFile {
			t.Errorf("there is a file %s", at)
		}
	}
}

// A run whose outputs are all in the report does not wait for the end of the
// program, if there is a report.
func TestReportEndsRun(t *testing.T) {
	report := `{"ok":true,"outputs":{"y":1},"file_outputs":[]}`
	for name, c := range map[string]struct {
		task     api.Task
		control  string
		finished bool
	}{
		"report":      {api.Task{Code: "y = 1", Signature: api.Signature{Outputs: sandboxtest.Params(t, "y:int")}}, "\n" + report, false},
		"part of one": {api.Task{Code: "y = 1", Signature: api.Signature{Outputs: sandboxtest.Params(t, "y:int")}}, "\n" + report[:20], true},
		"error":       {api.Task{Code: "y = 1", Signature: api.Signature{Outputs: sandboxtest.Params(t, "y:int")}}, "\n" + `{"ok":false,"error":{}}`, true},
		"nothing":     {api.Task{Code: "y = 1", Signature: api.Signature{Outputs: sandboxtest.Params(t, "y:int")}}, "", true},
		"file":        {api.Task{Code: "y = 1", Signature: api.Signature{Outputs: sandboxtest.Params(t, "y:File")}}, "\n" + report, true},
		"script":      {api.Task{Code: "y = 1", Verbatim: true}, "\n" + report, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, exits(0))
			f.cell.early = &c.control
			f.run(t, &c.task, nil)
			if f.cell.finished != c.finished {
				t.Errorf("the end of the program was waited for: %t, want %t", f.cell.finished, c.finished)
			}
		})
	}
}

// The reports of the runner and ends of the interpreter, and what they mean.
func TestAutoIOErrors(t *testing.T) {
	const frames = `[{"file":"etl.py","line":3,"column":5,"function":"main","source":"raise ValueError()"}]`
	tests := []struct {
		name   string
		report string
		exit   cell.Exit
		code   api.Code
		words  []string
	}{
		{"exception", `{"ok":false,"error":{"kind":"python_exception","type":"ValueError","message":"bad","frames":` + frames + `,"traceback":"Traceback"}}`,
			cell.Exit{Code: 1}, api.PythonException, []string{"ValueError: bad, at etl.py:3 in main"}},
		{"syntax error", `{"ok":false,"error":{"kind":"syntax_error","type":"SyntaxError","message":"invalid syntax","frames":[{"file":"etl.py","line":2,"column":7,"source":"x = = 1"}]}}`,
			cell.Exit{Code: 1}, api.SyntaxError, []string{"SyntaxError: invalid syntax, at etl.py:2"}},
		{"syntax error of an import", `{"ok":false,"error":{"kind":"python_exception","type":"SyntaxError","message":"m","frames":[{"file":"b.py","line":2}]}}`,
			cell.Exit{Code: 1}, api.PythonException, []string{"SyntaxError: m, at b.py:2"}},
		{"missing", `{"ok":false,"error":{"kind":"missing_output","name":"result"}}`, cell.Exit{Code: 1}, api.MissingOutput, []string{`"result"`, "without a variable"}},
		{"bad", `{"ok":false,"error":{"kind":"bad_output","name":"result","path":"[2]","expected":"int","got":"str 'a'","message":"m"}}`, cell.Exit{Code: 1}, api.BadOutput, []string{`output result[2]: expected int, got str 'a'`}},
		{"undeclared in the report", `{"ok":false,"error":{"kind":"bad_output","name":"other"}}`, cell.Exit{Code: 1}, api.BadOutput, []string{"damaged", `"other"`}},
		{"unknown kind", `{"ok":false,"error":{"kind":"timeout"}}`, cell.Exit{Code: 1}, api.BadOutput, []string{"damaged", `"timeout"`}},
		{"no error", `{"ok":false}`, cell.Exit{Code: 1}, api.BadOutput, []string{"neither"}},
		{"unknown field", `{"ok":true,"outputs":{"result":1},"x":1}`, cell.Exit{}, api.BadOutput, []string{"damaged", "unknown field"}},
		{"not an object", `[1]`, cell.Exit{}, api.BadOutput, []string{"damaged"}},
		{"two values", `{"ok":true,"outputs":{"result":1}}{}`, cell.Exit{}, api.BadOutput, []string{"damaged", "after"}},
		{"empty", ``, cell.Exit{}, api.BadOutput, []string{"damaged"}},
		{"wrong type", `{"ok":true,"outputs":{"result":"a"}}`, cell.Exit{}, api.BadOutput, []string{"output result: expected int", "a"}},
		{"bool is not int", `{"ok":true,"outputs":{"result":true}}`, cell.Exit{}, api.BadOutput, []string{"expected int"}},
		{"undeclared output", `{"ok":true,"outputs":{"other":1}}`, cell.Exit{}, api.BadOutput, []string{"damaged", "not declared"}},
		{"left out", `{"ok":true,"outputs":{}}`, cell.Exit{}, api.MissingOutput, []string{`"result"`}},
		{"os._exit(0)", "-", cell.Exit{}, api.MissingOutput, []string{"ended with status 0 before"}},
		{"os._exit(3)", "-", cell.Exit{Code: 3}, api.NonzeroExit, []string{"status 3"}},
		{"status after the report", `{"ok":true,"outputs":{"result":1}}`, cell.Exit{Code: 4}, api.NonzeroExit, []string{"status 4"}},
		{"segmentation fault", "-", cell.Exit{Code: -1, Signal: "SIGSEGV"}, api.Signaled, []string{"SIGSEGV"}},
		{"killed from inside", "-", cell.Exit{Code: -1, Signal: "SIGKILL"}, api.Signaled, []string{"SIGKILL"}},
		{"127 is a status like others", "-", cell.Exit{Code: 127}, api.NonzeroExit, []string{"status 127"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
				fmt.Fprint(c.command.Stderr, "one\ntwo\n")
				if tt.report != "-" {
					c.report(tt.report)
				}
				return tt.exit, nil
			})
			task := &api.Task{Code: "x", File: "etl.py", Signature: api.Signature{Outputs: sandboxtest.Params(t, "result:int")}}
			result, err := f.run(t, task, nil)
			e := sandboxtest.WantError(t, err, tt.code, tt.words...)
			if e.Details.Stderr != "one\ntwo" {
				t.Errorf("Details.Stderr = %q, want the last lines", e.Details.Stderr)
			}
			if string(result.Stderr) != "one\ntwo\n" || result.ExitCode != tt.exit.Status() || result.Outputs != nil {
				t.Errorf("result beside the error = %+v", result)
			}
			if f.cell.closed != 1 {
				t.Errorf("the cell was closed %d times, want once", f.cell.closed)
			}
		})
	}
}

func TestEndWithoutOutputs(t *testing.T) {
	f := newFixture(t, exits(0))
	if _, err := f.run(t, &api.Task{Code: "import os; os._exit(0)"}, nil); err != nil {
		t.Errorf("os._exit(0) without declared outputs: %v", err)
	}
}

func TestReportIsNoFile(t *testing.T) {
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		c.make(layout.Result+"/"+layout.ResultName, tar.TypeSymlink)
		return cell.Exit{}, nil
	})
	_, err := f.run(t, &api.Task{Code: "x"}, nil)
	sandboxtest.WantError(t, err, api.BadOutput, "damaged", "symbolic link")
}

// How programs that do their own input and output end.
func TestCommandEnds(t *testing.T) {
	tests := []struct {
		name    string
		program func(*fakeCell) (cell.Exit, error)
		code    api.Code
		words   []string
	}{
		{"non-zero", exits(3), api.NonzeroExit, []string{"status 3"}},
		{"not found in a shell", exits(127), api.CommandNotFound, []string{"127"}},
		{"not executable in a shell", exits(126), api.CommandNotFound, []string{"126"}},
		{"missing output", exits(0), api.MissingOutput, []string{`"n"`, "/var/outputs/n"}},
		{"not started", func(*fakeCell) (cell.Exit, error) {
			return cell.Exit{Code: 127}, api.Errorf(api.CommandNotFound, "the command could not be started: nope")
		}, api.CommandNotFound, []string{"nope"}},
		{"out of memory", func(*fakeCell) (cell.Exit, error) {
			return cell.Exit{}, api.Errorf(api.OutOfMemory, "too much").WithDetails(api.Details{Limit: 10, Peak: 12})
		}, api.OutOfMemory, []string{"too much"}},
		{"lost", func(*fakeCell) (cell.Exit, error) {
			return cell.Exit{}, api.Errorf(api.CellLost, "gone")
		}, api.CellLost, []string{"gone"}},
		{"output is no number", func(c *fakeCell) (cell.Exit, error) {
			c.output("n", "abc")
			return cell.Exit{}, nil
		}, api.BadOutput, []string{"output n: expected int", "abc"}},
		{"output is empty", func(c *fakeCell) (cell.Exit, error) {
			c.output("n", "")
			return cell.Exit{}, nil
		}, api.BadOutput, []string{"output n", "empty"}},
		{"output is a directory", func(c *fakeCell) (cell.Exit, error) {
			c.make(layout.Outputs+"/n", tar.TypeDir)
			return cell.Exit{}, nil
		}, api.BadOutput, []string{`"n" is a directory, expected a regular file`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, tt.program)
			task := &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "n:int")}}
			_, err := f.run(t, task, nil)
			sandboxtest.WantError(t, err, tt.code, tt.words...)
		})
	}
}

func TestScalarOutputs(t *testing.T) {
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		c.output("i", "15\n")
		c.output("s", "2\n")
		c.output("b", "True")
		c.output("f", "1e3")
		c.output("raw", "x\n")
		c.output("undeclared", "ignored")
		return cell.Exit{}, nil
	})
	task := &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "s:str", "i:int", "b:bool", "f:float", "raw:bytes")}}
	result, err := f.run(t, task, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []any
	for _, o := range result.Outputs {
		got = append(got, o.Value)
	}
	if diff := cmp.Diff([]any{"2", int64(15), true, 1000.0, []byte("x\n")}, got); diff != "" {
		t.Error(diff)
	}
}

// The test-runner example of the documents: the status is the result.
func TestExitCodeOutput(t *testing.T) {
	task := &api.Task{Command: []string{"pytest"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "exit_code:str")}}
	f := newFixture(t, exits(1))
	result, err := f.run(t, task, nil)
	if err != nil || result.Outputs[0].Value != "1" {
		t.Fatalf("got %+v, %v, want exit_code 1", result, err)
	}
	f = newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		c.output("exit_code", "5\n")
		return cell.Exit{Code: 1}, nil
	})
	result, err = f.run(t, task, nil)
	if err != nil || result.Outputs[0].Value != "5" {
		t.Fatalf("got %+v, %v, want the program's own 5", result, err)
	}
	f = newFixture(t, func(*fakeCell) (cell.Exit, error) { return cell.Exit{Code: -1, Signal: "SIGKILL"}, nil })
	_, err = f.run(t, task, nil)
	sandboxtest.WantError(t, err, api.Signaled, "SIGKILL")
}

func TestVerbatim(t *testing.T) {
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		c.output("total", "15")
		return cell.Exit{}, nil
	})
	task := &api.Task{
		Name: "etl", Code: "print()", Verbatim: true, Arguments: []string{"extra"},
		Signature: api.Signature{Inputs: sandboxtest.Params(t, "a.b:str", "n:int", "when:timedelta", "nul:str", "big:str", "z:str"), Outputs: sandboxtest.Params(t, "total:int")},
	}
	big := strings.Repeat("x", 128<<10)
	given := map[string]any{"a.b": "--rm '$(id)' \n😀", "n": -5, "when": -time.Second, "nul": "a\x00b", "big": big, "z": ""}
	if _, err := f.run(t, task, given); err != nil {
		t.Fatal(err)
	}
	want := []string{"/work/etl.py", "--a.b=--rm '$(id)' \n😀", "--n", "-5", "--when=" + f.cell.text("/var/inputs/when"), "--z", "", "extra"}
	got := f.cell.parsedJob().Argv
	for i, word := range got {
		got[i] = strings.TrimSuffix(word, "\n")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("argv:\n%s", diff)
	}
	for name, want := range map[string]string{"a.b": given["a.b"].(string), "n": "-5", "nul": "a\x00b", "big": big, "z": ""} {
		if got := f.cell.text("/var/inputs/" + name); got != want {
			t.Errorf("input %s arrived as %.40q, want %.40q", name, got, want)
		}
	}
}

func TestScriptException(t *testing.T) {
	const trace = "Traceback (most recent call last):\n  File \"/work/etl.py\", line 1, in <module>\n    1/0\n    ~^~\nZeroDivisionError: division by zero\n"
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		fmt.Fprint(c.command.Stderr, trace)
		return cell.Exit{Code: 1}, nil
	})
	result, err := f.run(t, &api.Task{Name: "etl", Code: "1/0", Verbatim: true}, nil)
	e := sandboxtest.WantError(t, err, api.PythonException, "ZeroDivisionError: division by zero, at etl.py:1")
	if string(result.Stderr) != trace {
		t.Errorf("stderr = %q, want it untouched", result.Stderr)
	}
	want := []api.Frame{{File: "etl.py", Line: 1, Column: 1, Function: "<module>", Source: "1/0"}}
	if diff := cmp.Diff(want, e.Details.Exception.Frames); diff != "" {
		t.Error(diff)
	}
}

func TestScriptHidesModule(t *testing.T) {
	for _, message := range []string{
		"AttributeError: partially initialized module 'json' has no attribute 'dumps' (most likely due to a circular import)",
		"AttributeError: module 'json' has no attribute 'dumps' (consider renaming '/work/json.py' since it has the same name as the standard library module named 'json')",
	} {
		f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
			fmt.Fprintf(c.command.Stderr, "%s\n  File \"/work/json.py\", line 1, in <module>\n%s\n", traceback.Header, message)
			return cell.Exit{Code: 1}, nil
		})
		_, err := f.run(t, &api.Task{Name: "json", Code: "import json", Verbatim: true}, nil)
		if e := sandboxtest.WantError(t, err, api.PythonException); !strings.Contains(e.Hint, "json.py") {
			t.Errorf("hint = %q", e.Hint)
		}
	}
}

func TestEntrypoint(t *testing.T) {
	tests := []struct {
		entrypoint, cmd, arguments, want []string
	}{
		{[]string{"/run.sh"}, []string{"a"}, nil, []string{"/run.sh", "a"}},
		{[]string{"/run.sh"}, []string{"a"}, []string{"b"}, []string{"/run.sh", "b"}},
		{nil, []string{"python3"}, nil, []string{"python3"}},
	}
	for _, tt := range tests {
		f := newFixture(t, exits(0))
		f.images.image = &Image{Entrypoint: tt.entrypoint, Cmd: tt.cmd, WorkingDir: "/app"}
		if _, err := f.run(t, &api.Task{Arguments: tt.arguments}, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, f.cell.command.Argv); diff != "" || f.cell.command.Dir != "/app" {
			t.Errorf("in %s: %s", f.cell.command.Dir, diff)
		}
	}
}

func TestWorkingDirThatIsNotThere(t *testing.T) {
	f := newFixture(t, func(*fakeCell) (cell.Exit, error) {
		return cell.Exit{Code: 127}, api.Errorf(api.CommandNotFound, "there is no directory").WithDetails(api.Details{Field: cell.FieldDir})
	})
	f.images.image = &Image{Name: "box", WorkingDir: "/app"}
	_, err := f.run(t, &api.Task{Command: []string{"sh"}}, nil)
	if e := sandboxtest.WantError(t, err, api.CommandNotFound); !strings.Contains(e.Message, `box has no directory "/app"`) || !strings.Contains(e.Hint, "WORKDIR") {
		t.Errorf("%s; hint: %s", e.Message, e.Hint)
	}
}

// largeSecrets returns n references to the same large secret, which are refused
// before a cell starts.
func largeSecrets(n int) (all []api.SecretRef) {
	for i := range n {
		all = append(all, api.SecretRef{Name: "large", File: fmt.Sprint(i)})
	}
	return all
}

func TestNotStarted(t *testing.T) {
	tests := []struct {
		name   string
		task   api.Task
		given  map[string]any
		change func(*Image)
		code   api.Code
		words  []string
	}{
		{"missing input", api.Task{Code: "x", Signature: api.Signature{Inputs: sandboxtest.Params(t, "x:int", "y:str")}}, map[string]any{"x": 1},
			nil, api.InvalidInput, []string{`"y" is missing`, "(x: int, y: str)"}},
		{"extra input", api.Task{Code: "x", Signature: api.Signature{Inputs: sandboxtest.Params(t, "x:int")}}, map[string]any{"x": 1, "z": 2},
			nil, api.InvalidInput, []string{`"z" is not declared`, "(x: int)"}},
		{"wrong type", api.Task{Code: "x", Signature: api.Signature{Inputs: sandboxtest.Params(t, "x:int")}}, map[string]any{"x": "abc"},
			nil, api.InvalidInput, []string{"input x: expected int", `"abc"`}},
		{"no such file", api.Task{Code: "x", Signature: api.Signature{Inputs: sandboxtest.Params(t, "x:File")}}, map[string]any{"x": value.File{Path: "/nonexistent/x"}},
			nil, api.InvalidInput, []string{"input x", "/nonexistent/x", "not there"}},
		{"secret", api.Task{Code: "x", Secrets: []api.SecretRef{{Name: "nope", Env: "X"}}}, nil, nil, api.SecretNotFound, []string{"nope"}},
		{"binary secret as variable", api.Task{Code: "x", Secrets: []api.SecretRef{{Name: "binary", Env: "X"}}}, nil, nil, api.InvalidTask, []string{`"binary"`}},
		{"large secrets", api.Task{Code: "x", Secrets: largeSecrets(17)}, nil, nil, api.InvalidTask, []string{`"large"`, "1 MiB"}},
		{"no python", api.Task{Code: "x"}, nil, func(i *Image) { i.Python = "" }, api.PythonMissing, []string{"glovebox-abc"}},
		{"no entrypoint", api.Task{}, nil, nil, api.InvalidTask, []string{"no entrypoint"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, exits(0))
			if tt.change != nil {
				tt.change(f.images.image)
			}
			_, err := f.run(t, &tt.task, tt.given)
			e := sandboxtest.WantError(t, err, tt.code, tt.words...)
			if e.Outcome != api.NotStarted || f.starts != 0 {
				t.Errorf("outcome %s after %d cells, want not_started and none", e.Outcome, f.starts)
			}
		})
	}
}

func TestLeftovers(t *testing.T) {
	f := newFixture(t, func(c *fakeCell) (cell.Exit, error) {
		c.output("a", "data")
		return cell.Exit{}, nil
	})
	task := &api.Task{Command: []string{"sh"}, Signature: api.Signature{Outputs: sandboxtest.Params(t, "a:File", "b:int")}}
	_, err := f.run(t, task, nil)
	sandboxtest.WantError(t, err, api.MissingOutput, `"b"`)
	if left, err := os.ReadDir(f.dir); err != nil || len(left) > 0 {
		t.Errorf("a failed run left %v, %v", left, err)
	}
}

// A cell that cannot be removed is no fault of the run.
func TestCloseFails(t *testing.T) {
	var log bytes.Buffer
	f := newFixture(t, exits(0))
	f.reaper.logger = slog.New(slog.NewTextHandler(&log, nil))
	f.cell.closing = errors.New("busy")
	if _, err := f.run(t, &api.Task{Command: []string{"sh"}}, nil); err != nil {
		t.Error(err)
	}
	if err := f.Close(t.Context()); err != nil || !strings.Contains(log.String(), "busy") {
		t.Errorf("%v, log: %s", err, log.String())
	}
}
