package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// ledger is the record of one run, and the only way to write of it in the
// journal. Its lock holds the order of submissions, so that events have the
// numbers in which they are submitted.
type ledger struct {
	id      string
	journal journal.Journal

	mu        sync.Mutex
	rec       journal.Record
	last      journal.Receipt // of the newest submission
	oldest    journal.Receipt // of the oldest submission that is not known to be durable
	latest    time.Time       // of the newest event of this process
	attemptAt time.Time       // when the newest attempt began
	changed   chan struct{}   // closed at the next change
}

func newLedger(j journal.Journal, rec journal.Record) ledger {
	return ledger{id: rec.ID, journal: j, rec: rec, changed: make(chan struct{})}
}

// record returns the record as it is now.
func (l *ledger) record() journal.Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rec
}

// attemptNumber returns how many attempts were begun.
func (l *ledger) attemptNumber() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rec.Attempts
}

// event is what happened, before it has a number and a time.
type event struct {
	kind api.EventKind
	data any
}

// prepare numbers the events and returns the change. The caller holds l.mu, has
// edited l.rec, and submits the change before it unlocks.
func (l *ledger) prepare(events ...event) journal.Change {
	now := time.Now().UTC()
	l.latest = now
	c := journal.Change{Events: make([]api.Event, len(events))}
	for i, ev := range events {
		data, err := json.Marshal(ev.data)
		if err != nil { // structs of strings and numbers cannot fail
			panic(fmt.Sprintf("encoding an event: %v", err))
		}
		l.rec.Seq++
		if ev.kind == api.EventAttemptStarted {
			l.attemptAt = now
		}
		c.Events[i] = api.Event{Run: l.id, Seq: l.rec.Seq, Time: now, Kind: ev.kind, Data: data}
	}
	c.Record = l.rec
	l.rec.InputsPayload = journal.Payload{} // the journal keeps it
	return c
}

// submit hands events of the run to the journal. The caller holds l.mu.
func (l *ledger) submit(events ...event) journal.Receipt {
	receipt := l.journal.Submit(l.prepare(events...))
	l.submitted(receipt)
	return receipt
}

// submitted remembers the newest receipt and wakes the watchers. The caller
// holds l.mu.
func (l *ledger) submitted(receipt journal.Receipt) {
	l.last = receipt
	if l.oldest == nil {
		l.oldest = receipt
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// change edits the record and submits the edit with its events.
func (l *ledger) change(edit func(*journal.Record) journal.Change, events ...event) journal.Receipt {
	l.mu.Lock()
	defer l.mu.Unlock()
	extra := edit(&l.rec)
	c := l.prepare(events...)
	c.Tasks, c.Blobs = extra.Tasks, extra.Blobs
	receipt := l.journal.Submit(c)
	l.submitted(receipt)
	return receipt
}

// edited makes an edit for change that brings neither tasks nor blobs along.
func edited(f func(*journal.Record)) func(*journal.Record) journal.Change {
	return func(rec *journal.Record) journal.Change {
		f(rec)
		return journal.Change{}
	}
}

// durable waits for a submission of the run. When one fails, those after it fail
// with ErrSequence, which explains nothing: then the error is that of the first.
func (l *ledger) durable(ctx context.Context, receipt journal.Receipt) error {
	err := receipt.Wait(ctx)
	l.mu.Lock()
	oldest := l.oldest
	if err == nil {
		l.oldest = nil
	}
	l.mu.Unlock()
	if errors.Is(err, journal.ErrSequence) && oldest != nil {
		if cause := oldest.Wait(ctx); cause != nil {
			err = cause
		}
	}
	return journalError(l.id, err)
}

// settled waits until everything that was submitted is durable.
func (l *ledger) settled(ctx context.Context) error {
	l.mu.Lock()
	last := l.last
	l.mu.Unlock()
	if last == nil {
		return nil
	}
	return l.durable(ctx, last)
}

// wake wakes the watchers.
func (l *ledger) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.changed)
	l.changed = make(chan struct{})
}
