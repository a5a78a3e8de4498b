package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// States of SQL that are answered differently.
const (
	foreignKeyViolation = "23503"
	readOnly            = "25006"
	badEncoding         = "22021"
	wrongPassword       = "28P01"
	noAuthorization     = "28000"
	noDatabase          = "3D000"
	noSchema            = "3F000"
	noPrivilege         = "42501"
	diskFull            = "53100"
	tooManyConnections  = "53300"
	startingUp          = "57P03"
	lockNotAvailable    = "55P03"
	deadlock            = "40P01"
	serialization       = "40001"
)

func hasState(err error, states ...string) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && slices.Contains(states, e.Code)
}

// refused reports whether an error is about what was asked, and not about the
// database: another operation may succeed.
func refused(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.SeverityUnlocalized == "ERROR" && !outage(err) && !conflict(err)
}

// conflict reports whether a transaction met another one, so that it succeeds when
// it is tried again.
func conflict(err error) bool { return hasState(err, lockNotAvailable, deadlock, serialization) }

// outage reports whether the database cannot be reached, or can do nothing for a
// while: it is being restarted, another server is about to take its place, it is
// read-only, has too many connections, or its disk is full.
func outage(err error) bool {
	var e *pgconn.PgError
	var done *api.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &done):
		return false
	case errors.As(err, &e):
		return e.SeverityUnlocalized == "FATAL" || e.SeverityUnlocalized == "PANIC" || strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "57P") || strings.HasPrefix(e.Code, "53") || e.Code == readOnly
	}
	var gone lost
	return errors.As(err, &gone)
}

// lost is an error of the connection: what the database has done is not known.
type lost struct{ error }

func (l lost) Unwrap() error { return l.error }

// asLost tells errors of the connection from answers of the database.
func asLost(ctx context.Context, err error) error {
	var answer *pgconn.PgError
	if err == nil || ctx.Err() != nil || errors.As(err, &answer) && !errors.As(err, new(*pgconn.ConnectError)) {
		return err
	}
	return lost{err}
}

// explain turns an error of Postgres into one that says what is wrong with which
// database. Other errors stay as they are.
func (a *address) explain(err error) error {
	var done *api.Error
	var e *pgconn.PgError
	switch {
	case err == nil, errors.As(err, &done), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, journal.ErrDamaged):
		return api.Errorf(api.StorageCorrupt, "a part of the journal in %s is damaged: %w", a, err).
			WithHint("the rest of it can be used; see all that is damaged with: glovebox doctor --deep")
	case hasState(err, diskFull):
		return api.Errorf(api.StorageFull, "the disk of %s is full: %w", a, err).WithHint("make room on the machine of Postgres")
	case hasState(err, readOnly):
		return api.Errorf(api.ServerUnavailable, "%s is read-only: %w", a, err).
			WithHint("make the address name the server that can be written to, such as with target_session_attrs=read-write")
	case hasState(err, badEncoding):
		return api.Errorf(api.RequestInvalid, "a text has a zero byte or is no UTF-8, and Postgres keeps no such text: %w", err)
	case hasState(err, noPrivilege):
		return api.Errorf(api.IsolationUnavailable, "the user of %s may not do what the journal needs: %w", a, err).
			WithHint("make that user the owner of the database, or of a schema of its own")
	case outage(err):
		return api.Errorf(api.ServerUnavailable, "%s cannot be used: %w", a, a.bare(err)).WithHint("look at the log of Postgres, and at the network between")
	case errors.As(err, &e):
		return api.Errorf(api.Internal, "the journal in %s: %w", a, err)
	}
	return err
}

// explainOpening says what keeps a journal from being opened.
func (a *address) explainOpening(err error) error {
	refused := func(format string, args ...any) *api.Error {
		return api.Errorf(api.RequestInvalid, format, args...).WithDetails(api.Details{Field: "journal", Got: a.String()})
	}
	switch {
	case hasState(err, wrongPassword, noAuthorization):
		return refused("%s does not let the user %q in: %w", a, a.user(), a.bare(err)).
			WithHint("give the password in the URL of GLOVEBOX_JOURNAL, in PGPASSWORD, or in a file that PGPASSFILE names")
	case hasState(err, noDatabase):
		return refused("%s: there is no database %q", a, a.database()).WithHint("make it with: createdb %s", a.database())
	case hasState(err, noSchema):
		return refused("%s has no schema for the journal: the search_path of its address names none that is there", a).
			WithHint("make one with: CREATE SCHEMA NAME")
	}
	return a.explain(err)
}

// bare is an error without what a driver tells of its configuration.
func (a *address) bare(err error) error {
	var connect *pgconn.ConnectError
	if !errors.As(err, &connect) {
		return err
	}
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer
	}
	lines := slices.Compact(strings.Split(connect.Unwrap().Error(), "\n")) // with and without TLS
	return errors.New(a.hide(strings.Join(lines, "; ")))
}
