package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// MoveJournal implements host.Engine. No other process enters the home meanwhile.
func (Engine) MoveJournal(ctx context.Context, o host.Options, to string) (moved *host.MovedJournal, err error) {
	err = aloneIn(ctx, o, "journal", func(dir home.Dir) error {
		moved, err = mover{dir, o.Journal}.move(ctx, to)
		return err
	})
	return moved, err
}

// aloneIn moves something of a home while no other process works on it.
func aloneIn(ctx context.Context, o host.Options, what string, move func(home.Dir) error) error {
	dir, err := home.Find(o.Home, os.Getenv)
	if err != nil {
		return err
	}
	if err := dir.Prepare(); err != nil {
		return err
	}
	alone := false
	presence, err := home.Enter(ctx, dir, func() error {
		alone = true
		return move(dir)
	})
	if err != nil {
		return err
	}
	if !alone {
		err = api.Errorf(api.HomeBusy, "another process works on the home %s", dir).WithHint("stop the server and what else uses it, and move the %s then", what)
	}
	return errors.Join(err, presence.Leave())
}

// mover moves the journal of a home.
type mover struct {
	dir     home.Dir
	journal string // the URL that was named of the one that there is
}

func (m mover) move(ctx context.Context, to string) (*host.MovedJournal, error) {
	place, err := m.dir.JournalPlace()
	switch {
	case err != nil:
		return nil, err
	case to == host.InHome && place == "":
		return nil, conflict("the journal of the home %s is in it already", m.dir)
	case to == host.InHome:
		return m.back(ctx)
	case !postgres.IsAddress(to):
		return nil, api.Errorf(api.RequestInvalid, "the target is neither %s nor a URL that begins with postgres://", host.InHome).
			WithDetails(api.Details{Field: "to", Expected: host.InHome + " or postgres://USER@HOST:PORT/DATABASE"})
	case place != "":
		return nil, conflict("the journal of the home %s is in %s already", m.dir, place).WithHint("bring it back with: glovebox journal move %s", host.InHome)
	case !m.dir.HasDatabase():
		return nil, conflict("the home %s has no journal yet", m.dir).WithHint("set %s, and the first run begins one there", host.JournalVariable)
	}
	return m.away(ctx, to)
}

func conflict(format string, args ...any) *api.Error {
	return api.Errorf(api.Conflict, format, args...)
}

// away moves the journal from the file to a database. From the moment at which the
// home says that it is there, the file is a copy that nothing uses.
func (m mover) away(ctx context.Context, url string) (*host.MovedJournal, error) {
	id, err := m.dir.ID()
	if err != nil {
		return nil, err
	}
	target, err := postgres.Open(ctx, url, postgres.Options{Home: id})
	if err != nil {
		return nil, err
	}
	defer target.Close()
	source, err := sqlite.Open(ctx, m.dir.Database(), sqlite.Options{Known: m.dir.HasSnapshotKey()})
	if err != nil {
		return nil, err
	}
	contents, err := target.CopyFrom(ctx, source.Store)
	if err := errors.Join(err, source.Close()); err != nil {
		return nil, err
	}
	if err := m.dir.SetJournalPlace(target.Place()); err != nil {
		return nil, err
	}
	kept := m.dir.Database() + ".moved-" + time.Now().UTC().Format("20060102T150405Z")
	if err := os.Rename(m.dir.Database(), kept); err != nil {
		return nil, home.Error(kept, err)
	}
	return movedJournal(m.dir.Database(), target.Place(), kept, contents), nil
}

// back moves the journal from a database to a file, which gets its name when it is
// whole.
func (m mover) back(ctx context.Context) (*host.MovedJournal, error) {
	url, err := journalAddress(m.dir, m.journal)
	if err != nil {
		return nil, err
	}
	if m.dir.HasDatabase() {
		return nil, conflict("there is a file %s already", m.dir.Database()).WithHint("if an earlier move was interrupted, remove it")
	}
	id, err := m.dir.ID()
	if err != nil {
		return nil, err
	}
	source, err := postgres.Open(ctx, url, postgres.Options{Home: id, Known: true})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	making := m.dir.Database() + ".moving"
	if err := removeFile(making); err != nil {
		return nil, err
	}
	target, err := sqlite.Open(ctx, making, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	contents, err := target.CopyFrom(ctx, source.Store)
	if err := errors.Join(err, target.Close()); err != nil {
		return nil, errors.Join(err, removeFile(making))
	}
	if err := os.Rename(making, m.dir.Database()); err != nil {
		return nil, home.Error(making, err)
	}
	if err := errors.Join(os.Remove(making+".lock"), m.dir.SetJournalPlace(""), source.GiveUp(ctx)); err != nil {
		return nil, err
	}
	return movedJournal(source.Place(), m.dir.Database(), source.Place(), contents), nil
}

// removeFile removes a database that was not finished.
func removeFile(path string) error {
	for _, name := range []string{path, path + "-wal", path + "-shm", path + ".lock"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return home.Error(name, err)
		}
	}
	return nil
}

func movedJournal(from, to, kept string, contents []tables.Content) *host.MovedJournal {
	m := &host.MovedJournal{From: from, To: to, Kept: kept}
	for _, c := range contents {
		m.Rows += c.Rows
		m.Tables = append(m.Tables, host.MovedTable(c))
	}
	return m
}
