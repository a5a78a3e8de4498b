package server

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/typeschema"
	"github.com/glovebox-dev/glovebox/value"
	"github.com/glovebox-dev/glovebox/value/valuetest"
)

// catalog is a fake with deployed tasks.
type catalog struct {
	*fake
	deployed []api.TaskVersion
}

func (c *catalog) Tasks(context.Context) ([]api.TaskVersion, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.deployed), nil
}

func (c *catalog) Task(_ context.Context, ref string) (*api.TaskVersion, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range c.deployed {
		if v.Name == ref || refOf(&v) == ref {
			return &v, nil
		}
	}
	return nil, api.Errorf(api.NotFound, "there is no task %s", ref)
}

func deployed(name, doc string, version int, inputs ...value.Param) api.TaskVersion {
	sig := api.Signature{Inputs: inputs, Outputs: []value.Param{{Name: "result", Type: value.Type{Kind: value.KindInt}}}}
	return api.TaskVersion{Name: name, Version: version, Doc: doc, Signature: sig, Task: &api.Task{Name: name, Code: "result = 1", Signature: sig}}
}

func newCatalog(tasks ...api.TaskVersion) *catalog {
	f := newFake(func(context.Context, api.Submission) (*api.Result, error) {
		return &api.Result{Outputs: []api.Output{{Name: "result", Type: value.Type{Kind: value.KindInt}, Value: int64(7)}}}, nil
	})
	return &catalog{f, tasks}
}

func toolNames(t *testing.T, c *mcp.ClientSession) (names []string) {
	t.Helper()
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

// TestDeployedTasks are tools with the types of their signatures, for as long as
// they are deployed.
func TestDeployedTasks(t *testing.T) {
	x := value.Param{Name: "x", Type: value.Type{Kind: value.KindInt}}
	day := value.Param{Name: "day", Type: value.OptionalOf(value.Type{Kind: value.KindDate}), Default: []byte("null")}
	f := newCatalog(deployed("stats.add", "Adds numbers.", 2, x, day))
	s, c := connectService(t, f, nil)
	if names := toolNames(t, c); !slices.Contains(names, "task_stats__add") {
		t.Fatalf("the tools are %q", names)
	}
	r := call(t, c, "task_stats__add", map[string]any{"x": 1})
	if r.IsError || f.last.Name != "stats.add@2" || !strings.Contains(said(r), `{"result":7}`) {
		t.Errorf("it ran %q and gave %s", f.last.Name, said(r))
	}
	if v, _ := f.last.Checked.Value("x"); v != int64(1) {
		t.Errorf("x is %v", v)
	}
	for _, args := range []map[string]any{{"x": "1"}, {"x": 1, "z": 2}, {"x": 1, "day": "never"}} {
		if r := call(t, c, "task_stats__add", args); !r.IsError || !strings.Contains(said(r), "invalid_input") {
			t.Errorf("%v gave %s", args, said(r))
		}
	}
	f.mu.Lock()
	f.deployed = []api.TaskVersion{deployed("other", "", 1)}
	f.mu.Unlock()
	s.refreshed = time.Time{}
	if names := toolNames(t, c); slices.Contains(names, "task_stats__add") || !slices.Contains(names, "task_other") {
		t.Errorf("the tools are %q", names)
	}
}

// TestListChanged: a client hears of a task that was deployed while it is there.
func TestListChanged(t *testing.T) {
	heard := make(chan struct{}, 10)
	f := newCatalog()
	s, c := connectService(t, f, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { heard <- struct{}{} }})
	toolNames(t, c)
	f.mu.Lock()
	f.deployed = []api.TaskVersion{deployed("new", "", 1)}
	f.mu.Unlock()
	s.refreshed = time.Time{}
	call(t, c, "tool_search", nil)
	select {
	case <-heard:
	case <-t.Context().Done():
		t.Fatal("nothing was heard")
	}
}

// TestManyTasks: beyond a number they are not tools, but are found.
func TestManyTasks(t *testing.T) {
	var tasks []api.TaskVersion
	for i := range maxTaskTools + 20 {
		tasks = append(tasks, deployed("t"+strings.Repeat("x", i+1), "Does something.", 1))
	}
	tasks = append(tasks, deployed("zebra", "Paints stripes.\nSlowly.", 1))
	_, c := connectService(t, newCatalog(tasks...), nil)
	names := toolNames(t, c)
	if n := len(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasPrefix(name, "task_t") })); n != maxTaskTools {
		t.Errorf("%d tasks are tools", n)
	}
	r := call(t, c, "tool_search", map[string]any{"query": "STRIPES nothing"})
	if !strings.Contains(said(r), `"tool":"task_zebra"`) || strings.Contains(said(r), "Slowly") {
		t.Errorf("found %s", said(r))
	}
	if r := call(t, c, "tool_search", nil); member(r, "left") != float64(len(tasks)-defaultFound) {
		t.Errorf("found %s", said(r))
	}
	if r := call(t, c, "tool_describe", map[string]any{"names": []string{"task_zebra", "zebra"}}); r.IsError || !strings.Contains(said(r), "Slowly") {
		t.Errorf("described is %s", said(r))
	}
	if r := call(t, c, "tool_describe", map[string]any{"names": []string{"task_none"}}); !r.IsError {
		t.Errorf("described is %s", said(r))
	}
}

// TestCodeMode grants the tasks that are named, and no others, by the names that
// tools have.
func TestCodeMode(t *testing.T) {
	f := newCatalog(deployed("stats.add", "", 1), deployed("danger", "", 1))
	_, c := connectService(t, f, nil)
	if r := call(t, c, "code_mode", map[string]any{"code": "task_stats__add()", "tools": []string{"task_stats__add"}}); r.IsError {
		t.Fatalf("it failed: %s", said(r))
	}
	granted := func() (names []string) {
		for _, tool := range f.last.Task.Orchestrator.Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	if names := granted(); !slices.Equal(names, []string{"task_stats__add"}) || f.last.Task.Kind != api.KindOrchestrator {
		t.Errorf("granted are %q", names)
	}
	call(t, c, "code_mode", map[string]any{"code": "1", "inputs": map[string]any{"x": 1}})
	if names := granted(); !slices.Equal(names, []string{"task_stats__add", "task_danger"}) {
		t.Errorf("granted are %q", names)
	}
	if r := call(t, c, "code_mode", map[string]any{"code": "1", "tools": []string{"nothing"}}); !r.IsError {
		t.Errorf("a tool that is not there gave %s", said(r))
	}
}

var validName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,49}$`)

// TestToolNames: they are names for clients and identifiers for code, and no two
// tasks have the same.
func TestToolNames(t *testing.T) {
	for task, want := range map[string]string{"add": "task_add", "stats.add": "task_stats__add", "a_b.c": "task_a_b__c", "run": "task_run_acba2551", "a-b": "task_a_b_d44362d6"} {
		if got := toolName(task); got != want {
			t.Errorf("%s is called %s, want %s", task, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.StringMatching(`[ab._-]{1,12}`)
		a, b := names.Draw(t, "a"), names.Draw(t, "b")
		if !validName.MatchString(toolName(a)) {
			t.Errorf("%q is called %q", a, toolName(a))
		}
		if a != b && toolName(a) == toolName(b) {
			t.Errorf("%q and %q are both called %q", a, b, toolName(a))
		}
	})
	if long := toolName(strings.Repeat("x", 128)); !validName.MatchString(long) {
		t.Errorf("a long name is %q", long)
	}
}

// rare finds floats and strings that JSON itself cannot say.
var rare = regexp.MustCompile(`NaN|Infinity|\$str`)

// TestSchemasTakeTheirValues: what a type can hold fits the schema of the type.
func TestSchemasTakeTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := valuetest.Type(3).Draw(t, "type")
		if typ.Files() {
			t.Skip("a file that is drawn has no digest")
		}
		v := valuetest.Value(t, typ)
		text, err := value.EncodeJSON(typ, v)
		if err != nil {
			t.Fatal(err)
		}
		if rare.Match(text) {
			t.Skip("no client means these")
		}
		sig := api.Signature{Inputs: []value.Param{{Name: "v", Type: typ}}}
		var into map[string]any
		if err := decode(resolve(typeschema.Object(sig.Inputs)), []byte(`{"v":`+string(text)+`}`), &into); err != nil {
			t.Errorf("%s as %s: %v", text, typ, err)
		}
	})
}
