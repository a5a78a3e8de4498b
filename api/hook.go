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
	// Hook returns a hook.
	Hook(ctx context.Context, name string) (*Hook, error)
	// RemoveHook forgets a hook. Its runs stay.
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
}

// Hook is a hook as it stands.
type Hook struct {
	HookSpec
	Environment string    `json:"environment,omitempty"` // that it was deployed with
	Created     time.Time `json:"created"`               // when it was deployed first
	Changed     time.Time `json:"changed"`               // when its definition changed last
}
