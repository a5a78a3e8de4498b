package cli

import (
	"context"
	"encoding/json"
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

func resultOf(v any, typ string) *api.Result {
	return &api.Result{RunID: "run-1", Outputs: []api.Output{{Name: "result", Type: value.MustType(typ), Value: v}}}
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func expect(t *testing.T, got, want printed) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(printed{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const tools = "tasks:\n  add: {inputs: {x: int, y: int}, output: int, code: result = x + y}\n"

func TestOrchestrate(t *testing.T) {
	service := &fakeService{stdout: "printed\n", result: resultOf(int64(7), "Any")}
	got := run(t, service, "orchestrate", "--durable", "-c", "add(n, 2)", "--tools", writeFile(t, "tools.yaml", tools), "-i", "n:int=5",
		"--timeout", "2s", "--max-memory", "10Mi", "--max-depth", "9", "--dialect", "extended", "--name", "sum", "--cache", "disable")
	expect(t, got, printed{out: `{"result":7}` + "\n", err: "printed\n"})
	task := *service.submitted[0].Task
	add := api.Task{Name: "add", Kind: api.KindSandbox, Code: "result = x + y", Signature: api.Signature{
		Inputs:  []value.Param{{Name: "x", Type: value.MustType("int")}, {Name: "y", Type: value.MustType("int")}},
		Outputs: []value.Param{{Name: "result", Type: value.MustType("int")}},
	}}
	want := api.Task{
		Name: "sum", Kind: api.KindOrchestrator, Code: "add(n, 2)", Cache: api.CacheDisable,
		Signature: api.Signature{Inputs: []value.Param{{Name: "n", Type: value.MustType("int")}}, Outputs: []value.Param{{Name: "result", Type: value.MustType("Any")}}},
		Orchestrator: &api.Orchestrator{Dialect: "extended", Tools: []api.Task{add},
			Limits: api.OrchestratorLimits{Memory: 10 << 20, Depth: 9, Time: 2 * time.Second}},
	}
	if diff := cmp.Diff(want, task); diff != "" {
		t.Errorf("task (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"n": int64(5)}, service.submitted[0].Inputs); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if service.closed != 1 {
		t.Errorf("the service was closed %d times", service.closed)
	}
}

func TestOrchestrateWithAnEnvironment(t *testing.T) {
	service := &fakeService{
		result: resultOf("x", "str"),
		envs:   map[string]*api.Environment{"stats@2": {Tasks: []string{"stats.mean@3"}}},
		tasks:  map[string]*api.TaskVersion{"stats.mean@3": {Name: "stats.mean", Task: &api.Task{Name: "stats.mean", Code: "result = 1"}}},
	}
	got := command(t, t.Context(), service, false, "mean()", "orchestrate", "--durable", "-", "--tools", "stats@2", "--output", "str")
	expect(t, got, printed{out: `{"result":"x"}` + "\n"})
	if got := service.submitted[0].Task.Orchestrator.Tools[0].Name; got != "mean" {
		t.Errorf("the tool is called %q", got)
	}
}

func TestOrchestrateFailure(t *testing.T) {
	cause := api.Errorf(api.NonzeroExit, "the program ended with \x1b status 3")
	failure := api.Errorf(api.CallFailed, "add failed").WithDetails(api.Details{
		Call:      &api.FailedCall{ID: 4, Tool: "add", Run: "run-9", Error: cause},
		Exception: &api.Exception{Frames: []api.Frame{{File: "p.py", Line: 1, Column: 5, Source: "x = add(1)"}}},
	})
	got := run(t, &fakeService{failure: failure}, "orchestrate", "--durable", "-c", "x = add(1)")
	expect(t, got, printed{status: 1, err: `glovebox: call_failed: add failed
    --> p.py:1
  1 | x = add(1)
    |     ^
  call 4 of add, run run-9
    nonzero_exit: the program ended with ` + "\ufffd" + ` status 3
  hint: read the error of the call; resume the run when its cause is gone
  run: glovebox show run-1
`})
}

func TestOrchestrateUsage(t *testing.T) {
	twice := writeFile(t, "tools.yaml", tools)
	for _, test := range []struct {
		args   []string
		says   string
		status int
	}{
		{[]string{}, "there is no code", 2},
		{[]string{"a.py", "b.py"}, `unexpected argument "b.py"`, 2},
		{[]string{"a.py", "-c", "x"}, "both -c and the file a.py", 2},
		{[]string{"-c", " "}, "is empty", 2},
		{[]string{"absent.py"}, "no such file", 2},
		{[]string{"-c", "x", "--detach"}, "--detach needs a server", 2},
		{[]string{"-c", "x", "--output", "integr"}, "invalid_type", 2},
		{[]string{"-c", "x", "--max-depth", "-1"}, "negative", 2},
		{[]string{"-c", "x", "--tools", "absent.yaml"}, "invalid_task: read absent.yaml", 2},
		{[]string{"-c", "x", "--tools", "absent"}, "not_found: there is no environment absent", 125},
		{[]string{"-c", "x", "--tools", twice, "--tools", twice}, "there is a tool add already", 2},
		{[]string{"-c", "x", "--tools", writeFile(t, "bad.yaml", "tasks:\n  add: {comand: x}\n")}, "bad.yaml:2:9: task add", 2},
	} {
		got := run(t, &fakeService{}, append([]string{"orchestrate"}, test.args...)...)
		if got.status != test.status || !strings.Contains(got.err, test.says) || got.out != "" {
			t.Errorf("%q: status %d, %s%s", test.args, got.status, got.out, got.err)
		}
	}
}

// TestEvaluates shows when the code is evaluated, when a run is made of it, and
// that an argument chooses.
func TestEvaluates(t *testing.T) {
	withTools := []string{"--tools", writeFile(t, "tools.yaml", tools)}
	withFiles := []string{"--tools", writeFile(t, "files.yaml", "tasks:\n  wc: {inputs: {f: File}, output: int, code: result = 1}\n")}
	for _, test := range []struct {
		args   []string
		remote bool
		runs   int
	}{
		{nil, false, 0},
		{withTools, false, 0},
		{withFiles, false, 1},
		{[]string{"-i", "f:File=" + writeFile(t, "a", "b")}, false, 1},
		{[]string{"--cache", "auto"}, false, 1},
		{[]string{"--durable"}, false, 1},
		{[]string{"--durable=false"}, false, 0},
		{nil, true, 1},
		{[]string{"--durable=false"}, true, 0},
	} {
		service := &fakeService{stdout: "printed\n", result: resultOf(int64(7), "Any")}
		got := command(t, t.Context(), service, test.remote, "", append([]string{"orchestrate", "-c", "1"}, test.args...)...)
		expect(t, got, printed{out: `{"result":7}` + "\n", err: "printed\n"})
		if len(service.submitted) != test.runs || len(service.evaluated) != 1-test.runs || service.closed != 1 {
			t.Errorf("%q, remote %v: %d runs, %d evaluations", test.args, test.remote, len(service.submitted), len(service.evaluated))
		}
	}
}

// TestEvaluationShowsItsCalls shows the result of an evaluation as JSON, and
// what its tools print.
func TestEvaluationShowsItsCalls(t *testing.T) {
	service := &fakeService{
		result: resultOf(int64(7), "Any"), made: []api.MadeCall{{ID: 1, Tool: "add", Run: "run-2"}},
		log: []api.LogEntry{{Seq: 1, Stream: "stdout", Text: "one\n"}},
	}
	got := run(t, service, "orchestrate", "-c", "1", "--json")
	if !strings.HasPrefix(got.out, `{"run_id":"","outputs":{"result":7},`) || !strings.HasSuffix(got.out, `"error":null,"calls":[{"id":1,"tool":"add","run":"run-2"}],"calls_made":1}`+"\n") {
		t.Errorf("printed %s", got.out)
	}
	service.closed = 0
	expect(t, run(t, service, "orchestrate", "-c", "1", "-v"), printed{out: `{"result":7}` + "\n", err: "add: one\n"})
	service = &fakeService{failure: api.Errorf(api.CallFailed, "add failed").WithHint("evaluate again")}
	expect(t, run(t, service, "orchestrate", "-c", "1"), printed{status: 1, err: "glovebox: call_failed: add failed\n  hint: evaluate again\n"})
}

func TestDetach(t *testing.T) {
	service := &fakeService{stdout: "not shown"}
	got := command(t, t.Context(), service, true, "", "orchestrate", "-c", "1", "--detach")
	expect(t, got, printed{out: "run-1\n"})
	got = command(t, t.Context(), service, true, "", "orchestrate", "-c", "1", "--detach", "--durable=false")
	if got.status != 2 || !strings.Contains(got.err, "both --detach and --durable=false") {
		t.Errorf("without a run: status %d, %s", got.status, got.err)
	}
	got = command(t, t.Context(), &fakeService{}, true, "", "orchestrate", "-c", "1", "--detach", "--json")
	if !strings.HasPrefix(got.out, `{"id":"run-1",`) {
		t.Errorf("printed %s", got.out)
	}
}

// TestInterrupt: an interrupt cancels the run, and what the run ends with is
// what the command ends with.
func TestInterrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	service := &fakeService{waiting: make(chan struct{}), failure: api.Errorf(api.Canceled, "the run was canceled")}
	go func() {
		<-service.waiting
		interrupt()
	}()
	got := command(t, ctx, service, false, "", "run", "-c", "while True: pass")
	if got.status != 130 || !strings.Contains(got.err, "canceled: the run was canceled") {
		t.Errorf("status %d, %s", got.status, got.err)
	}
	if diff := cmp.Diff([]string{"run-1"}, service.canceled); diff != "" {
		t.Errorf("canceled (-want +got):\n%s", diff)
	}
}

func TestRunStreams(t *testing.T) {
	service := &fakeService{stdout: "out\n", stderr: "err\n", result: &api.Result{RunID: "run-1"}}
	expect(t, run(t, service, "run", "-c", "x"), printed{out: "out\n", err: "err\n"})
	service = &fakeService{stdout: "out\n", stderr: "err\n", result: &api.Result{RunID: "run-1", Stdout: []byte("out\n")}}
	got := run(t, service, "run", "--json", "-c", "x")
	if !strings.HasPrefix(got.out, `{"run_id":"run-1","outputs":{},"stdout":"out\n",`) || got.err != "" {
		t.Errorf("printed %s%s", got.out, got.err)
	}
}

// TestRunLeavesTheCacheToTheTask: to ask for auto is to say that neither a
// network nor secrets change the result.
func TestRunLeavesTheCacheToTheTask(t *testing.T) {
	for flag, want := range map[string]api.CacheMode{"--network=public": "", "--cache=auto": api.CacheAuto, "--cache=disable": api.CacheDisable} {
		service := &fakeService{result: resultOf(int64(1), "int")}
		run(t, service, "run", flag, "-c", "x = 1", "-o", "x:int")
		if s := service.submitted[0]; s.Task.Cache != want || s.Cache != "" {
			t.Errorf("%s: the task has cache %q, the request %q; want %q", flag, s.Task.Cache, s.Cache, want)
		}
	}
}

func statsTask() *api.TaskVersion {
	return &api.TaskVersion{Name: "stats.fib", Version: 2, Kind: api.KindOrchestrator, Current: true, Signature: api.Signature{
		Inputs:  []value.Param{{Name: "n", Type: value.MustType("int")}, {Name: "data", Type: value.MustType("Optional[list[float]]")}},
		Outputs: []value.Param{{Name: "result", Type: value.MustType("int")}},
	}}
}

func TestStart(t *testing.T) {
	service := &fakeService{tasks: map[string]*api.TaskVersion{"stats.fib": statsTask()}, result: resultOf(int64(55), "int")}
	got := run(t, service, "start", "stats.fib", "-i", "n=10", "-i", "data=[1.5]", "--cache", "override")
	expect(t, got, printed{out: `{"result":55}` + "\n"})
	s := service.submitted[0]
	if s.Name != "stats.fib@2" || s.Cache != api.CacheOverride {
		t.Errorf("submitted %+v", s)
	}
	if diff := cmp.Diff(map[string]any{"n": int64(10), "data": []any{1.5}}, s.Inputs); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	for flag, says := range map[string]string{"dta=1": "did you mean data?", "n": "has no value", "n=a": "expected int"} {
		got := run(t, &fakeService{tasks: service.tasks}, "start", "stats.fib", "-i", flag)
		if got.status != 2 || !strings.Contains(got.err, says) {
			t.Errorf("-i %s: status %d, %s", flag, got.status, got.err)
		}
	}
	if got := run(t, &fakeService{}, "start", "absent"); got.status != 125 || !strings.Contains(got.err, "not_found") {
		t.Errorf("status %d, %s", got.status, got.err)
	}
}

func TestCheck(t *testing.T) {
	service := &fakeService{problems: []api.Problem{{Level: "error", Code: "unknown_name", Line: 2, Column: 3, Message: "there is no sub"}}}
	path := writeFile(t, "p.py", "x = 1\n  sub(x)\n")
	got := run(t, service, "check", path, "-i", "n:int")
	expect(t, got, printed{status: 1, out: "p.py:2:3: error: there is no sub\n  2 | sub(x)\n    | ^\n"})
	service.problems[0].Level = "warning"
	service.closed = 0
	if got := run(t, service, "check", path, "--json"); got.status != 0 || !strings.HasPrefix(got.out, `[{"level":"warning"`) {
		t.Errorf("status %d, %s", got.status, got.out)
	}
	service.closed = 0
	if got := run(t, service, "prompt", "--dialect", "extended", "-i", "n:int"); got.status != 0 || got.out != "Write one program.\n" {
		t.Errorf("prompt: %+v", got)
	}
	if task := service.submitted[len(service.submitted)-1].Task; task.Orchestrator.Dialect != "extended" || len(task.Signature.Inputs) != 1 {
		t.Errorf("prompt asked with %+v", task)
	}
	if got := run(t, &fakeService{}, "check", path, "--json"); got.out != "[]\n" {
		t.Errorf("printed %s", got.out)
	}
}

func TestDeploy(t *testing.T) {
	service := &fakeService{}
	got := run(t, service, "deploy", writeFile(t, "f.yaml", "name: stats\n"+tools+"  sub: {code: x}\n"))
	expect(t, got, printed{out: "TASK         STATE\nstats.add@1  unchanged\nstats.sub@2  new\n"})
	if service.deployed.Environment != "stats" || !strings.HasPrefix(service.deployed.Source, "name: stats") {
		t.Errorf("deployed %+v", service.deployed)
	}
}

func TestTasks(t *testing.T) {
	service := &fakeService{tasks: map[string]*api.TaskVersion{"stats.fib": statsTask()}}
	got := run(t, service, "tasks")
	if !strings.Contains(got.out, "stats.fib@2  orchestrator  (n: int, data: Optional[list[float]]) -> (result: int)") || !strings.Contains(got.out, "current") {
		t.Errorf("printed\n%s", got.out)
	}
	bundled := statsTask()
	bundled.Signature.Inputs = append(bundled.Signature.Inputs, value.Param{Name: "_bundle", Type: value.Type{Kind: value.KindStr}, Default: []byte(`"x"`)})
	if got := run(t, &fakeService{tasks: map[string]*api.TaskVersion{"stats.fib": bundled}}, "tasks"); strings.Contains(got.out, "_bundle") {
		t.Errorf("printed\n%s", got.out)
	}
	a, b := statsTask(), statsTask()
	a.Task, b.Task = &api.Task{Code: "x = 1\ny = 2\n"}, &api.Task{Code: "x = 1\ny = 3\n"}
	service = &fakeService{tasks: map[string]*api.TaskVersion{"t@1": a, "t@2": b}}
	got = run(t, service, "tasks", "diff", "t", "1", "2")
	if got.status != 0 || !strings.Contains(got.out, "y = 2") || !strings.Contains(got.out, "y = 3") {
		t.Errorf("status %d, printed\n%s%s", got.status, got.out, got.err)
	}
	if got := run(t, &fakeService{}, "tasks", "diff", "t", "one", "2"); got.status != 2 {
		t.Errorf("status %d", got.status)
	}
	expect(t, run(t, &fakeService{}, "tasks", "rollback", "t", "1"), printed{out: "t@1 is current\n"})
	kept := &fakeService{tasks: map[string]*api.TaskVersion{"a": {}, "b": {}, "c": {}}}
	expect(t, run(t, kept, "tasks", "rm", "a", "b"), printed{})
	kept.closed = 0
	if got := run(t, kept, "tasks", "rm", "a"); got.status != 125 || len(kept.tasks) != 1 {
		t.Errorf("%+v, left %v", got, kept.tasks)
	}
}

func TestRuns(t *testing.T) {
	var runs []api.Run
	for i := range 1500 {
		runs = append(runs, api.Run{ID: fmt.Sprintf("run-%d", i), Task: "t", Status: api.StatusSucceeded})
	}
	service := &fakeService{children: map[string][]api.Run{"": runs}}
	got := run(t, service, "runs", "--status", "failed,succeeded", "--limit", "1200")
	if lines := strings.Count(got.out, "\n"); lines != 1201 || !strings.Contains(got.err, "... more") {
		t.Errorf("%d lines, status %d, %s", lines, got.status, got.err)
	}
	want := api.RunQuery{Status: []api.Status{"failed", "succeeded"}, Top: true, Limit: 1000}
	if diff := cmp.Diff(want, service.queries[0]); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
	if got := run(t, &fakeService{}, "runs", "--status", "faild"); got.status != 2 || !strings.Contains(got.err, "did you mean failed?") {
		t.Errorf("status %d, %s", got.status, got.err)
	}
	if got := run(t, &fakeService{}, "runs", "--json"); got.out != "[]\n" {
		t.Errorf("printed %s", got.out)
	}
}

func TestShow(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	root := &api.Run{ID: "run-1", Task: "pipe", Kind: api.KindOrchestrator, Status: api.StatusFailed, Started: at(0), Ended: at(1000), Calls: 60,
		Inputs: []byte(`{"n":1}`), Error: api.Errorf(api.CallFailed, "a call failed").WithHint("do that")}
	calls := []api.Run{
		{ID: "run-2", Task: "fib", Call: 1, Status: api.StatusSucceeded, Started: at(0), Ended: at(500), Cached: true},
		{ID: "run-3", Task: "a\x1b[2Jdd", Call: 2, Status: api.StatusFailed, Started: at(500), Ended: at(1000), Attempts: 2, Error: api.Errorf(api.Timeout, "late")},
	}
	for i := range 60 {
		calls = append(calls, api.Run{ID: fmt.Sprint("run-x", i), Task: "fib", Call: uint64(3 + i)})
	}
	service := &fakeService{runs: map[string]*api.Run{"run-1": root}, children: map[string][]api.Run{"run-1": calls}}
	got := run(t, service, "show", "run-1")
	for _, line := range []string{
		"status    failed call_failed\n", "time      1s\n", `inputs    {"n":1}` + "\n",
		"  1 fib                      [==========          ] succeeded      500ms  run-2  cached\n",
		"  2 a\ufffd[2Jdd                  [          ==========] failed         500ms  run-3  2 attempts  timeout\n",
		"  ... more; see: glovebox show run-1\n",
		"glovebox: call_failed: a call failed\n", "  hint: do that\n",
	} {
		if !strings.Contains(got.out, line) {
			t.Errorf("there is no line %q in\n%s", line, got.out)
		}
	}
	service.closed = 0
	if got := run(t, service, "show", "run-1", "--json"); !strings.HasPrefix(got.out, `{"run":{"id":"run-1",`) || !strings.HasSuffix(got.out, `"more":true}`+"\n") {
		t.Errorf("printed %s", got.out)
	}
}

// TestShowTask shows what a run was given, without control characters and
// without the values of variables and secrets.
func TestShowTask(t *testing.T) {
	signature := api.Signature{Inputs: []value.Param{{Name: "_bundle", Type: value.MustType("File"), Default: []byte(`"x"`)}}}
	service := &fakeService{
		runs: map[string]*api.Run{"run-1": {
			ID: "run-1", Task: "pay", Kind: api.KindSandbox, Inputs: []byte(`{"_bundle":{"sha256":"0"},"n":1}`),
		}, "run-2": {ID: "run-2", Task: "flow", Kind: api.KindOrchestrator}},
		children: map[string][]api.Run{"run-1": {{ID: "run-3", Task: "below", Status: api.StatusSucceeded}}},
		tasksOf: map[string]*api.Task{"run-1": {
			Name: "pay", Code: "y = 1\n\tz = '\x1b[2J'", Signature: signature, StartsRuns: true, Retries: 2, Timeout: time.Minute,
			Resources: api.Resources{CPU: 2, Memory: 1 << 30}, Network: api.Network{Allow: []string{"a.example"}},
			Env: map[string]string{"MODE": "hidden"}, Secrets: []api.SecretRef{{Name: "key"}}, Image: api.ImageSpec{Packages: []string{"numpy"}},
		}, "run-2": {Kind: api.KindOrchestrator, Code: "f()", Orchestrator: &api.Orchestrator{
			Tools: []api.Task{{Name: "f", Signature: signature}, {Name: "g\x1b", Kind: api.KindFunction}}, SkipCheck: true,
		}}},
	}
	got := run(t, service, "show", "run-1")
	for _, line := range []string{
		"task      pay (function in a cell)\n", "network   a.example\n", "resources cpu 2, memory 1.0 GiB\n", "built of  packages: numpy\n",
		"variables MODE\n", "secrets   key\n", "policies  timeout 1m0s, retries 2, starts runs\n", `inputs    {"n":1}` + "\n", "  below  ",
	} {
		if !strings.Contains(got.out, line) {
			t.Errorf("there is no line %q in\n%s", line, got.out)
		}
	}
	if strings.Contains(got.out, "hidden") || strings.Contains(got.out, "_bundle") {
		t.Errorf("it shows too much:\n%s", got.out)
	}
	service.closed = 0
	got = run(t, service, "show", "run-2")
	for _, line := range []string{"task      flow (orchestrator)\n", "dialect   strict\n", "tools     f (function in a cell), g\ufffd (function)\n", "unchecked code\n"} {
		if !strings.Contains(got.out, line) {
			t.Errorf("there is no line %q in\n%s", line, got.out)
		}
	}
	service.closed = 0
	if got := run(t, service, "show", "run-1", "--code"); got.out != "y = 1\n\tz = '\x1b[2J'" {
		t.Errorf("printed %q", got.out)
	}
	service.closed = 0
	if got := run(t, service, "show", "run-1", "--json"); !strings.Contains(got.out, `"task":{"name":"pay"`) {
		t.Errorf("printed %s", got.out)
	}
	service.tasksOf["run-1"] = &api.Task{Command: []string{"ls"}}
	service.closed = 0
	if got := run(t, service, "show", "run-1", "--code"); got.status != 125 || !strings.Contains(got.err, "run run-1 has no code: its task runs a command") {
		t.Errorf("status %d, %s", got.status, got.err)
	}
}

// TestShowIsBounded: a tree in which every run starts others is not followed to
// its end.
func TestShowIsBounded(t *testing.T) {
	endless := api.Run{ID: "run-1", Task: "t", Kind: api.KindOrchestrator, Calls: 3}
	service := &fakeService{runs: map[string]*api.Run{"run-1": &endless}, children: map[string][]api.Run{"run-1": {endless, endless, endless}}}
	got := run(t, service, "show", "run-1")
	if lines := strings.Count(got.out, "\n"); lines > 3*maxShownRuns || len(service.queries) > maxShownRuns {
		t.Errorf("%d lines after %d queries", lines, len(service.queries))
	}
}

func TestLogs(t *testing.T) {
	service := &fakeService{log: []api.LogEntry{
		{Seq: 1, Stream: "stdout", Text: "one\n"}, {Seq: 2, Stream: "stderr", Data: []byte{0xff, '\n'}}, {Seq: 3, Stream: "system", Text: "attempt\x07 2\n"},
	}}
	expect(t, run(t, service, "logs", "run-1"), printed{out: "one\n", err: "\xff\nglovebox: attempt\ufffd 2\n"})
	service.closed = 0
	if got := run(t, service, "logs", "run-1", "--json"); strings.Count(got.out, "\n") != 3 {
		t.Errorf("printed %s", got.out)
	}
}

func earlier() map[string]*api.Run {
	return map[string]*api.Run{"run-1": {ID: "run-1", Kind: api.KindSandbox, Signature: &api.Signature{Inputs: []value.Param{{Name: "n", Type: value.MustType("int")}}}}}
}

// TestResume: what was printed before is not printed again.
func TestResume(t *testing.T) {
	service := &fakeService{runs: earlier(), log: []api.LogEntry{{Seq: 1, Stream: "stdout", Text: "before\n"}}, result: &api.Result{}}
	expect(t, run(t, service, "resume", "run-1", "--retry-unknown"), printed{out: "again\n"})
	if !service.resumed.RetryUnknown {
		t.Error("--retry-unknown was not passed on")
	}
}

// TestResolve: a value is JSON, and null is one.
func TestResolve(t *testing.T) {
	service := &fakeService{runs: earlier()}
	expect(t, run(t, service, "resolve", "run-1", "2", "--value", "null"), printed{out: "run-3 of pay succeeded; continue with: glovebox resume run-1\n"})
	if diff := cmp.Diff(api.Resolution{Call: "2", Value: json.RawMessage("null")}, service.resolved); diff != "" {
		t.Error(diff)
	}
	service = &fakeService{runs: earlier()}
	run(t, service, "resolve", "run-1", "--failed", "no", "--type", "ValueError")
	if diff := cmp.Diff(api.Resolution{Failed: "no", Exception: "ValueError"}, service.resolved); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range [][]string{{}, {"--value", "paid"}, {"--value", "1", "--failed", "no"}, {"--value", "1", "--type", "E"}} {
		if got := run(t, &fakeService{runs: earlier()}, append([]string{"resolve", "run-1"}, wrong...)...); got.status != 2 {
			t.Errorf("%q: %+v", wrong, got)
		}
	}
}

func TestRerun(t *testing.T) {
	service := &fakeService{runs: earlier(), log: []api.LogEntry{{Seq: 1, Stream: "stderr", Text: "late\n"}}, result: &api.Result{}}
	expect(t, run(t, service, "rerun", "run-1", "-i", "n=3", "--from", "2", "--code", writeFile(t, "c.py", "x")), printed{err: "late\n"})
	if diff := cmp.Diff(api.RerunOptions{Code: "x", From: 2, Inputs: map[string]any{"n": int64(3)}}, service.rerun); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := run(t, &fakeService{}, "rerun", "run-1", "--fresh", "--from", "1"); got.status != 2 {
		t.Errorf("status %d", got.status)
	}
}

func TestCacheCommands(t *testing.T) {
	service := &fakeService{explain: &api.CacheExplanation{Verdict: "miss", Reason: "the code is new", Nearest: "run-0",
		Differs: []api.CachePart{{Name: "code", Value: "b", Was: "a"}}, Parts: []api.CachePart{{Name: "code", Value: "b"}}}}
	expect(t, run(t, service, "cache", "explain", "run-1"), printed{
		out: "miss: the code is new\nit differs from run-0 in\n  code: b, was a\nthe key is made of\n  code: b\n"})
	expect(t, run(t, &fakeService{}, "cache", "clear", "four"), printed{err: "forgot 4 results\n"})
}

func TestCancel(t *testing.T) {
	service := &fakeService{}
	expect(t, run(t, service, "cancel", "run-1", "run-2"), printed{})
	if diff := cmp.Diff([]string{"run-1", "run-2"}, service.canceled); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCompletion(t *testing.T) {
	service := &fakeService{children: map[string][]api.Run{"": {{ID: "run-ab"}, {ID: "run-cd"}, {ID: "run-a\x1b"}}}}
	if got := run(t, service, "__complete", "show", "run-a"); !strings.HasPrefix(got.out, "run-ab\n:4\n") {
		t.Errorf("completed %q", got.out)
	}
	if got := run(t, nil, "__complete", "show", ""); !strings.HasPrefix(got.out, ":4\n") || strings.Contains(got.err, "connect") {
		t.Errorf("completed %q, %q", got.out, got.err)
	}
}

// TestCompletionOfFlags offers exactly the values that can follow a flag.
func TestCompletionOfFlags(t *testing.T) {
	for line, want := range map[string]string{
		"runs --status f":                  "failed\n:4\n",
		"runs --status failed,c":           "failed,canceled\n:4\n",
		"run --cache ":                     "auto\noverride\ndisable\n:4\n",
		"start t --cache o":                "override\n:4\n",
		"rerun r --cache d":                "disable\n:4\n",
		"orchestrate --cache a":            "auto\n:4\n",
		"check --dialect e":                "extended\n:4\n",
		"run --network p":                  "public\n:4\n",
		"image build --build-network n":    "none\n:4\n",
		"serve --build-network p":          "public\n:4\n",
		"run --secret p":                   "pypi\n:4\n",
		"run --registry-secret h":          "hub\n:4\n",
		"image push a b --secret ":         "hub\npypi\n:4\n",
		"image build --registry-secret hu": "hub\n:4\n",
		"warm --registry-secret hu":        "hub\n:4\n",
	} {
		args := append([]string{"__complete"}, strings.Split(line, " ")...)
		if got := run(t, &fakeService{secrets: []string{"hub", "pypi"}}, args...); got.out != want {
			t.Errorf("%q completes as %q, want %q", line, got.out, want)
		}
	}
}

// TestLogsOfCalls: on a terminal, the logs of a run that called others say where
// theirs are.
func TestLogsOfCalls(t *testing.T) {
	flow := &api.Run{ID: oneRun, Kind: api.KindOrchestrator, Calls: 2}
	service := func(r *api.Run) *fakeService {
		return &fakeService{runs: map[string]*api.Run{oneRun: r}, log: []api.LogEntry{{Seq: 1, Stream: "stdout", Text: "one\n"}}}
	}
	want := "one\r\nglovebox: what its calls printed is in their logs; list them with: glovebox runs --parent " + oneRun + "\r\n"
	if text, _ := onTerminal(t, service(flow), "logs", oneRun); text != want {
		t.Errorf("a terminal gets %q", text)
	}
	if text, _ := onTerminal(t, service(&api.Run{ID: oneRun}), "logs", oneRun); text != "one\r\n" {
		t.Errorf("a run without calls: %q", text)
	}
	expect(t, run(t, service(flow), "logs", oneRun), printed{out: "one\n"})
}
