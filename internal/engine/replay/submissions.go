package replay

import (
	"sync"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Submissions answers what a program asks for that runs again: by the runs that
// an earlier attempt of it started. It is safe for concurrent use. The zero
// value knows of no earlier attempt.
type Submissions struct {
	mu       sync.Mutex
	earlier  *Pool
	answered map[string]string // ids of the runs that serve again, by the key of the submission
}

// Begin forgets what was answered, and answers from a pool, which may be nil.
func (s *Submissions) Begin(p *Pool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.earlier, s.answered = p, map[string]string{}
}

// Take returns an earlier run of the same task with the same inputs, or nil. One
// that was submitted with the same key comes first, then one that is done.
func (s *Submissions) Take(rec *journal.Record) *journal.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.earlier == nil {
		return nil
	}
	parts := []equal{s.earlier.done, s.earlier.failed}
	for _, part := range parts {
		if found := part.takeKey(rec); found != nil {
			return found
		}
	}
	for _, part := range parts {
		if found := part.take(rec); found != nil {
			return found
		}
	}
	return nil
}

// PutBack lets a run that was taken serve another submission.
func (s *Submissions) PutBack(rec *journal.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.earlier.put(rec)
}

// Note remembers which run a submission with a key got.
func (s *Submissions) Note(key, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if key != "" {
		s.answered[key] = id
	}
}

// Answered returns the run that a submission with this key got before, or "".
func (s *Submissions) Answered(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answered[key]
}
