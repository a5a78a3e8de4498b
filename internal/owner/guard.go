package owner

import (
	"context"
	"errors"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/denied"
)

// Config is what a Guard stands before, and what it has to know of it.
type Config struct {
	Service api.Service
	// RunOwner returns whose run it is; not_found if there is none.
	RunOwner func(ctx context.Context, id string) (string, error)
	// HasBlob reports whether an owner sent bytes, or has them of a run, and AddBlob keeps
	// that it sent them.
	HasBlob func(ctx context.Context, owner, digest string) (bool, error)
	AddBlob func(ctx context.Context, owner, digest string) error
	// Quotas returns an owner, and CountRuns and CountSessions what it has that has not
	// ended, up to most.
	Quotas        func(ctx context.Context, owner string) (*api.Owner, error)
	CountRuns     func(ctx context.Context, owner string, most int) (int, error)
	CountSessions func(ctx context.Context, owner string, most int) (int, error)
	// Note keeps what somebody did. Nil keeps nothing.
	Note func(ctx context.Context, action, object string)
}

// Guard is a service for those whose identity is in the context of each call. Without
// one, nothing is allowed. A method that is not written here is refused.
type Guard struct {
	denied.Service
	to     api.Service
	config Config
	turns  turns
}

var _ api.Service = (*Guard)(nil)

// New returns a guard.
func New(c Config) *Guard {
	if c.Note == nil {
		c.Note = func(context.Context, string, string) {}
	}
	if c.RunOwner == nil {
		c.RunOwner = func(ctx context.Context, id string) (string, error) {
			run, err := c.Service.Run(ctx, id)
			if err != nil {
				return "", err
			}
			return run.Owner, nil
		}
	}
	refuse := func(what string) *api.Error {
		return api.AsError(api.Errorf(api.Forbidden, "this server does not let owners %s", what))
	}
	return &Guard{Service: denied.Service{Refuse: refuse}, to: c.Service, config: c}
}

// Close implements api.Service. What is behind the guard stays open.
func (g *Guard) Close() error { return nil }

// Need refuses those who lack a scope.
func Need(ctx context.Context, s api.Scope) error {
	who := api.IdentityOf(ctx)
	switch {
	case who.May(s):
		return nil
	case len(who.Scopes) == 0:
		return errUnknown()
	}
	return who.Lacks(s)
}

// sees refuses what belongs to another owner, as what is not there. It asks whose it is
// only for those to whom it matters.
func sees(ctx context.Context, s api.Scope, what, id string, ownerOf func(context.Context, string) (string, error)) error {
	if err := Need(ctx, s); err != nil {
		return err
	}
	who := api.IdentityOf(ctx)
	if who.May(api.ScopeAdmin) {
		return nil
	}
	owner, err := ownerOf(ctx, id)
	if err == nil && owner == who.Owner {
		return nil
	}
	if err == nil || errors.Is(err, &api.Error{Code: api.NotFound}) {
		return api.Errorf(api.NotFound, "there is no %s %s", what, id)
	}
	return err
}

// run refuses the run of another owner.
func (g *Guard) run(ctx context.Context, s api.Scope, id string) error {
	return sees(ctx, s, "run", id, g.config.RunOwner)
}

// note keeps what was done, if it was.
func (g *Guard) note(ctx context.Context, err error, action, object string) {
	if err == nil {
		g.config.Note(ctx, action, object)
	}
}

// failed is a stream that only says why there is none.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}
