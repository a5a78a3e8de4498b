package journal

import "context"

// Permits bound how many runs work at the same time, over all processes. A run has its
// permits from the moment at which it may begin until it ends or has no holder any more; a
// permit of a lower fence than that of its run counts for nothing.
type Permits interface {
	// Permit gives a run a permit of each of some limits, or none, and returns the names of
	// those that let no more runs work. What it has already it keeps. If the run has ended
	// or has another fence, it is ErrFenced.
	Permit(ctx context.Context, id string, fence int64, limits []Limit) (full []string, err error)
	// Permitted returns which runs have permits of a name, who holds these, and whose they are.
	Permitted(ctx context.Context, name string) ([]Permitted, error)
}

// Permitted is a run with a permit.
type Permitted struct{ Run, Holder, Owner string }
