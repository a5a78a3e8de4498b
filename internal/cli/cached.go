package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// tellCached says on a terminal that the result of a run is an earlier one.
// Otherwise the user would not see that a clock, say, has been standing for
// weeks.
func (c *cli) tellCached(ctx context.Context, service api.Service, id string, line *progress) {
	if terminal(c.Err) == nil {
		return
	}
	run, err := service.Run(ctx, id)
	if err != nil {
		return // the result is there, and says with --json that it is cached
	}
	var made time.Time
	if origin, err := service.Run(ctx, run.CachedRun); err == nil { // else it has been removed
		made = origin.Ended
	}
	line.note(cachedNote(run.CachedRun, made, time.Now()))
}

// cachedNote names the run that made a result, and its age if that is known.
func cachedNote(run string, made, now time.Time) string {
	text := "cached: the result of " + run
	if !made.IsZero() {
		text += ", " + age(now.Sub(made)) + " old"
	}
	return text + " (--cache override runs it anew)"
}

// age writes how long ago something was, in its largest unit.
func age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, d)/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/day)
}
