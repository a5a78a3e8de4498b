package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/value"
)

// fake is a Caller whose tools are functions. It keeps what was called, and gives
// the answers of an earlier one again.
type fake struct {
	tools    map[string]func(map[string]any) (any, error)
	earlier  []api.Answer // of the attempt before
	answers  []api.Answer // that were given
	queue    []api.Answer
	made     []string // the calls that were carried out
	canceled []uint64
	stop     int // answers after which it fails; 0 is never
}

var errKilled = errors.New("killed")

func (f *fake) Snapshot() []byte   { return nil }
func (f *fake) Restart()           {}
func (f *fake) Cancel(call uint64) { f.canceled = append(f.canceled, call) }
func (f *fake) Began() time.Time   { return time.Unix(1_700_000_000, 0) }
func (f *fake) Seed() []byte       { return nil }
func (f *fake) Save([]byte)        {}

func (f *fake) Start(_ context.Context, c api.Call) error {
	for _, a := range slices.Concat(f.earlier, f.queue) {
		if a.ID == c.ID {
			return nil
		}
	}
	text, err := json.Marshal(c.Inputs)
	if err != nil {
		return err
	}
	if c.Tool != "model" {
		f.made = append(f.made, fmt.Sprintf("%s %s", c.Tool, text))
	}
	tool, ok := f.tools[c.Tool]
	if !ok {
		return fmt.Errorf("there is no tool %s", c.Tool)
	}
	a := api.Answer{ID: c.ID, Time: f.Began().Add(time.Duration(c.ID) * time.Millisecond)}
	if a.Value, err = tool(c.Inputs); err != nil {
		a.Err = api.AsError(err)
	}
	f.queue = append(f.queue, a)
	return nil
}

func (f *fake) Next(_ context.Context, wake time.Time) (api.Answer, error) {
	if f.stop > 0 && len(f.answers) == f.stop {
		return api.Answer{}, errKilled
	}
	var a api.Answer
	switch {
	case len(f.earlier) > 0:
		a, f.earlier = f.earlier[0], f.earlier[1:]
	case len(f.queue) > 0:
		a, f.queue = f.queue[0], f.queue[1:]
	case !wake.IsZero():
		a = api.Answer{Time: wake}
	default:
		return a, errors.New("nothing is under way")
	}
	f.answers = append(f.answers, a)
	return a, nil
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
	var r api.ModelRequest
	if err := question.FromValue(api.ModelSignature().Inputs[0].Type, inputs["request"], &r); err != nil {
		return nil, err
	}
	if len(s.asked) == len(s.answers) {
		return nil, api.Errorf(api.ModelUnavailable, "the script is over")
	}
	s.asked = append(s.asked, r)
	return question.AsValue(api.ModelSignature().Outputs[0].Type, s.answers[len(s.asked)-1])
}

// heard is the last message that the model was asked with.
func (s *script) heard() string {
	r := s.asked[len(s.asked)-1]
	return r.Messages[len(r.Messages)-1].Text
}

func param(name, typ string) value.Param {
	t, err := value.ParseType(typ)
	if err != nil {
		panic(err)
	}
	return value.Param{Name: name, Type: t}
}

func toolTask(name, output string, inputs ...value.Param) api.Task {
	return api.Task{
		Name: name, Kind: api.KindFunction, Function: &api.Function{ID: name + "@1"},
		Signature: api.Signature{Inputs: inputs, Outputs: []value.Param{param("result", output)}},
	}
}

// agentTask is an agent that is asked for a str.
func agentTask(tools ...api.Task) *api.Task {
	return &api.Task{
		Name: "agent", Kind: api.KindAgent,
		Signature: api.Signature{Inputs: []value.Param{param("message", "str")}, Outputs: []value.Param{param("answer", "str")}},
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
