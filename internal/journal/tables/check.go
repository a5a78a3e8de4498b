package tables

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// checks read all rows of a table and hold them to their sums.
var checks = []struct {
	query string
	scan  func(Row) error
}{
	{`SELECT ` + wholeColumns + ` FROM runs r LEFT JOIN inputs i ON i.run = r.id`, func(rows Row) error {
		_, err := scanWhole(rows)
		return err
	}},
	{`SELECT run, seq, time, kind, data, sum FROM events`, func(rows Row) error {
		var run string
		var e eventRow
		if err := rows.Scan(&run, &e.seq, &e.time, &e.kind, &e.data, &e.sum); err != nil {
			return err
		}
		_, err := e.decode(run)
		return err
	}},
	{`SELECT digest, json, sum FROM definitions`, func(rows Row) error {
		var digest string
		var d definitionRow
		if err := rows.Scan(&digest, &d.text, &d.sum); err != nil {
			return err
		}
		return d.check(digest)
	}},
	{`SELECT run, fence, attempt, started, answered, data, sum FROM snapshots`, func(rows Row) error {
		_, err := scanSnapshot(rows)
		return err
	}},
	{`SELECT ` + approvalColumns + ` FROM approvals a`, func(rows Row) error {
		_, err := scanApproval(rows)
		return err
	}},
	{`SELECT ` + entryColumns + ` FROM cache_entries`, func(rows Row) error {
		_, err := scanEntry(rows)
		return err
	}},
	{`SELECT ` + taskColumns + ` FROM tasks`, func(rows Row) error {
		var r taskRow
		if err := rows.Scan(r.targets()...); err != nil {
			return err
		}
		_, err := r.decode()
		return err
	}},
	{`SELECT ` + sessionColumns + ` FROM sessions`, func(rows Row) error {
		_, err := scanSession(rows)
		return err
	}},
	{`SELECT session, seq, event, sum FROM session_events`, func(rows Row) error {
		_, err := scanSessionEvent(rows)
		return err
	}},
	{`SELECT id, name, record, sum FROM session_snapshots`, func(rows Row) error {
		_, err := scanSessionSnapshot(rows)
		return err
	}},
	{`SELECT ` + scheduleColumns + ` FROM schedules`, func(rows Row) error {
		_, err := scanSchedule(rows)
		return err
	}},
	{`SELECT ` + startColumns + ` FROM schedule_starts`, func(rows Row) error {
		_, err := scanStart(rows)
		return err
	}},
	{`SELECT name, record, sum FROM owners`, func(rows Row) error {
		_, err := scanOwner(rows)
		return err
	}},
	{`SELECT ` + tokenColumns + ` FROM tokens`, func(rows Row) error {
		_, err := scanToken(rows)
		return err
	}},
	{`SELECT num, owner, object, record, sum FROM deeds`, func(rows Row) error {
		_, err := scanDeed(rows)
		return err
	}},
	{`SELECT ` + hookColumns + ` FROM hooks`, func(rows Row) error {
		_, err := scanHook(rows)
		return err
	}},
	{`SELECT ` + callColumns + ` FROM hook_calls`, func(rows Row) error {
		_, err := scanCall(rows)
		return err
	}},
	{`SELECT ` + deliveryColumns + ` FROM deliveries`, func(rows Row) error {
		_, err := scanDelivery(rows)
		return err
	}},
	{`SELECT ` + environmentColumns + ` FROM environments`, func(rows Row) error {
		var r environmentRow
		if err := rows.Scan(r.targets()...); err != nil {
			return err
		}
		_, err := r.decode()
		return err
	}},
}

// CheckRows holds all rows to the sums that were stored with them, and calls
// found with an error that names it for each that is damaged.
func (s *Store) CheckRows(ctx context.Context, found func(error)) error {
	for _, check := range checks {
		err := s.db.Stream(ctx, func(rows Row) error {
			err := check.scan(rows)
			if errors.Is(err, journal.ErrDamaged) {
				found(err)
				return nil
			}
			return err
		}, check.query)
		if err != nil {
			return err
		}
	}
	return nil
}
