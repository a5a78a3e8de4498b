package api

import (
	"fmt"
	"time"
)

// The priorities that a run can have. 0 is that of a run without one.
const (
	LowestPriority  = -10
	HighestPriority = 10
)

// PriorityWorth is how much longer than another a run counts as having waited, for each
// step that its priority is higher. So none waits for ever: a run is overtaken only by
// those that come soon after it.
const PriorityWorth = 30 * time.Second

// CheckPriority returns invalid_task for a priority that there is not.
func CheckPriority(p int) error {
	if p < LowestPriority || p > HighestPriority {
		return WrongField("priority", fmt.Sprint(p), fmt.Sprintf("%d to %d, of which the highest comes first", LowestPriority, HighestPriority))
	}
	return nil
}

// Due is when a run is due that began to wait at a time: of those that wait, the one that
// is due first is first.
func Due(since time.Time, priority int) time.Time {
	return since.Add(-time.Duration(priority) * PriorityWorth)
}
