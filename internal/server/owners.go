package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerOwners adds the routes of those who share the server.
func (s *Server) registerOwners() {
	route(s, traits{}, operation(http.MethodGet, "/v1/owners", "owners", "listOwners", "Who shares the server, by name"),
		func(ctx context.Context, _ *nothing) (*answer[ownersAnswer], error) {
			owners, err := s.Service.Owners(ctx)
			return answerWith(ownersAnswer{orEmpty(owners)}, err)
		})
	set := operation(http.MethodPut, "/v1/owners/{owner}", "owners", "setOwner", "Make an owner, or give one that is there other quotas")
	set.RequestBody = &huma.RequestBody{}
	route(s, traits{}, set, s.setOwner)
	set.RequestBody.Required = false
	remove := operation(http.MethodDelete, "/v1/owners/{owner}", "owners", "removeOwner", "Forget an owner and its tokens; what belongs to it stays")
	remove.DefaultStatus = http.StatusNoContent
	route(s, traits{}, remove, func(ctx context.Context, in *OwnerPath) (*nothing, error) {
		return &nothing{}, s.Service.RemoveOwner(ctx, in.Owner)
	})
	route(s, traits{}, operation(http.MethodGet, "/v1/owners/{owner}/tokens", "owners", "listTokens", "The tokens of an owner, by name, without their texts"),
		func(ctx context.Context, in *OwnerPath) (*answer[tokensAnswer], error) {
			tokens, err := s.Service.Tokens(ctx, in.Owner)
			return answerWith(tokensAnswer{orEmpty(tokens)}, err)
		})
	made := operation(http.MethodPost, "/v1/owners/{owner}/tokens", "owners", "newToken", "Make a token; its text is in the answer, and nowhere else")
	made.DefaultStatus = http.StatusCreated
	route(s, traits{}, made, s.newToken)
	revoke := operation(http.MethodDelete, "/v1/owners/{owner}/tokens/{token}", "owners", "removeToken", "Revoke a token, which counts no more at once")
	revoke.DefaultStatus = http.StatusNoContent
	route(s, traits{}, revoke, func(ctx context.Context, in *TokenPath) (*nothing, error) {
		return &nothing{}, s.Service.RemoveToken(ctx, in.Owner, in.Token)
	})
	route(s, traits{}, operation(http.MethodGet, "/v1/deeds", "owners", "listDeeds", "What was done with the tokens of owners, the newest first"), s.deeds)
}

type ownerBody struct {
	Runs     int `json:"runs,omitempty" doc:"How many of its runs may be there that have not ended, calls included; 0 is any number"`
	Sessions int `json:"sessions,omitempty" doc:"How many of its sessions may be there that have not ended; 0 is any number"`
}

type setOwnerInput struct {
	OwnerPath
	Body jsonBody[ownerBody]
}

func (s *Server) setOwner(ctx context.Context, in *setOwnerInput) (*answer[*api.Owner], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	return answerWith(s.Service.SetOwner(ctx, api.Owner{Name: in.Owner, Runs: given.Runs, Sessions: given.Sessions}))
}

// OwnerPath is the parameter of the routes of one owner.
type OwnerPath struct {
	Owner string `path:"owner" maxLength:"63" doc:"The name of an owner: lower-case letters, digits and hyphens" example:"ann"`
}

// TokenPath is the parameters of the routes of one token.
type TokenPath struct {
	OwnerPath
	Token string `path:"token" maxLength:"63" doc:"The name of a token" example:"ci"`
}

type ownersAnswer struct {
	Owners []api.Owner `json:"owners"`
}

type tokensAnswer struct {
	Tokens []api.Token `json:"tokens"`
}

type newTokenBody struct {
	Name    string      `json:"name" required:"true" doc:"Of several of one owner, such as ci: lower-case letters, digits and hyphens"`
	Scopes  []api.Scope `json:"scopes" required:"true" doc:"What it is good for: read, run, deploy, approve, admin"`
	Expires time.Time   `json:"expires,omitzero" doc:"From when on it counts no more; never if it is left out"`
}

type newTokenInput struct {
	OwnerPath
	Body jsonBody[newTokenBody]
}

func (s *Server) newToken(ctx context.Context, in *newTokenInput) (*answer[*api.NewToken], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	return answerWith(s.Service.NewToken(ctx, api.Token{Name: given.Name, Owner: in.Owner, Scopes: given.Scopes, Expires: given.Expires}))
}

type deedsInput struct {
	Owner  string `query:"owner" maxLength:"63" doc:"Only with tokens of this owner"`
	Object string `query:"object" maxLength:"200" doc:"Only to this, such as the id of a run"`
	Limit  int    `query:"limit" minimum:"0" maximum:"1000" doc:"0 means 50"`
	Before int64  `query:"before" minimum:"0" doc:"The member next of the page before"`
}

func (s *Server) deeds(ctx context.Context, in *deedsInput) (*answer[api.DeedPage], error) {
	page, err := s.Service.Deeds(ctx, api.DeedQuery{Owner: in.Owner, Object: in.Object, Limit: in.Limit, Before: in.Before})
	page.Deeds = orEmpty(page.Deeds)
	return answerWith(page, err)
}
