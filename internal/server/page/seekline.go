package page

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/api"
)

// closeBy is how many entries of a log are read rather than halved.
const closeBy = 32

// near returns a place at or before the first line that a query asks for, with no more than
// some entries between them. Entries say which line begins in them, so that a place is found by
// halving; in a log of an older Glovebox they do not, and it is read from where the query
// begins.
func (p *Page) near(ctx context.Context, id string, q logQuery) (place, error) {
	if q.Line <= max(1, q.At.Number) {
		return q.At, nil
	}
	last, err := p.entry(ctx, id, -1)
	if err != nil || last == nil {
		return q.At, err
	}
	low, high := q.At, last.Seq
	for high-low.After > closeBy {
		middle := low.After + (high-low.After)/2
		e, err := p.entry(ctx, id, middle)
		switch {
		case err != nil || e == nil || e.Line == 0:
			return low, err
		case e.Line <= q.Line:
			low = place{After: e.Seq - 1, Number: e.Line}
		default:
			high = middle
		}
	}
	return low, nil
}

// entry returns the first entry of a log after another, or nil.
func (p *Page) entry(ctx context.Context, id string, after int64) (*api.LogEntry, error) {
	for e, err := range p.Service.Logs(ctx, id, after, false) {
		return &e, errors.Join(err, ctx.Err())
	}
	return nil, nil
}
