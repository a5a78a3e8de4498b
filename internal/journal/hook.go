package journal

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// Hooks stores hooks. It is safe for concurrent use. Package journaltest has the
// suite that every implementation passes.
type Hooks interface {
	// PutHooks keeps hooks, in the place of those by the same names, and forgets
	// those in remove: all or nothing.
	PutHooks(ctx context.Context, put []api.Hook, remove []string) error
	// Hook returns a hook, or ErrNotFound.
	Hook(ctx context.Context, name string) (*api.Hook, error)
	// Hooks returns all hooks by name.
	Hooks(ctx context.Context) ([]api.Hook, error)
}
