package server

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// registerApprovals adds the routes of what people decide.
func (s *Server) registerApprovals() {
	route(s, traits{}, operation(http.MethodGet, "/v1/approvals", "approvals", "listApprovals", "Runs that ask for approval, those that ask for longest first"), s.approvals)
	route(s, traits{}, operation(http.MethodGet, "/v1/approvals/{id}", "approvals", "getApproval", "What a run asks, with its arguments and the decision"),
		func(ctx context.Context, in *RunPath) (*answer[*api.PendingApproval], error) {
			return answerWith(s.Service.Approval(ctx, in.ID))
		})
	route(s, traits{}, operation(http.MethodPost, "/v1/approvals/{id}", "approvals", "decideApproval", "Approve or refuse a run; the first decision counts"), s.decide)
}

type approvalsInput struct {
	State  string `query:"state" enum:"waiting,decided,closed" doc:"waiting if it is left out"`
	Task   string `query:"task" maxLength:"255" doc:"Only of the task of this name"`
	Root   string `query:"root" maxLength:"128" doc:"Only below the run of this id, and itself"`
	Limit  int    `query:"limit" minimum:"0" maximum:"1000" doc:"0 means 50"`
	Cursor string `query:"cursor" maxLength:"1024" pattern:"^[A-Za-z0-9_-]+$" doc:"The member next of the page before; it is opaque, and valid only with the same parameters"`
}

func (s *Server) approvals(ctx context.Context, in *approvalsInput) (*answer[api.ApprovalPage], error) {
	page, err := s.Service.Approvals(ctx, api.ApprovalQuery{State: api.ApprovalState(in.State), Task: in.Task, Root: in.Root, Limit: in.Limit, Cursor: in.Cursor})
	page.Approvals = orEmpty(page.Approvals)
	return answerWith(page, err)
}

// decisionBody is what a client says. Who it is and when is the server's to say.
type decisionBody struct {
	Approved  *bool           `json:"approved" required:"true" doc:"true approves, false refuses"`
	Reason    string          `json:"reason,omitempty" doc:"For people; of a refusal, the code that called gets it. At most 8 KiB"`
	Arguments json.RawMessage `json:"arguments,omitempty" shape:"object" doc:"Arguments that are to be others, by name, as their declared types; not beside a refusal"`
	By        string          `json:"by,omitempty" doc:"Who decided, for people; at most 256 bytes"`
	From      string          `json:"from,omitempty" enum:"api,cli,hook,callback" doc:"The way that the decision came; api if it is left out"`
}

type decideInput struct {
	RunPath
	Key  string `header:"Idempotency-Key" maxLength:"64" doc:"Makes a repetition of the same decision no conflict"`
	Body jsonBody[decisionBody]
}

func (s *Server) decide(ctx context.Context, in *decideInput) (*answer[*api.PendingApproval], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if given.Approved == nil {
		return nil, api.Errorf(api.RequestInvalid, "approved: expected true or false, got nothing").WithDetails(api.Details{Field: "approved", Expected: "true or false"})
	}
	from, err := wayOf(given.From)
	if err != nil {
		return nil, err
	}
	return answerWith(s.Service.Decide(ctx, in.ID, api.Decision{
		Approved: *given.Approved, Reason: given.Reason, Arguments: given.Arguments, By: given.By, From: from, Key: in.Key, Identity: identity(ctx),
	}))
}

// wayOf is the way that a client names; that of the page is the page's to say.
func wayOf(name string) (api.DecidedFrom, error) {
	if from := api.DecidedFrom(name); from != api.FromPage {
		return from, nil
	}
	return "", api.Errorf(api.RequestInvalid, "from: expected api, cli, hook or callback, got page").WithDetails(api.Details{Field: "from", Got: "page"})
}

// identity is who asks, as far as this server knows: its owner over the Unix socket,
// somebody who has its token, or an owner and the name of the token.
func identity(ctx context.Context) string {
	if isLocal(ctx) {
		return "socket"
	}
	if who := api.IdentityOf(ctx); who.Token != "" {
		return who.Owner + "/" + who.Token
	}
	return "token"
}
