package api

import "time"

// MinRetention is the shortest time after which a server removes something for its age.
const MinRetention = time.Minute

// Retention says how long a server keeps what was used, and what it removed last. The
// zero value keeps everything until somebody prunes.
type Retention struct {
	// OlderThan is after how long without use ended runs, images, results in the cache
	// and files are removed, as by Prune; 0 keeps them.
	OlderThan time.Duration `json:"older_than_ns,omitempty"`
	// Runs are how long runs are kept after their end instead, by the name of their task.
	// Calls go with the run that made them.
	Runs map[string]time.Duration `json:"runs_ns,omitempty"`
	// Last is what the server removed last, nil before it has looked.
	Last *Sweep `json:"last,omitempty"`
	// Next is when it looks again.
	Next time.Time `json:"next,omitzero"`
}

// Any reports whether anything is removed for its age.
func (r *Retention) Any() bool { return r.OlderThan > 0 || len(r.Runs) > 0 }

// OfRuns is how long runs of a task are kept after their end; 0 is until somebody prunes.
func (r *Retention) OfRuns(task string) time.Duration {
	if own, ok := r.Runs[task]; ok {
		return own
	}
	return r.OlderThan
}

// Sweep is one time that a server removed what was kept long enough.
type Sweep struct {
	Began  time.Time `json:"began"`           // when it began to look
	Pruned Pruned    `json:"pruned"`          // what it removed
	More   bool      `json:"more,omitempty"`  // more is left for the next time, which comes soon
	Error  *Error    `json:"error,omitempty"` // why it stopped
}
