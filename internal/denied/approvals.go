package denied

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

func (s Service) Approvals(context.Context, api.ApprovalQuery) (api.ApprovalPage, error) {
	return api.ApprovalPage{}, s.Refuse("list approvals")
}

func (s Service) Approval(context.Context, string) (*api.PendingApproval, error) {
	return nil, s.Refuse("see approvals")
}

func (s Service) Decide(context.Context, string, api.Decision) (*api.PendingApproval, error) {
	return nil, s.Refuse("approve or refuse runs")
}

func (s Service) Signal(context.Context, string, string, api.Signal) (*api.PendingApproval, error) {
	return nil, s.Refuse("send signals to runs")
}
