package api

import (
	"context"
	"time"
)

// Maintenance bounds what is kept, and says what is wrong with the host of the
// engine.
type Maintenance interface {
	// Prune removes what was not used lately, and the blobs that nothing refers
	// to. Runs that have not ended keep everything they need, and deployed tasks
	// stay. Other processes may work meanwhile.
	Prune(ctx context.Context, r PruneRequest) (*Pruned, error)
	// Retention says what is removed without being asked for, and when.
	Retention(ctx context.Context) (*Retention, error)
	// Doctor says what the host of the engine offers for runs, what it lacks, and
	// what is kept there. Deep reads all that is kept, which may take long, and
	// finds what is damaged.
	Doctor(ctx context.Context, deep bool) ([]Finding, error)
	// Cells lists the cells in which runs and sessions of the engine are now, the oldest
	// first: those of one process, if several use its home.
	Cells(ctx context.Context) ([]LiveCell, error)
}

// PruneRequest says what is not to be kept. The zero value removes only blobs
// that nothing refers to.
type PruneRequest struct {
	// OlderThan removes ended runs, images, results in the cache and files that
	// were not used for so long; 0 removes none of them for their age.
	OlderThan time.Duration `json:"older_than_ns,omitempty" minimum:"0"`
	// MaxImages removes further images, the longest unused first, until at most
	// so many bytes of them are left; 0 bounds nothing.
	MaxImages int64 `json:"max_images,omitempty" minimum:"0"`
}

// Check returns request_invalid for a negative bound.
func (r PruneRequest) Check() error {
	switch {
	case r.OlderThan < 0:
		return negative("older_than_ns", int64(r.OlderThan))
	case r.MaxImages < 0:
		return negative("max_images", r.MaxImages)
	}
	return nil
}

func negative(field string, got int64) error {
	return Errorf(RequestInvalid, "%s is %d, expected 0 or more", field, got).
		WithDetails(Details{Field: field, Expected: "0 or more"})
}

// Pruned is what Prune removed.
type Pruned struct {
	Images   Removed `json:"images"`   // of cells
	Runs     Removed `json:"runs"`     // from the journal, their calls included; the bytes of their logs
	Files    Removed `json:"files"`    // directories with files of runs
	Results  int     `json:"results"`  // of the cache
	Sessions int     `json:"sessions"` // that have ended
	Blobs    Removed `json:"blobs"`    // that nothing refers to
}

// Removed is how much of one kind was removed.
type Removed struct {
	Count int   `json:"count"` // how many
	Bytes int64 `json:"bytes"` // of the disk that are free now
}

// Finding is one thing that Doctor found.
type Finding struct {
	Subject string `json:"subject"`          // what it is about, such as "memory limit"
	OK      bool   `json:"ok"`               // whether all is well
	Fatal   bool   `json:"fatal,omitempty"`  // a run would be refused
	Detail  string `json:"detail"`           // what was found, and what it rests on
	Remedy  string `json:"remedy,omitempty"` // how to get what is missing
}
