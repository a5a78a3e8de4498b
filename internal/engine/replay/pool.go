package replay

import (
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Pool holds the calls of earlier attempts. Each serves once.
type Pool struct {
	done   equal // calls that need not be made again: they succeeded, or a person said how they failed
	failed equal // the newest try of each of the others
}

func newPool() *Pool { return &Pool{done: equal{}, failed: equal{}} }

// TakeDone returns a call that answers this one, or nil. A nil pool has none.
func (p *Pool) TakeDone(rec *journal.Record) *journal.Record {
	if p == nil {
		return nil
	}
	return p.done.take(rec)
}

// Retry makes rec a further try of an equal call that failed, if there is one:
// it gets the key of that, and reuses what that called with success.
func (p *Pool) Retry(rec *journal.Record) {
	if p == nil {
		return
	}
	if earlier := p.failed.take(rec); earlier != nil {
		rec.Key = Key(earlier)
		rec.Reuse = &journal.Reuse{Run: earlier.ID}
	}
}

// put adds a call to the part of the pool in which it belongs.
func (p *Pool) put(call *journal.Record) {
	if call.Status == api.StatusSucceeded || call.Owed {
		p.done.add(call)
		return
	}
	p.failed.add(call)
}

// equal holds calls by the digests of their task and inputs, in the order in
// which they were made.
type equal map[[2]string][]*journal.Record

func (s equal) add(call *journal.Record) {
	key := [2]string{call.TaskDigest, call.InputsDigest}
	s[key] = append(s[key], call)
}

// take returns the first call that is equal to this one, or nil.
func (s equal) take(rec *journal.Record) *journal.Record {
	return s.takeFirst(rec, func(*journal.Record) bool { return true })
}

// takeKey returns the equal call that was submitted with the same key, or nil.
func (s equal) takeKey(rec *journal.Record) *journal.Record {
	return s.takeFirst(rec, func(call *journal.Record) bool {
		return rec.IdempotencyKey != "" && call.IdempotencyKey == rec.IdempotencyKey
	})
}

func (s equal) takeFirst(rec *journal.Record, fits func(*journal.Record) bool) *journal.Record {
	key := [2]string{rec.TaskDigest, rec.InputsDigest}
	i := slices.IndexFunc(s[key], fits)
	if i < 0 {
		return nil
	}
	found := s[key][i]
	s[key] = slices.Delete(s[key], i, i+1)
	return found
}
