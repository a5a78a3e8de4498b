package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// catalogStore is the catalog in a DB.
type catalogStore struct{ *Store }

var _ catalog.Store = catalogStore{}

// Deploy implements catalog.Store.
func (s catalogStore) Deploy(ctx context.Context, env *api.Environment, tasks []api.TaskVersion, freeOnly bool) ([]api.TaskVersion, error) {
	if err := checkDeployment(tasks); err != nil {
		return nil, err
	}
	d := &deployment{now: time.Now().UTC(), freeOnly: freeOnly}
	err := s.do(ctx, func(c Tx) error {
		d.tasks, d.env = slices.Clone(tasks), nil
		if env != nil {
			copied := *env
			d.env = &copied
		}
		if err := s.db.Dialect().lock(c, "tasks"); err != nil {
			return err
		}
		return d.deploy(c)
	})
	if err != nil {
		return nil, err
	}
	if env != nil {
		*env = *d.env
	}
	return d.tasks, nil
}

func checkDeployment(tasks []api.TaskVersion) error {
	seen := map[string]bool{}
	for _, t := range tasks {
		if t.Name == "" || t.Digest == "" || t.Task == nil {
			return api.Errorf(api.InvalidTask, "a task that is deployed needs a name, got %q", t.Name)
		}
		if seen[t.Name] {
			return api.Errorf(api.InvalidTask, "two tasks of one deployment have the name %q", t.Name).WithDetails(api.Details{Field: "name"})
		}
		seen[t.Name] = true
	}
	return nil
}

// deployment is one call of Deploy.
type deployment struct {
	now      time.Time
	env      *api.Environment // nil without a name
	tasks    []api.TaskVersion
	freeOnly bool // no name may come to mean something else
}

func (d *deployment) deploy(c Tx) error {
	if err := d.compare(c); err != nil {
		return err
	}
	if d.env != nil {
		if err := d.addEnvironment(c); err != nil {
			return err
		}
	}
	for i := range d.tasks {
		if d.tasks[i].Restored {
			if _, err := makeCurrent(c, d.tasks[i].Name, d.tasks[i].Version); err != nil {
				return err
			}
		}
		if d.tasks[i].Unchanged {
			continue
		}
		if d.env != nil {
			d.tasks[i].Environment = reference(d.env.Name, d.env.Version)
		}
		if err := addTask(c, d.tasks[i]); err != nil {
			return err
		}
	}
	return nil
}

// compare numbers the tasks that changed, and replaces those that did not by
// what is there.
func (d *deployment) compare(c Tx) error {
	for i := range d.tasks {
		t := &d.tasks[i]
		current, newest, err := lastTasks(c, t.Name)
		if err != nil {
			return err
		}
		if current != nil && current.Digest == t.Digest {
			current.Task, current.Unchanged = t.Task, true
			*t = *current
			continue
		}
		if d.freeOnly && newest != nil {
			return taken("task", t.Name)
		}
		if newest != nil && newest.Digest == t.Digest { // an older one was made current
			newest.Task, newest.Unchanged, newest.Restored, newest.Current = t.Task, true, true, true
			*t = *newest
			continue
		}
		t.Version, t.Created, t.Current, t.Unchanged, t.Restored, t.Environment = 1, d.now, true, false, false, ""
		if newest != nil {
			t.Version = newest.Version + 1
		}
	}
	return nil
}

func taken(what, name string) error {
	return api.Errorf(api.Conflict, "the name of the %s %q is taken", what, name).WithDetails(api.Details{Field: "name", Got: name})
}

// lastTasks returns the current version of a name and the newest one, which may
// be the same: nil if there is none. A name that was removed has no current one.
func lastTasks(c Tx, name string) (current, newest *api.TaskVersion, err error) {
	err = c.Query(func(row []Value) error {
		r := taskRow{name: name}
		r.version, _ = row[0].(int64)
		r.current, _ = row[1].(int64)
		r.digest, _ = row[2].(string)
		r.about, _ = row[3].(string)
		r.task, _ = row[4].(string)
		r.sum, _ = row[5].(int64)
		t, err := r.decode()
		if newest == nil {
			newest = t
		}
		if r.current == 1 {
			current = t
		}
		return err
	}, `SELECT version, current, digest, about, task, sum FROM tasks WHERE name = ?1
		AND (current = 1 OR version = (SELECT max(version) FROM tasks WHERE name = ?1)) ORDER BY version DESC`, name)
	return current, newest, err
}

// makeCurrent makes a version the current one, and reports whether it is there.
func makeCurrent(c Tx, name string, version int) (found bool, err error) {
	if _, err := c.Exec(`UPDATE tasks SET current = 0 WHERE name = ? AND current = 1`, name); err != nil {
		return false, err
	}
	n, err := c.Exec(`UPDATE tasks SET current = 1 WHERE name = ? AND version = ?`, name, int64(version))
	return n > 0, err
}

func addTask(c Tx, t api.TaskVersion) error {
	task, err := json.Marshal(t.Task)
	if err != nil {
		return api.Errorf(api.Internal, "task %s: %w", t.Name, err)
	}
	t.Task = nil
	about, err := json.Marshal(t)
	if err != nil {
		return api.Errorf(api.Internal, "task %s: %w", t.Name, err)
	}
	if _, err := c.Exec(`UPDATE tasks SET current = 0 WHERE name = ? AND current = 1`, t.Name); err != nil {
		return err
	}
	_, err = c.Exec(`INSERT INTO tasks (name, version, current, digest, about, task, sum) VALUES (?, ?, 1, ?, ?, ?, ?)`, t.Name, int64(t.Version),
		t.Digest, string(about), string(task), sumOf(t.Name, number(int64(t.Version)), t.Digest, string(about), string(task)))
	return err
}

func reference(name string, version int) string { return fmt.Sprintf("%s@%d", name, version) }

// taskColumns are what a taskRow receives.
const taskColumns = `name, version, current, digest, about, task, sum`

// taskRow receives a row of tasks.
type taskRow struct {
	name, digest, about, task string
	version, current, sum     int64
}

func (r *taskRow) targets() []any {
	return []any{&r.name, &r.version, &r.current, &r.digest, &r.about, &r.task, &r.sum}
}

func (r *taskRow) decode() (*api.TaskVersion, error) {
	if r.sum != sumOf(r.name, number(r.version), r.digest, r.about, r.task) {
		return nil, fmt.Errorf("task %s: %w", reference(r.name, int(r.version)), journal.ErrDamaged)
	}
	t := &api.TaskVersion{}
	if err := decode(r.about, t); err != nil {
		return nil, err
	}
	t.Current = r.current == 1
	return t, nil
}

// each gives every row that a query of tasks yields to f.
func (s catalogStore) each(ctx context.Context, f func(r *taskRow, t *api.TaskVersion) error, where string, args ...any) error {
	return s.db.Read(ctx, func(rows Row) error {
		var r taskRow
		if err := rows.Scan(r.targets()...); err != nil {
			return err
		}
		t, err := r.decode()
		if err != nil {
			return err
		}
		return f(&r, t)
	}, `SELECT `+taskColumns+` FROM tasks WHERE `+where, args...)
}

// list returns what a query of tasks yields, without the tasks themselves.
func (s catalogStore) list(ctx context.Context, where string, args ...any) ([]api.TaskVersion, error) {
	tasks := []api.TaskVersion{}
	err := s.each(ctx, func(_ *taskRow, t *api.TaskVersion) error {
		tasks = append(tasks, *t)
		return nil
	}, where, args...)
	return tasks, err
}

// Tasks implements catalog.Store.
func (s catalogStore) Tasks(ctx context.Context) ([]api.TaskVersion, error) {
	return s.list(ctx, `current = 1 ORDER BY name`)
}

// Versions implements catalog.Store.
func (s catalogStore) Versions(ctx context.Context, name string) ([]api.TaskVersion, error) {
	versions, err := s.list(ctx, `name = ? ORDER BY version DESC`, name)
	if err == nil && len(versions) == 0 {
		err = catalog.ErrNotFound
	}
	return versions, err
}

// Task implements catalog.Store.
func (s catalogStore) Task(ctx context.Context, name string, version int) (*api.TaskVersion, error) {
	var t *api.TaskVersion
	err := s.each(ctx, func(r *taskRow, found *api.TaskVersion) error {
		t, found.Task = found, &api.Task{}
		return decode(r.task, found.Task)
	}, `name = ?1 AND (version = ?2 OR (?2 = 0 AND current = 1))`, name, version)
	if err == nil && t == nil {
		err = catalog.ErrNotFound
	}
	return t, err
}

// Rollback implements catalog.Store.
func (s catalogStore) Rollback(ctx context.Context, name string, version int) (*api.TaskVersion, error) {
	err := s.do(ctx, func(c Tx) error {
		if err := s.db.Dialect().lock(c, "tasks"); err != nil {
			return err
		}
		found, err := makeCurrent(c, name, version)
		if err == nil && !found {
			err = catalog.ErrNotFound // and the savepoint takes the first statement back
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.Task(ctx, name, version)
}

// Remove implements catalog.Store.
func (s catalogStore) Remove(ctx context.Context, name string) error {
	return s.do(ctx, func(c Tx) error {
		n, err := c.Exec(`UPDATE tasks SET current = 0 WHERE name = ? AND current = 1`, name)
		if err == nil && n == 0 {
			err = catalog.ErrNotFound
		}
		return err
	})
}

// References implements catalog.Store. Whatever looks like a digest counts as one,
// wherever it is in a task: at worst a blob is kept that nobody needs. A damaged row
// starts nothing, and so needs nothing.
func (s catalogStore) References(ctx context.Context, f func(digest string) error) error {
	return s.pages(ctx, f, s.db.Dialect().CatalogBlobs)
}
