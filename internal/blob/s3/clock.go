package s3

import (
	"net/http"
	"sync/atomic"
	"time"
)

// clock is that of the store, whose times decide what is old. It is known from the
// answers of the store, to the second: it is never ahead of the true one, and behind
// it by a second and the time that an answer takes.
type clock struct {
	ahead atomic.Int64 // nanoseconds, of the clock of this host
}

// note takes the date of an answer.
func (c *clock) note(date string) {
	if t, err := http.ParseTime(date); err == nil {
		c.ahead.Store(int64(time.Until(t)))
	}
}

// now is the time of the store.
func (c *clock) now() time.Time { return c.store(time.Now()) }

// store turns a time of this host into one of the store, and local the other way.
func (c *clock) store(t time.Time) time.Time { return t.Add(time.Duration(c.ahead.Load())) }
func (c *clock) local(t time.Time) time.Time { return t.Add(-time.Duration(c.ahead.Load())) }

// watched notes the dates of the answers that a client gets.
type watched struct {
	client httpClient
	clock  *clock
}

type httpClient interface {
	Do(*http.Request) (*http.Response, error)
}

// Do implements aws.HTTPClient.
func (w watched) Do(r *http.Request) (*http.Response, error) {
	answer, err := w.client.Do(r)
	if err == nil {
		w.clock.note(answer.Header.Get("Date"))
	}
	return answer, err
}
