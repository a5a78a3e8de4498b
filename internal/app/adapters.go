package app

import (
	"cmp"
	"context"
	"io"
	"net"
	"os"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/gateway"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cellway"
	"github.com/glovebox-dev/glovebox/internal/egress"
	"github.com/glovebox-dev/glovebox/internal/image"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/internal/scope"
)

func newImages(driver cell.Driver, secrets secrets, blobs blob.Opener, dir string, network *api.Network, readOnly bool) (*image.Service, error) {
	if _, err := egress.ParsePolicy(*network); err != nil {
		return nil, api.Errorf(api.RequestInvalid, "the network of image builds: %w", err).WithHint("%s", cmp.Or(api.AsError(err).Hint, "correct --build-network"))
	}
	return image.New(image.Config{
		Dir: dir, ReadOnly: readOnly, Egress: wayOut, Network: *network, Within: egress.Within, Never: egress.Never, Secret: secrets.Get,
		Blob: func(ctx context.Context, digest string) (io.ReadCloser, error) {
			r, _, err := blobs.Open(ctx, digest)
			return r, blob.AsError("the build context", err)
		},
		Start: func(ctx context.Context, spec cell.Spec) (image.Cell, error) {
			started, err := cell.Start(ctx, driver, spec)
			if err != nil {
				return nil, err // not started: that would be a cell that is not nil
			}
			return started, nil
		},
	})
}

// images shows the image service to the sandbox kind as it wants to see it.
type images struct {
	service *image.Service
}

func (i images) Check(spec api.ImageSpec) error { return i.service.Check(spec) }

func (i images) Ensure(ctx context.Context, spec api.ImageSpec, progress func(api.Progress)) (*sandbox.Image, error) {
	img, err := i.service.Ensure(ctx, spec, progress)
	return asSandboxImage(img, err)
}

func (i images) Stored(id string) (*sandbox.Image, error) {
	img, err := i.service.Stored(id)
	return asSandboxImage(img, err)
}

func asSandboxImage(img *image.Image, err error) (*sandbox.Image, error) {
	if err != nil {
		return nil, err
	}
	return &sandbox.Image{
		ID: img.ID, Name: img.Name, RootFS: img.RootFS, Env: img.Env, Entrypoint: img.Entrypoint, Cmd: img.Cmd,
		WorkingDir: img.WorkingDir, User: img.User, Python: img.Python,
	}, nil
}

// wayOut makes the host side of the network of a build's cell.
func wayOut(policy api.Network, audit func(api.Connection)) (func(context.Context, net.Conn), error) {
	return waysOut(policy, audit, sandbox.Ways{})
}

// waysOut makes the host side of a cell's network, and of its ways beside that.
func waysOut(policy api.Network, audit func(api.Connection), ways sandbox.Ways) (sandbox.Handler, error) {
	parsed, err := egress.ParsePolicy(policy)
	if err != nil {
		return nil, err
	}
	options := proxyOptions(audit)
	options.Engine, options.Model, options.Withheld = ways.Engine, ways.Model, ways.Withheld
	return egress.NewProxy(parsed, options).Serve, nil
}

// networkQuota is what one run, or one step of a build, may move over the
// network, both ways together. It is far above what honest programs need in a
// cell, whose disk has 10 GiB, and keeps a hostile one from using up the line
// of its host until its time is over.
const networkQuota = 16 << 30 // bytes

func proxyOptions(audit func(api.Connection)) egress.Options {
	return egress.Options{Audit: audit, Quota: networkQuota}
}

// certificates reads the bundle that the host names in its environment, and
// that runs with a network need then too. Nil is none. With always it is that of the
// system where the environment names none: it is to have one more.
func certificates(always bool) ([]byte, error) {
	path, ok := cell.NamedCertificates(os.Getenv)
	if !ok && always {
		if path, ok = cell.SystemCertificates(os.Getenv); !ok {
			return nil, api.Errorf(api.IsolationUnavailable, "this host has no bundle of certificates, which cells with withheld secrets need").
				WithHint("install ca-certificates, or name a bundle by SSL_CERT_FILE")
		}
	}
	if !ok {
		return nil, nil
	}
	bundle, err := os.ReadFile(path)
	if err != nil {
		return nil, api.Errorf(api.IsolationUnavailable, "read the certificates of the host: %w", err).
			WithHint("let this user read %s, or do not name it in the environment", path)
	}
	return bundle, nil
}

// wayToEngine opens the way of an attempt.
func (a *App) wayToEngine(ctx context.Context, run string, task *api.Task) (sandbox.Handler, func(), error) {
	w := cellway.Open(cellway.Config{Engine: a.scoped(), Identity: identityOfCell(ctx), Dir: a.Home.Below("server"), Memory: a.memory, Logger: a.logger}, run, task)
	return w.Serve, w.End, nil
}

// identityOfCell is on whose behalf the program of a run asks: as its owner, which it
// was given the run by. That of the home itself is everybody's.
func identityOfCell(ctx context.Context) api.Identity {
	who := api.IdentityOf(ctx)
	if who.Owner == "" {
		return api.Home()
	}
	return api.Identity{Owner: who.Owner, Scopes: []api.Scope{api.ScopeRead, api.ScopeRun}}
}

// wayToModel opens the way of an attempt to the model that its task asks.
func (a *App) wayToModel(run string, task *api.Task) (sandbox.Handler, func()) {
	g := gateway.New(gateway.Config{Asks: task.Asks, Ask: gateway.OfRun(a.engine, a.models, run), Recorded: true, Memory: a.memory})
	w := cellway.OpenModel(g)
	return w.Serve, func() {
		g.End()
		w.End()
	}
}

// modelOfSession handles the connections of a session to its model, each by itself: it
// ends with the cell.
func (a *App) modelOfSession(asks *api.Asks) sandbox.Handler {
	g := gateway.New(gateway.Config{Asks: asks, Ask: gateway.OfSession(a.models), Memory: a.memory})
	return func(ctx context.Context, conn net.Conn) {
		w := cellway.OpenModel(g)
		defer w.End()
		w.Serve(ctx, conn)
	}
}

// scoped is what scopes stand on.
func (a *App) scoped() scope.Engine {
	return scope.Engine{
		Service: a.Service(), DeployFree: a.catalog.DeployFree, ParentOf: a.engine.ParentOf, KnownImage: a.images.Known,
		TreeSize: func(ctx context.Context, digest string) (int64, error) {
			size, err := blob.TreeSize(ctx, a.blobs, digest)
			return size, blob.AsError("the directory "+digest, err)
		},
	}
}
