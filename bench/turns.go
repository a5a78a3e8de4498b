package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// way is one way to do a work.
type way struct {
	name, what string
	against    string // the way whose time is the measure
	absent     string // why it cannot be gone here
	// once does the work and returns how long that took.
	once func(context.Context) (time.Duration, error)
	// settle waits until everything that once has caused is over; it is not
	// counted. Nil means that once leaves no work behind.
	settle func(context.Context) error
}

// rest is the pause before each turn, for what others leave behind in the
// kernel and in daemons, where no settle can see it.
const rest = 50 * time.Millisecond

// inTurns has every way do the work, once for the caches and then in rounds,
// each in another order. A way that fails is out.
func inTurns(ctx context.Context, work string, rounds int, ways []way) []report.Row {
	rows := make([]report.Row, len(ways))
	for i, w := range ways {
		rows[i] = report.Row{Work: work, Name: w.name, What: w.what, Unit: report.Milliseconds, Against: w.against, Absent: w.absent}
	}
	order := rand.New(rand.NewPCG(1, uint64(len(ways)))) // the same in each session
	for round := range rounds + 1 {
		for _, at := range order.Perm(len(ways)) {
			if rows[at].Absent != "" || ctx.Err() != nil {
				continue
			}
			time.Sleep(rest)
			took, err := ways[at].turn(ctx)
			switch {
			case err != nil:
				rows[at].Absent = "failed: " + err.Error()
				fmt.Printf("  %s: %s: %v\n", work, ways[at].name, err)
			case round > 0:
				rows[at].Samples = append(rows[at].Samples, milliseconds(took))
			}
		}
	}
	return rows
}

func (w way) turn(ctx context.Context) (time.Duration, error) {
	took, err := w.once(ctx)
	if err != nil || w.settle == nil {
		return took, err
	}
	return took, w.settle(ctx)
}

// timed measures all of f.
func timed(f func(context.Context) error) func(context.Context) (time.Duration, error) {
	return func(ctx context.Context) (time.Duration, error) {
		began := time.Now()
		err := f(ctx)
		return time.Since(began), err
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
