package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// How many nodes and runs a schedule has, and how many steps it takes.
const (
	modelNodes = 3
	modelRuns  = 3
	modelSteps = 60
)

// world is a database with nodes and runs, step by step. Whatever is refused returns
// false and changes nothing.
type world interface {
	join(node int) (lease int)           // takes a lease
	renew(node, lease int) bool          // renews it
	expire(lease int)                    // its time is over
	end(by, lease int) bool              // ends it, if its time is over
	claim(node, lease, run, old int) int // takes a run that lease old holds, or any; returns the fence, or 0
	begin(node, lease, run, fence int, last bool) bool
	commit(node int) bool
	ended(run int) int // how often the run has ended
}

// sim is the world as it has to be.
type sim struct {
	leases []simLease
	runs   [modelRuns]simRun
	open   [modelNodes]*simWrite
}

type simLease struct {
	node        int
	over, ended bool
}
type simRun struct{ owner, fence, ends int }
type simWrite struct {
	lease, run int
	last       bool
}

func newSim() *sim {
	s := &sim{}
	for i := range s.runs {
		s.runs[i] = simRun{owner: -1, fence: 1}
	}
	return s
}

func (s *sim) join(node int) int {
	s.leases = append(s.leases, simLease{node: node})
	return len(s.leases) - 1
}

func (s *sim) holds(lease int) bool { return !s.leases[lease].ended }

func (s *sim) renew(_, lease int) bool {
	s.leases[lease].over = s.leases[lease].ended
	return s.holds(lease)
}

func (s *sim) expire(lease int) { s.leases[lease].over = true }

func (s *sim) end(_, lease int) bool {
	l := &s.leases[lease]
	if !l.over {
		return l.ended
	}
	l.ended = true
	if w := s.open[l.node]; w != nil && w.lease == lease {
		s.open[l.node] = nil
	}
	return true
}

func (s *sim) claim(_, lease, run, old int) int {
	r := &s.runs[run]
	if !s.holds(lease) || r.ends > 0 || r.owner != old {
		return 0
	}
	r.owner, r.fence = lease, r.fence+1
	return r.fence
}

func (s *sim) begin(node, lease, run, fence int, last bool) bool {
	if !s.holds(lease) || s.runs[run].fence != fence || s.runs[run].ends > 0 {
		return false
	}
	s.open[node] = &simWrite{lease, run, last}
	return true
}

func (s *sim) commit(node int) bool {
	w := s.open[node]
	s.open[node] = nil
	if w == nil {
		return false
	}
	if w.last {
		s.runs[w.run].ends++
	}
	return true
}

func (s *sim) ended(run int) int { return s.runs[run].ends }

// player is a node as it sees itself: it may be wrong about its lease and its runs.
type player struct {
	lease   int
	fences  [modelRuns]int
	writes  int // the run that it is writing, or -1
	last    bool
	stopped bool // it does nothing, and knows nothing, until it comes back
}

// play takes random steps in a world, and then brings all runs to their end. The
// steps depend on the answers, so that equal worlds see equal schedules.
func play(fail func(format string, args ...any), w world, seed uint64) (answers []string) {
	random := rand.New(rand.NewPCG(seed, 19))
	var players [modelNodes]player
	note := func(what string, args ...any) { answers = append(answers, fmt.Sprintf(what, args...)) }
	for i := range players {
		players[i] = player{lease: w.join(i), writes: -1}
	}
	latest := [modelRuns]int{} // fences that were written with
	var leases []int           // whose end was not seen
	rejoin := func(i int) {
		p := &players[i]
		if p.writes >= 0 { // what is under way is refused, or was in time
			w.commit(i)
		}
		w.expire(p.lease)
		if !w.end(i, p.lease) {
			fail("seed %d: node %d could not end its own lease", seed, i)
		}
		leases = append(leases, p.lease)
		*p = player{lease: w.join(i), writes: -1}
	}
	step := func(i, what int) {
		p := &players[i]
		run := random.IntN(modelRuns)
		switch {
		case what == 0: // it stands still, or is cut off, and continues later as if nothing was
			p.stopped = !p.stopped
		case what == 1: // its time passes
			w.expire(p.lease)
		case p.stopped:
		case what == 2:
			if ok := w.renew(i, p.lease); !ok {
				note("node %d finds its lease lost", i)
				rejoin(i)
			}
		case what == 3: // it looks after the others
			for j := range players {
				if j != i && w.end(i, players[j].lease) && !slices.Contains(leases, players[j].lease) {
					note("node %d ends lease %d", i, players[j].lease)
					leases = append(leases, players[j].lease)
				}
			}
		case what == 4 && p.writes < 0: // it takes a run that has no owner, or a dead one
			for _, old := range append([]int{-1}, leases...) {
				if fence := w.claim(i, p.lease, run, old); fence > 0 {
					note("node %d takes run %d with fence %d", i, run, fence)
					p.fences[run] = fence
				}
			}
		case what >= 5 && p.writes < 0 && p.fences[run] > 0:
			last := what == 9
			if !w.begin(i, p.lease, run, p.fences[run], last) {
				note("node %d may not write run %d", i, run)
				p.fences[run] = 0
				return
			}
			p.writes, p.last = run, last
		case what >= 5 && p.writes >= 0:
			fence := p.fences[p.writes]
			ok := w.commit(i)
			note("node %d has written run %d: %t", i, p.writes, ok)
			if ok && fence < latest[p.writes] {
				fail("seed %d: run %d was written with fence %d after %d\n%v", seed, p.writes, fence, latest[p.writes], answers)
			}
			if ok {
				latest[p.writes] = fence
			}
			if ok && p.last || !ok {
				p.fences[p.writes] = 0
			}
			p.writes = -1
		}
	}
	for range modelSteps {
		step(random.IntN(modelNodes), random.IntN(10))
	}
	// Everything that is not node 0 dies, and that one has all the time that it needs.
	for i := 1; i < modelNodes; i++ {
		w.expire(players[i].lease)
		w.end(0, players[i].lease)
		leases = append(leases, players[i].lease)
	}
	rejoin(0)
	for run := range modelRuns {
		for _, old := range append([]int{-1}, leases...) {
			if fence := w.claim(0, players[0].lease, run, old); fence > 0 {
				if !w.begin(0, players[0].lease, run, fence, true) || !w.commit(0) {
					fail("seed %d: run %d could not be ended", seed, run)
				}
			}
		}
		if n := w.ended(run); n != 1 {
			fail("seed %d: run %d ended %d times\n%v", seed, run, n, answers)
		}
	}
	return answers
}

// TestLeaseModel: whatever the nodes do, and whichever of them stand still in the
// meantime, one holder at a time writes a run, none is lost, and each ends once.
func TestLeaseModel(t *testing.T) {
	schedules := uint64(20_000)
	if testing.Short() {
		schedules = 2_000
	}
	for seed := range schedules {
		play(t.Fatalf, newSim(), seed)
	}
}

// TestLeaseModelIsSharp: a world in which a transaction that began before outlives its
// lease, and asks for no fence, is found out.
func TestLeaseModelIsSharp(t *testing.T) {
	caught := 0
	for seed := range uint64(5_000) {
		func() {
			defer func() {
				if recover() != nil {
					caught++
				}
			}()
			play(func(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }, &loose{newSim()}, seed)
		}()
	}
	if caught == 0 {
		t.Error("no schedule shows that the fence is missing")
	}
}

// loose is a world whose writes are not fenced.
type loose struct{ *sim }

func (l loose) end(by, lease int) bool { // and its transactions go on
	open := l.open
	ok := l.sim.end(by, lease)
	l.open = open
	return ok
}

func (l loose) begin(node, lease, run, _ int, last bool) bool {
	l.open[node] = &simWrite{lease, run, last}
	return true
}

// real is the world of the database.
type real struct {
	t       *testing.T
	server  *server
	control *pgx.Conn
	conns   [modelNodes]*conn
	open    [modelNodes]bool
	leases  []*Lease
}

func newReal(t *testing.T, s *server) *real {
	r := &real{t: t, server: s}
	r.control = r.dial()
	_, err := r.control.Exec(t.Context(), `TRUNCATE nodes, writers, runs CASCADE`)
	r.must(err)
	for run := range modelRuns {
		_, err := r.control.Exec(t.Context(), `INSERT INTO runs (id, call, root, task, kind, task_digest, status, owner, fence, seq, created_at, record, sum)
			VALUES ($1, 0, $1, '', '', '', 'queued', '-1', 1, 0, '', '', 0)`, fmt.Sprint(run))
		r.must(err)
	}
	return r
}

func (r *real) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *real) dial() *pgx.Conn {
	c, err := r.server.dial(r.t.Context())
	r.must(err)
	r.t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// serverOf is that of a node: its connections have a name of their own.
func (r *real) serverOf(node int) *server {
	s := *r.server
	s.id = fmt.Sprintf("model-%d", node)
	return &s
}

func (r *real) join(node int) int {
	l := &Lease{server: r.serverOf(node), time: leaseTime}
	r.must(l.take(r.t.Context(), r.control))
	r.leases = append(r.leases, l)
	return len(r.leases) - 1
}

func (r *real) exec(query string, args ...any) int64 {
	r.t.Helper()
	tag, err := r.control.Exec(r.t.Context(), query, args...)
	r.must(err)
	return tag.RowsAffected()
}

func (r *real) renew(_, lease int) bool {
	l := r.leases[lease]
	return r.exec(renewal, l.Name(), l.time, "{}", true) == 1
}

func (r *real) expire(lease int) {
	r.exec(`UPDATE nodes SET expires_at = clock_timestamp() WHERE id = $1`, r.leases[lease].Name())
}

func (r *real) end(by, lease int) bool {
	ended, err := r.server.end(r.t.Context(), r.leases[lease].Name(), func(_, _ string, over bool) bool { return over })
	r.must(err)
	return ended
}

// transaction begins a durable one of a node, as its writer does, with one statement
// that has to change a row. A connection that was cut is replaced.
func (r *real) transaction(node, lease int, query string, args ...any) bool {
	for {
		if c := r.conns[node]; c == nil || c.pg.IsClosed() {
			pg, err := r.serverOf(node).dialNamed(r.t.Context())
			r.must(err)
			r.conns[node] = newConn(pg, r.leases[lease], fmt.Sprint("model-", node), 0)
		}
		c := r.conns[node]
		c.lease = r.leases[lease]
		r.must(c.Begin(true))
		r.must(c.Expect(nil, query, args...))
		if err := c.Flush(); !errors.As(err, new(lost)) {
			return r.done(c, err)
		}
	}
}

func (s *server) dialNamed(ctx context.Context) (*pgx.Conn, error) {
	c := s.config.ConnConfig.Copy()
	c.RuntimeParams["application_name"] = s.name()
	return pgx.ConnectConfig(ctx, c)
}

// done ends a transaction that was refused, and reports whether it was not.
func (r *real) done(c *conn, err error) bool {
	r.t.Helper()
	if err == nil {
		return true
	}
	if !errors.Is(err, errNoLease) && !errors.Is(err, tables.ErrPartial) && !errors.As(err, new(lost)) {
		r.t.Fatal(err)
	}
	c.Rollback()
	return false
}

func (r *real) claim(node, lease, run, old int) int {
	name := "-1"
	if old >= 0 {
		name = r.leases[old].Name()
	}
	if !r.transaction(node, lease, `UPDATE runs SET owner = ?, fence = fence + 1 WHERE id = ? AND owner = ? AND status <> 'succeeded'`, r.leases[lease].Name(), fmt.Sprint(run), name) {
		return 0
	}
	r.must(r.conns[node].Commit())
	return r.fence(run)
}

func (r *real) begin(node, lease, run, fence int, last bool) bool {
	status := "running"
	if last {
		status = "succeeded"
	}
	r.open[node] = r.transaction(node, lease, `UPDATE runs SET seq = seq + 1, status = ?, call = call + ? WHERE id = ? AND fence = ? AND status <> 'succeeded'`,
		status, boolean(last), fmt.Sprint(run), int64(fence))
	return r.open[node]
}

func boolean(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (r *real) commit(node int) bool {
	was := r.open[node]
	r.open[node] = false
	return was && r.done(r.conns[node], r.conns[node].Commit())
}

func (r *real) read(query string, run int) int {
	var n int
	r.must(r.control.QueryRow(r.t.Context(), query, fmt.Sprint(run)).Scan(&n))
	return n
}

func (r *real) ended(run int) int { return r.read(`SELECT call FROM runs WHERE id = $1`, run) }
func (r *real) fence(run int) int { return r.read(`SELECT fence FROM runs WHERE id = $1`, run) }

// TestLeaseModelHolds: Postgres answers each step of a schedule as the model does.
func TestLeaseModelHolds(t *testing.T) {
	t.Parallel()
	schedules := uint64(100)
	if testing.Short() {
		schedules = 10
	}
	a, err := parseAddress(pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(a)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.prepare(t.Context(), Options{Home: "home"}); err != nil {
		t.Fatal(err)
	}
	for seed := range schedules {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			got, want := play(t.Fatalf, newReal(t, s), seed), play(t.Fatalf, newSim(), seed)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d: Postgres answers\n%v\nand the model\n%v", seed, got, want)
			}
		})
	}
}
