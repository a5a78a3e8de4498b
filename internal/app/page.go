package app

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/server"
)

// ServePage implements host.Engine: a server of its own, whose service is elsewhere.
func (Engine) ServePage(ctx context.Context, service api.Service, o host.ServeOptions) error {
	listener, err := server.Listen(o.Listen, server.ListenOptions{Token: o.Token != ""})
	if err != nil {
		return err
	}
	s, err := server.New(server.Config{Service: service, TokenHash: server.HashToken(o.Token), Version: o.Version})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if o.Ready != nil {
		o.Ready(listener.Addr().String())
	}
	return s.Serve(ctx, listener)
}
