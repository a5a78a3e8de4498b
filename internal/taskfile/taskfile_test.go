package taskfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

const example = `name: stats
environment:
  image: {python: 3.10, packages: [numpy]}
  resources: {cpu: 1, memory: 1Gi}
  env: {A: one, PORT: 8080}
  timeout: 30s
  retries: 2
  preload: [numpy, xml.etree]
tasks:
  add: {inputs: {x: int, y: {type: int, default: 3}}, outputs: {result: int}, code: "result = x + y", idempotent: true}
  lines:
    inputs: {data: File}
    outputs: {count: int}
    command: [bash, -c, "wc -l > /var/outputs/count"]
    stdin: data
    resources: {memory: 512Mi}
    env: {A: two}
    network: [pypi.org]
    secrets:
      - token=TOKEN
      - key
      - name: held
        env: HELD
        hosts: [api.example.com, "http://plain.example.com"]
        inject: "header:X-Key: {}"
        allow: ["GET /v1/*"]
        max_request: 1Ki
        max_response: 1Mi
    timeout: 5
  pipeline:
    kind: orchestrator
    doc: does it all
    inputs:
      n: int
      xs: list[float]
    output: dict[str, int]
    dialect: extended
    tools: [add, remote.mean@2]
    limits: {memory: 10Mi, depth: 20, time: 2s, calls: 5, parallel: 2}
    code: |
      total = add(n, 2)
      {"total": total}
  native: {kind: function, id: native/1, inputs: {x: str}, async: true}
  large: {kind: model, protocol: anthropic, name: big-1, base_url: "https://host", key: provider, price: {input: 3, cached_input: 0.3, output: 15}}
`

func parseExample(t *testing.T) *File {
	t.Helper()
	f, err := Parse([]byte(example), Options{Path: "stats.yaml", Lookup: func(ref string) (*api.Task, error) {
		if ref != "remote.mean@2" {
			return nil, api.Errorf(api.NotFound, "there is no task %s", ref)
		}
		return &api.Task{Name: "remote.mean", Code: "result = 1"}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParse(t *testing.T) {
	integer := value.Type{Kind: value.KindInt}
	common := api.Task{
		Image: api.ImageSpec{Python: "3.10", Packages: []string{"numpy"}}, Resources: api.Resources{CPU: 1, Memory: 1 << 30},
		Env: map[string]string{"A": "one", "PORT": "8080"}, Timeout: 30 * time.Second, Retries: 2,
	}
	add := common
	add.Name, add.Kind, add.Code, add.Idempotent = "add", api.KindSandbox, "result = x + y", true
	add.Preload = []string{"numpy", "xml.etree"}
	add.Signature = api.Signature{Inputs: []value.Param{{Name: "x", Type: integer}, {Name: "y", Type: integer, Default: []byte("3")}},
		Outputs: []value.Param{{Name: "result", Type: integer}}}
	lines := common
	lines.Name, lines.Kind = "lines", api.KindSandbox
	lines.Signature = api.Signature{Inputs: []value.Param{{Name: "data", Type: value.Type{Kind: value.KindFile}}},
		Outputs: []value.Param{{Name: "count", Type: integer}}}
	lines.Command = []string{"bash", "-c", "wc -l > /var/outputs/count"}
	lines.Stdin = "data"
	lines.Resources.Memory, lines.Timeout = 512<<20, 5*time.Second
	lines.Env = map[string]string{"A": "two", "PORT": "8080"}
	lines.Network = api.Network{Allow: []string{"pypi.org", "api.example.com", "plain.example.com:80"}}
	lines.Secrets = []api.SecretRef{{Name: "token", Env: "TOKEN"}, {Name: "key"}, {
		Name: "held", Env: "HELD", Hosts: []string{"api.example.com", "http://plain.example.com"}, Inject: "header:X-Key: {}", Allow: []string{"GET /v1/*"},
		MaxRequest: 1 << 10, MaxResponse: 1 << 20,
	}}
	pipeline := api.Task{
		Name: "pipeline", Kind: api.KindOrchestrator, Doc: "does it all", Code: "total = add(n, 2)\n{\"total\": total}\n",
		Signature: api.Signature{Inputs: []value.Param{{Name: "n", Type: integer}, {Name: "xs", Type: value.MustType("list[float]")}},
			Outputs: []value.Param{{Name: "result", Type: value.MustType("dict[str, int]")}}},
		Orchestrator: &api.Orchestrator{
			Dialect: "extended", Tools: []api.Task{add, {Name: "mean", Code: "result = 1"}},
			Limits: api.OrchestratorLimits{Memory: 10 << 20, Depth: 20, Time: 2 * time.Second, Calls: 5, Parallel: 2},
		},
	}
	native := api.Task{
		Name: "native", Kind: api.KindFunction, Function: &api.Function{ID: "native/1"}, Timeout: 30 * time.Second, Retries: 2,
		Signature: api.Signature{Inputs: []value.Param{{Name: "x", Type: value.Type{Kind: value.KindStr}}}, Async: true},
	}
	large := api.Task{
		Name: "large", Kind: api.KindModel, Signature: api.ModelSignature(), Timeout: 30 * time.Second, Retries: 2,
		Model: &api.Model{Protocol: "anthropic", Name: "big-1", BaseURL: "https://host", Key: "provider", Price: api.ModelPrice{Input: 3, CachedInput: 0.3, Output: 15}},
	}
	want := &File{Name: "stats", Tasks: []api.Task{add, lines, pipeline, native, large}, Source: example}
	if diff := cmp.Diff(want, parseExample(t)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestImageSources: where the parts of an image come from.
func TestImageSources(t *testing.T) {
	f, err := Parse([]byte("tasks:\n  a: {command: [x], image: {network: [a.example], index_url: \"https://i.example\", extra_index_urls: [\"https://j.example\"], allow_urls: true}}\n"+
		"  b: {command: [x], image: {network: none}}\n  c: {command: [x], image: {network: public}}\n"), Options{Path: "f"})
	if err != nil {
		t.Fatal(err)
	}
	var got []api.ImageSpec
	for _, task := range f.Tasks {
		got = append(got, task.Image)
	}
	want := []api.ImageSpec{
		{Network: &api.Network{Allow: []string{"a.example"}}, IndexURL: "https://i.example", ExtraIndexURLs: []string{"https://j.example"}, AllowURLs: true},
		{Network: &api.Network{}}, {Network: &api.Network{Public: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPreload: what an environment preloads is for the code in it; a task may
// say otherwise.
func TestPreload(t *testing.T) {
	f, err := Parse([]byte("environment: {preload: [numpy]}\ntasks:\n  a: {code: x}\n  b: {code: x, preload: [json, re]}\n  c: {code: x, preload: []}\n"+
		"  d: {command: [x]}\n  e: {kind: orchestrator, code: x}\n"), Options{Path: "f"})
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, task := range f.Tasks {
		got = append(got, task.Preload)
	}
	if diff := cmp.Diff([][]string{{"numpy"}, {"json", "re"}, {}, nil, nil}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeploymentNames(t *testing.T) {
	f := parseExample(t)
	d := f.Deployment()
	var names []string
	for _, task := range d.Tasks {
		names = append(names, task.Name)
	}
	if diff := cmp.Diff([]string{"stats.add", "stats.lines", "stats.pipeline", "stats.native", "stats.large"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := d.Tasks[2].Orchestrator.Tools[0].Name; got != "add" {
		t.Errorf("the tool is called %s, want its short name", got)
	}
	if f.Tasks[0].Name != "add" {
		t.Error("the file itself has changed")
	}
}

func TestDefaults(t *testing.T) {
	for yaml, want := range map[string]string{
		"{type: int, default: 0x10}":                                 "16",
		"{type: int, default: 123456789012345678901234567890}":       "123456789012345678901234567890",
		"{type: float, default: 2}":                                  "2.0",
		"{type: float, default: .nan}":                               `"NaN"`,
		"{type: float, default: -.inf}":                              `"-Infinity"`,
		"{type: float, default: 2.50}":                               "2.5",
		"{type: str, default: 'a\"b'}":                               `"a\"b"`,
		"{type: str, default: '5'}":                                  `"5"`,
		"{type: Any, default: 5.0}":                                  "5.0",
		"{type: Any, default: {a: [1, null, true]}}":                 `{"a":[1,null,true]}`,
		"{type: Optional[int], default: null}":                       "null",
		"{type: datetime, default: '2024-01-01T00:00:00'}":           `"2024-01-01T00:00:00"`,
		"{type: \"dict[str, list[int]]\", default: {a: [1], b: []}}": `{"a":[1],"b":[]}`,
	} {
		yaml = strings.Replace(yaml, "Optional[int]", "'Optional[int]'", 1)
		f, err := Parse([]byte("tasks:\n  t: {code: x, inputs: {v: "+yaml+"}}\n"), Options{Path: "f"})
		if err != nil {
			t.Errorf("%s: %v", yaml, err)
			continue
		}
		if got := string(f.Tasks[0].Signature.Inputs[0].Default); got != want {
			t.Errorf("%s: default %s, want %s", yaml, got, want)
		}
	}
}

func TestChoices(t *testing.T) {
	for yaml, want := range map[string]string{
		"{type: str, choices: [fast, 'slow'], default: slow}": `"fast" "slow"`,
		"{type: float, choices: [1, 2.5]}":                    "1.0 2.5",
		"{type: 'Optional[int]', choices: [1, 2]}":            "1 2",
		"{type: int, choices: [1, x]}":                        "expected int, got JSON",
		"{type: int, choices: [1, 1]}":                        "the choice 1 is there twice",
		"{type: int, choices: [1], default: 2}":               "expected one of 1, got 2",
		"{type: 'list[int]', choices: [[1]]}":                 "cannot be chosen",
		"{type: int, choices: 1}":                             "the choices of input v are no list of values",
		"{type: int, choices: []}":                            "the choices of input v are no list of values",
	} {
		f, err := Parse([]byte("tasks:\n  t: {code: x, inputs: {v: "+yaml+"}}\n"), Options{Path: "f"})
		got := fmt.Sprint(err)
		if err == nil {
			got = strings.Trim(fmt.Sprintf("%s", f.Tasks[0].Signature.Inputs[0].Choices), "[]")
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", yaml, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ yaml, want string }{
		{"", "f: the file is empty"},
		{"# nothing", "f: the file is empty"},
		{"a: 1\n---\nb: 2", "f:3:2: a file holds one YAML document"},
		{"- a", "f:1:1: a file of tasks is written as a mapping"},
		{"name: x", "f:1:5: there are no tasks"},
		{"task: {}", `f:1:1: a file of tasks has no "task"`},
		{"tasks:", "f:1:1: tasks has no value"},
		{"tasks: {}", "f:1:8: a file has 1 to 1000 tasks, this one has 0"},
		{"tasks: {a: {comand: [x]}}", `f:1:13: task a, which is of kind sandbox, has no "comand"`},
		{"tasks: {a: {code: x}, a: {code: y}}", `f:1:23: mapping key "a" already defined`},
		{"tasks: {a: {code: x, command: [y]}}", "f:1:9: task a has both code and command"},
		{"tasks: {a: {code: x, file: y}}", "f:1:28: files cannot be read here"},
		{"tasks: {a: {doc: x}}", "f:1:9: task a has nothing to run"},
		{"tasks: {a: {kind: robot}}", `f:1:19: expected sandbox or orchestrator or function or model or agent or codegen or signal, got "robot"`},
		{"tasks: {a: {kind: orchestrator}}", "task a is an orchestrator without code"},
		{"tasks: {a: {kind: orchestrator, code: x, image: y}}", `task a, which is of kind orchestrator, has no "image"`},
		{"tasks: {a: {kind: model, name: x}}", "task a is a model without protocol or name"},
		{"tasks: {a: {kind: model, protocol: gopher}}", `expected openai or anthropic, got "gopher"`},
		{"tasks: {a: {kind: model, protocol: openai, name: x, output: str}}", "a model has the input request and the output answer"},
		{"tasks: {a: {kind: model, protocol: openai, name: x, price: {input: -1}}}", "expected US dollars for a million tokens"},
		{"tasks: {a: {kind: model, protocol: openai, name: x, image: y}}", `task a, which is of kind model, has no "image"`},
		{"tasks: {a: {kind: function}}", "task a is a function without id"},
		{"tasks: {a b: {code: x}}", `f:1:9: "a b" is no name`},
		{"tasks: {../a: {code: x}}", `"../a" is no name`},
		{"tasks: {a: {code: x, inputs: {v: integr}}}", "f:1:34: "},
		{"tasks: {a: {code: x, inputs: {v: list[int]}}}", "f:1:38: "},
		{"tasks: {a: {code: x, inputs: {class: int}}}", "Python keyword"},
		{"tasks: {a: {code: x, inputs: {v: {default: 1}}}}", "input v has no type"},
		{"tasks: {a: {code: x, inputs: {v: {type: int, default: a}}}}", "f:1:55: default of input v: expected int"},
		{"tasks: {a: {code: x, inputs: {v: {type: File, default: a}}}}", "default"},
		{"tasks: {a: {code: x, outputs: {v: {type: int, default: 1}}}}", `output v has no "default"`},
		{"tasks: {a: {code: x, output: int, outputs: {v: int}}}", "there is both output and outputs"},
		{"tasks: {a: {code: x, output: {v: int}}}", "output is the type of one value, such as int, got a mapping"},
		{"tasks: {a: {code: x, output: [int]}}", "output is the type of one value, such as int, got a list"},
		{"tasks: {a: {code: x, resources: {memory: lots}}}", `"lots" is not a size`},
		{"tasks: {a: {code: x, resources: {memory: 0}}}", `"0" is not a size`},
		{"tasks: {a: {code: x, resources: {disk: 0.5}}}", `"0.5" is not a size`},
		{"tasks: {a: {code: x, resources: {cpu: 0}}}", "f:1:39: expected a number above 0"},
		{"tasks: {a: {code: x, resources: {pids: 0}}}", "f:1:40: expected a whole number above 0, got 0"},
		{"tasks: {a: {code: x, resources: {open_files: 0}}}", "expected a whole number above 0"},
		{"tasks: {a: {code: x, limits: {output_files: 0}}}", "expected a whole number above 0"},
		{"tasks: {a: {kind: orchestrator, code: x, limits: {calls: 0}}}", "expected a whole number above 0"},
		{"tasks: {a: {code: x, timeout: soon}}", `"soon" is not a time`},
		{"tasks: {a: {code: x, retries: -1}}", "expected a whole number"},
		{"tasks: {a: {code: x, idempotent: yes}}", `expected true or false, got "yes"`},
		{"tasks: {a: {code: x, cache: sometimes}}", "expected auto or override or disable"},
		{"tasks: {a: {code: x, secrets: [A=]}}", "names no variable"},
		{"tasks: {a: {code: 5}}", "expected a string"},
		{"tasks: {a: {code: x, preload: [json, a b]}}", `f:1:31: preload[1] is "a b"`},
		{"environment: {preload: [../x]}\ntasks: {a: {command: [x]}}", `f:1:24: preload[0] is "../x"`},
		{"tasks: {a: {command: [x], preload: [json]}}", `f:1:9: task a: preload is "json" without Python code`},
		{"tasks: {a: {command: [x], stdin: data}}", `f:1:9: task a: stdin is "data"`},
		{"tasks: {a: {code: x, preload: json}}", "preload is written as a list"},
		{"tasks: {a: {code: &x y}}", "f:1:19: anchors"},
		{"tasks: {a: {code: !!str y}}", "anchors, aliases, merge keys, tags"},
		{"tasks: {a: {<<: {code: x}}}", "anchors, aliases, merge keys"},
		{"a: &a [x]\nb: &b [*a, *a]\ntasks: *b", "f:1:4: anchors"},
		{strings.Repeat("[", 60), "nested deeper"},
		{strings.Repeat("- ", 60), "nested deeper"},
		{strings.Repeat("a: 1\n", 20000), "more than 40000 words"},
		{"a: \xff", "not UTF-8"},
		{"\ta: 1", "f:1:2: tab character"},
		{"tasks: {s: {kind: signal, retries: 1}}", `task s, which is of kind signal, has no "retries"`},
		{"tasks: {o: {kind: orchestrator, code: x, tools: [ad]}, add: {code: x}}", `f:1:50: there is no task "ad" in this file`},
		{"tasks: {o: {kind: orchestrator, code: x, tools: [o]}}", "f:1:50: the tools go round in a circle: o -> o"},
		{"tasks: {o: {kind: orchestrator, code: x, tools: [p]}, p: {kind: orchestrator, code: x, tools: [o]}}", "circle: o -> p -> o"},
		{"tasks: {o: {kind: orchestrator, code: x, tools: [a-b]}, a-b: {code: x}}", "not a Python identifier"},
		{"tasks: {o: {kind: orchestrator, code: x, tools: [a, a]}, a: {code: x}}", `the orchestrator has two tools "a"`},
		{"tasks: {o: {kind: orchestrator, code: x, tools: [a@1]}}", "there is no catalog here"},
	} {
		_, err := Parse([]byte(test.yaml), Options{Path: "f"})
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.InvalidTask || !strings.Contains(e.Message, test.want) {
			t.Errorf("%.80q:\n got %v\nwant %s", test.yaml, err, test.want)
		}
	}
}

func TestErrorShowsTheLine(t *testing.T) {
	_, err := Parse([]byte("tasks:\n  add:\n    comand: [x]\n"), Options{Path: "f"})
	e := api.AsError(err)
	if want := "    comand: [x]\n    ^\n"; e.Details.Log != want {
		t.Errorf("the line reads %q, want %q", e.Details.Log, want)
	}
	if want := "did you mean command?"; e.Hint != want {
		t.Errorf("hint %q, want %q", e.Hint, want)
	}
}

// TestToolsDoNotGrow: each orchestrator holds whole tools, so that forty short
// lines could stand for 2**40 tasks.
func TestToolsDoNotGrow(t *testing.T) {
	var b strings.Builder
	b.WriteString("tasks:\n  a0: {code: x}\n  b0: {code: x}\n")
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&b, "  a%d: {kind: orchestrator, code: x, tools: [a%d, b%d]}\n", i, i-1, i-1)
		fmt.Fprintf(&b, "  b%d: {kind: orchestrator, code: x, tools: [a%d, b%d]}\n", i, i-1, i-1)
	}
	_, err := Parse([]byte(b.String()), Options{Path: "f"})
	if err == nil || !strings.Contains(err.Error(), "more than 2000 tasks") {
		t.Errorf("got %v", err)
	}
}

func TestReadSource(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("code.py", "result = 1\n")
	f, err := Read(t.Context(), write("f.yaml", "tasks: {a: {file: code.py}}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Tasks[0]; got.Code != "result = 1\n" || got.File != "code.py" {
		t.Errorf("code %q of file %q", got.Code, got.File)
	}
	for text, want := range map[string]string{
		"tasks: {a: {file: absent.py}}":        "no such file",
		"tasks: {a: {file: .}}":                "no regular file",
		"tasks: {a: {file: /dev/zero}}":        "no regular file",
		"tasks: {a: {file: code.py, code: x}}": "both code and file",
	} {
		if _, err := Read(t.Context(), write("g.yaml", text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	if _, err := Read(t.Context(), "/dev/zero", nil); err == nil {
		t.Error("an endless file was read")
	}
}

// FuzzParse: whatever comes, there is an answer: a file whose tasks have good
// signatures, or an error with its code.
func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Add("tasks: {a: {code: x, inputs: {v: {type: Any, default: {a: [1, .inf, 0x1f, ~]}}}}}")
	f.Add("? a\n: - b\n  - c\n")
	f.Add("tasks: {o: {kind: orchestrator, code: |\n x\n, tools: [o]}}")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse([]byte(text), Options{Path: "f"})
		if err != nil {
			var e *api.Error
			if !errors.As(err, &e) || e.Message == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, task := range file.Tasks {
			if err := task.Signature.Check(false); err != nil {
				t.Fatalf("task %s: %v", task.Name, err)
			}
			for _, p := range task.Signature.Inputs {
				if _, _, err := p.DefaultValue(); err != nil {
					t.Fatalf("input %s: %v", p.Name, err)
				}
			}
			_ = task.Digest() // it can be written
		}
	})
}

// TestImagesBesideTheFile: a path of an image is relative to the file, and means
// the same wherever the task is run.
func TestImagesBesideTheFile(t *testing.T) {
	f, err := Parse([]byte(`
environment: {image: {base: ../base.tar}}
tasks:
  a: {code: x}
  b: {command: [x], image: ./b.tar}
  c: {command: [x], image: oci:layout}
  d: {command: [x], image: python:3.12}
`), Options{Path: "/etc/tasks/file.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{f.Tasks[0].Image.Base, f.Tasks[1].Image.Ref, f.Tasks[2].Image.Ref, f.Tasks[3].Image.Ref}
	want := []string{"/etc/base.tar", "/etc/tasks/b.tar", "oci:/etc/tasks/layout", "python:3.12"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
