package api

import (
	"context"
	"encoding/json"
	"time"
)

// Hooks start deployed tasks when somebody calls them over HTTP with a signature.
// They are made and changed by Deploy, and called at POST /v1/hooks/NAME of a
// server.
type Hooks interface {
	// Hooks lists all hooks by name.
	Hooks(ctx context.Context) ([]Hook, error)
	// Hook returns a hook, with its last calls.
	Hook(ctx context.Context, name string) (*Hook, error)
	// PauseHook keeps a hook from starting anything until it is resumed: whoever calls
	// it gets a conflict, and can call again.
	PauseHook(ctx context.Context, name string) (*Hook, error)
	// ResumeHook has a hook start runs again.
	ResumeHook(ctx context.Context, name string) (*Hook, error)
	// RemoveHook forgets a hook and its calls. Its runs stay.
	RemoveHook(ctx context.Context, name string) error
}

// HookSignature is how callers of a hook prove who they are.
type HookSignature string

// The signatures.
const (
	HookStandard HookSignature = "standard" // that of Standard Webhooks
	HookGitHub   HookSignature = "github"   // X-Hub-Signature-256
)

// HookSpec says which task a hook starts, and how the body of a call becomes its
// inputs.
type HookSpec struct {
	Name   string `json:"name"`   // letters, digits, '.', '_' and '-'
	Task   string `json:"task"`   // a deployed task: NAME, or NAME@VERSION
	Secret string `json:"secret"` // the name of the stored secret that callers sign with
	// Signature is how they sign; empty means standard.
	Signature HookSignature     `json:"signature,omitempty" enum:"standard,github"`
	Inputs    json.RawMessage   `json:"inputs,omitempty" shape:"object"` // that are always the same, by name; no files
	Body      string            `json:"body,omitempty"`                  // the input that gets the whole body
	Fields    map[string]string `json:"fields,omitempty"`                // inputs that get a part of the body, by name: JSON Pointers such as /repository/name
	Paused    bool              `json:"paused,omitempty"`                // it starts nothing until it is resumed
}

// Hook is a hook as it stands.
type Hook struct {
	HookSpec
	Environment string    `json:"environment,omitempty"` // that it was deployed with
	Created     time.Time `json:"created"`               // when it was deployed first
	Changed     time.Time `json:"changed"`               // when its definition changed last
	// LastCalls are the newest first; left out in lists.
	LastCalls []HookCall `json:"last_calls,omitempty"`
}

// HookCallState is what became of a call.
type HookCallState string

// The states of a call.
const (
	CallStarted  HookCallState = "started"  // a run
	CallRepeated HookCallState = "repeated" // the message came before, and has a run already
	CallRefused  HookCallState = "refused"  // for the reason
)

// HookCall is a call of a hook with a right signature.
type HookCall struct {
	Time    time.Time     `json:"time"`    // when it came
	Message string        `json:"message"` // its id
	State   HookCallState `json:"state" enum:"started,repeated,refused"`
	Run     string        `json:"run,omitempty"`    // the run of the message
	Reason  string        `json:"reason,omitempty"` // why it was refused
}
