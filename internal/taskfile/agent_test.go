package taskfile

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

const agents = `
environment: {timeout: 9, retries: 3, cache: auto}
mcp:
  docs: {url: "https://h", prefix: docs_, tools: [search]}
tasks:
  large: {kind: model, protocol: openai, name: big}
  may: {inputs: {tool: str, arguments: "dict[str, Any]"}, output: bool, code: x}
  clerk:
    kind: agent
    doc: knows all
    model: large
    instructions: You know the shop.
    mode: tools
    inputs: {customer: str}
    output: int
    tools: [docs_search, short]
    max_turns: 5
    budget: {calls: 10, tokens: 5000, cost_usd: 0.5, time: 2m}
    approval: may
    approve: [docs_search]
    limits: {calls: 7}
    clock: real
  short: {kind: agent, model: {protocol: anthropic, name: small, key: K, timeout: 20}, timeout: 60}
`

func TestAgents(t *testing.T) {
	f, err := Parse([]byte(agents), Options{Path: "f", ListTools: listTools})
	if err != nil {
		t.Fatal(err)
	}
	text := value.Type{Kind: value.KindStr}
	message := value.Param{Name: "message", Type: text}
	short := api.Task{
		Name: "short", Kind: api.KindAgent, Timeout: time.Minute, Orchestrator: &api.Orchestrator{},
		Signature: api.Signature{Inputs: []value.Param{message}, Outputs: []value.Param{{Name: "answer", Type: text}}},
		Agent: &api.Agent{Model: api.Task{
			Name: "model", Kind: api.KindModel, Signature: api.ModelSignature(), Timeout: 20 * time.Second,
			Model: &api.Model{Protocol: "anthropic", Name: "small", Key: "K"},
		}},
	}
	clerk := api.Task{
		Name: "clerk", Kind: api.KindAgent, Doc: "knows all",
		Signature: api.Signature{
			Inputs:  []value.Param{message, {Name: "customer", Type: text}},
			Outputs: []value.Param{{Name: "answer", Type: value.Type{Kind: value.KindInt}}},
		},
		Agent: &api.Agent{
			Model: f.Tasks[0], Instructions: "You know the shop.", Mode: api.ToolsAgent, MaxTurns: 5, Approval: &f.Tasks[1], Approve: []string{"docs_search"},
			Budget: api.Budget{Calls: 10, Tokens: 5000, Cost: 0.5, Time: 2 * time.Minute},
		},
		Orchestrator: &api.Orchestrator{Tools: []api.Task{f.Tasks[4], short}, Limits: api.OrchestratorLimits{Calls: 7}, Clock: "real"},
	}
	if diff := cmp.Diff([]api.Task{clerk, short}, f.Tasks[2:4]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInputsOfAgents: those that it declares by itself are not there twice.
func TestInputsOfAgents(t *testing.T) {
	const model = "model: {protocol: openai, name: x}"
	f, err := Parse([]byte("tasks: {a: {kind: agent, "+model+", inputs: {history: 'list[dict[str, Any]]', message: str}, outputs: {price: int, messages: 'list[dict[str, Any]]'}}}"), Options{Path: "f"})
	if err != nil {
		t.Fatal(err)
	}
	s := f.Tasks[0].Signature
	if got, want := value.DescribeParams(s.Inputs)+" -> "+value.DescribeParams(s.Outputs),
		"history: list[dict[str, Any]], message: str -> price: int, messages: list[dict[str, Any]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAgentErrors(t *testing.T) {
	const rest = "m: {kind: model, protocol: openai, name: x}, t: {output: bool, code: x}}"
	for _, test := range []struct{ agent, want, hint string }{
		{"{kind: agent}", "f:1:9: task a is an agent without model", "model: {protocol"},
		{"{kind: agent, model: n}", `there is no task "n" in this file`, "describe it here"},
		{"{kind: agent, model: t}", `f:1:33: task "t" is of kind sandbox and no model`, "of kind model"},
		{"{kind: agent, model: a}", "circle: a -> a", ""},
		{"{kind: agent, model: x@1}", "there is no catalog here", ""},
		{"{kind: agent, model: {protocol: openai}}", "f:1:33: the model of agent a has no protocol or no name", "give the protocol"},
		{"{kind: agent, model: {protocol: openai, name: x, outputs: {}}}", "and no others", ""},
		{"{kind: agent, model: {protocol: openai, nam: x}}", `a model has no "nam"`, "did you mean name?"},
		{"{kind: agent, model: m, mode: talk}", `expected code or tools, got "talk"`, ""},
		{"{kind: agent, model: m, max_turns: 0}", "expected a whole number above 0", ""},
		{"{kind: agent, model: m, budget: {cost: 1}}", `a budget has no "cost"`, "cost_usd"},
		{"{kind: agent, model: m, budget: {cost_usd: -1}}", "expected a number above 0", ""},
		{"{kind: agent, model: m, code: x}", `task a, which is of kind agent, has no "code"`, ""},
		{"{kind: agent, model: m, image: x}", `has no "image"`, ""},
		{"{kind: agent, model: m, tools: [t, t]}", `the agent has two tools "t"`, ""},
		{"{kind: agent, model: m, tools: [t], approve: [t]}", "task a names tools to approve, and nothing that approves them", "under approval"},
		{"{kind: agent, model: m, approval: t, approve: [t]}", `f:1:59: agent a has no tool "t"`, "approve names tools"},
		{"{kind: agent, model: m, approval: nobody}", `there is no task "nobody" in this file`, ""},
		{"{kind: agent, model: m, output: int, outputs: {answer: int}}", "there is both output and outputs", ""},
		{"{kind: agent, model: m, inputs: {class: int}}", "Python keyword", ""},
	} {
		_, err := Parse([]byte("tasks: {a: "+test.agent+", "+rest), Options{Path: "f"})
		e := api.AsError(err)
		if err == nil || e.Code != api.InvalidTask || !strings.Contains(e.Message, test.want) || !strings.Contains(e.Hint, test.hint) {
			t.Errorf("%s:\n got %v (%s)\nwant %s (%s)", test.agent, err, e.Hint, test.want, test.hint)
		}
	}
}
