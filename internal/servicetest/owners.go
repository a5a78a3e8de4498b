package servicetest

import (
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// owners: owners and tokens are made, listed and removed, and the text of a token is
// shown once.
func owners(s *suite) {
	ctx := s.Context()
	made, err := s.service.SetOwner(ctx, api.Owner{Name: "ann"})
	s.must(err)
	again, err := s.service.SetOwner(ctx, api.Owner{Name: "ann", Runs: 7, Sessions: 2})
	s.must(err)
	if made.Name != "ann" || made.Created.IsZero() || !again.Created.Equal(made.Created) || again.Runs != 7 || again.Sessions != 2 {
		s.Errorf("made %+v, then %+v", made, again)
	}
	list, err := s.service.Owners(ctx)
	s.must(err)
	if len(list) != 1 || list[0].Name != "ann" {
		s.Errorf("owners: %+v", list)
	}
	expires := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	token, err := s.service.NewToken(ctx, api.Token{Name: "ci", Owner: "ann", Scopes: []api.Scope{api.ScopeRun, api.ScopeRead}, Expires: expires})
	s.must(err)
	if len(token.Text) < 30 || !token.Expires.Equal(expires) {
		s.Errorf("the token: %+v", token)
	}
	_, err = s.service.NewToken(ctx, api.Token{Name: "ci", Owner: "ann", Scopes: []api.Scope{api.ScopeRead}})
	s.wantCode(err, api.Conflict)
	tokens, err := s.service.Tokens(ctx, "ann")
	s.must(err)
	if len(tokens) != 1 || tokens[0].Name != "ci" || !slices.Equal(tokens[0].Scopes, token.Scopes) || !tokens[0].Used.IsZero() {
		s.Errorf("tokens: %+v", tokens)
	}
	page, err := s.service.Deeds(ctx, api.DeedQuery{Owner: "ann", Limit: 5})
	if s.must(err); len(page.Deeds) != 0 {
		s.Errorf("what was done with no token: %+v", page)
	}
	s.must(s.service.RemoveToken(ctx, "ann", "ci"))
	s.wantCode(s.service.RemoveToken(ctx, "ann", "ci"), api.NotFound)
	s.must(s.service.RemoveOwner(ctx, "ann"))
	s.wantCode(s.service.RemoveOwner(ctx, "ann"), api.NotFound)
	_, err = s.service.Tokens(ctx, "ann")
	s.wantCode(err, api.NotFound)
}

// ownersRefused: what is no owner and no token is not made.
func ownersRefused(s *suite) {
	ctx := s.Context()
	for _, name := range []string{"Ann", "a_b", "-a", "a-", "a.b"} {
		_, err := s.service.SetOwner(ctx, api.Owner{Name: name})
		s.wantCode(err, api.InvalidTask)
	}
	_, err := s.service.SetOwner(ctx, api.Owner{Name: "ann", Runs: -1})
	s.wantCode(err, api.InvalidTask)
	_, err = s.service.NewToken(ctx, api.Token{Name: "ci", Owner: "nobody", Scopes: []api.Scope{api.ScopeRead}})
	s.wantCode(err, api.NotFound)
	_, err = s.service.SetOwner(ctx, api.Owner{Name: "ann"})
	s.must(err)
	for _, t := range []api.Token{
		{Name: "C I", Scopes: []api.Scope{api.ScopeRead}}, {Name: "ci"}, {Name: "ci", Scopes: []api.Scope{"write"}},
		{Name: "ci", Scopes: []api.Scope{api.ScopeRead}, Expires: time.Unix(1, 0)},
	} {
		t.Owner = "ann"
		_, err := s.service.NewToken(ctx, t)
		s.wantCode(err, api.InvalidTask)
	}
}
