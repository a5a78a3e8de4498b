package tables

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// approvalSum is the sum of a row of approvals.
func approvalSum(run, state, decision string) int64 { return sumOf(run, state, decision) }

// approvals follows the events of a change that are about an approval.
func (p *preparedChange) approvals(c Tx) error {
	r := &p.change.Record
	if r.Approval == nil {
		return nil
	}
	for i := range p.change.Events {
		var err error
		switch p.change.Events[i].Kind {
		case api.EventApprovalAsked:
			waiting := string(api.ApprovalWaiting)
			err = c.Later(`INSERT INTO approvals (run, root, task, asked_at, state, fresh, decision, sum) VALUES (?, ?, ?, ?, ?, 0, NULL, ?)
				ON CONFLICT (run) DO UPDATE SET root = excluded.root, task = excluded.task, asked_at = excluded.asked_at,
				state = excluded.state, fresh = 0, decision = NULL, sum = excluded.sum`,
				r.ID, r.Root, r.Task, timeText(r.Approval.Since), waiting, approvalSum(r.ID, waiting, ""))
		case api.EventApprovalDecided:
			err = c.Later(`UPDATE approvals SET fresh = 0 WHERE run = ?`, r.ID)
		}
		if err != nil {
			return err
		}
	}
	if !r.Status.Ended() {
		return nil
	}
	closed := string(api.ApprovalClosed)
	return c.Later(`UPDATE approvals SET state = ?, fresh = 0, decision = NULL, sum = ? WHERE run = ? AND (state = 'waiting' OR fresh = 1)`,
		closed, approvalSum(r.ID, closed, ""), r.ID)
}

// Decide implements journal.Approvals.
func (s journalStore) Decide(ctx context.Context, run string, d journal.Decision) (*journal.Approval, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, defect(run, "the decision about it is no JSON: %w", err)
	}
	decided := string(api.ApprovalDecided)
	var found *journal.Approval
	err = s.do(ctx, func(c Tx) error {
		n, err := c.Exec(`UPDATE approvals SET state = ?, fresh = 1, decision = ?, sum = ? WHERE run = ? AND state = 'waiting'`,
			decided, string(text), approvalSum(run, decided, string(text)), run)
		if err == nil && n > 0 {
			err = s.db.Dialect().say(c, "control")
		}
		if err != nil {
			return err
		}
		found = nil
		return c.Query(func(row []Value) error {
			state, _ := row[0].(string)
			decision, _ := row[1].(string)
			sum, _ := row[2].(int64)
			a, err := approvalOf(run, state, decision, sum)
			if err == nil {
				found = &a
			}
			return err
		}, `SELECT state, decision, sum FROM approvals WHERE run = ?`, run)
	})
	if err == nil && found == nil {
		err = fmt.Errorf("approval of run %s: %w", run, journal.ErrNotFound)
	}
	return found, err
}

func approvalOf(run, state, decision string, sum int64) (a journal.Approval, err error) {
	if sum != approvalSum(run, state, decision) {
		return a, fmt.Errorf("approval of run %s: %w", run, journal.ErrDamaged)
	}
	a = journal.Approval{Run: run, State: api.ApprovalState(state)}
	if decision == "" {
		return a, nil
	}
	a.Decision = new(journal.Decision)
	return a, decode(decision, a.Decision)
}

// approvalColumns are what scanApproval reads.
const approvalColumns = `a.run, a.state, a.decision, a.sum`

func scanApproval(rows Row) (journal.Approval, error) { return scanApprovalAnd(rows) }

// scanApprovalAnd reads the columns of a row behind those of scanApproval, too.
func scanApprovalAnd(rows Row, more ...any) (journal.Approval, error) {
	var run, state string
	var decision sql.NullString
	var sum int64
	if err := rows.Scan(append([]any{&run, &state, &decision, &sum}, more...)...); err != nil {
		return journal.Approval{}, err
	}
	return approvalOf(run, state, decision.String, sum)
}

// Approval implements journal.Approvals.
func (s journalStore) Approval(ctx context.Context, run string) (*journal.Approval, error) {
	return one(ctx, s.db, scanApproval, "approval of run "+run, `SELECT `+approvalColumns+` FROM approvals a WHERE a.run = ?`, run)
}

// Decisions implements journal.Approvals.
func (s journalStore) Decisions(ctx context.Context, owner string) ([]journal.Approval, error) {
	return all(ctx, s.db, scanApproval, `SELECT `+approvalColumns+` FROM approvals a`+s.db.Dialect().indexed("approvals_fresh")+` CROSS JOIN runs r
		WHERE r.id = a.run AND a.fresh = 1 AND r.owner = ? LIMIT ?`, owner, journal.MaxDecisions)
}

// CountWaiting implements journal.Approvals.
func (s journalStore) CountWaiting(ctx context.Context, owner string, most int) (n int, err error) {
	err = s.db.Read(ctx, func(rows Row) error { return rows.Scan(&n) },
		`SELECT count(*) FROM (SELECT 1 FROM approvals a WHERE a.state = 'waiting'
		AND (?1 = '' OR EXISTS (SELECT 1 FROM runs r WHERE r.id = a.run AND r.owned_by = ?1)) LIMIT ?2) AS w`, owner, most)
	return n, err
}

// ListApprovals implements journal.Approvals.
func (s journalStore) ListApprovals(ctx context.Context, q api.ApprovalQuery) ([]journal.Approval, string, error) {
	limit := pageSize(q.Limit)
	list := q
	list.Cursor, list.Limit = "", 0
	after := &position{}
	if q.Cursor != "" {
		var err error
		if after, err = parseCursor(q.Cursor, listOf(list)); err != nil {
			return nil, "", err
		}
	}
	query := `SELECT ` + approvalColumns + `, a.asked_at FROM approvals a WHERE a.state = ?1 AND (a.asked_at, a.run) > (?2, ?3)
		AND (?4 = '' OR a.task = ?4) AND (?5 = '' OR a.root = ?5)
		AND (?6 = '' OR EXISTS (SELECT 1 FROM runs r WHERE r.id = a.run AND r.owned_by = ?6)) ORDER BY a.asked_at, a.run LIMIT ?7`
	var times []string
	found, err := all(ctx, s.db, func(rows Row) (journal.Approval, error) {
		var asked string
		a, err := scanApprovalAnd(rows, &asked)
		times = append(times, asked)
		return a, err
	}, query, string(cmp.Or(q.State, api.ApprovalWaiting)), after.Created, after.ID, q.Task, q.Root, q.Owner, limit+1)
	if err != nil || len(found) <= limit {
		return found, "", err
	}
	last := position{List: listOf(list), Created: times[limit-1], ID: found[limit-1].Run}
	return found[:limit], last.cursor(), nil
}
