package orchestrator

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestValidateRefuses(t *testing.T) {
	nested := tool("leaf", "int")
	for range maxNesting {
		outer := task("1", "int")
		outer.Orchestrator.Tools = []api.Task{nested}
		nested = *outer
	}
	for _, c := range []struct {
		name   string
		change func(*api.Task)
		code   api.Code
		want   string
	}{
		{"kind", func(t *api.Task) { t.Kind = "" }, api.InvalidTask, "kind: expected orchestrator, got sandbox"},
		{"no code", func(t *api.Task) { t.Code = "" }, api.InvalidTask, "code: expected Python source, got nothing"},
		{"long code", func(t *api.Task) { t.Code = strings.Repeat("#", maxSource+1) }, api.InvalidTask, "at most 1048576 bytes"},
		{"command", func(t *api.Task) { t.Command = []string{"sh"} }, api.InvalidTask, "command"},
		{"secrets", func(t *api.Task) { t.Secrets = []api.SecretRef{{Name: "key"}} }, api.InvalidTask, "secrets is set, expected nothing"},
		{"env", func(t *api.Task) { t.Env = map[string]string{"A": "b"} }, api.InvalidTask, "env"},
		{"network", func(t *api.Task) { t.Network.Public = true }, api.InvalidTask, "network"},
		{"preload", func(t *api.Task) { t.Preload = []string{"json"} }, api.InvalidTask, "preload"},
		{"standard input", func(t *api.Task) { t.Stdin = "x" }, api.InvalidTask, "stdin"},
		{"starting runs", func(t *api.Task) { t.StartsRuns = true }, api.InvalidTask, "starts_runs"},
		{"image", func(t *api.Task) { t.Image.Packages = []string{"numpy"} }, api.InvalidTask, "image"},
		{"model", func(t *api.Task) { t.Model = &api.Model{} }, api.InvalidTask, "model"},
		{"agent", func(t *api.Task) { t.Agent = &api.Agent{} }, api.InvalidTask, "agent"},
		{"function", func(t *api.Task) { t.Function = &api.Function{ID: "f"} }, api.InvalidTask, "function"},
		{"dialect", func(t *api.Task) { t.Orchestrator.Dialect = "2.7" }, api.InvalidTask, "strict or extended"},
		{"memory", func(t *api.Task) { t.Orchestrator.Limits.Memory = 1 }, api.InvalidTask, "at least 65536"},
		{"negative", func(t *api.Task) { t.Orchestrator.Limits.Calls = -1 }, api.InvalidTask, "orchestrator.limits.calls"},
		{"too much", func(t *api.Task) { t.Orchestrator.Limits.Memory = 1 << 50 }, api.InvalidTask, "orchestrator.limits.memory"},
		{"two outputs", func(t *api.Task) { t.Signature.Outputs = typed([]string{"a", "int", "b", "int"}) }, api.InvalidTask, "at most one output"},
		{"input", func(t *api.Task) { t.Signature.Inputs = typed([]string{"a-b", "int"}) }, api.InvalidTask, "identifier"},
		{"input and tool", func(t *api.Task) { t.Signature.Inputs = typed([]string{"add", "int"}) }, api.InvalidTask, "add"},
		{"same tool", func(t *api.Task) { t.Orchestrator.Tools = append(t.Orchestrator.Tools, tool("add", "int")) }, api.InvalidTask, "two tools named add"},
		{"tool name", func(t *api.Task) { t.Orchestrator.Tools[0].Name = "my-tool" }, api.InvalidTask, "my-tool"},
		{"no tool name", func(t *api.Task) { t.Orchestrator.Tools[0].Name = "" }, api.InvalidTask, "tool name"},
		{"tool input", func(t *api.Task) { t.Orchestrator.Tools[0].Signature.Inputs[0].Name = "if" }, api.InvalidTask, "keyword"},
		{"tool default", func(t *api.Task) { t.Orchestrator.Tools[0].Signature.Inputs[1].Default = json.RawMessage(`"x"`) }, api.InvalidTask, "default"},
		{"many tools", func(t *api.Task) { t.Orchestrator.Tools = make([]api.Task, maxTools+1) }, api.InvalidTask, "at most 500 tools"},
		{"nesting", func(t *api.Task) { t.Orchestrator.Tools = []api.Task{nested} }, api.InvalidTask, "nested at most 16 deep"},
		{"bad tool", func(t *api.Task) { t.Orchestrator.Tools[0].Code = "refused" }, api.InvalidTask, "tool add: "},
		{"syntax", func(t *api.Task) { t.Code = "x = 1\ny = = 2" }, api.SyntaxError, "flow.py, line 2, column 5: "},
		{"dialect's", func(t *api.Task) { t.Orchestrator.Dialect = strict; t.Code = "x = 1\nx += 1\nimport os" }, api.InvalidTask, "use x = x + 1"},
	} {
		r := New(Config{Check: func(t *api.Task) error {
			if t.Code == "refused" {
				return errors.New("it is refused")
			}
			return nil
		}})
		t.Run(c.name, func(t *testing.T) {
			task := task("1", "int")
			c.change(task)
			var e *api.Error
			if err := r.Validate(task); !errors.As(err, &e) {
				if !strings.Contains(fmt.Sprint(err), c.want) || err == nil {
					t.Errorf("got %v, want %q", err, c.want)
				}
				return
			}
			if c.name != "bad tool" && e.Code != c.code || !strings.Contains(e.Message, c.want) || e.Outcome == api.Failed {
				t.Errorf("got %v (%s), want %s: %s", e, e.Outcome, c.code, c.want)
			}
		})
	}
}

// TestValidateShowsEveryPlace wants all problems of a source in one error, each
// with its line and column.
func TestValidateShowsEveryPlace(t *testing.T) {
	bad := task("x = 1\nx += 1\nimport os\n", "int")
	bad.Orchestrator.Dialect = ""
	e := api.AsError(New(Config{}).Validate(bad))
	want := []api.Frame{{File: "flow.py", Line: 2, Column: 1, Source: "x += 1"}, {File: "flow.py", Line: 3, Column: 1, Source: "import os"}}
	if diff := cmp.Diff(want, e.Details.Exception.Frames); diff != "" {
		t.Error(diff)
	}
	if strings.Count(e.Message, "\n") != 1 {
		t.Errorf("got %q", e.Message)
	}
	bad.Code = strings.Repeat("x += 1\n", 1000)
	if e := api.AsError(New(Config{}).Validate(bad)); !strings.HasSuffix(e.Message, "and 980 more") {
		t.Errorf("got %q", e.Message)
	}
}

func TestToolSignatures(t *testing.T) {
	mixed := tool("mixed", "int", "a", "int", "b", "int", "c", "str")
	mixed.Signature.Inputs[0].Default = json.RawMessage("7")
	task := task("[mixed(b=1, c='x'), mixed(2, b=3, c='y')]", "list[int]")
	task.Orchestrator.Tools = append(tools(), mixed)
	text, err := New(Config{}).Prompt(task)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"def add(x: int, y: int) -> int:", "def nothing() -> None:", "def stats(n: int) -> tuple[int, str]:",
		"def mixed(a: int = 7, *, b: int, c: str) -> int:", "does mixed",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	tools := funcs()
	tools["mixed"] = func(in map[string]any) (any, *api.Error) { return integer(in, "a"), nil }
	result, err := attemptOn(t, testRunner(never), task, nil, newEngine(tools))
	if err != nil || !cmp.Equal(result.Outputs[0].Value, []any{int64(7), int64(2)}) {
		t.Errorf("got %v, %v", result.Outputs, err)
	}
}

func TestCheck(t *testing.T) {
	problems, err := New(Config{}).Check(task("addd(1, 2)\nadd(1)\nimport socket", "int"))
	if err != nil {
		t.Fatal(err)
	}
	levels := map[string]string{}
	for _, p := range problems {
		levels[p.Code] = p.Level
		if p.Line == 0 || p.Column == 0 || p.Message == "" {
			t.Errorf("incomplete: %+v", p)
		}
	}
	if levels["unknown_tool"] != "error" || levels["wrong_call"] != "error" || levels["forbidden_import"] != "refusal" {
		t.Errorf("got %v", problems)
	}
	if _, err := New(Config{}).Check(&api.Task{}); err == nil {
		t.Error("a task that is no orchestrator was checked")
	}
}

func TestSkipTypeCheck(t *testing.T) {
	free := task("n + '!'", "int", "n", "int")
	inputs := map[string]any{"n": "one"}
	if _, err := attemptOn(t, testRunner(never), free, inputs, newEngine(funcs())); api.AsError(err).Code != api.InvalidInput {
		t.Errorf("got %v", err)
	}
	free.Orchestrator.SkipTypeCheck = true
	result, err := attemptOn(t, testRunner(never), free, inputs, newEngine(funcs()))
	if err != nil || result.Outputs[0].Value != "one!" {
		t.Errorf("got %v, %v", result.Outputs, err)
	}
}

func TestProgramsAreKeptWithinBounds(t *testing.T) {
	p := newPrograms()
	first, err := p.of(task("0", "int"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxPrograms + 10 {
		if _, err := p.of(task(fmt.Sprint("0 + ", i), "int")); err != nil {
			t.Fatal(err)
		}
		if again, _ := p.of(task("0", "int")); again != first {
			t.Fatal("a program in use was compiled again")
		}
	}
	if len(p.kept) != maxPrograms || p.recent.Len() != maxPrograms {
		t.Errorf("%d programs are kept", len(p.kept))
	}
	for range 2 {
		if _, err := p.of(task("1 +", "int")); err == nil {
			t.Error("a wrong source was compiled")
		}
	}
}

// TestHintsOfSyntax wants a hint of its own for what models often write around
// their code.
func TestHintsOfSyntax(t *testing.T) {
	for code, hint := range map[string]string{
		"```python\nadd(1, 2)\n```": "without the ``` around it",
		"x = add(1, 2)\nreturn x":   "without return",
		"x = = 1":                   "correct the line",
	} {
		if e := api.AsError(testRunner(never).Validate(task(code, "int"))); e == nil || e.Code != api.SyntaxError || !strings.Contains(e.Hint, hint) {
			t.Errorf("%s\ngot %v, want the hint %q", code, e, hint)
		}
	}
}
