package pool

import (
	"log/slog"
	"runtime"
	"time"
)

// Config is what a pool works within. The zero value keeps nothing: every item
// is started when it is taken.
type Config struct {
	Cells  int          // items that wait, are on their way to it or are being discarded, at most; 0 keeps none, more than 4096 is 4096
	Memory int64        // bytes that they hold together, at most; 0 keeps none
	Logger *slog.Logger // nil discards

	// The fields below are for tests and measurements; zero stands for the
	// default.

	Starts     int           // starts ahead at once; default: half of the processors
	StartLimit time.Duration // a start that no taker waits for is given up after this; default 2 minutes
	MaxAge     time.Duration // an item waits at most so long, then it is replaced; default 10 minutes
	Often      int           // a class that is taken so often within a Window is kept ready unasked; default 3
	Window     time.Duration // default 1 minute
	Quiet      time.Duration // nothing is left of the demand for a class after so long without; default 5 minutes
	Estimate   int64         // bytes that an item is taken to hold until one was measured; default 64 MB
}

const (
	// breath is how long after a take the pool plans: the taker has the processor
	// for its first moments, and takes that come together are planned together.
	breath = 20 * time.Millisecond
	// review is how often the memory of the waiting items is measured again.
	review = time.Minute
	// infancy is the age under which the end of a waiting item counts as a failed
	// start. Without it, items that end at once would be started without pause.
	infancy = 10 * time.Second
	// Every configuration and every item stays within these bounds, so that
	// sums and products stay within an int64.
	maxCells  = 1 << 12
	maxMemory = 1 << 50
	maxQuiet  = 24 * time.Hour
	// maxShelves bounds the classes that are remembered though nothing of them is held.
	maxShelves = 256
)

func (c Config) complete() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	orDefault(&c.Starts, max(1, runtime.GOMAXPROCS(0)/2))
	orDefault(&c.StartLimit, 2*time.Minute)
	orDefault(&c.MaxAge, 10*time.Minute)
	orDefault(&c.Often, 3)
	orDefault(&c.Window, time.Minute)
	orDefault(&c.Quiet, 5*time.Minute)
	orDefault(&c.Estimate, 64<<20)
	c.Quiet = min(c.Quiet, maxQuiet)
	c.Cells = min(max(0, c.Cells), maxCells)
	c.Memory = min(max(0, c.Memory), maxMemory)
	return c
}

func orDefault[N int | int64 | time.Duration](n *N, otherwise N) {
	if *n <= 0 {
		*n = otherwise
	}
}
