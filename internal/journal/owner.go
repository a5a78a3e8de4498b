package journal

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Owners stores who shares a server, their tokens, and what was done with these. It is
// safe for concurrent use. Package journaltest has the suite that every implementation
// passes.
type Owners interface {
	// PutOwner keeps an owner, in the place of the one by the same name.
	PutOwner(ctx context.Context, o api.Owner) error
	// Owner returns an owner, or ErrNotFound.
	Owner(ctx context.Context, name string) (*api.Owner, error)
	// Owners returns all owners by name.
	Owners(ctx context.Context) ([]api.Owner, error)
	// RemoveOwner forgets an owner with the tokens of it, or returns ErrNotFound.
	RemoveOwner(ctx context.Context, name string) error

	// AddToken keeps a token of an owner. It returns ErrNotFound if the owner is not
	// there, and ErrExists if there is a token with its id, or of its name.
	AddToken(ctx context.Context, t TokenRecord) error
	// Token returns a token by its id, or ErrNotFound.
	Token(ctx context.Context, id string) (*TokenRecord, error)
	// Tokens returns the tokens of an owner by name.
	Tokens(ctx context.Context, owner string) ([]TokenRecord, error)
	// RemoveToken forgets a token, or returns ErrNotFound.
	RemoveToken(ctx context.Context, owner, name string) error
	// Used keeps when a token was shown. It need not be durable.
	Used(ctx context.Context, id string, at time.Time) error

	// AddBlob keeps that an owner sent bytes. HasBlob reports whether it did, or whether a
	// run of it refers to them: a digest alone is no permission.
	AddBlob(ctx context.Context, owner, digest string) error
	HasBlob(ctx context.Context, owner, digest string) (bool, error)

	// CountRuns counts the runs of an owner that have not ended, and CountSessions its
	// sessions, up to most.
	CountRuns(ctx context.Context, owner string, most int) (int, error)
	CountSessions(ctx context.Context, owner string, most int) (int, error)

	// AddDeed keeps what was done, and gives it a number that is higher than those
	// before.
	AddDeed(ctx context.Context, d api.Deed) error
	// Deeds returns deeds, those with the highest numbers first.
	Deeds(ctx context.Context, q api.DeedQuery) ([]api.Deed, error)
}

// TokenRecord is a token as it is stored.
type TokenRecord struct {
	api.Token
	ID   string `json:"-"`    // begins its text, so that it is found by it
	Hash string `json:"hash"` // SHA-256 of its text, in hexadecimal
}
