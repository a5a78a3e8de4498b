package postgres_test

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
)

// proxy passes on what a client and a server of Postgres say, and cuts.
type proxy struct {
	listener net.Listener
	server   string
	messages atomic.Int64 // pieces passed on so far, of both directions

	mu     sync.Mutex
	closed bool  // lets nobody through
	cut    int64 // cuts all connections at that piece; 0 does not
	back   bool  // at a piece of the server, and not of the client
	live   map[net.Conn]bool
}

func newProxy(t *testing.T, server string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{listener: l, server: server, live: map[net.Conn]bool{}}
	t.Cleanup(func() { l.Close(); p.drop() })
	go p.accept()
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.server)
		if p.shut() && err == nil {
			server.Close()
			err = net.ErrClosed
		}
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		p.live[client], p.live[server] = true, true
		p.mu.Unlock()
		go p.pass(server, client, false)
		go p.pass(client, server, true)
	}
}

// pass passes on what from says, piece by piece.
func (p *proxy) pass(to, from net.Conn, back bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || p.cuts(back) {
			to.Close()
			from.Close()
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			from.Close()
			return
		}
	}
}

// cuts reports whether this is the piece that is lost, and with it all connections.
func (p *proxy) cuts(back bool) bool {
	n := p.messages.Add(1)
	p.mu.Lock()
	now := p.cut > 0 && n >= p.cut && back == p.back
	if now {
		p.cut = 0
	}
	p.mu.Unlock()
	if now {
		p.drop()
	}
	return now
}

// cutAt arms the proxy.
func (p *proxy) cutAt(n int64, back bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages.Store(0)
	p.cut, p.back = n, back
}

func (p *proxy) shut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// shutOut cuts all connections, and lets no new one through until it is called again.
func (p *proxy) shutOut(closed bool) {
	p.mu.Lock()
	p.closed = closed
	p.mu.Unlock()
	p.drop()
}

func (p *proxy) armed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cut > 0
}

func (p *proxy) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.live {
		c.Close()
	}
	p.live = map[net.Conn]bool{}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// life makes a run, lets it call another, claims and ends it, and reports what the
// journal does not have as it should.
func life(t *testing.T, j journal.Journal, id string) error {
	ctx := t.Context()
	first := journaltest.NewRun(id, 0, nil)
	first.Record.IdempotencyKey = "key " + id
	if err := j.Submit(first).Wait(ctx); err != nil {
		return fmt.Errorf("create: %w", err)
	}
	claimed, err := j.Claim(ctx, id, "", "owner")
	if err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	if claimed.Fence != 2 {
		return fmt.Errorf("the fence is %d after one claim", claimed.Fence)
	}
	started := journaltest.Next(*claimed, api.EventStarted)
	call := journaltest.NewRun(id+"-call", 1, claimed)
	if err := j.Submit(started, call).Wait(ctx); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	var last journal.Receipt
	record := started.Record
	for range 5 {
		next := journaltest.Next(record, api.EventProgress)
		record, last = next.Record, j.Submit(next)
	}
	if err := last.Wait(ctx); err != nil {
		return fmt.Errorf("progress: %w", err)
	}
	ended := journaltest.Ended(record, api.StatusSucceeded, 3)
	if err := j.Submit(ended, journaltest.Ended(call.Record, api.StatusFailed, 2)).Wait(ctx); err != nil {
		return fmt.Errorf("end: %w", err)
	}
	return whole(t, j, id, ended.Record.Seq)
}

// whole reports what a journal lacks of a run that has ended, or has twice.
func whole(t *testing.T, j journal.Journal, id string, seq int64) error {
	r, err := j.Load(t.Context(), id)
	if err != nil {
		return err
	}
	events, err := j.Events(t.Context(), id, 0, 100)
	if err != nil {
		return err
	}
	if r.Seq != seq || int64(len(events)) != seq || !r.Status.Ended() {
		return fmt.Errorf("run %s is %s with %d events, the last of number %d, want %d", id, r.Status, len(events), r.Seq, seq)
	}
	return nil
}

// TestCutAnywhere: the connection ends at each message of either side, also at the
// answer to a commit. Nothing is lost, and nothing is there twice.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	name := newDatabase(t)
	p := newProxy(t, server.Address())
	j := open(t, server.TCP(name, p.address())).Journal()
	must(t, life(t, j, "run-warm")) // statements are prepared once
	for _, back := range []bool{false, true} {
		for n := int64(1); ; n++ {
			p.cutAt(n, back)
			if err := life(t, j, fmt.Sprintf("run-%t-%d", back, n)); err != nil {
				t.Fatalf("cut at message %d, of the server: %t: %v", n, back, err)
			}
			if p.armed() { // the whole life takes fewer
				if n < 20 {
					t.Errorf("a life takes %d messages", n)
				}
				break
			}
			if testing.Short() {
				n += 4
			}
		}
	}
	if got := server.SQL(t, name, `SELECT count(*) FROM (SELECT run, seq FROM events GROUP BY 1, 2 HAVING count(*) > 1) AS twice`); got != "0" {
		t.Errorf("%s events are there twice", got)
	}
}

// TestRestart: the server is killed and started again while runs are written.
func TestRestart(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	db := open(t, server.URL(server.Create(t)))
	var group sync.WaitGroup
	done := make(chan struct{})
	var runs atomic.Int64
	for i := range 4 {
		group.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if err := life(t, db.Journal(), fmt.Sprintf("run-%d-%d", i, n)); err != nil {
					t.Error(err)
					return
				}
				runs.Add(1)
			}
		})
	}
	for round, signal := range []string{"QUIT", "INT", "KILL"} {
		for goal := runs.Load() + 3; runs.Load() < goal && !t.Failed(); {
			time.Sleep(5 * time.Millisecond) // until some more have ended
		}
		server.Halt(signal)
		if err := server.Run(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	close(done)
	group.Wait()
	if found, _, err := db.Journal().List(t.Context(), api.RunQuery{Top: true, Status: []api.Status{api.StatusSucceeded}, Limit: 1000}); err != nil || int64(len(found)) != min(runs.Load(), 1000) {
		t.Errorf("%d runs are there, %v, want %d", len(found), err, runs.Load())
	}
}

// openWaiting opens a database, and waits receives when something waits for it.
func openWaiting(t *testing.T, url string) (db *postgres.DB, waits chan struct{}) {
	t.Helper()
	waits = make(chan struct{}, 1)
	db, err := postgres.Open(t.Context(), url, postgres.Options{Home: "home", Waits: func() {
		select {
		case waits <- struct{}{}:
		default:
		}
	}})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db, waits
}

// TestReadOnly: what continues a run waits while the database is read-only, and is
// written when it is not any more.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	name := newDatabase(t)
	db, waits := openWaiting(t, server.URL(name))
	c := journaltest.NewRun("run-a", 0, nil)
	must(t, db.Journal().Submit(c).Wait(t.Context()))
	server.SQL(t, "postgres", `ALTER DATABASE `+name+` SET default_transaction_read_only = on`,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+name+`'`)
	c = journaltest.Next(c.Record, api.EventProgress)
	receipt := db.Journal().Submit(c)
	<-waits
	if _, err := db.Journal().Load(t.Context(), "run-a"); err != nil {
		t.Errorf("reading meanwhile: %v", err)
	}
	server.SQL(t, "postgres", `ALTER DATABASE `+name+` RESET default_transaction_read_only`,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+name+`'`)
	must(t, receipt.Wait(t.Context()))
	must(t, (func() error {
		events, err := db.Journal().Events(t.Context(), "run-a", 0, 10)
		if err == nil && len(events) != 2 {
			err = fmt.Errorf("%d events, want 2", len(events))
		}
		return err
	})())
}

// TestExhausted: when the server has no connection left, what is asked waits for one.
func TestExhausted(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	name := server.Create(t)
	server.SQL(t, "postgres", `CREATE ROLE small LOGIN`, `ALTER DATABASE `+name+` OWNER TO small`)
	db, waits := openWaiting(t, strings.Replace(server.URL(name), "user=glovebox", "user=small", 1))
	must(t, life(t, db.Journal(), "run-before"))
	server.SQL(t, "postgres", `ALTER ROLE small CONNECTION LIMIT 0`, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'small'`)
	ended := make(chan error)
	go func() { ended <- life(t, db.Journal(), "run-meanwhile") }()
	<-waits
	server.SQL(t, "postgres", `ALTER ROLE small CONNECTION LIMIT -1`)
	must(t, <-ended)
}

// TestGivenUp: a database that stays away makes new work fail, and says so.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	db := open(t, server.URL(server.Create(t)))
	c := journaltest.NewRun("run-a", 0, nil)
	must(t, db.Journal().Submit(c).Wait(t.Context()))
	server.Halt("INT")
	receipt := db.Journal().Submit(journaltest.Next(c.Record, api.EventProgress))
	db.SetPatience(0)
	if err := receipt.Wait(t.Context()); !errors.Is(err, &api.Error{Code: api.ServerUnavailable}) || strings.Contains(fmt.Sprint(err), pgtest.Password) {
		t.Errorf("got %v, want %s", err, api.ServerUnavailable)
	}
}
