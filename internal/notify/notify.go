// Package notify delivers what runs tell their receivers: signed messages over HTTP.
//
// The journal holds each message from the moment of the event that it tells of, so
// nothing is lost with a process. Here it is sent until the receiver answers with
// 2xx, at least once: a process that dies before the answer is written down sends it
// again, with the same id. Attempts have growing pauses and are given up after some
// hours.
//
//	waiting → delivered   the receiver answered with 2xx
//	        → waiting     anything else, until the last attempt
//	        → failed      the last attempt, 410 Gone, or a receiver that nobody may reach
//
// Receivers are named by whoever submits runs. So they are reached like the network
// from a cell, never at an address of this host or of a private network that the
// operator has not allowed; redirects are not followed; what they answer is not read.
package notify

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// Config is what a Service works with.
type Config struct {
	Store journal.Deliveries
	// Secret returns a stored secret.
	Secret func(name string) ([]byte, error)
	Now    func() time.Time // nil is the clock of the host
	Logger *slog.Logger     // nil discards
}

// Sending says how the process that serves reaches receivers.
type Sending struct {
	// Dial connects to HOST:PORT, if that may be reached.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Refused reports whether the error of Dial says that nobody may.
	Refused func(error) bool
	// Page is the address that people reach the page of the server at, or empty.
	Page    string
	Version string // of the program
}

// Service is an api.Notifications. It is safe for concurrent use.
type Service struct {
	config Config
	wake   chan struct{} // holds something when there may be something to send

	mu       sync.Mutex
	underWay map[string]string // the hosts of deliveries, by id
}

var _ api.Notifications = (*Service)(nil)

// New returns a service that sends nothing until Work is called.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{config: c, wake: make(chan struct{}, 1), underWay: map[string]string{}}
}

// now is a moment as the journal keeps it.
func (s *Service) now() time.Time { return s.config.Now().UTC().Round(0) }

// Wake has the service look for what is to be sent, instead of at the next tick.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Deliveries is part of api.Notifications.
func (s *Service) Deliveries(ctx context.Context, q api.DeliveryQuery) (api.DeliveryPage, error) {
	switch q.State {
	case "", api.DeliveryWaiting, api.DeliveryDelivered, api.DeliveryFailed:
	default:
		return api.DeliveryPage{}, api.WrongField("state", value.Quote(value.Shorten(string(q.State), 100)), "waiting, delivered or failed")
	}
	records, next, err := s.config.Store.ListDeliveries(ctx, q)
	if errors.Is(err, journal.ErrCursor) {
		return api.DeliveryPage{}, api.Errorf(api.RequestInvalid, "the cursor is not one of this list").
			WithHint("ask for the first page, without a cursor").WithDetails(api.Details{Field: "cursor"})
	}
	if err != nil {
		return api.DeliveryPage{}, api.AsError(err)
	}
	page := api.DeliveryPage{Deliveries: make([]api.Delivery, len(records)), Next: next}
	for i, r := range records {
		page.Deliveries[i] = r.Delivery
	}
	return page, nil
}

// Redeliver is part of api.Notifications.
func (s *Service) Redeliver(ctx context.Context, id string) (*api.Delivery, error) {
	const tries = 10 // as long as attempts end at the same time
	for range tries {
		d, err := s.config.Store.Delivery(ctx, id)
		if errors.Is(err, journal.ErrNotFound) {
			return nil, api.Errorf(api.NotFound, "there is no delivery %s", value.Quote(value.Shorten(id, 128))).
				WithHint("glovebox notifications lists them").WithDetails(api.Details{Field: "delivery"})
		}
		if err != nil {
			return nil, api.AsError(err)
		}
		now := s.now()
		d.State, d.Next, d.Changed, d.GivenUp = api.DeliveryWaiting, now, now, d.Attempts+journal.DeliveryTries
		d.Seq++
		if err := s.config.Store.ChangeDelivery(ctx, *d); errors.Is(err, journal.ErrSequence) {
			continue
		} else if err != nil {
			return nil, api.AsError(err)
		}
		s.Wake()
		return &d.Delivery, nil
	}
	return nil, api.Errorf(api.Conflict, "delivery %s is being tried just now", id).WithHint("look at it, and ask again")
}

// The bounds of what is under way at once.
const (
	maxUnderWay = 32
	maxOfHost   = 4
)

// look is how often it is seen what is due: other processes make deliveries too.
const look = time.Second

// Work sends what is due until ctx ends, and returns when no attempt is under way.
func (s *Service) Work(ctx context.Context, how Sending) {
	sender := newSender(how, s.config.Secret)
	tick := time.NewTicker(look)
	defer tick.Stop()
	var attempts sync.WaitGroup
	defer attempts.Wait()
	for ctx.Err() == nil {
		due, err := s.take(ctx)
		if err != nil && ctx.Err() == nil {
			s.config.Logger.Warn("deliveries cannot be read", "error", err)
		}
		for _, d := range due {
			attempts.Go(func() {
				defer s.release(d.ID)
				s.attempt(ctx, sender, d)
			})
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-s.wake:
		}
	}
}

// take returns deliveries that are due, as many as may be under way, and marks them.
func (s *Service) take(ctx context.Context) (taken []journal.DeliveryRecord, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ofHost := map[string]int{}
	for _, host := range s.underWay {
		ofHost[host]++
	}
	for len(s.underWay) < maxUnderWay {
		var busy []string
		for host, n := range ofHost {
			if n >= maxOfHost {
				busy = append(busy, host)
			}
		}
		due, err := s.config.Store.DueDeliveries(ctx, s.now(), busy, 2*maxUnderWay)
		if err != nil {
			return taken, err
		}
		before := len(taken)
		for _, d := range due {
			if _, known := s.underWay[d.ID]; known || ofHost[d.Host] >= maxOfHost || len(s.underWay) >= maxUnderWay {
				continue
			}
			s.underWay[d.ID] = d.Host
			ofHost[d.Host]++
			taken = append(taken, d)
		}
		if len(taken) == before {
			break
		}
	}
	return taken, nil
}

// release makes room for the next delivery.
func (s *Service) release(id string) {
	s.mu.Lock()
	delete(s.underWay, id)
	s.mu.Unlock()
	s.Wake()
}
