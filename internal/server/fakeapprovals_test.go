package server

import (
	"context"
	"encoding/json"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeApprovals has one run that asks, by the id run-2.
type fakeApprovals struct{}

func (fakeApprovals) pending() api.PendingApproval {
	return api.PendingApproval{Run: "run-2", State: api.ApprovalWaiting, Task: "pay", Root: "run-1", Asked: api.Asked{Since: time.Unix(1, 0).UTC()}, Arguments: json.RawMessage(`{"amount":4}`)}
}

func (f fakeApprovals) Approvals(_ context.Context, q api.ApprovalQuery) (api.ApprovalPage, error) {
	if q.Task != "" {
		return api.ApprovalPage{}, nil
	}
	return api.ApprovalPage{Approvals: []api.PendingApproval{f.pending()}, Waiting: 1}, nil
}

func (f fakeApprovals) Approval(_ context.Context, run string) (*api.PendingApproval, error) {
	if run != "run-2" {
		return nil, api.Errorf(api.NotFound, "run %s asks for no approval", run)
	}
	p := f.pending()
	return &p, nil
}

func (f fakeApprovals) Decide(ctx context.Context, run string, d api.Decision) (*api.PendingApproval, error) {
	p, err := f.Approval(ctx, run)
	if err == nil {
		p.State, p.Decision = api.ApprovalDecided, &d
	}
	return p, err
}

func (f fakeApprovals) Signal(ctx context.Context, run, name string, s api.Signal) (*api.PendingApproval, error) {
	if name != "paid" {
		return nil, api.Errorf(api.Conflict, "run %s does not wait for the signal %s", run, name)
	}
	p := f.pending()
	p.State, p.Decision = api.ApprovalDecided, &api.Decision{Approved: true, Arguments: s.Value, By: s.By, Identity: s.Identity, Key: s.Key, Reason: s.Wait.String()}
	return &p, nil
}
