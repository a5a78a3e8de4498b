// Package owner lets several people share a server. A Keeper keeps owners and their
// tokens, and finds out who shows one. A Guard stands before the service of a home, and
// is the one place that decides what somebody may ask for: by the scopes of the token,
// and by whom something belongs to. What belongs to another owner is answered as if it
// was not there.
package owner

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Keeper is the api.Owners of a home.
type Keeper struct {
	Store  journal.Owners
	Now    func() time.Time
	Logger *slog.Logger
}

var _ api.Owners = (*Keeper)(nil)

// The bounds of what an admin can make.
const (
	maxOwners = 1000
	maxTokens = 100 // of one owner
)

// Owners implements api.Owners.
func (k *Keeper) Owners(ctx context.Context) ([]api.Owner, error) {
	owners, err := k.Store.Owners(ctx)
	return owners, storeError(err)
}

// SetOwner implements api.Owners.
func (k *Keeper) SetOwner(ctx context.Context, o api.Owner) (*api.Owner, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	known, err := k.Store.Owners(ctx)
	if err != nil {
		return nil, storeError(err)
	}
	o.Created = k.Now().UTC()
	others := 0
	for _, other := range known {
		if other.Name == o.Name {
			o.Created = other.Created
		} else {
			others++
		}
	}
	if others >= maxOwners {
		return nil, api.Errorf(api.LimitExceeded, "there are %d owners already", maxOwners).WithHint("remove one with: glovebox owner rm NAME").
			WithDetails(api.Details{Field: "owner", Limit: maxOwners})
	}
	return &o, storeError(k.Store.PutOwner(ctx, o))
}

// RemoveOwner implements api.Owners.
func (k *Keeper) RemoveOwner(ctx context.Context, name string) error {
	return storeError(k.Store.RemoveOwner(ctx, name))
}

// Tokens implements api.Owners.
func (k *Keeper) Tokens(ctx context.Context, owner string) ([]api.Token, error) {
	if _, err := k.Store.Owner(ctx, owner); err != nil {
		return nil, storeError(err)
	}
	records, err := k.Store.Tokens(ctx, owner)
	tokens := make([]api.Token, len(records))
	for i, r := range records {
		tokens[i] = r.Token
	}
	return tokens, storeError(err)
}

// NewToken implements api.Owners.
func (k *Keeper) NewToken(ctx context.Context, t api.Token) (*api.NewToken, error) {
	now := k.Now().UTC()
	if err := t.Check(now); err != nil {
		return nil, err
	}
	known, err := k.Tokens(ctx, t.Owner)
	if err != nil {
		return nil, err
	}
	if len(known) >= maxTokens {
		return nil, api.Errorf(api.LimitExceeded, "owner %s has %d tokens already", t.Owner, maxTokens).WithHint("revoke one with: glovebox token rm NAME --owner %s", t.Owner).
			WithDetails(api.Details{Field: "name", Limit: maxTokens})
	}
	t.Created, t.Used = now, time.Time{}
	id, text := newText()
	err = k.Store.AddToken(ctx, journal.TokenRecord{Token: t, ID: id, Hash: hashOf(text)})
	if errors.Is(err, journal.ErrExists) {
		return nil, api.Errorf(api.Conflict, "owner %s has a token %s already", t.Owner, t.Name).WithHint("revoke it first with: glovebox token rm %s --owner %s, or choose another name", t.Name, t.Owner).
			WithDetails(api.Details{Field: "name", Got: t.Name})
	}
	if err != nil {
		return nil, storeError(err)
	}
	return &api.NewToken{Token: t, Text: text}, nil
}

// RemoveToken implements api.Owners.
func (k *Keeper) RemoveToken(ctx context.Context, owner, name string) error {
	return storeError(k.Store.RemoveToken(ctx, owner, name))
}

// Deeds implements api.Owners.
func (k *Keeper) Deeds(ctx context.Context, q api.DeedQuery) (page api.DeedPage, err error) {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	page.Deeds, err = k.Store.Deeds(ctx, q)
	if len(page.Deeds) == q.Limit {
		page.Next = page.Deeds[q.Limit-1].Num
	}
	return page, storeError(err)
}

// storeError is what the store says, in the words of the API.
func storeError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, journal.ErrNotFound):
		return api.Errorf(api.NotFound, "%s", strings.TrimSuffix(err.Error(), ": "+journal.ErrNotFound.Error())+" is not there")
	}
	return api.AsError(err)
}

// A token is its prefix, an id by which it is found, and what nobody can guess. Scanners
// of secrets know it by the prefix.
const (
	tokenPrefix = "gbx-"
	idLength    = 10
)

func newText() (id, text string) {
	id, secret := strings.ToLower(rand.Text())[:idLength], strings.ToLower(rand.Text())
	return id, tokenPrefix + id + "-" + secret
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// usedEvery is how exactly it is kept when a token was last shown.
const usedEvery = time.Minute

// errUnknown says no more of a token that does not count, so that a guess learns nothing.
func errUnknown() error {
	return api.Errorf(api.Unauthorized, "the request has no token that this server accepts")
}

// Authenticate returns who shows a token. The store is asked each time, so that what is
// revoked counts no more anywhere.
func (k *Keeper) Authenticate(ctx context.Context, text string) (api.Identity, error) {
	rest, ok := strings.CutPrefix(text, tokenPrefix)
	if !ok || len(rest) < idLength {
		return api.Identity{}, errUnknown()
	}
	t, err := k.Store.Token(ctx, rest[:idLength])
	if errors.Is(err, journal.ErrNotFound) {
		return api.Identity{}, errUnknown()
	}
	if err != nil {
		return api.Identity{}, storeError(err)
	}
	now := k.Now()
	if subtle.ConstantTimeCompare([]byte(hashOf(text)), []byte(t.Hash)) != 1 || !t.Expires.IsZero() && !now.Before(t.Expires) {
		return api.Identity{}, errUnknown()
	}
	if now.Sub(t.Used) >= usedEvery {
		if err := k.Store.Used(ctx, t.ID, now); err != nil {
			k.Logger.Warn("when a token was used cannot be kept", "owner", t.Owner, "token", t.Name, "error", err)
		}
	}
	return api.Identity{Owner: t.Owner, Token: t.Name, Scopes: t.Scopes}, nil
}

// Note keeps what somebody did with the token of an owner.
func (k *Keeper) Note(ctx context.Context, action, object string) {
	who := api.IdentityOf(ctx)
	if who.Token == "" {
		return
	}
	d := api.Deed{Time: k.Now().UTC(), Owner: who.Owner, Token: who.Token, Action: action, Object: object}
	if err := k.Store.AddDeed(context.WithoutCancel(ctx), d); err != nil {
		k.Logger.Warn("what was done cannot be kept", "owner", who.Owner, "token", who.Token, "action", action, "object", object, "error", err)
	}
}
