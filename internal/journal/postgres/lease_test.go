package postgres_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
)

// shortLease is a lease of tests.
const shortLease = 1200 * time.Millisecond

// leased opens a database with a short lease.
func leased(t *testing.T, url string, o postgres.LeaseOptions) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, postgres.Options{Home: "home", Lease: o, LeaseTime: shortLease, Member: postgres.Member{Home: "m", Process: url}})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// awaitEnd waits until a lease is over, and ends it.
func awaitEnd(t *testing.T, db *postgres.DB, name string) {
	t.Helper()
	for {
		ended, err := db.Lease().EndExpired(t.Context())
		must(t, err)
		if slices.Contains(ended, name) {
			return
		}
		time.Sleep(20 * time.Millisecond) // its time passes in the database
	}
}

// TestLeaseLost: a node that is cut off from the database ends what it holds by itself.
// What it held is taken by another one, and it cannot write that any more when it
// comes back, under another name.
func TestLeaseLost(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	name := newDatabase(t)
	p := newProxy(t, server.Address())
	lost, held := make(chan bool), make(chan string, 1)
	resume := make(chan bool)
	b := leased(t, server.URL(name), postgres.LeaseOptions{})
	must(t, b.Lease().Serve(t.Context(), "", "")) // alone, a would wait for the database
	a := leased(t, server.TCP(name, p.address()), postgres.LeaseOptions{
		Lost: func() { lost <- true; <-resume }, Held: func(name string) { held <- name },
	})
	first := a.Lease().Name()
	c := journaltest.NewRun("run-a", 0, nil)
	c.Record.Holder = first
	must(t, a.Journal().Submit(c).Wait(t.Context()))
	if !b.Lease().Alive(first) {
		t.Error("a node with a lease is taken for dead")
	}

	p.shutOut(true)
	waiting := a.Journal().Submit(journaltest.Next(c.Record, api.EventProgress))
	<-lost
	if err := waiting.Wait(t.Context()); !errors.Is(err, journal.ErrFenced) {
		t.Errorf("what waited for the database: %v, want %v", err, journal.ErrFenced)
	}
	if got := a.Lease().Name(); got != "" {
		t.Errorf("it is still called %s", got)
	}
	awaitEnd(t, b, first)
	if b.Lease().Alive(first) {
		t.Error("a node without a lease is taken for alive")
	}
	claimed, err := b.Journal().Claim(t.Context(), "run-a", first, b.Lease().Name())
	must(t, err)

	p.shutOut(false)
	if err := a.Journal().Submit(journaltest.NewRun("run-b", 0, nil)).Wait(t.Context()); !errors.Is(err, journal.ErrFenced) || !errors.Is(err, &api.Error{Code: api.ServerUnavailable}) {
		t.Errorf("before all was ended: %v, want %v", err, journal.ErrFenced)
	}
	close(resume)
	if second := <-held; second == first || second == "" || !b.Lease().Alive(second) {
		t.Errorf("it is called %s again, and lives: %t", second, b.Lease().Alive(second))
	}
	if err := a.Journal().Submit(journaltest.Next(c.Record, api.EventProgress)).Wait(t.Context()); !errors.Is(err, journal.ErrFenced) {
		t.Errorf("what it held before: %v, want %v", err, journal.ErrFenced)
	}
	must(t, a.Journal().Submit(journaltest.NewRun("run-b", 0, nil)).Wait(t.Context()))
	must(t, b.Journal().Submit(journaltest.Next(*claimed, api.EventStarted)).Wait(t.Context()))
}

// TestLeaseOfTheGone: a process that is known to be dead is not waited for, but for
// what its last transaction does.
func TestLeaseOfTheGone(t *testing.T) {
	t.Parallel()
	url := newURL(t)
	a, err := postgres.Open(t.Context(), url, postgres.Options{Home: "home", Member: postgres.Member{Home: "m", Process: "a"}})
	must(t, err)
	defer a.Close()
	name := a.Lease().Name()
	b := leased(t, url, postgres.LeaseOptions{Gone: func(home, process string) bool { return home == "m" && process == "a" }})
	if b.Lease().Alive(name) {
		t.Error("it is taken for alive")
	}
	if err := a.Journal().Submit(journaltest.NewRun("run-a", 0, nil)).Wait(t.Context()); !errors.Is(err, journal.ErrFenced) {
		t.Errorf("it writes: %v, want %v", err, journal.ErrFenced)
	}
	ended, err := b.Lease().EndExpired(t.Context())
	must(t, err)
	must(t, b.Lease().Forget(t.Context(), ended))
	members, err := b.Lease().Members(t.Context())
	must(t, err)
	if slices.ContainsFunc(members, func(m postgres.Member) bool { return m.ID == name }) || b.Lease().Alive(name) {
		t.Error("it is not forgotten")
	}
}

// TestLeaseHeard: what one process writes for another wakes that.
func TestLeaseHeard(t *testing.T) {
	t.Parallel()
	url := newURL(t)
	a, b := open(t, url), open(t, url)
	heard := make(chan string, 10)
	a.Lease().Listen(func(what string) { heard <- what })
	c := journaltest.NewRun("run-a", 0, nil)
	c.Record.Holder = "somebody"
	must(t, b.Journal().Submit(c).Wait(t.Context()))
	must(t, b.Journal().RequestCancel(t.Context(), "run-a", ""))
	if got := <-heard; got != "control" {
		t.Errorf("heard %q", got)
	}
}

// TestLeaseAlone: a process beside which no server works waits for the database however
// long that is away, and still has its lease then.
func TestLeaseAlone(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	name := newDatabase(t)
	p := newProxy(t, server.Address())
	a := leased(t, server.TCP(name, p.address()), postgres.LeaseOptions{Lost: func() { t.Error("it gives up what it holds") }})
	node := a.Lease().Name()
	must(t, a.Journal().Submit(journaltest.NewRun("run-a", 0, nil)).Wait(t.Context()))
	p.shutOut(true)
	receipt := a.Journal().Submit(journaltest.NewRun("run-b", 0, nil))
	for server.SQL(t, name, `SELECT expires_at < clock_timestamp() FROM nodes WHERE NOT ended`) != "t" {
		time.Sleep(20 * time.Millisecond) // its time passes in the database
	}
	fresh := leased(t, server.URL(name), postgres.LeaseOptions{})
	if !fresh.Lease().Alive(node) {
		t.Error("a process that has just come takes another one for dead, though the database may have been away")
	}
	p.shutOut(false)
	must(t, receipt.Wait(t.Context()))
	if got := a.Lease().Name(); got != node {
		t.Errorf("it is called %s, want %s", got, node)
	}
}
