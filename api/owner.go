package api

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Owners lets several people share a server. Without an owner a server belongs, with
// all that is on it, to whoever has its token. Only admins may ask for these.
type Owners interface {
	// Owners lists owners by name.
	Owners(ctx context.Context) ([]Owner, error)
	// SetOwner makes an owner, or gives one other quotas.
	SetOwner(ctx context.Context, o Owner) (*Owner, error)
	// RemoveOwner forgets an owner and the tokens of it, which count no more. What belongs
	// to it stays, for admins and for an owner of the same name.
	RemoveOwner(ctx context.Context, name string) error
	// Tokens lists the tokens of an owner by name.
	Tokens(ctx context.Context, owner string) ([]Token, error)
	// NewToken makes a token. Its text is in the answer, and nowhere else.
	NewToken(ctx context.Context, t Token) (*NewToken, error)
	// RemoveToken revokes a token, which counts no more when this returns.
	RemoveToken(ctx context.Context, owner, name string) error
	// Deeds lists what was done with the tokens of owners, the newest first.
	Deeds(ctx context.Context, q DeedQuery) (DeedPage, error)
}

// Owner is a person or a team that shares a server with others.
type Owner struct {
	Name    string    `json:"name"`             // lower-case letters, digits and hyphens
	Created time.Time `json:"created,omitzero"` // when it was made
	// Runs is how many of its runs, calls included, may be there that have not ended; 0 is
	// any number. Sessions is the same of its sessions.
	Runs     int `json:"runs,omitempty" minimum:"0"`
	Sessions int `json:"sessions,omitempty" minimum:"0"` // how many of its sessions may be there that have not ended; 0 is any number
}

// Scope is a part of what a token is good for.
type Scope string

// The scopes. Each is for itself, but for ScopeAdmin, which has all.
const (
	ScopeRead    Scope = "read"    // see runs, sessions, tasks, and what they gave
	ScopeRun     Scope = "run"     // start, change and end runs and sessions
	ScopeDeploy  Scope = "deploy"  // change tasks, schedules, hooks and secrets
	ScopeApprove Scope = "approve" // decide what waits for people, and send signals
	ScopeAdmin   Scope = "admin"   // everything, for all owners, and the server itself
)

// Scopes returns every scope.
func Scopes() []Scope {
	return []Scope{ScopeRead, ScopeRun, ScopeDeploy, ScopeApprove, ScopeAdmin}
}

// Token is what is known of a token. Its text is not.
type Token struct {
	Name    string    `json:"name"`             // of several of one owner, such as ci
	Owner   string    `json:"owner"`            // whose it is
	Scopes  []Scope   `json:"scopes"`           // what it is good for
	Created time.Time `json:"created,omitzero"` // when it was made
	Expires time.Time `json:"expires,omitzero"` // from when on it counts no more; zero is never
	Used    time.Time `json:"used,omitzero"`    // when it was last shown, to the minute
}

// NewToken is a token that was just made.
type NewToken struct {
	Token
	Text string `json:"text"` // to show to the server; it is not kept
}

// Deed is something that was done with a token of an owner.
type Deed struct {
	Num    int64     `json:"num"`              // rises with each
	Time   time.Time `json:"time"`             // when it was done
	Owner  string    `json:"owner"`            // whose token it was
	Token  string    `json:"token"`            // the name of the token
	Action string    `json:"action"`           // what was done, such as cancel
	Object string    `json:"object,omitempty"` // to what: the id of a run, or a name
}

// DeedQuery selects deeds.
type DeedQuery struct {
	Owner  string // whose tokens; empty is all
	Object string // to what; empty is everything
	Limit  int    // 0 means 50, at most 1000
	Before int64  // only those with a lower number; 0 is all
}

// DeedPage is one page of a list.
type DeedPage struct {
	Deeds []Deed `json:"deeds"`
	Next  int64  `json:"next,omitempty"` // Before of the next page; 0 at the end
}

// maxQuota bounds what is counted for a quota.
const maxQuota = 1_000_000

// Check refuses what is no owner.
func (o *Owner) Check() error {
	if err := checkOwned("owner", o.Name); err != nil {
		return err
	}
	for field, n := range map[string]int{"runs": o.Runs, "sessions": o.Sessions} {
		if n < 0 || n > maxQuota {
			return WrongField(field, fmt.Sprint(n), fmt.Sprintf("0 for any number, or 1 to %d", maxQuota))
		}
	}
	return nil
}

func checkOwned(field, name string) error {
	other := func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	if name != "" && len(name) <= 63 && strings.Trim(name, "-") == name && !strings.ContainsFunc(name, other) {
		return nil
	}
	return WrongField(field, fmt.Sprintf("%.100q", name), "1 to 63 lower-case letters, digits and hyphens, with no hyphen at an end")
}

// Check refuses a token that cannot be made.
func (t *Token) Check(now time.Time) error {
	if err := checkOwned("owner", t.Owner); err != nil {
		return err
	}
	if err := checkOwned("name", t.Name); err != nil {
		return err
	}
	if len(t.Scopes) == 0 {
		return WrongField("scopes", "none", "one or more of "+scopeNames())
	}
	for _, s := range t.Scopes {
		if !slices.Contains(Scopes(), s) {
			return WrongField("scopes", fmt.Sprintf("%.100q", string(s)), "one or more of "+scopeNames())
		}
	}
	if !t.Expires.IsZero() && !t.Expires.After(now) {
		return WrongField("expires", t.Expires.UTC().Format(time.RFC3339), "a time to come")
	}
	return nil
}

func scopeNames() string {
	var names []string
	for _, s := range Scopes() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}
