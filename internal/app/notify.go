package app

import (
	"errors"
	"net"

	"github.com/glovebox-dev/glovebox/internal/egress"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/notify"
)

// sending says how a server that listens at an address reaches the receivers of
// notifications.
func (a *App) sending(o host.ServeOptions, listening net.Addr) notify.Sending {
	return notify.Sending{
		Dial:    egress.NewOutbound(egress.Options{Also: o.NotifyAllow}).DialContext,
		Refused: func(err error) bool { return errors.Is(err, egress.ErrRefused) },
		Page:    pageURL(o, listening), Version: o.Version,
	}
}

// pageURL is where people find the page of a server, or empty if it listens on a
// socket and was not told.
func pageURL(o host.ServeOptions, listening net.Addr) string {
	tcp, ok := listening.(*net.TCPAddr)
	switch {
	case o.PublicURL != "":
		return o.PublicURL
	case !ok:
		return ""
	case o.TLSCert != "":
		return "https://" + tcp.String()
	}
	return "http://" + tcp.String()
}
