package tables

import "errors"

// Conn is the connection that writes. It may keep statements for later until a
// transaction ends, and thereby fail for an earlier one.
type Conn interface {
	Tx
	// Begin begins a transaction, durable or not.
	Begin(durable bool) error
	// Flush executes what was kept for later. It returns ErrPartial if a statement
	// did not change what it had to.
	Flush() error
	Commit() error
	// Rollback gives the transaction up.
	Rollback()

	// Save begins an operation that may be taken back, and from then on executes
	// everything at once. Release ends it, after Restore if it was refused.
	Save() error
	Restore() error
	Release() error

	// Changes counts the statements that the transaction has carried out so far, or
	// that have made it fail.
	Changes() int64
	// Broken reports whether an error is about the database rather than about what was
	// asked of it, so that the transaction cannot go on.
	Broken(err error) bool
}

// ErrPartial says that an operation was refused after it had written something.
var ErrPartial = errors.New("a part of an operation was done")

// Execute executes a batch in one transaction, and sets the errors of those
// that were refused. Its own error means that nothing was executed, unless it is
// that of a commit; begun is false if not even the lock could be had.
//
// Savepoints cost something with each operation, and refusals are rare. So the
// first try is made without them.
func (b *Batch) Execute(c Conn, q *Queue) (begun bool, err error) {
	begun, err = b.tryAll(c, q, plain)
	if errors.Is(err, ErrPartial) {
		return b.tryAll(c, q, guarded)
	}
	return begun, err
}

// tryAll carries a batch out, and what came meanwhile: an orchestrator that is
// given a result makes the next call at once, and both share one sync.
func (b *Batch) tryAll(c Conn, q *Queue, attempt func(Conn, *Operation) (refusal, err error)) (begun bool, err error) {
	if err := c.Begin(b.Durable); err != nil {
		return false, err
	}
	for i := 0; i < len(b.Ops) || q.join(b); i++ {
		if b.Errs[i] = b.Ops[i].abandoned(); b.Errs[i] != nil {
			continue
		}
		if b.Errs[i], err = attempt(c, b.Ops[i]); err != nil {
			c.Rollback()
			return true, err
		}
	}
	if err := c.Flush(); err != nil {
		c.Rollback()
		return true, err
	}
	return true, c.Commit()
}

// plain executes one operation. If that is refused, it must not have written
// anything yet.
func plain(c Conn, op *Operation) (refusal, err error) {
	before := c.Changes()
	refusal = op.do(c)
	switch {
	case errors.Is(refusal, ErrPartial), c.Broken(refusal):
		return nil, refusal
	case refusal != nil && c.Changes() > before:
		return nil, ErrPartial
	}
	return refusal, nil
}

// guarded executes one operation, and takes back what it wrote if it is
// refused.
func guarded(c Conn, op *Operation) (refusal, err error) {
	if err := c.Save(); err != nil {
		return nil, err
	}
	refusal = op.do(c)
	if c.Broken(refusal) {
		return nil, refusal
	}
	if refusal != nil {
		if err := c.Restore(); err != nil {
			return nil, err
		}
	}
	return refusal, c.Release()
}
