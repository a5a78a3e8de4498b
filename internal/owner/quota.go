package owner

import (
	"context"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// quota is what an owner may have a number of.
type quota struct {
	what  string // for people, and the flag that changes it
	of    func(*api.Owner) int
	count func(Config) func(ctx context.Context, owner string, most int) (int, error)
	more  int // that are asked for
}

var (
	runsOf = quota{"runs", func(o *api.Owner) int { return o.Runs },
		func(c Config) func(context.Context, string, int) (int, error) { return c.CountRuns }, 1}
	sessionsOf = quota{"sessions", func(o *api.Owner) int { return o.Sessions },
		func(c Config) func(context.Context, string, int) (int, error) { return c.CountSessions }, 1}
)

// turns has one place for each owner and quota: who counts makes before the next one
// counts. Owners are bounded, and so are the places.
type turns struct {
	mu     sync.Mutex
	places map[string]chan struct{}
}

func (t *turns) of(name string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.places == nil {
		t.places = map[string]chan struct{}{}
	}
	if t.places[name] == nil {
		t.places[name] = make(chan struct{}, 1)
	}
	return t.places[name]
}

// enter refuses an owner that has its quota. Leave is called when what was asked for is
// made, or failed: until then, others of the owner wait to be counted.
func (g *Guard) enter(ctx context.Context, q quota) (leave func(), err error) {
	who := api.IdentityOf(ctx)
	if who.May(api.ScopeAdmin) || g.config.Quotas == nil {
		return func() {}, nil
	}
	o, err := g.config.Quotas(ctx, who.Owner)
	if err != nil {
		return nil, storeError(err)
	}
	most := q.of(o)
	if most == 0 {
		return func() {}, nil
	}
	place := g.turns.of(who.Owner + " " + q.what)
	select {
	case place <- struct{}{}:
	case <-ctx.Done():
		return nil, api.AsError(ctx.Err())
	}
	leave = func() { <-place }
	n, err := q.count(g.config)(ctx, who.Owner, most)
	if err == nil && n+q.more > most {
		err = api.Errorf(api.Overloaded, "owner %s may have %d %s that have not ended, has %d, and asks for %d more", who.Owner, most, q.what, n, q.more).
			WithHint("end some or wait, or ask whoever has the server for more: glovebox owner add %s --%s N", who.Owner, q.what).
			WithDetails(api.Details{Field: q.what, Limit: int64(most)})
	}
	if err != nil {
		leave()
		return nil, storeError(err)
	}
	return leave, nil
}
