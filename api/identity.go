package api

import (
	"context"
	"slices"
)

// Identity is on whose behalf something is asked for. It travels in the context, so
// that what is made belongs to its owner, and is checked where a server offers a
// Service to others. In this process no Identity is needed: whoever has the home may
// do everything.
type Identity struct {
	// Owner is a person or a team that shares a server with others. Empty is the
	// home itself.
	Owner string
	// Token is the name of the token that was shown, if it is one of an owner.
	Token  string
	Scopes []Scope // what may be asked for; without one, nothing
}

// Home is the identity of whoever has the home, or the token of its server.
func Home() Identity { return Identity{Scopes: []Scope{ScopeAdmin}} }

// May reports whether something of a scope may be asked for.
func (i Identity) May(s Scope) bool {
	return slices.Contains(i.Scopes, s) || slices.Contains(i.Scopes, ScopeAdmin)
}

// Sees reports whether what belongs to an owner is there for this identity.
func (i Identity) Sees(owner string) bool { return i.Owner == owner || i.May(ScopeAdmin) }

// Lacks is the error for an identity without a scope that something needs.
func (i Identity) Lacks(s Scope) *Error {
	return AsError(Errorf(Forbidden, "the token %s of %s lacks the scope %s", i.Token, i.Owner, s).
		WithHint("ask whoever has the server for a token with this scope").
		WithDetails(Details{Field: "scope", Expected: string(s)}))
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
