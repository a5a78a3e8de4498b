// Package catalog keeps deployed tasks and environments in versions that never
// change.
package catalog

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/api"
)

// Store keeps versions. It is safe for concurrent use, also by several
// processes. Versions of a name count from 1 without gaps.
type Store interface {
	// Deploy adds a version of each task whose digest is not that of its current
	// version, and of the environment unless its current version has the same
	// tasks and source, and makes all of them current: all or nothing. It fills
	// in Version, Created, Current, Unchanged and Environment, and returns the
	// tasks in the order given. An older version with the same digest that is not
	// current gets a new number all the same. With freeOnly, a name that would come
	// to mean something else than it does is a conflict.
	Deploy(ctx context.Context, env *api.Environment, tasks []api.TaskVersion, freeOnly bool) ([]api.TaskVersion, error)
	// Tasks lists current versions by name, without the tasks themselves.
	Tasks(ctx context.Context) ([]api.TaskVersion, error)
	// Task returns a version with its task; version 0 is the current one.
	Task(ctx context.Context, name string, version int) (*api.TaskVersion, error)
	// Versions lists the versions of a name, the newest first, without tasks.
	Versions(ctx context.Context, name string) ([]api.TaskVersion, error)
	// Rollback makes a version current.
	Rollback(ctx context.Context, name string, version int) (*api.TaskVersion, error)
	// Remove leaves a name without a current version. All versions stay.
	Remove(ctx context.Context, name string) error
	Environments(ctx context.Context) ([]api.Environment, error)
	Environment(ctx context.Context, name string, version int) (*api.Environment, error)
	// References calls f for the digest of every blob that a version names, such
	// as the build context of an image.
	References(ctx context.Context, f func(digest string) error) error
}

// ErrNotFound says that there is no such name, or no such version of it.
var ErrNotFound = errors.New("not in the catalog")
