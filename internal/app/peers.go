package app

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/node"
	"github.com/glovebox-dev/glovebox/internal/server"
	"github.com/glovebox-dev/glovebox/internal/session"
)

// wirePeers lets the sessions of other nodes be used like those of this process.
func (a *App) wirePeers() error {
	var key []byte
	if a.lease != nil {
		var err error
		if key, err = a.Home.SessionKey(); err != nil {
			return err
		}
	}
	a.peers = node.NewPool(key)
	a.everywhere = &node.Sessions{
		Local: a.sessions, Pool: a.peers, Holder: a.holder, Asked: server.FromNode,
		Moved: func(err error) bool { return errors.Is(err, session.ErrHeld) },
	}
	return nil
}

// holder returns the node that holds a session, or nil if it is for this process to say
// what becomes of a request to it.
func (a *App) holder(ctx context.Context, id string) (*node.Peer, error) {
	if a.lease == nil {
		return nil, nil
	}
	name, err := a.sessions.Holder(ctx, id)
	if err != nil || name == "" {
		return nil, err
	}
	m, found, err := a.lease.Member(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, api.Errorf(api.ServerUnavailable, "session %s was on node %s, which is gone", id, name).
			WithHint("try again in a moment: within ten seconds it is recorded what became of the session")
	case !m.Serves: // the process of a command
		return nil, nil
	}
	place, err := a.presence.Place()
	if err != nil {
		return nil, err
	}
	return &node.Peer{ID: m.ID, Host: m.Host, Address: m.Address, Certificate: m.Certificate, SameMachine: machineOf(m.Home) == machineOf(place)}, nil
}

// machineOf is the part of the place of a home that tells its machine.
func machineOf(place string) string {
	machine, _, _ := strings.Cut(place, ":")
	return machine
}

// judgeNode returns what the server asks about tokens of nodes; nil without other nodes.
func (a *App) judgeNode() (func(string) (ofNode, here bool), error) {
	if a.lease == nil {
		return nil, nil
	}
	key, err := a.Home.SessionKey()
	if err != nil {
		return nil, err
	}
	return func(token string) (ofNode, here bool) { return node.Judge(key, a.lease.Name(), token) }, nil
}

// register says to other nodes where they reach this one.
func (a *App) register(ctx context.Context, o host.ServeOptions, listens net.Addr) error {
	address, certificate, err := advertised(ctx, a.lease, o, listens)
	if err != nil {
		return err
	}
	a.logger.Info("other nodes reach this one at its address", "address", address, "own_machine_only", node.OwnMachine(address))
	return a.lease.Serve(ctx, address, certificate)
}

func advertised(ctx context.Context, lease *postgres.Lease, o host.ServeOptions, listens net.Addr) (address, certificate string, err error) {
	if o.TLSCert != "" {
		pair, err := tls.LoadX509KeyPair(o.TLSCert, o.TLSKey)
		if err != nil {
			return "", "", api.Errorf(api.RequestInvalid, "the certificate cannot be used: %w", err).WithDetails(api.Details{Field: "certificate", Got: o.TLSCert})
		}
		certificate = node.Fingerprint(pair.Certificate[0])
	}
	if o.Advertise != "" {
		return strings.TrimSuffix(o.Advertise, "/"), certificate, nil
	}
	outward, err := lease.Outward(ctx)
	if err != nil {
		return "", "", err
	}
	return node.Advertised(listens, certificate != "", outward), certificate, nil
}

// checkAdvertise refuses an address for other nodes that is none.
func (a *App) checkAdvertise(o host.ServeOptions) error {
	if o.Advertise == "" {
		return nil
	}
	if a.lease == nil {
		return api.Errorf(api.RequestInvalid, "other nodes need a journal in Postgres, and that of this server is a file").
			WithHint("give --journal, or leave --advertise out").WithDetails(api.Details{Field: "advertise", Got: o.Advertise})
	}
	return node.CheckAdvertised(o.Advertise, o.TLSCert != "")
}
