package app

import (
	"cmp"
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// openToRead opens a home that cannot be written, because of err. It makes and
// removes nothing there, other processes do not know of it, and so runs of
// killed processes stay as they are.
func openToRead(ctx context.Context, dir home.Dir, o host.Options, err error) (*App, error) {
	a := newApp(dir, o)
	a.unwritable = err
	if err := a.openToRead(ctx, o); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *App) openToRead(ctx context.Context, o host.Options) (err error) {
	if a.driver, err = newDriver(o.Isolation, a.Home.Below("cells")); err != nil {
		return err
	}
	if a.blobs, err = openBlobsToRead(a.Home, o.Blobs); err != nil {
		return err
	}
	if a.images, err = newImages(a.driver, a.secrets, a.blobs, a.Home.Below("images"), cmp.Or(o.BuildNetwork, &api.Network{Public: true}), true); err != nil {
		return err
	}
	if a.db, err = a.openDatabase(ctx, o, func() (*sqlite.DB, error) {
		return sqlite.OpenReadOnly(ctx, a.Home.Database(), sqlite.Options{})
	}); err != nil {
		return err
	}
	return a.wire(o)
}

// unwritable reports whether an error says that a home cannot be written.
func unwritable(err error) bool { return home.Unwritable(err) || errors.Is(err, sqlite.ErrUnwritable) }
