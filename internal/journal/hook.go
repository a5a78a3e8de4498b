package journal

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// Hooks stores hooks and their calls. It is safe for concurrent use. Package
// journaltest has the suite that every implementation passes.
type Hooks interface {
	// PutHooks keeps hooks, in the place of those by the same names, and forgets
	// those in remove with their calls: all or nothing.
	PutHooks(ctx context.Context, put []HookRecord, remove []string) error
	// Hook returns a hook, or ErrNotFound.
	Hook(ctx context.Context, name string) (*HookRecord, error)
	// Hooks returns all hooks by name.
	Hooks(ctx context.Context) ([]HookRecord, error)
	// AddCall keeps a call of a hook, if that is there. Of its calls, the newest
	// KeptCalls are kept.
	AddCall(ctx context.Context, hook string, call api.HookCall) error
	// HookCalls returns the newest calls of a hook.
	HookCalls(ctx context.Context, hook string, limit int) ([]api.HookCall, error)
}

// KeptCalls is how many calls a hook keeps.
const KeptCalls = 100

// HookRecord is a hook as it is stored.
type HookRecord struct {
	api.Hook // without LastCalls
	// DeclaredPaused is what the definition says: whether it is paused may differ.
	DeclaredPaused bool `json:"declared_paused,omitempty"`
}
