package engine

import (
	"maps"
	"slices"
)

const givenUp = "the code that made the call does not wait for it any more"

// Cancel ends a call whose answer the code does not want. That it ended is
// written like the end of any call; Next passes over it, now and when the code
// goes the same way again.
func (c *caller) Cancel(call uint64) {
	c.unwanted[call] = true
	c.mu.Lock()
	child := c.open[call]
	c.mu.Unlock()
	if child != nil {
		child.requestCancel(givenUp)
	}
}

// wanted counts an answer, and reports whether the code waits for it.
func (c *caller) wanted(call uint64) bool {
	c.given++
	return !c.unwanted[call]
}

// resumed finds the calls that the code gave up before the snapshot that it goes
// on from: it made them, has no answer of them, and did not tell them again.
// Those whose end was cut short are ended now.
func (c *caller) resumed() error {
	known := slices.Sorted(maps.Keys(c.history.started))
	known, c.earlier = known[:c.earlier], 0
	for _, call := range known {
		if c.begun[call] {
			continue
		}
		c.begun[call], c.unwanted[call] = true, true
		if c.history.answered[call] {
			continue
		}
		if err := c.endLeft(c.history.started[call].Run); err != nil {
			return err
		}
	}
	return nil
}

// endLeft cancels a run that a dead process carried out.
func (c *caller) endLeft(id string) error {
	rec, err := c.run.engine.config.Journal.Load(c.ctx, id)
	if err != nil {
		return journalError(id, err)
	}
	if rec.Status.Ended() {
		return nil
	}
	return c.run.engine.cancelDead(c.ctx, rec, c.run, givenUp)
}
