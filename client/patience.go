package client

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
)

// steady is how long a connection lasts that was a good one even if it brought
// nothing.
const steady = 5 * time.Second

// patience decides how long to keep asking a server that was there and is gone.
type patience struct {
	bound  time.Duration
	pace   *backoff.ExponentialBackOff
	known  *atomic.Bool // whether the server has ever answered this client
	opened time.Time    // when it answered here last
	since  time.Time    // nothing came any more; zero while all is well
}

func (c *Client) newPatience() *patience {
	p := &patience{bound: c.timing.patience, pace: c.timing.backOff(), known: &c.heard}
	p.pace.Reset()
	return p
}

// answered notes the beginning of an answer. That alone is no progress: the
// server may break off each time.
func (p *patience) answered() { p.opened = time.Now() }

// met notes progress.
func (p *patience) met() {
	p.since = time.Time{}
	p.pace.Reset()
}

// pause waits before the next request after err, which is nil if the last one
// ended well. It returns the error with which to give up.
func (p *patience) pause(ctx context.Context, err error) error {
	if p.opened.After(p.since) && time.Since(p.opened) > steady {
		p.met()
	}
	switch {
	case ctx.Err() != nil:
		return canceled(ctx)
	case err != nil && (!p.known.Load() || !passing(err)):
		return api.AsError(err)
	case err != nil && p.since.IsZero():
		p.since = time.Now()
	case err != nil && time.Since(p.since) > p.bound:
		return api.AsError(err)
	}
	return wait(ctx, p.pace.NextBackOff())
}

// passing reports whether time can heal err.
func passing(err error) bool {
	var n nonsense
	if errors.As(err, &n) {
		return false
	}
	return errors.Is(err, &api.Error{Code: api.ServerUnavailable}) || errors.Is(err, &api.Error{Code: api.Overloaded})
}

// nonsense marks an answer that the server would only repeat.
type nonsense struct{ error }

func (n nonsense) Unwrap() error { return n.error }

// wait pauses, unless ctx ends before.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return canceled(ctx)
	}
}
