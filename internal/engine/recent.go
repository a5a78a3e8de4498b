package engine

import (
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// What is kept of runs that have ended, for whoever submitted one and comes to
// wait for it when it is over already.
const (
	maxRecent      = 256
	maxRecentBytes = 16 << 10 // of one result
	recentFor      = time.Second
)

// recent are results of runs that have just succeeded. These never go on, so
// that the journal would say the same.
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
