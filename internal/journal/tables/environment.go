package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// addEnvironment adds a version of the environment, unless the current one has
// the same tasks and the same source.
func (d *deployment) addEnvironment(c Tx) error {
	if d.env.Name == "" {
		return api.Errorf(api.InvalidTask, "an environment needs a name")
	}
	d.env.Tasks = make([]string, len(d.tasks))
	for i, t := range d.tasks {
		d.env.Tasks[i] = reference(t.Name, t.Version)
	}
	current, newest, err := currentEnvironment(c, d.env.Name)
	if err != nil {
		return err
	}
	if current != nil && current.Source == d.env.Source && slices.Equal(current.Tasks, d.env.Tasks) {
		*d.env = *current
		return nil
	}
	if d.freeOnly && current != nil {
		return taken("environment", d.env.Name)
	}
	d.env.Version, d.env.Current, d.env.Created = newest+1, true, d.now
	about, err := json.Marshal(d.env)
	if err != nil {
		return api.Errorf(api.Internal, "environment %s: %w", d.env.Name, err)
	}
	if _, err := c.Exec(`UPDATE environments SET current = 0 WHERE name = ? AND current = 1`, d.env.Name); err != nil {
		return err
	}
	_, err = c.Exec(`INSERT INTO environments (name, version, current, about, sum) VALUES (?, ?, 1, ?, ?)`,
		d.env.Name, int64(d.env.Version), string(about), sumOf(d.env.Name, number(int64(d.env.Version)), string(about)))
	return err
}

// currentEnvironment returns the current version of a name and the highest
// number of its versions: nil and 0 if there is none.
func currentEnvironment(c Tx, name string) (current *api.Environment, newest int, err error) {
	err = c.Query(func(row []Value) error {
		r := environmentRow{name: name, current: 1}
		n, _ := row[0].(int64)
		newest = int(n)
		r.version, _ = row[1].(int64)
		r.about, _ = row[2].(string)
		r.sum, _ = row[3].(int64)
		current, err = r.decode()
		return err
	}, `SELECT (SELECT max(version) FROM environments WHERE name = ?1), version, about, sum FROM environments WHERE name = ?1 AND current = 1`, name)
	return current, newest, err
}

// environmentColumns are what an environmentRow receives.
const environmentColumns = `name, version, current, about, sum`

// environmentRow receives a row of environments.
type environmentRow struct {
	name, about  string
	version, sum int64
	current      int64
}

func (r *environmentRow) targets() []any {
	return []any{&r.name, &r.version, &r.current, &r.about, &r.sum}
}

func (r *environmentRow) decode() (*api.Environment, error) {
	if r.sum != sumOf(r.name, number(r.version), r.about) {
		return nil, fmt.Errorf("environment %s: %w", reference(r.name, int(r.version)), journal.ErrDamaged)
	}
	e := &api.Environment{}
	if err := decode(r.about, e); err != nil {
		return nil, err
	}
	e.Current = r.current == 1
	return e, nil
}

func (s catalogStore) environments(ctx context.Context, where string, args ...any) ([]api.Environment, error) {
	environments := []api.Environment{}
	err := s.db.Read(ctx, func(rows Row) error {
		var r environmentRow
		if err := rows.Scan(r.targets()...); err != nil {
			return err
		}
		e, err := r.decode()
		if err == nil {
			environments = append(environments, *e)
		}
		return err
	}, `SELECT `+environmentColumns+` FROM environments WHERE `+where, args...)
	return environments, err
}

// Environments implements catalog.Store.
func (s catalogStore) Environments(ctx context.Context) ([]api.Environment, error) {
	return s.environments(ctx, `current = 1 ORDER BY name`)
}

// Environment implements catalog.Store.
func (s catalogStore) Environment(ctx context.Context, name string, version int) (*api.Environment, error) {
	found, err := s.environments(ctx, `name = ?1 AND (version = ?2 OR (?2 = 0 AND current = 1))`, name, version)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, catalog.ErrNotFound
	}
	return &found[0], nil
}
