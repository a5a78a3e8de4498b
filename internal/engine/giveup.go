package engine

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

// resumed finds the calls that the code gave up before the snapshot from which
// it resumes: they are in the history, but the restored code neither has their
// answer nor waits for it. It cancels those that have not ended.
func (c *caller) resumed() error {
	known := c.history.Calls()
	known, c.earlier = known[:c.earlier], 0
	for _, call := range known {
		if c.begun[call] {
			continue
		}
		c.begun[call], c.unwanted[call] = true, true
		if c.history.HasAnswer(call) {
			continue
		}
		made, _ := c.history.Call(call)
		if err := c.cancelLeft(made.Run); err != nil {
			return err
		}
	}
	return nil
}

// cancelLeft cancels a run that a dead process was executing.
func (c *caller) cancelLeft(id string) error {
	rec, err := c.run.engine.config.Journal.Load(c.ctx, id)
	if err != nil {
		return journalError(id, err)
	}
	if rec.Status.Ended() {
		return nil
	}
	if child := c.run.bed.take(id); child != nil { // it waits for a person
		child.cancel(cancelCause{givenUp})
		endHeld(child)
		return nil
	}
	return c.run.engine.cancelDead(c.ctx, rec, c.run, givenUp)
}
