package glovebox

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestOrchestratorTask(t *testing.T) {
	add := MustFunction("add", func(x, y int) int { return x + y }, WithParams("x", "y"))
	lines := Sandbox{Name: "lines", Command: []string{"wc"}, Inputs: []string{"data: File"}, Outputs: []string{"n: int"}}
	inner := Orchestrator{Name: "inner", Source: "add(1, 2)", Output: "int", Tools: []Task{add}}
	o := Orchestrator{
		Name: "outer", Doc: "adds", Source: "inner() + add(x, 1)", Inputs: []string{"x: int = 5"}, Output: "int",
		Tools: []Task{inner, add, lines}, Dialect: Extended, Limits: OrchestratorLimits{Calls: 3}, SkipTypeCheck: true,
		Timeout: 7, Retries: 2, Cache: api.CacheDisable, Notify: []Notify{{URL: "https://a.example", Secret: "s"}}, Labels: map[string]string{"team": "data"},
	}
	task, functions, err := define(o)
	if err != nil {
		t.Fatal(err)
	}
	want := &api.Task{
		Name: "outer", Kind: api.KindOrchestrator, Doc: "adds", Code: "inner() + add(x, 1)",
		Signature: api.Signature{Inputs: []value.Param{{Name: "x", Type: value.MustType("int"), Default: []byte("5")}}, Outputs: params(t, "result", "int")},
		Orchestrator: &api.Orchestrator{
			Dialect: "extended", Limits: api.OrchestratorLimits{Calls: 3}, SkipTypeCheck: true,
			Tools: []api.Task{defined(t, inner), defined(t, add), defined(t, lines)},
		},
		Timeout: 7, Retries: 2, Cache: api.CacheDisable, Notify: o.Notify, Labels: o.Labels,
	}
	if diff := cmp.Diff(task, want); diff != "" {
		t.Errorf("task (-got +want):\n%s", diff)
	}
	if len(functions) != 2 || functions[0] != add || functions[1] != add {
		t.Errorf("functions %v; want add, for inner and for outer", functions)
	}
}

func defined(t *testing.T, task Task) api.Task {
	t.Helper()
	d, _, err := define(task)
	if err != nil {
		t.Fatal(err)
	}
	return *d
}

func TestOrchestratorRefuses(t *testing.T) {
	add := MustFunction("add", func() {})
	for name, o := range map[string]Orchestrator{
		"two tools of a name": {Tools: []Task{add, Sandbox{Name: "add"}}},
		"a nil tool":          {Tools: []Task{nil}},
		"no content":          {Tools: []Task{Deployed{}}},
		"a bad input":         {Inputs: []string{"x"}},
		"a bad default":       {Inputs: []string{"x: int = a"}},
		"a bad output":        {Output: "integer"},
		"a bad tool":          {Tools: []Task{Sandbox{Outputs: []string{"x: int = 1"}}}},
	} {
		if _, _, err := define(o); !errors.Is(err, ErrInvalidTask) && !errors.Is(err, ErrInvalidType) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _, err := define(Orchestrator{Tools: []Task{add, add}})
	if err == nil || !strings.Contains(err.Error(), `two tools named "add"`) {
		t.Errorf("the same tool twice: %v", err)
	}
}

func TestOrchestratorThatHoldsItself(t *testing.T) {
	o := Orchestrator{Name: "o", Source: "o()", Tools: make([]Task, 1)}
	o.Tools[0] = o
	if _, _, err := define(o); !errors.Is(err, ErrInvalidTask) {
		t.Errorf("err = %v; want invalid_task", err)
	}
}

func TestEvaluateDeclaresItsInputs(t *testing.T) {
	gb, service := newFake()
	add := MustFunction("add", func(x, y int) int { return x + y }, WithParams("x", "y"))
	_, err := gb.Evaluate(t.Context(), "add(x, y)", Values{"y": 2, "x": []string{"a"}, "n": nil, "m": map[string]any{"a": 1}}, add)
	if !errors.Is(err, ErrBadOutput) { // the fake gives nothing
		t.Errorf("err = %v", err)
	}
	if len(service.submitted) != 0 || len(service.evaluated) != 1 {
		t.Fatalf("%d runs and %d evaluations, want one evaluation", len(service.submitted), len(service.evaluated))
	}
	asked := service.evaluated[0].Task
	got := value.DescribeParams(asked.Signature.Inputs)
	if got != "m: dict[str, Any], n: None, x: list[str], y: int" {
		t.Errorf("inputs %s", got)
	}
	if id := asked.Orchestrator.Tools[0].Function.ID; !strings.HasPrefix(id, add.ID()+api.InstanceMark) {
		t.Errorf("function %s; want an instance of add", id)
	}
	if _, err := gb.Evaluate(t.Context(), "c", Values{"c": make(chan int)}); !errors.Is(err, ErrInvalidType) {
		t.Errorf("a channel: %v", err)
	}
}

func TestRunOptions(t *testing.T) {
	gb, service := newFake()
	var out strings.Builder
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	notify := Notify{URL: "https://example.com/hook", Secret: "signing"}
	s := Sandbox{Name: "s", Image: Image{Packages: []string{"numpy"}, RegistrySecret: "login"}}
	run, err := gb.Start(t.Context(), s, Values{"x": 1}, WithImage("debian"), WithIdempotencyKey("k"), WithCache(api.CacheOverride),
		WithParent("run-0"), WithStdout(&out), WithStderr(&out), WithProgress(func(Progress) {}), WithNotify(notify),
		WithLabels(map[string]string{"team": "a"}), WithNodeSelector(map[string]string{"zone": "b"}), WithPriority(3), WithClock(FixedClock(noon)), WithRandom(SeededRandom(7)))
	if err != nil || run.ID() != "run-1" {
		t.Fatal(run, err)
	}
	got := service.last()
	if got.Stdout != &out || got.Stderr != &out || got.Progress == nil {
		t.Error("the streams are lost")
	}
	got.Stdout, got.Stderr, got.Progress = nil, nil, nil
	want := api.Submission{
		Task:   &api.Task{Name: "s", Image: Image{Ref: "debian", RegistrySecret: "login"}, Signature: api.Signature{Inputs: []value.Param{}, Outputs: []value.Param{}}},
		Inputs: Values{"x": 1}, IdempotencyKey: "k", Cache: api.CacheOverride, Parent: "run-0",
		Notify: []Notify{notify}, Labels: map[string]string{"team": "a"}, NodeSelector: map[string]string{"zone": "b"}, Priority: new(3), Clock: FixedClock(noon), Random: SeededRandom(7),
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("submission (-got +want):\n%s", diff)
	}
}

func TestDeployedTasks(t *testing.T) {
	gb, service := newFake()
	add := MustFunction("add", func() {})
	if _, err := gb.Deploy(t.Context(), "math", add); err != nil {
		t.Fatal(err)
	}
	if got := service.deployment; got.Environment != "math" || got.Tasks[0].Name != "math.add" || len(service.ids()) != 1 {
		t.Errorf("deployed %+v, registered %v", got, service.ids())
	}
	deployed, err := gb.Task(t.Context(), "math.add")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gb.Start(t.Context(), deployed, nil); err != nil || service.last().Name != "math.add@2" || service.last().Task != nil {
		t.Errorf("started %+v, %v", service.last(), err)
	}
	if tool := defined(t, Orchestrator{Tools: []Task{deployed}}).Orchestrator.Tools[0].Name; tool != "add" {
		t.Errorf("as a tool its name is %s, want add", tool)
	}
	if service.deployment.Tasks[0].Name != "math.add" {
		t.Error("what was deployed was changed")
	}
	if _, err := gb.Rerun(t.Context(), "run-1", RerunOptions{Task: deployed, Inputs: Values{"x": 1}, From: 3, Fresh: true}); err != nil {
		t.Fatal(err)
	}
	if got := service.reran; got.Task.Name != "math.add" || got.From != 3 || !got.Fresh || got.Inputs["x"] != 1 {
		t.Errorf("run again with %+v", got)
	}
}

func TestCheckAndPrompt(t *testing.T) {
	gb, service := newFake()
	add := MustFunction("add", func(x, y int) int { return x + y }, WithParams("x", "y"), WithDoc("Adds two numbers."))
	o := Orchestrator{Name: "o", Source: "add(1)", Tools: []Task{add}}
	problems, err := gb.Check(t.Context(), o)
	if len(problems) != 1 || err != nil || service.checked.Code != "add(1)" {
		t.Errorf("problems %v, %v", problems, err)
	}
	o.Source = ""
	prompt, err := gb.Prompt(t.Context(), o)
	if err != nil || !strings.Contains(prompt, "def add(x: int, y: int) -> int") || !strings.Contains(prompt, "Adds two numbers.") {
		t.Errorf("prompt %q, %v", prompt, err)
	}
	o.Tools = []Task{Async(add), Async(Deployed{api.TaskVersion{Task: &api.Task{Name: "shop.price", Code: "result = 1"}}})}
	for _, o.Dialect = range []Dialect{Strict, Extended} {
		prompt, err = gb.Prompt(t.Context(), o)
		if err != nil || !strings.Contains(prompt, "async def add(x: int, y: int) -> int") || !strings.Contains(prompt, "async def price()") {
			t.Errorf("prompt %q, %v", prompt, err)
		}
	}
	if task, _, err := define(add); err != nil || task.Signature.Async {
		t.Errorf("the task itself is async now: %v", err)
	}
	if _, err := gb.Prompt(t.Context(), Orchestrator{Tools: []Task{Async(nil)}}); err == nil {
		t.Error("nothing is async")
	}
}

func TestEndOfContextCancelsTheRun(t *testing.T) {
	gb, service := newFake()
	service.block = make(chan struct{})
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("closing time")
	run, err := gb.Start(ctx, Sandbox{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel(cause)
	result, err := run.finish(ctx)
	if !errors.Is(err, ErrCanceled) || !errors.Is(err, cause) || result.RunID != "run-1" {
		t.Errorf("run %+v, %v", result, err)
	}
	if service.canceled["run-1"] != "closing time" {
		t.Errorf("canceled %v", service.canceled)
	}
}

// TestRunIsCanceledWhileItIsSubmitted: the end of the context cancels the run,
// also before the caller has its id.
func TestRunIsCanceledWhileItIsSubmitted(t *testing.T) {
	gb, service := newFake()
	service.block = make(chan struct{}) // which Cancel closes
	ctx, cancel := context.WithCancel(t.Context())
	_, err := gb.Run(ctx, MustFunction("f", func() { cancel() }), nil)
	if !errors.Is(err, ErrCanceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	select {
	case <-service.block:
	case <-time.After(10 * time.Second):
		t.Fatal("the run goes on")
	}
	if _, err := gb.Run(ctx, MustFunction("g", func() {}), nil); !errors.Is(err, ErrCanceled) || len(service.submitted) != 1 {
		t.Errorf("after the end: %v, %d submissions", err, len(service.submitted))
	}
}
