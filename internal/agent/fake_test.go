package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/callertest"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/value"
)

// fake is a Caller whose tools are functions. Made has what was called, but for the
// model.
type fake struct {
	callertest.Caller
	tools map[string]func(map[string]any) (any, error)
}

func (f *fake) Start(ctx context.Context, c api.Call) error {
	f.Do = f.carryOut
	return f.Caller.Start(ctx, c)
}

func (f *fake) carryOut(c api.Call) (any, error) {
	text, err := json.Marshal(c.Inputs)
	if err != nil {
		return nil, err
	}
	if c.Tool != "model" {
		f.Made = append(f.Made, fmt.Sprintf("%s %s", c.Tool, text))
	}
	tool, ok := f.tools[c.Tool]
	if !ok {
		return nil, fmt.Errorf("there is no tool %s", c.Tool)
	}
	return tool(c.Inputs)
}

// script is a model that says one text after another, and keeps what it was asked.
type script struct {
	answers []api.ModelAnswer
	asked   []api.ModelRequest
}

func says(texts ...string) *script {
	s := &script{}
	for _, text := range texts {
		s.answers = append(s.answers, api.ModelAnswer{Text: text, Stop: api.StopEnd, Usage: api.ModelUsage{Input: 10, Output: 5, Cost: 0.5}})
	}
	return s
}

// block is an answer with code.
func codeBlock(code string) string { return "I try this.\n```python\n" + code + "\n```\n" }

func (s *script) ask(inputs map[string]any) (any, error) {
	return callertest.Model(func(r api.ModelRequest) (api.ModelAnswer, error) {
		if len(s.asked) == len(s.answers) {
			return api.ModelAnswer{}, api.Errorf(api.ModelUnavailable, "the script is over")
		}
		s.asked = append(s.asked, r)
		return s.answers[len(s.asked)-1], nil
	})(inputs)
}

// heard is the last message that the model was asked with.
func (s *script) heard() string {
	r := s.asked[len(s.asked)-1]
	return r.Messages[len(r.Messages)-1].Text
}

func toolTask(name, output string, inputs ...value.Param) api.Task {
	return api.Task{
		Name: name, Kind: api.KindFunction, Function: &api.Function{ID: name + "@1"},
		Signature: api.Signature{Inputs: inputs, Outputs: []value.Param{callertest.Param("result", output)}},
	}
}

// agentTask is an agent that is asked for a str.
func agentTask(tools ...api.Task) *api.Task {
	return &api.Task{
		Name: "agent", Kind: api.KindAgent,
		Signature: api.Signature{Inputs: []value.Param{callertest.Param("message", "str")}, Outputs: []value.Param{callertest.Param("answer", "str")}},
		Agent: &api.Agent{
			Instructions: "You help.",
			Model:        api.Task{Name: "model", Kind: api.KindModel, Model: &api.Model{Protocol: api.ProtocolOpenAI, Name: "m", Price: api.ModelPrice{Input: 1}}, Signature: api.ModelSignature()},
		},
		Orchestrator: &api.Orchestrator{Tools: tools},
	}
}

func newRunner() *Runner {
	return New(Config{Language: orchestrator.New(orchestrator.Config{})})
}

// run validates a task and makes an attempt of it.
func run(t *testing.T, task *api.Task, f *fake, inputs map[string]any) (*api.Result, error) {
	t.Helper()
	r := newRunner()
	if err := r.Validate(task); err != nil {
		t.Fatal(err)
	}
	fields, err := value.Check(task.Signature.Inputs, inputs)
	if err != nil {
		t.Fatal(err)
	}
	return r.Run(t.Context(), "run", &api.Request{Task: task, Inputs: fields, Caller: f})
}

// asks runs a task with a message and the answers of a script.
func asks(t *testing.T, task *api.Task, s *script, tools map[string]func(map[string]any) (any, error)) (*api.Result, *fake, error) {
	t.Helper()
	f := &fake{tools: map[string]func(map[string]any) (any, error){"model": s.ask}}
	for name, tool := range tools {
		f.tools[name] = tool
	}
	result, err := run(t, task, f, map[string]any{"message": "What is it?"})
	return result, f, err
}
