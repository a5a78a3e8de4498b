package cache

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// shaOf is a digest that depends on s.
func shaOf(s string) string { return strings.TrimPrefix(api.DigestOf([]byte(s)), "sha256:") }

func typeOf(t *testing.T, text string) value.Type {
	t.Helper()
	typ, err := value.ParseType(text)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// setup is all that a key is made of.
type setup struct {
	task     api.Task
	identity string
	inputs   map[string]any
}

func sandbox(t *testing.T) setup {
	return setup{
		task: api.Task{
			Name: "count", Code: "n = 1", Arguments: []string{"-v"},
			Signature: api.Signature{
				Inputs: []value.Param{
					{Name: "x", Type: typeOf(t, "int")}, {Name: "data", Type: typeOf(t, "File")},
					{Name: "more", Type: typeOf(t, "list[Any]")}, {Name: "d", Type: typeOf(t, "dict[str, Dir]")},
				},
				Outputs: []value.Param{{Name: "n", Type: typeOf(t, "int")}},
			},
			Env: map[string]string{"TOKEN": "hunter2", "LANG": "C"}, Secrets: []api.SecretRef{{Name: "key"}, {Name: "other", Env: "OTHER"}},
			Network: api.Network{Allow: []string{"b.org", "a.org"}},
		},
		identity: "sha256:image",
		inputs: map[string]any{
			"x": 5, "data": value.File{Path: "/tmp/a.csv", Size: 3, SHA256: shaOf("abc")},
			"more": []any{value.DataFrame{Path: "/tmp/t", Format: "parquet", SHA256: shaOf("t")}, value.Tuple{int64(1), 2.0}},
			"d":    dictOf("k", value.Dir{Path: "/tmp/d", SHA256: shaOf("d")}),
		},
	}
}

func orchestrator(t *testing.T) setup {
	return setup{
		task: api.Task{
			Name: "plan", Kind: api.KindOrchestrator, Code: "f(1)",
			Signature: api.Signature{Outputs: []value.Param{{Name: "n", Type: typeOf(t, "int")}}},
			Orchestrator: &api.Orchestrator{Tools: []api.Task{
				{Name: "g", Kind: api.KindFunction, Function: &api.Function{ID: "g-1"}},
				{Name: "f", Code: "y = x", Signature: api.Signature{Inputs: []value.Param{{Name: "x", Type: typeOf(t, "int"), Default: json.RawMessage("1")}}}},
			}},
		},
		identity: "py 1",
	}
}

func function(t *testing.T) setup {
	return setup{
		task: api.Task{
			Name: "read", Kind: api.KindFunction, Function: &api.Function{ID: "read-1"},
			Signature: api.Signature{Inputs: []value.Param{{Name: "data", Type: typeOf(t, "File")}}},
		},
		inputs: map[string]any{"data": value.File{Path: "/tmp/a.csv", SHA256: shaOf("abc")}},
	}
}

// inCell is a function that runs in a cell.
func inCell(t *testing.T) setup {
	s := function(t)
	s.task.Kind, s.task.Function, s.task.Code, s.task.StartsRuns = api.KindSandbox, nil, "o0 = data", true
	return s
}

func withoutFiles(t *testing.T) setup {
	s := inCell(t)
	s.task.StartsRuns, s.task.Signature.Inputs, s.inputs = false, nil, nil
	return s
}

func dictOf(key string, v any) *value.Dict {
	d := value.NewDict()
	d.Set(key, v)
	return d
}

func (s *setup) key() (Key, error) {
	inputs, err := (&api.Submission{Inputs: s.inputs}).CompleteInputs(s.task.Signature.Inputs)
	if err != nil {
		return Key{}, err
	}
	return NewKey(&s.task, s.identity, inputs)
}

func keyOf(t *testing.T, s setup) Key {
	t.Helper()
	key, err := s.key()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestKeyChangesWithWhatCounts(t *testing.T) {
	tool := func(s *setup, i int) *api.Task { return &s.task.Orchestrator.Tools[i] }
	tests := []struct {
		name   string
		of     func(*testing.T) setup
		change func(*setup)
		part   string // the one that differs; empty: none
	}{
		{"code", sandbox, func(s *setup) { s.task.Code = "n = 2" }, "code"},
		{"verbatim", sandbox, func(s *setup) { s.task.Verbatim = true }, "mode"},
		{"arguments", sandbox, func(s *setup) { s.task.Arguments = []string{"-v", ""} }, "arguments"},
		{"input", sandbox, func(s *setup) { s.inputs["x"] = 6 }, "input x"},
		{"input of another type", sandbox, func(s *setup) { s.task.Signature.Inputs[0].Type = typeOf(t, "float") }, "input x"},
		{"content of a file", sandbox, func(s *setup) { s.inputs["data"] = value.File{Path: "/tmp/a.csv", SHA256: shaOf("abd")} }, "input data"},
		{"content of a file in a list", sandbox, func(s *setup) {
			s.inputs["more"] = []any{value.DataFrame{Path: "/tmp/t", Format: "parquet", SHA256: shaOf("T")}, value.Tuple{int64(1), 2.0}}
		}, "input more"},
		{"name of a file in a list", sandbox, func(s *setup) {
			s.inputs["more"] = []any{value.DataFrame{Path: "/tmp/u", Format: "parquet", SHA256: shaOf("t")}, value.Tuple{int64(1), 2.0}}
		}, "input more"},
		{"name of a file that code may look at", function, func(s *setup) { s.inputs["data"] = value.File{Path: "b.csv", SHA256: shaOf("abc")} }, "input data"},
		{"name of a file that a cell may ask the engine for", inCell, func(s *setup) { s.inputs["data"] = value.File{Path: "b.csv", SHA256: shaOf("abc")} }, "input data"},
		{"int instead of float", sandbox, func(s *setup) {
			s.inputs["more"] = []any{value.DataFrame{Path: "/tmp/t", Format: "parquet", SHA256: shaOf("t")}, value.Tuple{int64(1), int64(2)}}
		}, "input more"},
		{"key of a dict", sandbox, func(s *setup) { s.inputs["d"] = dictOf("K", value.Dir{Path: "/tmp/d", SHA256: shaOf("d")}) }, "input d"},
		{"output type", sandbox, func(s *setup) { s.task.Signature.Outputs[0].Type = typeOf(t, "str") }, "output n"},
		{"variable", sandbox, func(s *setup) { s.task.Env["LANG"] = "de" }, "env LANG"},
		{"further variable", sandbox, func(s *setup) { s.task.Env["A"] = "" }, "env A"},
		{"place of a secret", sandbox, func(s *setup) { s.task.Secrets[0].File = "elsewhere" }, "secret"},
		{"modules before the code", sandbox, func(s *setup) { s.task.Preload = []string{"json"} }, "preload"},
		{"standard input", sandbox, func(s *setup) { s.task.Stdin = "data" }, "stdin"},
		{"starting runs", withoutFiles, func(s *setup) { s.task.StartsRuns = true }, "starts runs"},
		{"network", sandbox, func(s *setup) { s.task.Network.Allow = []string{"a.org"} }, "network"},
		{"public network", sandbox, func(s *setup) { s.task.Network.Public = true }, "network"},
		{"image", sandbox, func(s *setup) { s.identity = "sha256:other" }, "image"},
		{"image and no identity", sandbox, func(s *setup) { s.identity = "" }, "image"},
		{"dialect", orchestrator, func(s *setup) { s.task.Orchestrator.Dialect = "extended" }, "dialect"},
		{"type check", orchestrator, func(s *setup) { s.task.Orchestrator.SkipTypeCheck = true }, "type check"},
		{"function of a tool", orchestrator, func(s *setup) { tool(s, 0).Function = &api.Function{ID: "g-2"} }, "tool g"},
		{"code of a tool", orchestrator, func(s *setup) { tool(s, 1).Code = "y = 2 * x" }, "tool f"},
		{"default of a tool", orchestrator, func(s *setup) { tool(s, 1).Signature.Inputs[0].Default = json.RawMessage("2") }, "tool f"},
		{"image of a tool", orchestrator, func(s *setup) { tool(s, 1).Image.Packages = []string{"numpy"} }, "tool f"},
		{"variable of a tool", orchestrator, func(s *setup) { tool(s, 1).Env = map[string]string{"A": "b"} }, "tool f"},

		{"name that the code sees", sandbox, func(s *setup) { s.task.Name = "other" }, "source"},
		{"file that the code sees", sandbox, func(s *setup) { s.task.File = "x.py" }, "source"},
		{"name that an orchestrator sees", orchestrator, func(s *setup) { s.task.Name = "other" }, "source"},
		{"cpu", sandbox, func(s *setup) { s.task.Resources.CPU = 2 }, "cpu"},
		{"memory", sandbox, func(s *setup) { s.task.Resources.Memory = 2 << 30 }, "memory"},
		{"disk", sandbox, func(s *setup) { s.task.Resources.Disk = 1 << 30 }, "disk"},
		{"pids", sandbox, func(s *setup) { s.task.Resources.PIDs = 7 }, "pids"},
		{"open files", sandbox, func(s *setup) { s.task.Resources.OpenFiles = 7 }, "open files"},
		{"cpu of a tool", orchestrator, func(s *setup) { tool(s, 1).Resources.CPU = 2 }, "tool f"},
		{"depth", orchestrator, func(s *setup) { s.task.Orchestrator.Limits.Depth = 7 }, "depth"},
		{"interpreter", orchestrator, func(s *setup) { s.identity = "py 2" }, "interpreter, and images of tools"},

		{"description", sandbox, func(s *setup) { s.task.Doc = "words" }, ""},
		{"name of a file that is given", sandbox, func(s *setup) { s.task.Name, s.task.File = "other", "count.py" }, ""},
		{"name of a function", function, func(s *setup) { s.task.Name = "other" }, ""},
		{"resources by default", sandbox, func(s *setup) { s.task.Resources = s.task.Resources.WithDefaults() }, ""},
		{"kind by its name", sandbox, func(s *setup) { s.task.Kind = api.KindSandbox }, ""},
		{"policies", sandbox, func(s *setup) {
			s.task.Retries, s.task.Timeout, s.task.Cache, s.task.Idempotent = 3, time.Second, api.CacheAuto, true
		}, ""},
		{"limits", sandbox, func(s *setup) { s.task.Limits.Logs = 5 }, ""},
		{"path of a file", sandbox, func(s *setup) { s.inputs["data"] = value.File{Path: "b.csv", SHA256: shaOf("abc")} }, ""},
		{"path of a file of a function", function, func(s *setup) { s.inputs["data"] = value.File{Path: "a.csv", SHA256: shaOf("abc")} }, ""},
		{"path of a directory in a dict", sandbox, func(s *setup) {
			s.inputs["d"] = dictOf("k", value.Dir{Path: "/other/d", Size: 9, Files: 2, SHA256: shaOf("d")})
		}, ""},
		{"another Go type", sandbox, func(s *setup) { s.inputs["x"] = int64(5) }, ""},
		{"order of domains", sandbox, func(s *setup) { s.task.Network.Allow = []string{"a.org", "b.org", "a.org"} }, ""},
		{"order of secrets", sandbox, func(s *setup) { slices.Reverse(s.task.Secrets) }, ""},
		{"a secret's file by its default name", sandbox, func(s *setup) { s.task.Secrets[0].File = "key" }, ""},
		{"image spec that is built", sandbox, func(s *setup) { s.task.Image.Packages = []string{"numpy"} }, ""},
		{"strict by its name", orchestrator, func(s *setup) { s.task.Orchestrator.Dialect = "strict" }, ""},
		{"order of tools", orchestrator, func(s *setup) { slices.Reverse(s.task.Orchestrator.Tools) }, ""},
		{"policies of a tool", orchestrator, func(s *setup) {
			tool(s, 1).Retries, tool(s, 1).Timeout, tool(s, 1).Cache, tool(s, 1).Image.Name = 3, time.Second, api.CacheAuto, "pretty"
		}, ""},
		{"limits of the interpreter", orchestrator, func(s *setup) { s.task.Orchestrator.Limits.Steps = 1e6 }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			was := keyOf(t, tt.of(t))
			changed := tt.of(t)
			tt.change(&changed)
			now := keyOf(t, changed)
			differs := Differs(now.Parts, was.Parts)
			if (len(differs) == 0) != (now.Digest == was.Digest) {
				t.Errorf("keys %s and %s, but parts differ in %v", now.Digest, was.Digest, differs)
			}
			if tt.part == "" {
				if len(differs) != 0 {
					t.Errorf("it changed %v", differs)
				}
				return
			}
			if len(differs) != 1 || differs[0].Name != tt.part {
				t.Errorf("differs = %v, want %s only", differs, tt.part)
			}
		})
	}
}

// A command is shown no name, and what is no sandbox has no parts of a cell.
func TestKeyHasOnlyWhatThereIs(t *testing.T) {
	s := sandbox(t)
	s.task.Code, s.task.Command = "", []string{"wc"}
	was := keyOf(t, s)
	s.task.Name = "other"
	if differs := Differs(keyOf(t, s).Parts, was.Parts); len(differs) > 0 {
		t.Errorf("the name of a command counts: %v", differs)
	}
	for name, s := range map[string]setup{"orchestrator": orchestrator(t), "function": function(t)} {
		for _, part := range keyOf(t, s).Parts {
			if slices.Contains([]string{"mode", "command", "arguments", "network", "image", "cpu", "memory"}, part.Name) {
				t.Errorf("%s: the key has a part %v", name, part)
			}
		}
	}
}

// TestKeyS01 is attack S01: no value of a variable is in a key, however short.
func TestKeyS01(t *testing.T) {
	text := fmt.Sprint(keyOf(t, sandbox(t)))
	if strings.Contains(text, "hunter2") || !strings.Contains(text, "env TOKEN") {
		t.Errorf("key = %s", text)
	}
}

func TestKeyRefuses(t *testing.T) {
	for name, change := range map[string]func(*setup){
		"missing input":             func(s *setup) { delete(s.inputs, "x") },
		"wrong type":                func(s *setup) { s.inputs["x"] = "5" },
		"file without digest":       func(s *setup) { s.inputs["data"] = value.File{Path: "/etc/passwd"} },
		"file deep without digest":  func(s *setup) { s.inputs["more"] = []any{value.Tuple{value.File{Path: "/etc/passwd"}}} },
		"directory without digest":  func(s *setup) { s.inputs["d"] = dictOf("k", value.Dir{Path: "/etc"}) },
		"table without its content": func(s *setup) { s.inputs["more"] = []any{value.DataFrame{Path: "/t"}} },
	} {
		s := sandbox(t)
		change(&s)
		if _, err := s.key(); !errors.Is(err, &api.Error{Code: api.InvalidInput}) {
			t.Errorf("%s: err = %v, want invalid_input", name, err)
		}
	}
}

func TestKeyShowsWhatIsShort(t *testing.T) {
	s := sandbox(t)
	s.task.Code, s.task.Command = "", []string{"wc", "-l"}
	got := map[string]string{}
	for _, part := range keyOf(t, s).Parts {
		got[part.Name] = part.Value
	}
	want := map[string]string{
		"kind": "sandbox", "mode": "command", "command": `["wc" "-l"]`, "arguments": `["-v"]`,
		"input x": "int 5", "output n": "int", "network": `"a.org" "b.org"`, "secret": `"other" as variable "OTHER"`,
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("part %s = %s, want %s", name, got[name], value)
		}
	}
	s.task.Command = []string{strings.Repeat("x", 100)}
	if differs := Differs(keyOf(t, s).Parts, nil); differs[2].Name != "command" || !strings.HasPrefix(differs[2].Value, "sha256:") {
		t.Errorf("a long command is shown in full: %v", differs[2])
	}
}

// Two lists of words have one key only if they are equal, wherever the
// boundaries between the words are, and whatever the words look like.
func TestKeyIsInjective(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune(`ab"\[] :1`)), 0, 4, -1)
	words := rapid.SliceOfN(word, 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		task := func() *api.Task {
			return &api.Task{
				Command: words.Draw(t, "command"), Arguments: words.Draw(t, "arguments"), Code: word.Draw(t, "code"),
				Network: api.Network{Allow: words.Draw(t, "allow")}, Env: rapid.MapOfN(word, word, 0, 2).Draw(t, "env"),
				Function: &api.Function{ID: rapid.SampledFrom([]string{"f", "sha256:f", api.DigestOf([]byte("sha256:f"))}).Draw(t, "id")},
			}
		}
		relevant := func(task *api.Task) []any {
			allow := slices.Compact(slices.Sorted(slices.Values(task.Network.Allow)))
			return []any{append([]string{}, task.Command...), append([]string{}, task.Arguments...), task.Code, fmt.Sprintf("%q", allow), task.Env, task.Function.ID}
		}
		a, b := task(), task()
		x, errX := NewKey(a, "image", value.Fields{})
		y, errY := NewKey(b, "image", value.Fields{})
		if err := errors.Join(errX, errY); err != nil {
			t.Fatal(err)
		}
		equal := cmp.Equal(relevant(a), relevant(b))
		if (x.Digest == y.Digest) != equal {
			t.Errorf("equal = %v, keys %s and %s", equal, x.Digest, y.Digest)
		}
		if (len(Differs(x.Parts, y.Parts)) == 0) != equal {
			t.Errorf("equal = %v, differs %v", equal, Differs(x.Parts, y.Parts))
		}
	})
}
