package owner

import (
	"context"
	"io"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
)

// StatFile implements api.SessionFiles.
func (g *Guard) StatFile(ctx context.Context, session, path string, o api.FileOptions) (*api.FileInfo, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.StatFile(ctx, session, path, o)
}

// ListFiles implements api.SessionFiles.
func (g *Guard) ListFiles(ctx context.Context, session, path string, depth int, o api.FileOptions) ([]api.FileInfo, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.ListFiles(ctx, session, path, depth, o)
}

// MakeDir implements api.SessionFiles.
func (g *Guard) MakeDir(ctx context.Context, session, path string, o api.FileOptions) (*api.FileInfo, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.MakeDir(ctx, session, path, o)
}

// MoveFile implements api.SessionFiles.
func (g *Guard) MoveFile(ctx context.Context, session, from, to string, o api.FileOptions) (*api.FileInfo, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.MoveFile(ctx, session, from, to, o)
}

// RemoveFile implements api.SessionFiles.
func (g *Guard) RemoveFile(ctx context.Context, session, path string, o api.FileOptions) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.RemoveFile(ctx, session, path, o)
}

// WriteFile implements api.SessionFiles.
func (g *Guard) WriteFile(ctx context.Context, session, path string, content io.Reader, o api.WriteOptions) (*api.FileInfo, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.WriteFile(ctx, session, path, content, o)
}

// DownloadTree implements api.SessionFiles.
func (g *Guard) DownloadTree(ctx context.Context, session, path string, o api.FileOptions) (io.ReadCloser, error) {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return nil, err
	}
	return g.to.DownloadTree(ctx, session, path, o)
}

// UploadTree implements api.SessionFiles.
func (g *Guard) UploadTree(ctx context.Context, session, path string, archive io.Reader, o api.FileOptions) error {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return err
	}
	return g.to.UploadTree(ctx, session, path, archive, o)
}

// WatchFiles implements api.SessionFiles.
func (g *Guard) WatchFiles(ctx context.Context, session, path string, recursive bool, o api.FileOptions) iter.Seq2[api.FileEvent, error] {
	if err := g.session(ctx, api.ScopeRun, session); err != nil {
		return failed[api.FileEvent](err)
	}
	return g.to.WatchFiles(ctx, session, path, recursive, o)
}
