//go:build linux

package glovebox_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// assignments are runs of all kinds: values that are easily spoiled, and errors
// of every code that can be had anywhere.
func assignments(t *testing.T) []assignment {
	all := append(valueAssignments(), fileAssignments(t)...)
	all = append(all, failingAssignments()...)
	return append(all, cellAssignments()...)
}

func valueAssignments() (all []assignment) {
	noon := time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.FixedZone("", 5400))
	dict := value.NewDict()
	dict.Set("z", []any{int64(1)})
	dict.Set("$bytes", []any{})
	for _, v := range []struct {
		typ   string
		value any
	}{
		{"int", new(big.Int).Exp(big.NewInt(10), big.NewInt(400), nil)},
		{"float", math.NaN()},
		{"float", math.Copysign(0, -1)},
		{"float", math.Inf(-1)},
		{"str", "ä\n\"\x00😀<&>\xed\xa0\x80"},
		{"bytes", []byte{0, 255, 10}},
		{"datetime", glovebox.Aware(noon)},
		{"datetime", glovebox.Naive(noon)},
		{"timedelta", glovebox.Timedelta{Days: -999999999}},
		{"Optional[float]", nil},
		{"tuple[int, ...]", glovebox.Tuple{int64(1), int64(2)}},
		{"dict[str, list[int]]", dict},
		{"Union[int, str, bytes]", []byte("1")},
		{"Any", glovebox.Tuple{[]any{math.NaN(), dict}, glovebox.Naive(noon)}},
	} {
		all = append(all, assignment{
			name:   "value of " + v.typ,
			task:   glovebox.Orchestrator{Name: "o", Source: "print(repr(v))\nv", Inputs: []string{"v: " + v.typ}, Output: v.typ},
			inputs: glovebox.Values{"v": v.value},
		})
		all[len(all)-1].name += " " + string(rune('a'+len(all)))
	}
	return all
}

// sameFunctions are made once: their ids stand for them.
var sameFunctions = struct{ add, fail, shout glovebox.Function }{
	glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"), glovebox.WithVersion("1")),
	glovebox.MustFunction("fail", func(ctx context.Context, code string) (int, error) {
		if code == "" {
			return 0, errors.New("no code \x00 at all")
		}
		return 0, api.Errorf(api.Code(code), "as asked").WithHint("tell it not to").WithDetails(api.Details{Field: "f", Limit: 3})
	}, glovebox.WithParams("code"), glovebox.WithRetries(1), glovebox.WithVersion("1")),
	glovebox.MustFunction("shout", func(ctx context.Context, f glovebox.File) (string, error) {
		text, err := os.ReadFile(f.Path)
		return string(text) + "!", err
	}, glovebox.WithParams("f"), glovebox.WithVersion("1")),
}

func fileAssignments(t *testing.T) []assignment {
	dir := t.TempDir()
	tree, file := filepath.Join(dir, "tree"), filepath.Join(dir, "file.csv")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(tree, "a", "empty"), 0o755),
		os.WriteFile(filepath.Join(tree, "a", "one"), []byte("1"), 0o755),
		os.Symlink("a/one", filepath.Join(tree, "link")),
		os.WriteFile(file, []byte("x,y\n1,2\n"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return []assignment{
		{name: "file", task: glovebox.Orchestrator{Name: "o", Source: "v", Inputs: []string{"v: File"}, Output: "File"}, inputs: glovebox.Values{"v": glovebox.File{Path: file}}},
		{name: "tree", task: glovebox.Orchestrator{Name: "o", Source: "[v]", Inputs: []string{"v: Dir"}, Output: "list[Dir]"}, inputs: glovebox.Values{"v": glovebox.Dir{Path: tree}}},
		{name: "tree alone", task: glovebox.Orchestrator{Name: "o", Source: "v", Inputs: []string{"v: Dir"}, Output: "Dir"}, inputs: glovebox.Values{"v": glovebox.Dir{Path: tree}}},
		{name: "data frame", task: glovebox.Orchestrator{Name: "o", Source: "v", Inputs: []string{"v: DataFrame"}, Output: "DataFrame"}, inputs: glovebox.Values{"v": glovebox.DataFrame{Path: file}}},
		{name: "file to a function", shared: true, task: glovebox.Orchestrator{Name: "o", Source: "shout(v)", Inputs: []string{"v: File"}, Output: "str", Tools: []glovebox.Task{sameFunctions.shout}}, inputs: glovebox.Values{"v": glovebox.File{Path: file}}},
		{name: "absent file", want: api.InvalidInput, task: glovebox.Orchestrator{Name: "o", Source: "v", Inputs: []string{"v: File"}, Output: "File"}, inputs: glovebox.Values{"v": glovebox.File{Path: "/absent/file"}}},
		{name: "a tree that is a file", want: api.InvalidInput, task: glovebox.Orchestrator{Name: "o", Source: "v", Inputs: []string{"v: Dir"}, Output: "Dir"}, inputs: glovebox.Values{"v": glovebox.Dir{Path: "/dev/null"}}},
		{name: "a file that is a tree", want: api.InvalidInput, task: glovebox.Orchestrator{Name: "o", Source: "v", Inputs: []string{"v: File"}, Output: "File"}, inputs: glovebox.Values{"v": glovebox.File{Path: "/"}}},
	}
}

func failingAssignments() []assignment {
	f := sameFunctions
	code := func(source string) glovebox.Orchestrator {
		return glovebox.Orchestrator{Name: "o", Source: source, Output: "int", SkipCheck: true}
	}
	calling := func(source string, tools ...glovebox.Task) glovebox.Orchestrator {
		return glovebox.Orchestrator{Name: "o", Source: source, Output: "Any", Dialect: glovebox.Extended, Tools: tools}
	}
	greedy, endless, deep := code("x = 'x' * 100000000\n1"), code("while True:\n    pass"), code("def f():\n    return f()\nf()")
	greedy.Limits.Memory, endless.Limits.Steps, endless.Dialect, deep.Dialect = 1<<20, 10_000, glovebox.Extended, glovebox.Extended
	slow := code("while True:\n    pass")
	slow.Limits.Time, slow.Dialect = 50*time.Millisecond, glovebox.Extended
	again := code("1 / 0")
	again.Retries = 2
	one := glovebox.Orchestrator{Name: "o", Source: "x", Inputs: []string{"x: int"}, Output: "int"}
	return []assignment{
		{name: "calls", task: calling("print('adding')\nadd(add(1, 2), 3)", f.add)},
		{name: "a function alone", task: f.add, inputs: glovebox.Values{"x": 1, "y": 2}},
		{name: "exception", want: api.PythonException, task: code("x = 1\nx / 0")},
		{name: "exception with a surrogate", want: api.PythonException, task: calling("raise ValueError('\\ud800\\0')")},
		{name: "retries", want: api.PythonException, task: again},
		{name: "refused", want: api.CheckFailed, task: glovebox.Orchestrator{Name: "o", Source: "nobody", Output: "int"}},
		{name: "syntax", want: api.SyntaxError, task: code("x = = 1")},
		{name: "unknown name", want: api.PythonException, task: code("nobody")},
		{name: "output", want: api.BadOutput, task: code("'text'")},
		{name: "memory", want: api.OutOfMemory, task: greedy},
		{name: "steps", want: api.LimitExceeded, task: endless},
		{name: "depth", want: api.LimitExceeded, task: deep},
		{name: "time", want: api.Timeout, task: slow},
		{name: "function fails", want: api.FunctionFailed, task: f.fail, inputs: glovebox.Values{"code": ""}},
		{name: "function fails as asked", want: api.OutOfMemory, task: f.fail, inputs: glovebox.Values{"code": "out_of_memory"}},
		{name: "call fails", want: api.CallFailed, task: calling("x = 1\nfail('timeout')", f.fail)},
		{name: "call fails and is caught", task: calling("try:\n    fail('timeout')\nexcept TimeoutError as e:\n    x = str(e)\nx", f.fail)},
		{name: "missing input", want: api.InvalidInput, task: one},
		{name: "unknown input", want: api.InvalidInput, task: one, inputs: glovebox.Values{"x": 1, "y": 2}},
		{name: "wrong input", want: api.InvalidInput, task: one, inputs: glovebox.Values{"x": "1"}},
		{name: "unknown type", want: api.InvalidType, task: glovebox.Orchestrator{Source: "x", Inputs: []string{"x: integr"}}},
		{name: "no code", want: api.InvalidTask, task: glovebox.Orchestrator{}},
		{name: "code and command", want: api.InvalidTask, task: glovebox.Sandbox{Code: "x = 1", Command: []string{"true"}}},
		{name: "no such secret", want: api.SecretNotFound, task: glovebox.Sandbox{Code: "x = 1", Secrets: []glovebox.Secret{{Name: "absent", Env: "A"}}}},
		{name: "no such network", want: api.InvalidTask, task: glovebox.Sandbox{Code: "x = 1", Network: glovebox.Network{Allow: []string{"10.0.0.1"}}}},
		{name: "no such memory", want: api.InvalidTask, task: glovebox.Sandbox{Code: "x = 1", Resources: glovebox.Resources{Memory: 1}}},
		{name: "no such registry", want: api.RegistryUnavailable, task: glovebox.Sandbox{Command: []string{"true"}, Image: glovebox.Image{Ref: "127.0.0.1:9/nothing:1"}}},
		{name: "no such package", want: api.InvalidPackage, task: glovebox.Sandbox{Code: "x = 1", Image: glovebox.Image{Packages: []string{"--index-url=http://evil"}}}},
	}
}

func cellAssignments() []assignment {
	all := []assignment{
		{name: "cell", task: glovebox.Sandbox{Code: "import sys\nprint('out')\nprint('err', file=sys.stderr)\ny = x * 2", Inputs: []string{"x: int"}, Outputs: []string{"y: int"}}, inputs: glovebox.Values{"x": 21}},
		{name: "cell of values", task: glovebox.Sandbox{Code: "f, s, b = float('nan'), '\\ud800', bytes(range(256))", Outputs: []string{"f: float", "s: str", "b: bytes"}}},
		{name: "cell of files", task: glovebox.Sandbox{Command: []string{"sh", "-c", `cd /var/outputs && mkdir -p tree/a && echo 1 > tree/a/one && printf '\000\377' > file`}, Outputs: []string{"tree: Dir", "file: File"}}},
		{name: "cell of bytes", task: glovebox.Sandbox{Command: []string{"sh", "-c", `printf '\000\377\r\n'; printf 'err\200' >&2`}}},
		{name: "cell raises", want: api.PythonException, task: glovebox.Sandbox{Name: "etl", Code: "def f():\n    raise KeyError('k')\n\nf()", Retries: 1}},
		{name: "cell does not parse", want: api.SyntaxError, task: glovebox.Sandbox{Code: "x = 1\ny = = 2"}},
		{name: "cell exits", want: api.NonzeroExit, task: glovebox.Sandbox{Command: []string{"sh", "-c", "echo why >&2; exit 7"}}},
		{name: "cell is ended", want: api.Signaled, task: glovebox.Sandbox{Command: []string{"sh", "-c", "kill -SEGV $$"}}},
		{name: "cell without the command", want: api.CommandNotFound, task: glovebox.Sandbox{Command: []string{"no-such-program"}}},
		{name: "cell takes too long", want: api.Timeout, task: glovebox.Sandbox{Command: []string{"sleep", "1000"}, Timeout: time.Second}},
		{name: "cell without its output", want: api.MissingOutput, task: glovebox.Sandbox{Code: "x = 1", Outputs: []string{"y: int"}}},
		{name: "cell with another output", want: api.BadOutput, task: glovebox.Sandbox{Code: "y = 'a'", Outputs: []string{"y: int"}}},
		{name: "cell without an image", shared: true, want: api.ImageNotFound, task: glovebox.Sandbox{Command: []string{"true"}, Image: glovebox.Image{Ref: "./absent.tar"}}},
	}
	for i := range all {
		all[i].cells = true
	}
	return all
}
