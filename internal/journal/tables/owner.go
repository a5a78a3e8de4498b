package tables

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// ownerStore keeps owners, tokens and deeds in a DB.
type ownerStore struct{ *Store }

var _ journal.Owners = ownerStore{}

// encodeOwned writes a record of an owner.
func encodeOwned(what string, v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", api.Errorf(api.Internal, "%s: %w", what, err)
	}
	return string(text), nil
}

// PutOwner implements journal.Owners.
func (s ownerStore) PutOwner(ctx context.Context, o api.Owner) error {
	record, err := encodeOwned("owner "+o.Name, o)
	if err != nil {
		return err
	}
	return s.do(ctx, func(c Tx) error {
		_, err := c.Exec(`INSERT INTO owners (name, record, sum) VALUES (?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET record = excluded.record, sum = excluded.sum`, o.Name, record, sumOf(o.Name, record))
		return err
	})
}

func scanOwner(rows Row) (o api.Owner, err error) {
	var name, record string
	var sum int64
	if err := rows.Scan(&name, &record, &sum); err != nil {
		return o, err
	}
	if sumOf(name, record) != sum {
		return o, fmt.Errorf("owner %s: %w", name, journal.ErrDamaged)
	}
	return o, decode(record, &o)
}

// Owner implements journal.Owners.
func (s ownerStore) Owner(ctx context.Context, name string) (*api.Owner, error) {
	return one(ctx, s.db, scanOwner, "owner "+name, `SELECT name, record, sum FROM owners WHERE name = ?`, name)
}

// Owners implements journal.Owners.
func (s ownerStore) Owners(ctx context.Context) ([]api.Owner, error) {
	return all(ctx, s.db, scanOwner, `SELECT name, record, sum FROM owners ORDER BY name`)
}

// RemoveOwner implements journal.Owners.
func (s ownerStore) RemoveOwner(ctx context.Context, name string) error {
	return s.do(ctx, func(c Tx) error {
		if err := s.db.Dialect().lock(c, "owners"); err != nil { // a token may be on its way
			return err
		}
		if n, err := c.Exec(`DELETE FROM owners WHERE name = ?`, name); err != nil || n == 0 {
			return missingUnless(err, "owner", name)
		}
		_, err := c.Exec(`DELETE FROM tokens WHERE owner = ?`, name)
		return err
	})
}

// missingUnless is ErrNotFound of what no row was changed of, unless that has another
// reason.
func missingUnless(err error, what, name string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%s %s: %w", what, name, journal.ErrNotFound)
}

// AddToken implements journal.Owners.
func (s ownerStore) AddToken(ctx context.Context, t journal.TokenRecord) error {
	record, err := encodeOwned("token "+t.Name, t)
	if err != nil {
		return err
	}
	return s.do(ctx, func(c Tx) error {
		if err := s.db.Dialect().lock(c, "owners"); err != nil { // the owner may be about to go
			return err
		}
		known := false
		if err := c.Query(func([]Value) error { known = true; return nil }, `SELECT 1 FROM owners WHERE name = ?`, t.Owner); err != nil || !known {
			return missingUnless(err, "owner", t.Owner)
		}
		n, err := c.Exec(`INSERT INTO tokens (id, owner, name, record, sum) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			t.ID, t.Owner, t.Name, record, sumOf(t.ID, t.Owner, t.Name, record))
		if err == nil && n == 0 {
			err = fmt.Errorf("token %s of %s: %w", t.Name, t.Owner, journal.ErrExists)
		}
		return err
	})
}

// tokenColumns are what scanToken reads.
const tokenColumns = `id, owner, name, used_at, record, sum`

func scanToken(rows Row) (t journal.TokenRecord, err error) {
	var id, owner, name, record string
	var used sql.NullString
	var sum int64
	if err := rows.Scan(&id, &owner, &name, &used, &record, &sum); err != nil {
		return t, err
	}
	if sumOf(id, owner, name, record) != sum {
		return t, fmt.Errorf("token %s of %s: %w", name, owner, journal.ErrDamaged)
	}
	if err := decode(record, &t); err != nil {
		return t, err
	}
	t.ID = id
	if used.Valid {
		t.Used, err = parseTime(used.String)
	}
	return t, err
}

// Token implements journal.Owners.
func (s ownerStore) Token(ctx context.Context, id string) (*journal.TokenRecord, error) {
	return one(ctx, s.db, scanToken, "a token", `SELECT `+tokenColumns+` FROM tokens WHERE id = ?`, id)
}

// Tokens implements journal.Owners.
func (s ownerStore) Tokens(ctx context.Context, owner string) ([]journal.TokenRecord, error) {
	return all(ctx, s.db, scanToken, `SELECT `+tokenColumns+` FROM tokens WHERE owner = ? ORDER BY name`, owner)
}

// RemoveToken implements journal.Owners.
func (s ownerStore) RemoveToken(ctx context.Context, owner, name string) error {
	return s.do(ctx, func(c Tx) error {
		if n, err := c.Exec(`DELETE FROM tokens WHERE owner = ? AND name = ?`, owner, name); err != nil || n == 0 {
			return missingUnless(err, "token", name+" of "+owner)
		}
		return nil
	})
}

// Used implements journal.Owners.
func (s ownerStore) Used(ctx context.Context, id string, at time.Time) error {
	return s.doLazily(ctx, len(id), func(c Tx) error {
		_, err := c.Exec(`UPDATE tokens SET used_at = ? WHERE id = ?`, timeText(at), id)
		return err
	})
}

// AddBlob implements journal.Owners.
func (s ownerStore) AddBlob(ctx context.Context, owner, digest string) error {
	return s.do(ctx, func(c Tx) error {
		_, err := c.Exec(`INSERT INTO owner_blobs (owner, digest) VALUES (?, ?) ON CONFLICT DO NOTHING`, owner, digest)
		return err
	})
}

// HasBlob implements journal.Owners.
func (s ownerStore) HasBlob(ctx context.Context, owner, digest string) (has bool, err error) {
	err = s.db.Read(ctx, func(Row) error { has = true; return nil }, `SELECT 1 FROM owner_blobs WHERE owner = ?1 AND digest = ?2
		UNION ALL SELECT 1 FROM blob_refs b JOIN runs r ON r.id = b.run WHERE b.digest = ?2 AND r.owned_by = ?1 LIMIT 1`, owner, digest)
	return has, err
}

// CountRuns implements journal.Owners.
func (s ownerStore) CountRuns(ctx context.Context, owner string, most int) (n int, err error) {
	err = s.db.Read(ctx, func(rows Row) error { return rows.Scan(&n) },
		`SELECT count(*) FROM (SELECT 1 FROM runs WHERE owned_by = ? AND `+unfinished+` LIMIT ?) AS counted`, owner, most)
	return n, err
}

// CountSessions implements journal.Owners. Those that have not ended are few, and whose
// they are stands in their records.
func (s ownerStore) CountSessions(ctx context.Context, owner string, most int) (n int, err error) {
	err = s.db.Read(ctx, func(rows Row) error {
		if n == most {
			return nil
		}
		r, err := scanSession(rows)
		if err == nil && r.Owner == owner {
			n++
		}
		return err
	}, `SELECT `+sessionColumns+` FROM sessions WHERE state NOT IN ('ended', 'lost')`)
	return n, err
}

// AddDeed implements journal.Owners.
func (s ownerStore) AddDeed(ctx context.Context, d api.Deed) error {
	record, err := encodeOwned("a deed", d)
	if err != nil {
		return err
	}
	return s.do(ctx, func(c Tx) error {
		_, err := c.Exec(`INSERT INTO deeds (owner, object, record, sum) VALUES (?, ?, ?, ?)`, d.Owner, d.Object, record, sumOf(d.Owner, d.Object, record))
		return err
	})
}

func scanDeed(rows Row) (d api.Deed, err error) {
	var num, sum int64
	var owner, object, record string
	if err := rows.Scan(&num, &owner, &object, &record, &sum); err != nil {
		return d, err
	}
	if sumOf(owner, object, record) != sum {
		return d, fmt.Errorf("deed %d: %w", num, journal.ErrDamaged)
	}
	err = decode(record, &d)
	d.Num = num
	return d, err
}

// Deeds implements journal.Owners.
func (s ownerStore) Deeds(ctx context.Context, q api.DeedQuery) ([]api.Deed, error) {
	before := q.Before
	if before <= 0 {
		before = math.MaxInt64
	}
	where, args := `num < ?`, []any{before}
	if q.Owner != "" {
		where, args = where+` AND owner = ?`, append(args, q.Owner)
	}
	if q.Object != "" {
		where, args = where+` AND object = ?`, append(args, q.Object)
	}
	return all(ctx, s.db, scanDeed, `SELECT num, owner, object, record, sum FROM deeds WHERE `+where+` ORDER BY num DESC LIMIT ?`, append(args, pageSize(q.Limit))...)
}
