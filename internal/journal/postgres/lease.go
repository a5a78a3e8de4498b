package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// leaseTime is how long a lease lasts unless it is renewed. With what others need to
// find that out, a node loses its runs within ten seconds.
const leaseTime = 8 * time.Second

// Lease is the right of this process to hold runs and sessions. It lasts for some
// seconds by the clock of the database, and is renewed on a connection of its own.
// Every durable transaction asks whether it still holds, so that a process which has
// lost it can write nothing. It is safe for concurrent use.
type Lease struct {
	server *server
	writer *writer
	o      LeaseOptions
	time   time.Duration // that it lasts

	name   atomic.Pointer[string] // of the node; empty while nothing is held
	serves atomic.Bool
	drains atomic.Bool
	steady atomic.Pointer[time.Time] // since when it was renewed without a gap
	stop   context.CancelFunc
	ended  chan struct{} // closed when the goroutine is gone
	listen atomic.Pointer[func(string)]

	mu     sync.Mutex
	member Member
	others map[string]Member // whose leases held when this one was last renewed
	gone   map[string]bool   // that have ended, and stay so
}

// LeaseOptions say what a process does about its lease.
type LeaseOptions struct {
	// Lost is called when the lease is lost. Nothing can be written before it returns:
	// it ends all that the process holds. Nil is a process that holds nothing.
	Lost func()
	// Held is called with the name of the node when there is a lease again.
	Held func(name string)
	// Describe completes what others see of this process, each time that the lease is
	// renewed. Nil adds nothing.
	Describe func(*api.Node)
	// Gone reports whether a process is known to be dead, before its lease ends: it
	// belonged to the same machine.
	Gone func(home, process string) bool
}

// errNoLease says that the lease of this process does not hold any more.
var errNoLease = api.Errorf(api.ServerUnavailable, "this node has lost its lease, and others take over what it held: %w", journal.ErrFenced).
	WithHint("try again in a moment, or ask another node")

// maxGone bounds the names of ended nodes that are remembered.
const maxGone = 10_000

// newLease takes the first lease of a process.
func newLease(ctx context.Context, s *server, w *writer, o Options) (*Lease, error) {
	if o.Lease.Gone == nil {
		o.Lease.Gone = func(string, string) bool { return false }
	}
	l := &Lease{
		server: s, writer: w, member: o.Member, o: o.Lease, time: cmp.Or(o.LeaseTime, leaseTime),
		others: map[string]Member{}, gone: map[string]bool{}, ended: make(chan struct{}),
	}
	now := time.Now()
	l.steady.Store(&now)
	w.lease = l
	held := holding{lease: l, until: now.Add(l.time)}
	err := held.connect(ctx)
	if err == nil {
		err = l.take(ctx, held.conn)
	}
	if err == nil {
		err = held.renew(ctx)
	}
	if err != nil {
		held.disconnect()
		return nil, err
	}
	keep, stop := context.WithCancel(context.Background())
	l.stop = stop
	go held.keep(keep)
	return l, nil
}

// beat is how often the lease is renewed, and slack how long before its end a process
// that could not renew it stops by itself: its clock may be slower.
func (l *Lease) beat() time.Duration  { return l.time / 4 }
func (l *Lease) slack() time.Duration { return l.time * 3 / 16 }

// Name is that of the node, another one with each lease. It is empty while this
// process has none.
func (l *Lease) Name() string { return *l.name.Load() }

// Serve says that the process is a node from now on: it answers requests at an address,
// where it shows a certificate, see Member.
func (l *Lease) Serve(ctx context.Context, address, certificate string) error {
	l.mu.Lock()
	l.member.Address, l.member.Certificate = address, certificate
	l.mu.Unlock()
	l.serves.Store(true)
	_, err := l.server.pool.Exec(ctx, `UPDATE nodes SET serves = true, about = $2 WHERE id = $1`, l.Name(), l.about())
	return l.server.explain(asLost(ctx, err))
}

// about is what the row of this process says of it.
func (l *Lease) about() string {
	l.mu.Lock()
	m := l.member
	l.mu.Unlock()
	if l.o.Describe != nil {
		l.o.Describe(&m.Node)
	}
	return m.encoded()
}

// Drains reports whether the node was asked to take nothing new.
func (l *Lease) Drains() bool { return l.drains.Load() }

// Listen has f called with what other processes say, see say.
func (l *Lease) Listen(f func(string)) { l.listen.Store(&f) }

// take begins a new lease.
func (l *Lease) take(ctx context.Context, c *pgx.Conn) error {
	name := "node-" + strings.ToLower(rand.Text()[:16])
	_, err := c.Exec(ctx, `INSERT INTO nodes (id, session, home, process, about, serves, expires_at) VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7)`,
		name, l.server.id, l.member.Home, l.member.Process, l.about(), l.serves.Load(), l.time)
	if err != nil {
		return asLost(ctx, err)
	}
	l.name.Store(&name)
	return nil
}

// fence is the beginning of a durable transaction: it leaves the token of the writer
// if the lease holds, and keeps everybody from ending that before the transaction has
// ended. It renews nothing, and is not held up by what renews.
const fence = `WITH held AS (SELECT id FROM nodes WHERE id = $1 AND NOT ended FOR KEY SHARE)
	INSERT INTO writers (id, token, since) SELECT $2, $3, $4 FROM held ON CONFLICT (id) DO UPDATE SET token = excluded.token`

// renewal renews a lease, also one whose time is over, as long as nobody has ended it:
// the database itself may have been away.
const renewal = `UPDATE nodes SET expires_at = clock_timestamp() + $2, seen_at = clock_timestamp(), about = $3, serves = $4
	WHERE id = $1 AND NOT ended`

// holding is a lease that is being kept by the goroutine of it.
type holding struct {
	lease *Lease
	conn  *pgx.Conn // nil while there is none
	until time.Time // by the clock of this process, the end of it
	alone bool      // no other server was there when it was renewed
}

// keep renews the lease until ctx ends. When it is lost, it takes the next one as soon
// as nothing of the old one is left.
func (h *holding) keep(ctx context.Context) {
	defer close(h.lease.ended)
	for ctx.Err() == nil {
		h.await(ctx)
		err := h.renew(ctx)
		if ctx.Err() == nil && (errors.Is(err, errNoLease) || !h.alone && !time.Now().Before(h.until)) {
			h.lose(ctx)
		}
	}
	h.leave()
}

// await waits for the next renewal, and passes on what other processes say.
func (h *holding) await(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, h.lease.beat())
	defer cancel()
	for h.conn != nil && ctx.Err() == nil {
		n, err := h.conn.WaitForNotification(ctx)
		if err != nil {
			break
		}
		h.lease.hear(n.Payload)
	}
	if ctx.Err() == nil { // without a connection, try soon
		select {
		case <-ctx.Done():
		case <-time.After(h.lease.beat() / 10):
		}
	}
}

func (l *Lease) hear(what string) {
	if f := l.listen.Load(); f != nil {
		(*f)(what)
	}
}

// renew renews the lease, and reads who else has one. An error other than errNoLease
// leaves open what became of it.
func (h *holding) renew(ctx context.Context) error {
	l := h.lease
	ctx, cancel := context.WithTimeout(ctx, l.beat())
	defer cancel()
	sent := time.Now()
	if err := h.connect(ctx); err != nil {
		return err
	}
	tag, err := h.conn.Exec(ctx, renewal, l.Name(), l.time, l.about(), l.serves.Load())
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errNoLease
	}
	if !sent.Before(h.until) { // the database was away, or this process stood still
		l.steady.Store(&sent)
	}
	h.until = sent.Add(l.time - l.slack())
	others, err := l.server.members(ctx, h.conn)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.others)
	h.alone = true
	for _, m := range others {
		h.alone = h.alone && (!m.Serves || m.ID == l.Name())
		if m.ID == l.Name() {
			l.drains.Store(m.State == api.NodeDraining)
		}
		if m.State != api.NodeLost {
			l.others[m.ID] = m
		}
	}
	return nil
}

// channel is where processes tell each other that there is something in the journal.
const channel = "glovebox"

// connect makes the connection, if there is none.
func (h *holding) connect(ctx context.Context) error {
	if h.conn != nil && !h.conn.IsClosed() {
		return nil
	}
	h.conn = nil
	c, err := h.lease.server.dial(ctx)
	if err != nil {
		return err
	}
	// A renewal need not survive: the lease would end earlier.
	if _, err := c.PgConn().Exec(ctx, `SET synchronous_commit = off; LISTEN `+channel).ReadAll(); err != nil {
		return errors.Join(err, c.Close(context.WithoutCancel(ctx)))
	}
	h.conn = c
	return nil
}

func (h *holding) disconnect() {
	if h.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = h.conn.Close(ctx) // it ends by itself in a moment
	}
}

// lose ends all that this process holds, and then takes a new lease. Nothing can be
// written meanwhile, not even that something ended.
func (h *holding) lose(ctx context.Context) {
	l := h.lease
	old, none := l.Name(), ""
	l.name.Store(&none)
	l.writer.refuse()
	if l.o.Lost != nil {
		l.o.Lost()
	}
	for pause := minPause; ctx.Err() == nil; pause = min(2*pause, maxPause) {
		if h.retake(ctx, old) == nil {
			l.writer.admit()
			if l.o.Held != nil {
				l.o.Held(l.Name())
			}
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// retake ends the old lease for good, whatever became of it, and takes a new one.
func (h *holding) retake(ctx context.Context, old string) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := h.connect(ctx); err != nil {
		return err
	}
	if _, err := h.conn.Exec(ctx, `UPDATE nodes SET ended = true WHERE id = $1`, old); err != nil {
		return err
	}
	sent := time.Now()
	if err := h.lease.take(ctx, h.conn); err != nil {
		return err
	}
	h.until = sent.Add(h.lease.time - h.lease.slack())
	return nil
}

// leave ends the lease, so that others need not wait for its end.
func (h *holding) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if h.connect(ctx) == nil {
		_, _ = h.conn.Exec(ctx, `UPDATE nodes SET ended = true WHERE id = $1`, h.lease.Name()) // it ends by itself in a moment
	}
	h.disconnect()
}

// close ends the lease.
func (l *Lease) close() {
	l.stop()
	<-l.ended
}

// Alive reports whether a node may still write. When that cannot be found out it may.
func (l *Lease) Alive(name string) bool {
	if name == "" {
		return false
	}
	if name == l.Name() {
		return true
	}
	l.mu.Lock()
	m, known := l.others[name]
	gone := l.gone[name]
	l.mu.Unlock()
	if gone || known && !l.o.Gone(m.Home, m.Process) {
		return !gone
	}
	ctx, cancel := context.WithTimeout(l.server.closing, l.beat())
	defer cancel()
	ended, err := l.server.end(ctx, name, l.sure)
	if err != nil || !ended {
		return true
	}
	l.noteGone(name)
	return false
}

// sure reports whether the lease of a node may be ended. If its time is over, that is
// only because of the node if this process has seen the database all the time.
func (l *Lease) sure(home, process string, over bool) bool {
	return over && time.Since(*l.steady.Load()) >= l.time || l.o.Gone(home, process)
}

// noteGone remembers that a node has ended.
func (l *Lease) noteGone(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.gone) >= maxGone {
		clear(l.gone)
	}
	l.gone[name] = true
	delete(l.others, name)
}

// SessionNews is what Lease.Listen hears when something was recorded of a session.
const SessionNews = "session"

// say tells all processes that there is something in the journal.
func say(what string) string { return fmt.Sprintf(`SELECT pg_notify('%s', '%s')`, channel, what) }
