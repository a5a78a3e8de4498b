package app

import (
	"net"
	"os"

	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/localca"
	"github.com/glovebox-dev/glovebox/internal/server"
)

// withHTTPS lets clients of the loopback choose TLS. The certificate that they have
// to trust for it is in a file of the home.
func (a *App) withHTTPS(listener net.Listener) (net.Listener, error) {
	key, err := a.Home.SessionKey()
	if err != nil {
		return nil, err
	}
	authority, err := localca.New(key)
	if err != nil {
		return nil, err
	}
	path := a.Home.Below("server/ca.pem")
	if err := os.WriteFile(path, authority.PEM(), 0o600); err != nil {
		return nil, home.Error(path, err)
	}
	return server.WithTLS(listener, authority.Config()), nil
}
