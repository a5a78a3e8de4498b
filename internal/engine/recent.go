package engine

import (
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

// The bounds of the results that are kept for callers that begin to wait for a run
// just after its end, as a caller of a short run does.
const (
	maxRecent      = 256
	maxRecentBytes = 16 << 10 // of one result
	recentFor      = time.Second
)

// recent keeps the results of runs that have just succeeded. Such a run does not
// change any more, so the journal would give the same.
type recent struct {
	mu   sync.Mutex
	ring [maxRecent]recentResult
	next int
}

type recentResult struct {
	result *api.Result
	ended  time.Time
}

// add keeps a result, in place of the oldest.
func (c *recent) add(result *api.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ring[c.next] = recentResult{result, time.Now()}
	c.next = (c.next + 1) % maxRecent
}

// find returns the result of a run, or nil.
func (c *recent) find(id string) *api.Result {
	if !tuning.On(tuning.Recent) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range maxRecent {
		r := c.ring[(c.next+maxRecent-1-i)%maxRecent] // the newest first
		if r.result == nil || time.Since(r.ended) > recentFor {
			return nil
		}
		if r.result.RunID == id {
			return r.result
		}
	}
	return nil
}
