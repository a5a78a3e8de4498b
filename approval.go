package glovebox

import (
	"context"
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
)

type (
	// Approval has a person decide before a task is executed.
	Approval = api.Approval
	// PendingApproval is a run that asks for approval, or did.
	PendingApproval = api.PendingApproval
	// ApprovalQuery selects approvals; the zero one selects all that wait.
	ApprovalQuery = api.ApprovalQuery
	// ApprovalPage is one page of a list of approvals.
	ApprovalPage = api.ApprovalPage
	// Decision is what a person says about a run that asks for approval.
	Decision = api.Decision
)

// WithApproval has a person decide before each run of the function, and each call
// of it as a tool.
func WithApproval(a Approval) FunctionOption {
	return func(o *functionOptions) { o.task.Approval = &a }
}

// Approvals lists runs that ask for approval, those that ask for longest first.
func (g *Glovebox) Approvals(ctx context.Context, q ApprovalQuery) (ApprovalPage, error) {
	return g.service.Approvals(ctx, q)
}

// Approve lets a run go on that waits, as [Glovebox.Approvals] lists it. Arguments
// replace those by their names; nil changes none.
func (g *Glovebox) Approve(ctx context.Context, run string, arguments Values, d Decision) (*PendingApproval, error) {
	d.Approved = true
	if len(arguments) > 0 {
		asked, err := g.service.Approval(ctx, run)
		if err != nil {
			return nil, err
		}
		if d.Arguments, err = encodeChanged(asked, arguments); err != nil {
			return nil, err
		}
	}
	return g.service.Decide(ctx, run, d)
}

// Refuse ends a run that waits. The code that called it gets a PermissionError with
// the reason.
func (g *Glovebox) Refuse(ctx context.Context, run, reason string, d Decision) (*PendingApproval, error) {
	d.Approved, d.Reason = false, reason
	return g.service.Decide(ctx, run, d)
}

func encodeChanged(asked *PendingApproval, arguments Values) (json.RawMessage, error) {
	text, err := api.EncodeFields(asked.Signature.Inputs, arguments)
	if err != nil {
		return nil, api.AsError(err)
	}
	return text, nil
}
