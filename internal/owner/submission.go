package owner

import (
	"context"
	"io"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/value"
)

// submission refuses what a task would take that is not of whoever asks. Files of inputs
// are held to their owner where they are taken in, see engine.Config.HasBlob.
func (g *Guard) submission(ctx context.Context, task *api.Task, name string) error {
	switch who := api.IdentityOf(ctx); {
	case who.May(api.ScopeAdmin):
		return nil
	case task == nil && name == "":
		return nil // which is refused for another reason
	case name != "":
		version, err := g.to.Task(ctx, name) // of the same owner
		if err != nil {
			return err
		}
		task = version.Task
	}
	return g.task(ctx, task)
}

// ofHome is the error of what only those may use who have the home.
func ofHome(field, what string) error {
	return api.Errorf(api.Forbidden, "%s: the token lacks the scope admin, without which %s", field, what).
		WithDetails(api.Details{Field: field, Expected: string(api.ScopeAdmin)})
}

// task refuses what reaches into the home or its host: secrets, functions of programs that
// are connected, programs of MCP servers, and what is not in a registry. It looks at all
// that a task may call.
func (g *Guard) task(ctx context.Context, t *api.Task) error {
	switch {
	case t.Function != nil || t.KindOf() == api.KindFunction:
		return ofHome("function", "no function of a connected program can be called")
	case t.MCP != nil && t.MCP.Server.Host:
		return ofHome("mcp.server.host", "no server of MCP on this host or in its network can be called")
	case len(t.Secrets) > 0, t.Asks != nil, t.Model != nil && t.Model.Key != "", t.MCP != nil && (t.MCP.Server.Token != "" || len(t.MCP.Server.Secrets) > 0):
		return ofHome("secrets", "no secret of the home can be used")
	case len(t.Notify) > 0:
		return ofHome("notify", "no secret of the home can sign notifications")
	}
	if err := g.image(ctx, &t.Image); err != nil {
		return err
	}
	for _, p := range t.Signature.Inputs {
		for range value.Files(p.Default) { // nobody looks at them when the task is called
			return ofHome(p.Name, "no default can be a file")
		}
	}
	for _, tool := range t.Callable() {
		if err := g.task(ctx, tool); err != nil {
			return err
		}
	}
	return g.script(ctx, t)
}

// script looks at the parts of a task that are tasks, and that it does not call by name.
func (g *Guard) script(ctx context.Context, t *api.Task) error {
	if t.Codegen == nil {
		return nil
	}
	return g.task(ctx, &t.Codegen.Script)
}

// image also refuses a name, by which an admin could take it for another image.
func (g *Guard) image(ctx context.Context, spec *api.ImageSpec) error {
	if spec.Name != "" {
		return ofHome("image.name", "no image can be given a name")
	}
	if spec.RegistrySecret != "" || len(spec.BuildSecrets) > 0 {
		return ofHome("image", "no secret of the home can be used")
	}
	if spec.Context != "" {
		return g.blob(ctx, spec.Context)
	}
	return nil
}

// sessionSpec refuses the same of a session.
func (g *Guard) sessionSpec(ctx context.Context, spec *api.SessionSpec) error {
	switch who := api.IdentityOf(ctx); {
	case who.May(api.ScopeAdmin):
		return nil
	case len(spec.Secrets) > 0, spec.Asks != nil:
		return ofHome("secrets", "no secret of the home can be used")
	case spec.Snapshot != "":
		return ofHome("snapshot", "no snapshot can be used")
	}
	return g.image(ctx, &spec.Image)
}

// blob refuses bytes that whoever asks has neither sent nor got from a run.
func (g *Guard) blob(ctx context.Context, digest string) error {
	who := api.IdentityOf(ctx)
	if who.May(api.ScopeAdmin) {
		return nil
	}
	has, err := g.config.HasBlob(ctx, who.Owner, digest)
	if err == nil && !has {
		err = blob.Unknown(digest)
	}
	return err
}

// PutBlob implements api.Blobs.
func (g *Guard) PutBlob(ctx context.Context, r io.Reader) (string, int64, error) {
	if err := Need(ctx, api.ScopeRun); err != nil {
		return "", 0, err
	}
	digest, size, err := g.to.PutBlob(ctx, r)
	if who := api.IdentityOf(ctx); err == nil && !who.May(api.ScopeAdmin) {
		err = g.config.AddBlob(ctx, who.Owner, digest)
	}
	return digest, size, err
}

// OpenBlob implements api.Blobs.
func (g *Guard) OpenBlob(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	if err := Need(ctx, api.ScopeRead); err != nil {
		return nil, 0, err
	}
	if err := blob.CheckDigest(digest); err == nil {
		if err := g.blob(ctx, digest); err != nil {
			return nil, 0, err
		}
	}
	return g.to.OpenBlob(ctx, digest)
}

// PutTree implements api.Blobs. The path is one of the host.
func (g *Guard) PutTree(ctx context.Context, path string) (value.Dir, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return value.Dir{}, err
	}
	return g.to.PutTree(ctx, path)
}

// ExportTree implements api.Blobs. The path is one that a server chose.
func (g *Guard) ExportTree(ctx context.Context, d value.Dir, path string) error {
	if err := Need(ctx, api.ScopeRead); err != nil {
		return err
	}
	if err := g.blob(ctx, d.SHA256); err != nil {
		return err
	}
	return g.to.ExportTree(ctx, d, path)
}
