package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// explain turns an error of SQLite or the file system into one that says what
// is wrong with which file. Other errors stay as they are.
func explain(path string, err error) error {
	var e *sqlite.Error
	var done *api.Error
	switch {
	case err == nil, errors.As(err, &done), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, journal.ErrDamaged):
		return api.Errorf(api.StorageCorrupt, "a part of the database %s is damaged: %w", path, err).
			WithHint("the rest of it can be used; see all that is damaged with: glovebox doctor --deep")
	case errors.As(err, &e):
		return explainCode(path, e)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return api.Errorf(api.StorageFull, "there is no space left for %s: %w", path, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return unwritable(path, err)
	}
	return err
}

func explainCode(path string, e *sqlite.Error) error {
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR:
		return corrupt(path, e) // the last is about tables: those of all versions are known to be right
	case sqlite3.SQLITE_FULL:
		return api.Errorf(api.StorageFull, "there is no space left for %s: %w", path, e)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return api.Errorf(api.HomeBusy, "another process keeps %s locked: %w", path, e)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH:
		return unwritable(path, e)
	case sqlite3.SQLITE_IOERR:
		return explainIO(path, e)
	}
	return api.Errorf(api.Internal, "the database %s: %w", path, e)
}

func explainIO(path string, e *sqlite.Error) error {
	switch e.Code() {
	case sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS, sqlite3.SQLITE_IOERR_DATA:
		return corrupt(path, e)
	case sqlite3.SQLITE_IOERR_SHMSIZE: // the index of the log is a file too
		return api.Errorf(api.StorageFull, "there is no space left for %s: %w", path, e)
	}
	return api.Errorf(api.Internal, "reading or writing %s: %w", path, e).
		WithHint("look at the messages of the kernel about the disk that holds %s", path)
}

func corrupt(path string, err error) error {
	return api.Errorf(api.StorageCorrupt, "the database %s is damaged: %w", path, err).
		WithHint("restore %s from a copy, or move it and the files %s-wal and %s-shm away to begin anew", path, path, path)
}

// ErrUnwritable is what the error of a database matches that cannot be written.
var ErrUnwritable = errors.New("the database cannot be written")

// unwritableError is why a database cannot be written.
type unwritableError struct{ error }

func (e unwritableError) Unwrap() []error { return []error{e.error, ErrUnwritable} }

func unwritable(path string, err error) error {
	return api.Errorf(api.IsolationUnavailable, "the database %s cannot be opened for writing: %w", path, unwritableError{err}).
		WithHint("make %s and its directory readable and writable for this user, or use another GLOVEBOX_HOME", path)
}

func hasCode(err error, codes ...int) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, code := range codes {
		if e.Code() == code {
			return true
		}
	}
	return false
}

// full reports whether an error that was explained is that the disk is full.
func full(err error) bool { return errors.Is(err, &api.Error{Code: api.StorageFull}) }

// broken reports whether err is about the database rather than about what was
// asked of it, so that the transaction cannot go on.
func broken(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff != sqlite3.SQLITE_CONSTRAINT
}
