package glovebox

import (
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Agent describes a model that does what a message asks for, turn by turn: by code
// that calls tools, or by one tool or several at a time. Each question to the model
// and each call is a run of its own, so that an agent which is resumed, after a
// crash or a failure, asks and does nothing twice. Its inputs are message, a str,
// and those that it declares; its output is named answer.
type Agent struct {
	// Name appears in messages. To be a tool itself it has to be a Python
	// identifier.
	Name string
	// Doc says what it does, for people and models.
	Doc string
	// Instructions come before the message, for the model.
	Instructions string
	// Model is a Model, or a Function of a ModelRequest to a ModelAnswer, as values.
	Model Task
	// Inputs declare names and types as those of an Orchestrator do. The model is
	// shown them, and its code finds them as variables. One that is history, of type
	// list[dict[str, Any]], is a conversation that is continued.
	Inputs []string
	// Output is the type of the answer; empty means str, which is what the model says
	// at last.
	Output string
	// Tools are what the agent may call, each by its name.
	Tools []Task

	// Mode is CodeAgent, the default, or ToolsAgent.
	Mode AgentMode
	// Streaming runs each statement of a block while the model still writes the next. It
	// needs a Model, and the mode CodeAgent.
	Streaming bool
	// MaxTurns bounds the questions to the model; 0 means DefaultMaxTurns.
	MaxTurns int
	// Budget bounds what it may spend.
	Budget Budget
	// Approval is asked before the tools that Approve names are called, or any if it
	// names none: a task with the inputs tool (str) and arguments (dict[str, Any]) and
	// an output of type bool.
	Approval Task
	Approve  []string

	// Limits, Clock and Random are those of an Orchestrator, for the code.
	Limits OrchestratorLimits
	Clock  Clock
	Random Random

	// Timeout bounds one attempt; 0 means no bound.
	Timeout time.Duration
	// Retries is how many more attempts a failed run gets.
	Retries int
	// Notify are receivers that hear of the end of its runs.
	Notify []Notify
	// Labels are those of its runs, by name.
	Labels map[string]string
	// NodeSelector are the labels that a node has to have to carry them out; see glovebox
	// serve --label.
	NodeSelector map[string]string
	// Priority is that of its runs among those that wait, from -10 to 10: the higher is
	// first. Each step is worth 30 seconds of waiting.
	Priority int
	// MaxConcurrent is how many of its runs work at the same time, on all nodes together;
	// 0 is any number.
	MaxConcurrent int
	// Cache is auto or disable; empty means disable.
	Cache CacheMode
}

// Words that agents and models are described with.
type (
	// AgentMode says how an agent acts.
	AgentMode = api.AgentMode
	// Budget bounds what an agent may spend.
	Budget = api.Budget
	// ModelPrice is in US dollars for a million tokens.
	ModelPrice = api.ModelPrice
	// ModelUsage is what answers of models took.
	ModelUsage = api.ModelUsage
)

// The modes of agents, the protocols of models, and the turns of an agent that
// names no bound.
const (
	CodeAgent         = api.CodeAgent
	ToolsAgent        = api.ToolsAgent
	ProtocolOpenAI    = api.ProtocolOpenAI
	ProtocolAnthropic = api.ProtocolAnthropic
	DefaultMaxTurns   = api.DefaultMaxTurns
)

// Model is a language model as a task: its input request is a dict with the fields
// of an api.ModelRequest, its output answer one with those of an api.ModelAnswer.
// The engine asks it, so that no cell and no log has the key.
type Model struct {
	Name     string // as the provider spells it
	Protocol string // ProtocolOpenAI or ProtocolAnthropic
	BaseURL  string // of another server that speaks so; empty is that of OpenAI or Anthropic
	Key      string // a stored secret; empty sends no key
	Price    ModelPrice
	Timeout  time.Duration // of one question; 0 means an hour
}

// modelName is the name of the task of a model, which calls are listed under.
const modelName = "model"

func (m Model) define(scope) (*api.Task, []Function, error) {
	return &api.Task{
		Name: modelName, Kind: api.KindModel, Signature: api.ModelSignature(), Timeout: m.Timeout,
		Model: &api.Model{Protocol: m.Protocol, Name: m.Name, BaseURL: m.BaseURL, Key: m.Key, Price: m.Price},
	}, nil, nil
}

func (a Agent) define(at scope) (*api.Task, []Function, error) {
	signature, err := a.signature()
	if err != nil {
		return nil, nil, err
	}
	if a.Model == nil {
		return nil, nil, api.WrongField("agent.model", "missing", "a Model, or a Function")
	}
	asked, functions, err := defineTools(slices.DeleteFunc([]Task{a.Model, a.Approval}, func(t Task) bool { return t == nil }), at)
	if err != nil {
		return nil, nil, err
	}
	tools, more, err := defineTools(a.Tools, at)
	if err != nil {
		return nil, nil, err
	}
	agent := &api.Agent{Model: asked[0], Instructions: a.Instructions, Mode: a.Mode, Streaming: a.Streaming, MaxTurns: a.MaxTurns, Budget: a.Budget, Approve: a.Approve}
	if a.Approval != nil {
		agent.Approval = &asked[1]
	}
	return &api.Task{
		Name: a.Name, Kind: api.KindAgent, Doc: a.Doc, Signature: signature, Agent: agent,
		Orchestrator: &api.Orchestrator{Tools: tools, Limits: a.Limits, Clock: a.Clock, Random: a.Random},
		Timeout:      a.Timeout, Retries: a.Retries, Cache: a.Cache, Notify: a.Notify, Labels: a.Labels, NodeSelector: a.NodeSelector,
		Priority: a.Priority, MaxConcurrent: a.MaxConcurrent,
	}, append(functions, more...), nil
}

func (a Agent) signature() (s api.Signature, err error) {
	inputs, err := parseParams("input", a.Inputs)
	if err != nil {
		return s, err
	}
	text := value.Type{Kind: value.KindStr}
	answer := text
	if a.Output != "" {
		if answer, err = value.ParseType(a.Output); err != nil {
			return s, declarationError("output", "answer", err)
		}
	}
	return api.Signature{
		Inputs:  append([]value.Param{{Name: "message", Type: text}}, inputs...),
		Outputs: []value.Param{{Name: "answer", Type: answer}},
	}, nil
}
