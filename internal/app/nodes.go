package app

import (
	"context"
	"os"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
)

// owner is the name under which this process holds runs and sessions.
func (a *App) owner() string {
	if a.lease != nil {
		return a.lease.Name()
	}
	return a.presence.Name()
}

// alive reports whether a process may still write what it holds.
func (a *App) alive(owner string) bool {
	if a.lease != nil {
		return a.lease.Alive(owner)
	}
	return a.presence.Alive(owner)
}

// member says who this process is to others on the same journal.
func (a *App) member(o host.Options) (m postgres.Member, l postgres.LeaseOptions, err error) {
	l = postgres.LeaseOptions{Lost: a.surrender, Held: a.rejoin, Describe: a.describe}
	if a.presence == nil { // it only reads
		return m, l, nil
	}
	if m.Home, err = a.presence.Place(); err != nil {
		return m, l, err
	}
	m.Process = a.presence.Name()
	m.Node = api.Node{PID: os.Getpid(), Version: o.Version}
	m.Host, _ = os.Hostname() // without one it has no name
	l.Gone = func(place, process string) bool { return place == m.Home && !a.presence.Alive(process) }
	return m, l, nil
}

// describe says what there is for runs.
func (a *App) describe(n *api.Node) {
	if a.wired.Load() {
		n.Room = a.engine.Room(api.KindSandbox)
		n.Labels, n.CPU, n.Memory, n.FreeMemory = a.place.Labels, a.place.CPU, a.place.Memory, a.engine.FreeMemory()
	}
}

// surrender ends what this process holds, since its lease is over.
func (a *App) surrender() {
	if !a.wired.Load() {
		return
	}
	a.logger.Warn("this node has lost its lease: it stops its runs and sessions, and others continue the runs")
	a.engine.Surrender()
	a.sessions.Surrender()
}

// rejoin lets this process hold runs and sessions again.
func (a *App) rejoin(name string) {
	if !a.wired.Load() {
		return
	}
	a.engine.Rejoin(name)
	a.sessions.Rejoin(name)
	a.logger.Info("this node has a lease again, and takes runs", "node", name)
}

// goOver ends what nodes held that are gone, so that others may take it.
func (a *App) goOver(ctx context.Context) error {
	if a.lease == nil {
		return nil
	}
	ended, err := a.lease.EndExpired(ctx)
	if err != nil || len(ended) == 0 {
		return err
	}
	if _, err := a.engine.Recover(ctx, false); err != nil {
		return err
	}
	if err := a.sessions.Recover(ctx); err != nil {
		return api.AsError(err)
	}
	return a.lease.Forget(ctx, ended)
}

// lookAround is how often a node looks for others that are gone, and for runs that have
// no owner; it hears of most of them before.
const lookAround = 500 * time.Millisecond

// takeOver has this node continue what others leave, until ctx ends. It calls drain
// when the node was asked to take nothing new.
func (a *App) takeOver(ctx context.Context, drain func()) {
	a.engine.Share(true)
	defer a.engine.Share(false)
	heard := make(chan struct{}, 1)
	a.lease.Listen(func(what string) {
		if what == postgres.SessionNews {
			a.sessions.Hear()
			return
		}
		a.engine.Hear()
		select {
		case heard <- struct{}{}:
		default:
		}
	})
	tick := time.NewTicker(lookAround)
	defer tick.Stop()
	for freed := false; ; {
		var err error
		if !freed {
			err = a.goOver(ctx)
			a.peers.Forget(a.lease.Alive)
			a.sessions.Hear() // what was said may have been missed
		}
		for n := 1; n > 0 && err == nil; {
			n, err = a.engine.TakeFree(ctx)
		}
		freed = false
		if a.lease.Drains() {
			a.logger.Info("this node was asked to stop")
			drain()
			return
		}
		if err != nil && ctx.Err() == nil {
			a.logger.Warn("taking what other nodes leave", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-heard:
		case <-tick.C:
		case <-a.engine.Freed():
			freed = true
		}
	}
}

// tellDraining says to other nodes that this one takes nothing new, so that they take
// its duties over.
func (a *App) tellDraining(ctx context.Context) {
	if a.lease == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookAround)
	defer cancel()
	if _, err := a.lease.Drain(ctx, a.lease.Name()); err != nil {
		a.logger.Warn("telling other nodes that this one stops", "error", err)
	}
}

// onDuty does something for all nodes on a journal, whenever this node is the one.
func (a *App) onDuty(name string, work func(context.Context)) func(context.Context) {
	if a.lease == nil {
		return work
	}
	return func(ctx context.Context) {
		tick := time.NewTicker(lookAround)
		defer tick.Stop()
		leave := func() {}
		defer func() { leave() }()
		for on := false; ; {
			mine, err := a.hasDuty(ctx, name)
			if mine = mine && err == nil; mine && !on {
				leave = whileServing(ctx, work)
			} else if !mine && on {
				leave()
				leave = func() {}
			}
			on = mine
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}
}

// hasDuty reports whether this process is the one that does something for all, now.
func (a *App) hasDuty(ctx context.Context, name string) (bool, error) {
	if a.lease == nil {
		return true, nil
	}
	return a.lease.Duty(ctx, name)
}

// serving returns what reads which nodes there are, as they last said; nil if the journal is
// a file.
func (a *App) serving() func(context.Context) ([]api.Node, error) {
	if a.lease == nil {
		return nil
	}
	return func(ctx context.Context) (nodes []api.Node, err error) {
		members, err := a.lease.Members(ctx)
		for _, m := range members {
			if m.Serves {
				nodes = append(nodes, m.Node)
			}
		}
		return nodes, err
	}
}

// Nodes implements api.Nodes.
func (s service) Nodes(ctx context.Context) ([]api.Node, error) {
	if s.app.lease == nil {
		return []api.Node{}, nil
	}
	serving, err := s.app.serving()(ctx)
	if err != nil {
		return nil, err
	}
	held, err := s.app.db.Journal().HeldBy(ctx)
	if err != nil {
		return nil, api.AsError(err)
	}
	live, err := s.app.db.Sessions().LiveSessions(ctx)
	if err != nil {
		return nil, api.AsError(err)
	}
	sessions := map[string]int{}
	for _, r := range live {
		sessions[r.Holder]++
	}
	nodes := []api.Node{}
	for _, n := range serving {
		n.Self, n.Runs, n.Sessions = n.ID == s.app.lease.Name(), held[n.ID], sessions[n.ID]
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// DrainNode implements api.Nodes.
func (s service) DrainNode(ctx context.Context, id string) error {
	found := false
	if s.app.lease != nil {
		var err error
		if found, err = s.app.lease.Drain(ctx, id); err != nil {
			return err
		}
	}
	if !found {
		return api.Errorf(api.NotFound, "there is no node %q", id).WithHint("list nodes with: glovebox node ls").WithDetails(api.Details{Field: "node", Got: id})
	}
	return nil
}
