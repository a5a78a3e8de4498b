// Package budget is how an operation pays for what it is about to do.
//
// Code that runs on behalf of a program asks before it allocates and as it
// works, so that no single operation can outgrow the limits of the program
// between two checks. An error of a Meter ends the program and must be returned
// as it is.
package budget

// Meter takes payment. An instance of the machine is one. Its limits hold for any
// amount: a negative one comes from an overflow, and is refused like one that is
// too large.
type Meter interface {
	// Alloc pays for bytes that are about to be allocated.
	Alloc(bytes int) error
	// Work pays for units of work that are about to be done. A unit is about a
	// nanosecond: one byte copied or one element looked at. Pay in portions of
	// at most a million units, so that a time limit is noticed in time.
	Work(units int) error
}

// Free is a Meter that never refuses, for tests and for constants that are
// folded at compile time.
var Free Meter = free{}

type free struct{}

func (free) Alloc(int) error { return nil }
func (free) Work(int) error  { return nil }
