package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/glovebox-dev/glovebox/api"
)

// Member is a process that uses the database.
type Member struct {
	api.Node
	Home    string // its directory, and the machine of that
	Process string // its name there
	Serves  bool   // whether it answers requests
	// Certificate tells the certificate that it shows at its address; empty without TLS.
	Certificate string
}

// about is what the row of a process has beside its columns.
type about struct {
	api.Node
	Certificate string `json:"certificate,omitempty"`
}

// encoded is what the row has beside its columns.
func (m *Member) encoded() string {
	text, err := json.Marshal(&about{m.Node, m.Certificate})
	if err != nil { // a struct of texts and numbers cannot fail
		panic(err)
	}
	return string(text)
}

// members returns all processes that have a lease, or had one and were not gone over
// yet, the oldest first.
func (s *server) members(ctx context.Context, c interface {
	Query(context.Context, string, ...any) (pgx.Rows, error)
}) ([]Member, error) {
	rows, err := c.Query(ctx, `SELECT id, home, process, about, serves, drains, ended OR expires_at <= clock_timestamp(), since, seen_at FROM nodes ORDER BY since, id`)
	if err != nil {
		return nil, asLost(ctx, err)
	}
	defer rows.Close()
	var members []Member
	for rows.Next() {
		var m Member
		var text string
		var drains, over bool
		var id string
		var since, seen time.Time
		if err := rows.Scan(&id, &m.Home, &m.Process, &text, &m.Serves, &drains, &over, &since, &seen); err != nil {
			return nil, err
		}
		var a about
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			a = about{}
		}
		m.Node, m.Certificate = a.Node, a.Certificate
		m.ID, m.Since, m.Seen, m.State = id, since.UTC(), seen.UTC(), api.NodeActive
		switch {
		case over:
			m.State = api.NodeLost
		case drains:
			m.State = api.NodeDraining
		}
		members = append(members, m)
	}
	return members, asLost(ctx, rows.Err())
}

// end ends the lease of a node if that is sure, and reports whether it has ended. Its connections are cut, and what it was writing is
// waited for: from then on, it can write nothing.
func (s *server) end(ctx context.Context, name string, sure func(home, process string, over bool) bool) (bool, error) {
	c, err := s.pool.Acquire(ctx)
	if err != nil {
		return false, asLost(ctx, err)
	}
	defer c.Release()
	var session, home, process string
	var ended, over bool
	err = c.QueryRow(ctx, `SELECT session, home, process, ended, expires_at <= clock_timestamp() FROM nodes WHERE id = $1`, name).Scan(&session, &home, &process, &ended, &over)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return true, nil // it was gone over before
	case err != nil:
		return false, asLost(ctx, err)
	case ended:
		return true, nil
	case !sure(home, process, over):
		return false, nil
	}
	return true, asLost(ctx, endNode(ctx, c.Conn(), name, session))
}

// endNode ends a lease for good.
func endNode(ctx context.Context, c *pgx.Conn, name, session string) error {
	return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()`, appName+session); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `SELECT 1 FROM nodes WHERE id = $1 FOR UPDATE`, name); err != nil { // waits for its transactions
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE nodes SET ended = true WHERE id = $1`, name)
		return err
	})
}

// EndExpired ends the leases whose time is over, or whose process is gone, and returns
// the names of all nodes that have ended and were not gone over yet.
func (l *Lease) EndExpired(ctx context.Context) ([]string, error) {
	members, err := l.server.members(ctx, l.server.pool)
	if err != nil {
		return nil, l.server.explain(err)
	}
	var ended []string
	for _, m := range members {
		if m.ID == l.Name() || m.State != api.NodeLost && !l.o.Gone(m.Home, m.Process) {
			continue
		}
		switch over, err := l.server.end(ctx, m.ID, l.sure); {
		case err != nil:
			return ended, l.server.explain(err)
		case over:
			l.noteGone(m.ID)
			ended = append(ended, m.ID)
		}
	}
	return ended, nil
}

// Forget removes nodes that have ended, and whose runs and sessions were gone over.
func (l *Lease) Forget(ctx context.Context, names []string) error {
	_, err := l.server.pool.Exec(ctx, `DELETE FROM nodes WHERE ended AND id = ANY($1)`, names)
	return l.server.explain(asLost(ctx, err))
}

// Members returns the processes that use the database.
func (l *Lease) Members(ctx context.Context) ([]Member, error) {
	members, err := l.server.members(ctx, l.server.pool)
	return members, l.server.explain(err)
}

// Member returns a process with a lease that holds, if there is one of that name.
func (l *Lease) Member(ctx context.Context, name string) (Member, bool, error) {
	l.mu.Lock()
	m, known := l.others[name]
	l.mu.Unlock()
	if known && m.Address != "" {
		return m, true, nil
	}
	members, err := l.Members(ctx) // it came, or began to answer, since this lease was renewed
	i := slices.IndexFunc(members, func(m Member) bool { return m.ID == name && m.State != api.NodeLost })
	if err != nil || i < 0 {
		return m, false, err
	}
	return members[i], true, nil
}

// Outward returns the address of this machine in its connections to the database, which
// others are likely to reach; the zero value if those do not leave the machine.
func (l *Lease) Outward(ctx context.Context) (netip.Addr, error) {
	c, err := l.server.pool.Acquire(ctx)
	if err != nil {
		return netip.Addr{}, l.server.explain(asLost(ctx, err))
	}
	defer c.Release()
	at, ok := c.Conn().PgConn().Conn().LocalAddr().(*net.TCPAddr)
	if !ok || at.IP.IsLoopback() {
		return netip.Addr{}, nil
	}
	return at.AddrPort().Addr().Unmap(), nil
}

// Drain asks a node to take nothing new and to end, and returns whether there is one.
func (l *Lease) Drain(ctx context.Context, name string) (bool, error) {
	tag, err := l.server.pool.Exec(ctx, `UPDATE nodes SET drains = true WHERE id = $1 AND serves AND NOT ended`, name)
	if err == nil && tag.RowsAffected() > 0 {
		_, err = l.server.pool.Exec(ctx, say("drain"))
	}
	return tag.RowsAffected() > 0, l.server.explain(asLost(ctx, err))
}

// takeDuty gives a duty to a node with a lease, unless another one with a lease has it.
const takeDuty = `INSERT INTO duties (name, node) SELECT $1, id FROM nodes WHERE id = $2 AND NOT ended AND NOT drains AND expires_at > clock_timestamp()
	ON CONFLICT (name) DO UPDATE SET node = excluded.node WHERE duties.node = excluded.node
	OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = duties.node AND NOT n.ended AND NOT n.drains AND n.expires_at > clock_timestamp())`

// Duty reports whether this process is the one that does something for all, and takes
// that over if no other one does.
func (l *Lease) Duty(ctx context.Context, name string) (bool, error) {
	tag, err := l.server.pool.Exec(ctx, takeDuty, name, l.Name())
	return tag.RowsAffected() > 0, l.server.explain(asLost(ctx, err))
}
