package api

import "context"

// Identity is on whose behalf something is asked for. It travels in the context, so
// that what is made belongs to its owner. The zero Identity is the person who has the
// home, and who may do everything.
type Identity struct {
	// Owner is a person or a team that shares a server with others. Empty is the
	// home itself.
	Owner string
}

type identityKey struct{}

// WithIdentity returns a context of what is asked for on behalf of somebody.
func WithIdentity(ctx context.Context, who Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, who)
}

// IdentityOf returns on whose behalf the request of ctx is made.
func IdentityOf(ctx context.Context) Identity {
	who, _ := ctx.Value(identityKey{}).(Identity)
	return who
}
