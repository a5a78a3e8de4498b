package tables

import (
	"context"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Prune implements journal.Journal.
func (s journalStore) Prune(ctx context.Context, p journal.Pruning) ([]string, error) {
	var pruned []string
	err := s.doVitally(ctx, func(c Tx) error {
		if err := s.db.Dialect().lock(c, "definitions"); err != nil { // a new run may need one that seems to be of no use
			return err
		}
		roots, err := s.oldTrees(c, p)
		if err != nil {
			return err
		}
		pruned = nil
		for _, root := range roots {
			ids, err := pruneTree(c, root)
			if err != nil {
				return err
			}
			pruned = append(pruned, ids...)
		}
		if err := pruneDeliveries(c, p); err != nil {
			return err
		}
		_, err = c.Exec(`DELETE FROM definitions WHERE NOT EXISTS (SELECT 1 FROM runs WHERE task_digest = definitions.digest)`)
		return err
	})
	if err != nil {
		return nil, err
	}
	return pruned, nil
}

// oldTrees returns the roots of trees to prune, the oldest first. As many more are
// read as must stay, so that these do not hide the others.
func (s journalStore) oldTrees(c Tx, p journal.Pruning) ([]string, error) {
	before, limit := timeText(p.Before), max(p.Limit, 0)
	conditions, args := ``, []any{before, before, before}
	if p.Task != "" {
		conditions, args = ` AND t.task = ?`, append(args, p.Task)
	}
	if len(p.Except) > 0 {
		conditions += ` AND t.task NOT IN (` + marks(len(p.Except)) + `)`
		args = append(args, anyOf(p.Except)...)
	}
	roots, err := column(c, `SELECT t.id FROM runs t WHERE t.parent IS NULL AND t.created_at < ? AND t.ended_at < ?
		AND NOT EXISTS (SELECT 1 FROM runs c WHERE c.root = t.id AND c.root <> c.id AND (c.ended_at IS NULL OR c.ended_at >= ?))`+conditions+`
		ORDER BY t.created_at, t.id LIMIT ?`+s.db.Dialect().ForUpdate, append(args, int64(limit+len(p.Keep)))...)
	roots = slices.DeleteFunc(roots, func(id string) bool { return p.Keep[id] })
	return roots[:min(len(roots), limit)], err
}

// marks are the places of n arguments.
func marks(n int) string { return strings.TrimPrefix(strings.Repeat(`, ?`, n), `, `) }

func anyOf(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// treeOf selects the runs of a tree by its root.
const treeOf = `SELECT id FROM runs WHERE id = ?1 UNION ALL SELECT id FROM runs WHERE root = ?1 AND root <> id`

// pruneTree deletes the runs of a tree and returns their ids.
func pruneTree(c Tx, root string) ([]string, error) {
	ids, err := column(c, treeOf, root)
	if err != nil {
		return nil, err
	}
	for _, query := range []string{
		`DELETE FROM events WHERE run IN (` + treeOf + `)`,
		`DELETE FROM inputs WHERE run IN (` + treeOf + `)`,
		`DELETE FROM run_labels WHERE run IN (` + treeOf + `)`,
		`DELETE FROM blob_refs WHERE run IN (` + treeOf + `)`,
		`DELETE FROM snapshots WHERE run IN (` + treeOf + `)`,
		`DELETE FROM cancel_requests WHERE run IN (` + treeOf + `)`,
		`DELETE FROM approvals WHERE run IN (` + treeOf + `)`,
		`DELETE FROM deliveries WHERE next_at IS NULL AND run IN (` + treeOf + `)`,
		`DELETE FROM runs WHERE id IN (` + treeOf + `)`,
	} {
		if _, err := c.Exec(query, root); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// pruneDeliveries deletes what is old and does not wait any more, unless it is of a run
// that has a time of its own.
func pruneDeliveries(c Tx, p journal.Pruning) error {
	if p.Task != "" {
		return nil
	}
	query, args := `DELETE FROM deliveries WHERE created_at < ? AND next_at IS NULL`, []any{timeText(p.Before)}
	if len(p.Except) > 0 {
		query += ` AND NOT EXISTS (SELECT 1 FROM runs WHERE id = deliveries.run AND task IN (` + marks(len(p.Except)) + `))`
		args = append(args, anyOf(p.Except)...)
	}
	_, err := c.Exec(query, args...)
	return err
}
