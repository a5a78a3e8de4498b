package journal

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Schedules stores schedules and their starts. It is safe for concurrent use, also
// by several processes. Package journaltest has the suite that every
// implementation passes.
type Schedules interface {
	// PutSchedules keeps schedules as they are now, and forgets those in remove with
	// their starts: all or nothing. The Seq of each is one more than the one kept
	// before, and 1 for one that is new: otherwise somebody else has changed it,
	// which is ErrSequence.
	PutSchedules(ctx context.Context, put []ScheduleRecord, remove []string) error
	// PlanStarts is PutSchedules of one schedule together with new starts. A start
	// that is there already is left as it is. Of starts that are neither planned nor
	// open, the newest KeptStarts are kept.
	PlanStarts(ctx context.Context, r ScheduleRecord, starts ...StartRecord) error
	// ChangeStart replaces a start. It returns ErrNotFound if it is not there.
	ChangeStart(ctx context.Context, s StartRecord) error

	// Schedule returns a schedule, or ErrNotFound.
	Schedule(ctx context.Context, name string) (*ScheduleRecord, error)
	// Schedules returns all schedules by name.
	Schedules(ctx context.Context) ([]ScheduleRecord, error)
	// DueSchedules returns those whose next time has come, the earliest first.
	DueSchedules(ctx context.Context, now time.Time) ([]ScheduleRecord, error)
	// Starts returns the newest starts of a schedule, by their planned times.
	Starts(ctx context.Context, schedule string, limit int) ([]StartRecord, error)
	// OpenStarts returns starts that are planned or open, the earliest first.
	OpenStarts(ctx context.Context) ([]StartRecord, error)
}

// KeptStarts is how many starts a schedule keeps, beside those that are planned
// or open.
const KeptStarts = 100

// ScheduleRecord is a schedule as it is stored.
type ScheduleRecord struct {
	api.Schedule // without NextTimes and LastStarts
	// DeclaredPaused is what the definition says: whether it is paused may differ.
	DeclaredPaused bool `json:"declared_paused,omitempty"`

	Seq int64 `json:"-"` // of the last change, from 1
}

// StartRecord is a start as it is stored.
type StartRecord struct {
	api.ScheduledStart        // without Status
	Schedule           string `json:"schedule"`       // its name
	Open               bool   `json:"open,omitempty"` // its run was not seen to end
}
