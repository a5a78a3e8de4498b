package api

import "time"

// Agent is what a task of kind agent has: a model that is asked turn by turn until
// it has its answer. What it may do is in Orchestrator, whose tools it calls by
// code or one at a time. Its inputs are what it is asked: one that is named message
// is the text of the first message, all others are named and shown there, and are
// variables of the code. One that is named history is a conversation that it
// continues, as a list of ModelMessage. Its first output is the answer: text, or a
// value of another type that the model gives. One that is named messages gets what
// was said, as a list of ModelMessage without those of history.
type Agent struct {
	Model        Task      `json:"model"`                            // of kind model, or a function with ModelSignature
	Instructions string    `json:"instructions,omitempty"`           // before the message, for the model
	Mode         AgentMode `json:"mode,omitempty" enum:"code,tools"` // empty means code
	MaxTurns     int       `json:"max_turns,omitempty"`              // questions to the model; 0 means DefaultMaxTurns
	// Streaming runs each statement of a block as soon as it is complete, while the
	// model still writes. Each is checked when it comes, so calls of those before one
	// that is refused have been made. It is for agents that act by code, and needs a
	// model of kind model, whose task is called again, as NAME-rest, for what follows.
	Streaming bool   `json:"streaming,omitempty"`
	Budget    Budget `json:"budget,omitzero"`
	// Approval is asked before the calls of the tools that Approve names, or of all
	// tools if it names none. It is a task with the inputs tool (str) and arguments
	// (dict[str, Any]) and an output of type bool; a call that it refuses fails.
	Approval *Task    `json:"approval,omitempty"`
	Approve  []string `json:"approve,omitempty"` // the tools that need it
}

// AgentMode says how an agent acts.
type AgentMode string

// The modes of agents.
const (
	CodeAgent  AgentMode = "code"  // its model writes restricted Python that calls the tools
	ToolsAgent AgentMode = "tools" // its model asks for one tool or several at a time
)

// DefaultMaxTurns bounds the turns of an agent that names no bound.
const DefaultMaxTurns = 25

// Budget bounds what an agent may spend. Zero fields bound nothing. What goes over
// it ends the run with limit_exceeded, which names the budget.
type Budget struct {
	Calls  int           `json:"calls,omitempty"`    // of tools
	Tokens int64         `json:"tokens,omitempty"`   // of all questions and answers
	Cost   float64       `json:"cost_usd,omitempty"` // US dollars, as the price of the model makes them
	Time   time.Duration `json:"time_ns,omitempty"`  // from the first attempt on
}

// Callable returns every task that t may call: its tools, and what an agent or a
// generation asks. The tasks that a generation makes for itself are not among them.
func (t *Task) Callable() []*Task {
	var all []*Task
	if t.Orchestrator != nil {
		for i := range t.Orchestrator.Tools {
			all = append(all, &t.Orchestrator.Tools[i])
		}
	}
	if t.Codegen != nil {
		all = append(all, &t.Codegen.Model)
	}
	if t.Agent == nil {
		return all
	}
	if t.Agent.Approval != nil {
		all = append(all, t.Agent.Approval)
	}
	all = append(all, &t.Agent.Model)
	if t.Agent.Streaming {
		rest := t.Agent.Model
		rest.Name = t.Agent.RestName()
		all = append(all, &rest)
	}
	return all
}

// RestName is the task that gives the rest of an answer that comes in pieces.
func (a *Agent) RestName() string { return a.Model.Name + "-rest" }
