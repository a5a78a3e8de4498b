package journal

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// Approvals keeps what runs ask people, and what people decided. An
// EventApprovalAsked of a change asks; an EventApprovalDecided says that the owner
// of the run has taken the decision over. A run that ends waits no more.
type Approvals interface {
	// Decide keeps a decision about a run that waits for one. If there is one, or the
	// run has ended, it keeps nothing and returns what there is. It returns
	// ErrNotFound for a run that did not ask.
	Decide(ctx context.Context, run string, d Decision) (*Approval, error)
	// Approval returns what a run asked, or ErrNotFound.
	Approval(ctx context.Context, run string) (*Approval, error)
	// Decisions returns decisions about runs of an owner that the owner has not taken
	// over, at most MaxDecisions of them.
	Decisions(ctx context.Context, owner string) ([]Approval, error)
	// ListApprovals returns what a query selects, in the order in which it was
	// asked, and the cursor of the next page. A cursor that is unreadable, or of
	// another list, is ErrCursor.
	ListApprovals(ctx context.Context, q api.ApprovalQuery) ([]Approval, string, error)
	// CountWaiting counts the runs of an owner that wait for a decision, up to most; those
	// of all if it is empty.
	CountWaiting(ctx context.Context, owner string, most int) (int, error)
}

// MaxDecisions bounds what Decisions returns.
const MaxDecisions = 1000

// Approval is what is kept beside a run that asks.
type Approval struct {
	Run      string
	State    api.ApprovalState
	Decision *Decision // nil without one
}

// Decision is one as it is kept.
type Decision struct {
	api.Decision
	// Blobs are those that its arguments refer to.
	Blobs []string `json:"blobs,omitempty"`
}
