package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/doctor"
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/image"
	"github.com/glovebox-dev/glovebox/internal/node"
	"github.com/glovebox-dev/glovebox/internal/notify"
	"github.com/glovebox-dev/glovebox/internal/owner"
	"github.com/glovebox-dev/glovebox/internal/schedule"
	"github.com/glovebox-dev/glovebox/internal/webhook"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

// Service returns everything that the system can be asked for. Closing it does
// nothing: it lives as long as the App.
func (a *App) Service() api.Service {
	return service{a.engine, a.catalog, a.everywhere, a.schedules, a.hooks, a.notifications, a.owners, a}
}

// Functions offers functions of this process to runs.
func (a *App) Functions() *worker.Runner { return a.workers }

// sessions is the sessions of all nodes under a name of their own.
type sessions = *node.Sessions

// schedules is the service of schedules under a name of its own.
type schedules = *schedule.Service

// hooks is the service of hooks under a name of its own.
type hooks = *webhook.Service

// notifications is the service of what runs tell under a name of its own.
type notifications = *notify.Service

// owners is the service of those who share the home under a name of its own.
type owners = *owner.Keeper

// service is the App as the SDK, the command line and the server see it.
type service struct {
	*engine.Engine
	*catalog.Service
	sessions
	schedules
	hooks
	notifications
	owners
	app *App
}

var _ api.Service = service{}

func (service) Close() error { return nil }

func (s service) Evaluate(ctx context.Context, e api.Evaluation) (*api.Result, error) {
	return s.app.evaluations.Evaluate(ctx, e)
}

func (s service) Check(_ context.Context, task *api.Task) ([]api.Problem, error) {
	return s.app.orchestrators.Check(task)
}

func (s service) Prompt(_ context.Context, task *api.Task) (string, error) {
	return s.app.orchestrators.Prompt(task)
}

func (s service) PutBlob(ctx context.Context, r io.Reader) (string, int64, error) {
	ref, err := s.app.blobs.Put(ctx, r, 0)
	return ref.Digest, ref.Size, blob.AsError("store the bytes", err)
}

func (s service) OpenBlob(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	if err := blob.CheckDigest(digest); err != nil {
		return nil, 0, api.Errorf(api.RequestInvalid, "%w", err).WithDetails(api.Details{Field: "digest", Expected: "64 hexadecimal digits in lower case"})
	}
	r, size, err := s.app.blobs.Open(ctx, digest)
	return r, size, blob.AsError("open the bytes", err)
}

func (s service) PutTree(ctx context.Context, path string) (value.Dir, error) {
	d, err := blob.PutTree(ctx, s.app.blobs, path, blob.TreeLimits{})
	return d, blob.AsError(path, err)
}

func (s service) ExportTree(ctx context.Context, d value.Dir, path string) error {
	return blob.AsError(path, blob.ExportTree(ctx, s.app.blobs, d, path))
}

func (s service) BuildImage(ctx context.Context, spec api.ImageSpec, progress func(api.Progress)) (*api.ImageInfo, error) {
	img, err := s.app.images.Ensure(ctx, spec, progress)
	if err != nil {
		return nil, err
	}
	return s.Image(ctx, img.ID)
}

func (s service) Images(context.Context) ([]api.ImageInfo, error) {
	records, err := s.app.images.List()
	infos := make([]api.ImageInfo, len(records))
	for i, rec := range records {
		infos[i] = imageInfo(rec)
	}
	return infos, err
}

func imageInfo(rec *image.Record) api.ImageInfo {
	return api.ImageInfo{ID: rec.ID, Name: rec.Name, Python: rec.Python, Size: rec.Size, Created: rec.Created}
}

func (s service) Image(_ context.Context, ref string) (*api.ImageInfo, error) {
	rec, err := s.app.images.Inspect(ref)
	if err != nil {
		return nil, err
	}
	info := imageInfo(rec)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(rec); err != nil {
		return nil, api.Errorf(api.Internal, "encode the record of image %s: %w", rec.ID, err)
	}
	info.Record = bytes.TrimSpace(b.Bytes())
	return &info, nil
}

func (s service) RemoveImage(ctx context.Context, ref string) error {
	rec, err := s.app.images.Inspect(ref)
	if err != nil {
		return err
	}
	needed, err := s.app.sessions.Images(ctx)
	if err != nil {
		return err
	}
	if by := needed[rec.ID]; by != "" {
		return api.Errorf(api.Conflict, "%s needs image %s", by, ref).WithHint("end the session, or remove the snapshot, first")
	}
	return s.app.images.Remove(ref)
}

// extendImage makes an image of another one and of what a session has changed.
func (a *App) extendImage(ctx context.Context, id, name string, layer io.Reader) (*api.ImageInfo, error) {
	rec, err := a.images.Extend(ctx, id, name, layer)
	if err != nil {
		return nil, err
	}
	info := imageInfo(rec)
	return &info, nil
}

func (s service) PushImage(ctx context.Context, ref, to, secret string, progress func(api.Progress)) (string, error) {
	return s.app.images.Push(ctx, ref, to, secret, progress)
}

func (s service) SetSecret(_ context.Context, name string, value []byte) error {
	return s.app.secrets.Set(name, value)
}

func (s service) Secrets(context.Context) ([]string, error) { return s.app.secrets.List() }

func (s service) RemoveSecret(_ context.Context, name string) error {
	return s.app.secrets.Remove(name)
}

func (s service) Workers(context.Context) ([]api.Worker, error) { return s.app.workers.Workers(), nil }

func (s service) ListMCPTools(ctx context.Context, server api.MCPServer) ([]api.Task, error) {
	return s.app.mcp.ListMCPTools(ctx, server)
}

// Findings is what the doctor says of this host and home.
func (a *App) Findings(ctx context.Context, deep bool) []cell.Finding {
	return a.doctor().Findings(ctx, deep)
}

func (a *App) doctor() doctor.Doctor {
	return doctor.Doctor{
		Home: a.Home, Unwritable: a.unwritable, Driver: a.driver, Images: a.images, Secrets: a.secrets.List, Warm: a.warmWords(), DB: a.db, Blobs: a.blobs, BlobsPlace: a.blobs.place(),
	}
}
