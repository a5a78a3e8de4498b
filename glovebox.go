package glovebox

import (
	"context"
	"errors"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
)

// Glovebox runs tasks: on a server, made by Dial, or with the engine in this
// process, made by Open of package embed. It is safe for concurrent use.
type Glovebox struct {
	service api.Service

	offers  *offers
	life    context.Context // ends with the Glovebox
	stop    context.CancelFunc
	holds   holds
	closing sync.Once
}

// New returns a Glovebox over any service, such as one that wraps another to
// observe or restrict it. [Dial] and package embed make the services that most
// programs need. Close closes the service.
//
// register makes a function of this process callable by runs of the service,
// until release is called; calls that are under way then finish. With nil, runs
// that need functions are refused.
func New(service api.Service, register func(client.Function) (release func(), err error)) *Glovebox {
	if register == nil {
		register = refuse
	}
	return newGlovebox(service, &inProcess{register: register})
}

func refuse(f client.Function) (func(), error) {
	return nil, api.Errorf(api.WorkerUnavailable, "this Glovebox cannot call function %q: it was made without a way to register functions", f.Task.Name)
}

func newGlovebox(s api.Service, h host) *Glovebox {
	g := &Glovebox{service: s}
	g.offers = &offers{host: h, wrap: g.inside, byID: map[string]*offer{}}
	g.life, g.stop = context.WithCancel(context.Background())
	return g
}

// Service gives access to the rest of the API: lists of runs, the catalog,
// blobs, the cache, images, secrets, workers, the cells that are kept ready.
func (g *Glovebox) Service() api.Service { return g.service }

// Close withdraws the functions of this process and closes the service. Runs
// under way on an embedded engine are interrupted and can be resumed; runs on a
// server continue. It may be called more than once.
func (g *Glovebox) Close() (err error) {
	g.closing.Do(func() {
		err = g.offers.close()
		g.stop()
		g.holds.work.Wait()
		err = errors.Join(err, g.service.Close())
	})
	return err
}
