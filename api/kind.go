package api

import (
	"strings"
	"time"
)

// TaskKind says what executes a task.
type TaskKind string

// The kinds of tasks. Empty means KindSandbox.
const (
	KindSandbox      TaskKind = "sandbox"      // a program in a cell
	KindOrchestrator TaskKind = "orchestrator" // restricted Python that calls tools
	KindFunction     TaskKind = "function"     // a function in a process of the user's
	KindModel        TaskKind = "model"        // one question to a language model
	KindAgent        TaskKind = "agent"        // a model that acts by code or by tools, turn by turn
	KindCodegen      TaskKind = "codegen"      // a model that writes a script, until its tests pass in cells
	KindMCP          TaskKind = "mcp"          // a tool of a server of the Model Context Protocol
	KindSignal       TaskKind = "signal"       // a value that somebody outside sends
)

// Kinds returns all kinds.
func Kinds() []TaskKind {
	return []TaskKind{KindSandbox, KindOrchestrator, KindFunction, KindModel, KindAgent, KindCodegen, KindMCP, KindSignal}
}

// CallsTools reports whether tasks of the kind call tools by a Caller, and so are
// done again from what those answered.
func (k TaskKind) CallsTools() bool {
	return k == KindOrchestrator || k == KindAgent || k == KindCodegen
}

// KindOf returns the kind of t, with the default filled in.
func (t *Task) KindOf() TaskKind {
	if t.Kind == "" {
		return KindSandbox
	}
	return t.Kind
}

// Orchestrator is what a task of kind orchestrator has beside its Code: the
// language of the code, the tools that it was granted, and its limits. The
// value of the code's last expression is the one output, if one is declared. An
// agent has the same for the code that its model writes.
type Orchestrator struct {
	Dialect       string             `json:"dialect,omitempty" enum:"strict,extended"` // strict (the default but for agents) or extended
	Tools         []Task             `json:"tools,omitempty"`                          // by the name of each; the whole tasks, so that nothing can change under a run
	Limits        OrchestratorLimits `json:"limits,omitzero"`
	SkipTypeCheck bool               `json:"skip_type_check,omitempty"` // do not hold inputs and output to their declared types
	SkipCheck     bool               `json:"skip_check,omitempty"`      // start the code although the checker finds that it would fail
	Clock         Clock              `json:"clock,omitempty"`           // which clock the code can read; empty is none
	Random        Random             `json:"random,omitempty"`          // which randomness it has; empty is none
}

// OrchestratorLimits bound the interpreter of one run. Zero fields take the
// defaults.
type OrchestratorLimits struct {
	Memory   int64         `json:"memory,omitempty"`   // bytes of live values
	Depth    int           `json:"depth,omitempty"`    // nested calls
	Time     time.Duration `json:"time_ns,omitempty"`  // of execution; waiting for tools does not count
	Steps    int64         `json:"steps,omitempty"`    // instructions
	Output   int           `json:"output,omitempty"`   // bytes printed
	Calls    int           `json:"calls,omitempty"`    // of tools, in all
	Parallel int           `json:"parallel,omitempty"` // calls under way at the same time; further ones wait
}

// DefaultParallel bounds the calls of one orchestrator that are under way.
const DefaultParallel = 64

// Function is what a task of kind function has instead of code.
type Function struct {
	// ID names the code behind the task. A worker offers functions by id, and
	// those with the same id can stand in for each other. It enters the cache
	// key, so it must change with the code for runs to be cached rightly.
	ID string `json:"id" required:"true"`
}

// InstanceMark is in the ids of functions that a process made for one run, before
// what tells them from others of the same code: NAME@VERSION#INSTANCE.
const InstanceMark = "#"

// CutInstance splits the id of a function. Without an instance that is empty.
func CutInstance(id string) (code, instance string) {
	at := strings.LastIndex(id, "@")
	i := strings.LastIndex(id, InstanceMark)
	if at < 0 || i < at {
		return id, ""
	}
	return id[:i], id[i+len(InstanceMark):]
}
