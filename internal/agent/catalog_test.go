package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/callertest"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/toolsearch"
	"github.com/glovebox-dev/glovebox/py"
)

// manyTools are price, a tool with a file, and others whose stubs fill the prompt.
func manyTools() []api.Task {
	priced, unzip := priceTool, toolTask("unzip_archive", "Dir", callertest.Param("archive", "File"))
	priced.Doc = "Returns what an article costs.\n\nIn euros."
	unzip.Doc = "Unpacks a file."
	tools := []api.Task{priced, unzip}
	for i := range 100 {
		tool := toolTask(fmt.Sprintf("filler_%03d", i), "int", callertest.Param("x", "int"))
		tool.Doc = strings.Repeat("Does nothing of use. ", 10)
		tools = append(tools, tool)
	}
	return tools
}

func TestPromptOfFewAndMany(t *testing.T) {
	few, many := says("done"), says("done")
	if _, _, err := asks(t, agentTask(priceTool), few, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := asks(t, agentTask(manyTools()...), many, nil); err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string][2]bool{
		"def price(": {true, false}, "filler_": {false, false}, "102 tools": {false, true},
		"def " + toolsearch.Search + "(query: str) -> str": {false, true}, "def " + toolsearch.Describe + "(name: str) -> str": {false, true},
	} {
		got := [2]bool{strings.Contains(few.asked[0].System, part), strings.Contains(many.asked[0].System, part)}
		if got != want {
			t.Errorf("%q: few and many have it: %v, want %v", part, got, want)
		}
	}
}

// stubsOf makes tools whose stubs are as long as that together.
func stubsOf(t *testing.T, size int) []py.Tool {
	t.Helper()
	task := toolTask("one", "int")
	tool, err := orchestrator.ToolOf(&task)
	if err != nil {
		t.Fatal(err)
	}
	tool.Doc = "x"
	tool.Doc = strings.Repeat("x", size-len(tool.Stub()))
	return []py.Tool{tool}
}

func TestBoundOfStubs(t *testing.T) {
	if catalogOf(nil) != nil || catalogOf(stubsOf(t, maxStubs)) != nil {
		t.Error("stubs that fit are not in the prompt")
	}
	if catalogOf(stubsOf(t, maxStubs+1)) == nil {
		t.Error("stubs that do not fit are in the prompt")
	}
}

func TestFindsAndCalls(t *testing.T) {
	approval := api.Task{Name: "approve", Kind: api.KindFunction, Function: &api.Function{ID: "approve@1"}, Signature: approvalSignature()}
	task := agentTask(manyTools()...)
	task.Agent.Approval, task.Agent.Budget.Calls = &approval, 2
	s := says(
		codeBlock("print(tool_search('ARTICLE costs'))"), codeBlock("print(tool_describe('price'))"),
		codeBlock("price(1)"), codeBlock("found = tool_search('unzip')\nprice('tea') + price('cake')"), "6.5")
	r, f, err := asks(t, task, s, functions{"price": prices, "approve": func(map[string]any) (any, error) { return true, nil }})
	if got := answerOf(t, r, err); got != "6.5" {
		t.Errorf("the answer is %q", got)
	}
	last := s.asked[4].Messages
	for i, want := range map[int]string{
		2: "Printed:\ndef price(item: str) -> float  # Returns what an article costs.",
		4: "Printed:\ndef price(item: str) -> float:\n    \"\"\"Returns what an article costs.\n\n    In euros.\"\"\"",
		8: "Value:\n6.5",
	} {
		if got := last[i].Text; got != want {
			t.Errorf("message %d is %q, want %q", i, got, want)
		}
	}
	if !strings.Contains(last[6].Text, "str") || !strings.Contains(last[6].Text, "Nothing of this block was run") {
		t.Errorf("the checker said %q", last[6].Text)
	}
	if calls := len(f.Made); calls != 4 { // two of price, and their approvals
		t.Errorf("calls: %q", f.Made)
	}
}

func TestUnknownTool(t *testing.T) {
	s := says(
		codeBlock("for name in ['prise', 'archive.unzip', 'qqq', '']:\n    try:\n        tool_describe(name)\n    except ValueError as e:\n        print(e)"),
		codeBlock("tool_describe('q' * 1000000)"), codeBlock("print(tool_describe('unzip_archive'))"), codeBlock("print(tool_search('qqq'))"), "done")
	if _, _, err := asks(t, agentTask(manyTools()...), s, nil); err != nil {
		t.Fatal(err)
	}
	all := s.asked[4].Messages
	for i, parts := range map[int][]string{
		2: {`no tool "prise"; there are price, and`, `no tool "archive.unzip"; there are unzip_archive`, `no tool "qqq"; find tools with tool_search`, `no tool ""`},
		4: {"ValueError", "1000000 bytes"}, 6: {"archive: File", "handles"}, 8: {"No tool has any", "102"},
	} {
		for _, part := range parts {
			if got := all[i].Text; !strings.Contains(got, part) || len(got) > 2000 {
				t.Errorf("%q is not in %.2000q", part, got)
			}
		}
	}
}

// Hostile descriptions and queries make no long answers.
func TestBoundedAnswers(t *testing.T) {
	var tools []py.Tool
	for i := range 50 {
		tool := stubsOf(t, 1<<20)[0]
		tool.Name = fmt.Sprintf("tool%02d", i)
		tools = append(tools, tool)
	}
	c := catalogOf(tools)
	if got := c.search(""); len(got) > maxFound*(2*maxSummary+20) || !strings.Contains(got, "tool19") || strings.Contains(got, "tool20") || !strings.HasSuffix(got, "30 more are not shown; use other words.") {
		t.Errorf("found %d bytes: %.200q", len(got), got)
	}
	if got, ok := c.describe("tool49"); !ok || len(got) > maxShown+200 || !strings.Contains(got, "left out") {
		t.Errorf("described by %d bytes", len(got))
	}
	if got := c.search(strings.Repeat("\xff tool ", 1<<20)); !strings.Contains(got, "tool00") {
		t.Errorf("found %.200q", got)
	}
	if got, ok := c.describe(strings.Repeat("tool_", 1<<20)); ok || len(got) > 500 || !strings.Contains(got, "tool00") {
		t.Errorf("described by %.600q", got)
	}
}

func TestSearchesAreBounded(t *testing.T) {
	task := agentTask(manyTools()...)
	task.Orchestrator.Limits.Calls = 50
	s := says(codeBlock("while True:\n    tool_search('price')"), "done")
	if _, f, err := asks(t, task, s, nil); err != nil || len(f.Made) > 0 || !strings.Contains(s.heard(), "50") {
		t.Error(err, f.Made, s.heard())
	}
}

func TestNamesOfTheCatalog(t *testing.T) {
	for _, name := range []string{toolsearch.Search, toolsearch.Describe} {
		task := agentTask(toolTask(name, "str"))
		if err := newRunner().Validate(task); err == nil || api.AsError(err).Details.Field != "orchestrator.tools" || !strings.Contains(err.Error(), name) {
			t.Errorf("the tool %s: %v", name, err)
		}
		task.Agent.Mode = api.ToolsAgent
		if err := newRunner().Validate(task); err != nil {
			t.Errorf("the tool %s in mode tools: %v", name, err)
		}
		task = agentTask()
		task.Signature.Inputs = append(task.Signature.Inputs, callertest.Param(name, "str"))
		if err := newRunner().Validate(task); err == nil || api.AsError(err).Details.Field != "signature.inputs" {
			t.Errorf("the input %s: %v", name, err)
		}
	}
}

// Tools mode offers all tools, however many.
func TestManyToolsInToolsMode(t *testing.T) {
	task := agentTask(manyTools()...)
	task.Agent.Mode = api.ToolsAgent
	s := says("done")
	if _, _, err := asks(t, task, s, nil); err != nil || len(s.asked[0].Tools) != 102 || strings.Contains(s.asked[0].System, toolsearch.Search) {
		t.Error(err, len(s.asked[0].Tools))
	}
}

// An attempt that is made again searches again, and hears the same.
func TestSearchesMadeAgain(t *testing.T) {
	texts := []string{codeBlock("a, b = await gather(price('tea'), price('cake')) if 'price' in tool_search('costs') else (0, 0)\nprint(a + b, tool_describe('price'))"),
		codeBlock("print(tool_search('file'))\nprice('tea')\ntool_describe('no')"), codeBlock("price('tea')"), "done"}
	inputs := map[string]any{"message": "What is it?"}
	var whole []api.ModelMessage
	for stop := 0; ; stop++ {
		s, calls := says(texts...), 0
		counted := func(in map[string]any) (any, error) { calls++; return prices(in) }
		f := &fake{tools: functions{"model": s.ask, "price": counted}, Caller: callertest.Caller{Stop: stop}}
		_, err := run(t, agentTask(manyTools()...), f, inputs)
		if stop == 0 {
			if err != nil || calls != 3 {
				t.Fatal(err, calls)
			}
			whole = s.asked[3].Messages
			continue
		}
		if err == nil {
			if stop < 7 {
				t.Fatalf("it ended after %d answers", stop)
			}
			return
		}
		if !errors.Is(err, callertest.ErrKilled) {
			t.Fatal(err)
		}
		again := &fake{tools: f.tools, Caller: callertest.Caller{Earlier: slices.Clone(f.Answers), Queue: f.Queue}}
		if _, err := run(t, agentTask(manyTools()...), again, inputs); err != nil || calls != 3 || len(s.asked) != 4 {
			t.Fatalf("killed after %d answers: %v, %d calls, asked %d times", stop, err, calls, len(s.asked))
		}
		if got := s.asked[3].Messages; fmt.Sprint(got) != fmt.Sprint(whole) {
			t.Errorf("killed after %d answers, it heard %+v", stop, got)
		}
	}
}
