package journal

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Deliveries stores what runs tell their receivers, which begins with the Change
// that it tells of. It is safe for concurrent use. Package journaltest has the
// suite that every implementation passes.
type Deliveries interface {
	// ListDeliveries returns deliveries, the newest first, and the cursor of the
	// next page. A cursor that is unreadable, or of another list, is ErrCursor.
	ListDeliveries(ctx context.Context, q api.DeliveryQuery) ([]DeliveryRecord, string, error)
	// Delivery returns a delivery, or ErrNotFound.
	Delivery(ctx context.Context, id string) (*DeliveryRecord, error)
	// DueDeliveries returns deliveries whose time has come, except to these hosts:
	// those that wait the longest first. Damaged ones are left out. One that was changed after now waits for a
	// time by a clock that was set back since, and is due too.
	DueDeliveries(ctx context.Context, now time.Time, except []string, limit int) ([]DeliveryRecord, error)
	// ChangeDelivery replaces a delivery. Its Seq is one more than the one kept
	// before: otherwise somebody else has changed it, which is ErrSequence, as is
	// one that is not there any more.
	ChangeDelivery(ctx context.Context, d DeliveryRecord) error
}

// DeliveryTries is how often a delivery is tried before it is given up.
const DeliveryTries = 10

// DeliveryRecord is a delivery as it is stored.
type DeliveryRecord struct {
	api.Delivery
	Notice  api.RunNotice `json:"notice"`   // the content of the message
	GivenUp int           `json:"given_up"` // after so many attempts
	Changed time.Time     `json:"changed"`  // the last change

	Host string `json:"-"` // HOST:PORT that it goes to
	Seq  int64  `json:"-"` // of the last change, from 1
}
