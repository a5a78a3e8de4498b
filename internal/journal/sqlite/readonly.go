package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// OpenReadOnly opens a database where nothing can be written: on a read-only or
// full file system, or without permission. It makes no file, and all writing is
// refused. There must be a database, of the version of this program.
func OpenReadOnly(ctx context.Context, path string, o Options) (*DB, error) {
	f, err := newFile(path, o)
	if err != nil {
		return nil, err
	}
	db, err := f.openReadOnly(ctx)
	return db, f.explain(err)
}

func (f *file) openReadOnly(ctx context.Context) (*DB, error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, api.Errorf(api.IsolationUnavailable, "there is no database %s yet, and none can be made", f.path).
			WithHint("make its directory writable for this user, or use another GLOVEBOX_HOME")
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, corrupt(f.path, errors.New("it is empty, or no regular file"))
	}
	readers, err := f.readOnlyReaders(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.sameVersion(ctx, readers); err != nil {
		return nil, errors.Join(err, readers.Close())
	}
	refused := api.Errorf(api.IsolationUnavailable, "the database %s was opened to read only", f.path).WithHint("make its directory writable for this user")
	return newDB(f.path, readers, newRefusing(refused)), nil
}

// readOnlyReaders reads beside others who write if the index of the log is
// there, which is then not written. Without it the log cannot be read: if that
// is empty, the database alone is all there is.
func (f *file) readOnlyReaders(ctx context.Context) (*sql.DB, error) {
	readers, err := f.readableOf(ctx, f.uri("mode", "ro", "readonly_shm", "1"))
	if err == nil {
		return readers, nil
	}
	if log, lerr := os.Stat(f.path + "-wal"); lerr == nil && log.Size() > 0 {
		return nil, unreadableLog(f.path, err)
	} else if lerr != nil && !errors.Is(lerr, fs.ErrNotExist) {
		return nil, lerr
	}
	return f.readableOf(ctx, f.uri("immutable", "1"))
}

// readableOf is readersOf that have read something.
func (f *file) readableOf(ctx context.Context, name uri) (*sql.DB, error) {
	readers, err := f.readersOf(ctx, name)
	if err != nil {
		return nil, err
	}
	var tables int
	if err := readers.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		return nil, errors.Join(err, readers.Close())
	}
	return readers, nil
}

// unreadableLog explains why a database cannot be read beside its log. It
// reports damage as damage.
func unreadableLog(path string, err error) error {
	if e := explain(path, err); errors.Is(e, &api.Error{Code: api.StorageCorrupt}) {
		return e
	}
	return api.Errorf(api.IsolationUnavailable, "the log %s-wal of the database holds what was written last, and it cannot be read without its index %s-shm, which cannot be made: %w", path, path, err).
		WithHint("copy the whole home to where there is space and it can be written, and set GLOVEBOX_HOME to the copy")
}

// sameVersion refuses tables of other programs and of other versions.
func (f *file) sameVersion(ctx context.Context, db *sql.DB) error {
	var id int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID {
		return corrupt(f.path, errors.New("it is a database of another program"))
	}
	_, version, target, err := versions(ctx, db)
	switch {
	case err != nil:
		return err
	case version > target:
		return newer(f.path, version, target)
	case version < target:
		return api.Errorf(api.IsolationUnavailable, "the database %s has version %d, and cannot be brought to version %d where nothing can be written", f.path, version, target).
			WithHint("copy the whole home to where it can be written, and set GLOVEBOX_HOME to the copy")
	}
	return nil
}

func newer(path string, version, known int64) error {
	return api.Errorf(api.StorageNewer, "the database %s has version %d, and this program knows versions up to %d", path, version, known)
}

// newRefusing returns a writer that refuses everything.
func newRefusing(err error) *writer {
	w := &writer{queue: tables.NewQueue(), parked: newParked(), refusal: err, ended: make(chan struct{})}
	close(w.ended)
	return w
}
