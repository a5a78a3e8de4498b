package notify

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// The pauses between attempts: each is three times the one before. Nine of them
// take 15 hours.
const (
	firstPause = 10 * time.Second
	longPause  = 6 * time.Hour
	maxAsked   = 24 * time.Hour // that a receiver may ask for
)

// maxReason bounds why an attempt failed, in bytes.
const maxReason = 512

// attempt sends a delivery once and writes down what came of it. If that fails, as
// in a process that is killed, the delivery is due as before.
func (s *Service) attempt(ctx context.Context, to *sender, d journal.DeliveryRecord) {
	out := to.send(ctx, &d, s.now())
	if ctx.Err() != nil && !out.delivered {
		return // this process stops: the next one sends it
	}
	s.settle(&d, out)
	err := s.config.Store.ChangeDelivery(context.WithoutCancel(ctx), d)
	switch {
	case errors.Is(err, journal.ErrSequence): // somebody asked for it anew meanwhile
	case err != nil:
		s.config.Logger.Warn("what came of a delivery cannot be kept; it is sent again", "delivery", d.ID, "run", d.Run, "error", err)
		select { // it is still due
		case <-ctx.Done():
		case <-time.After(firstPause):
		}
	case d.State == api.DeliveryFailed:
		s.config.Logger.Warn("a delivery was given up", "delivery", d.ID, "run", d.Run, "attempts", d.Attempts, "reason", d.Reason)
	}
}

// settle makes of a delivery what an attempt makes of it.
func (s *Service) settle(d *journal.DeliveryRecord, out outcome) {
	now := s.now()
	d.Attempts++
	d.Seq++
	d.Tried, d.Changed, d.Next = now, now, time.Time{}
	d.Answer, d.Reason = out.status, value.Shorten(out.reason, maxReason)
	switch {
	case out.delivered:
		d.State = api.DeliveryDelivered
	case out.final || d.Attempts >= d.GivenUp:
		d.State = api.DeliveryFailed
	default:
		d.State, d.Next = api.DeliveryWaiting, now.Add(max(pause(journal.DeliveryTries-(d.GivenUp-d.Attempts)), out.after))
	}
}

// pause is how long to wait after so many attempts, a fifth more or less, so that
// what failed together does not come back together.
func pause(attempts int) time.Duration {
	p := firstPause
	for range attempts - 1 {
		p = min(3*p, longPause)
	}
	return p*4/5 + rand.N(p*2/5)
}

// outcome is what came of an attempt.
type outcome struct {
	delivered bool
	final     bool          // no other attempt can succeed
	status    int           // of the answer; 0 without one
	reason    string        // why it failed
	after     time.Duration // that the receiver asks to wait
}

// judge says what the answer of a receiver means.
func judge(resp *http.Response, now time.Time) outcome {
	out := outcome{status: resp.StatusCode}
	switch {
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		out.delivered = true
	case resp.StatusCode == http.StatusGone:
		out.final, out.reason = true, "the receiver answered 410 Gone: it wants no more"
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		out.reason = "the receiver answered with a redirect, which is not followed"
	default:
		out.reason = "the receiver did not answer with 2xx"
		out.after = retryAfter(resp.Header.Get("Retry-After"), now)
	}
	return out
}

// retryAfter reads how long a receiver asks to wait: seconds, or a time.
func retryAfter(text string, now time.Time) time.Duration {
	if text == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxAsked)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), maxAsked)
	}
	return 0
}
