package client

import (
	"context"
	"io"
	"os"

	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/value"
)

// PutTree stores a directory of this host on the server.
func (c *Client) PutTree(ctx context.Context, path string) (value.Dir, error) {
	d, err := blob.PutTree(ctx, treeStore{c}, path, blob.TreeLimits{})
	return d, treeError(ctx, "be stored", path, err)
}

// ExportTree writes a stored directory to a path of this host.
func (c *Client) ExportTree(ctx context.Context, d value.Dir, path string) error {
	return treeError(ctx, "be written", path, blob.ExportTree(ctx, treeStore{c}, d, path))
}

func treeError(ctx context.Context, what, path string, err error) error {
	if err != nil && ctx.Err() != nil {
		return canceled(ctx)
	}
	return blob.AsError("the directory "+path+" cannot "+what, err)
}

// treeStore is the server as package blob sees it.
type treeStore struct{ client *Client }

// Put stores r, whose size the server bounds.
func (s treeStore) Put(ctx context.Context, r io.Reader, _ int64) (blob.Ref, error) {
	if again, ok := section(r); ok {
		r = again
	}
	digest, size, err := s.client.PutBlob(ctx, r)
	return blob.Ref{Digest: digest, Size: size}, err
}

// section makes of a file behind a limit something that can be read twice.
func section(r io.Reader) (io.Reader, bool) {
	limited, ok := r.(*io.LimitedReader)
	if !ok {
		return nil, false
	}
	f, ok := limited.R.(*os.File)
	if !ok {
		return nil, false
	}
	start, err := f.Seek(0, io.SeekCurrent)
	return io.NewSectionReader(f, start, limited.N), err == nil
}

// Open returns the bytes of a blob.
func (s treeStore) Open(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	return s.client.OpenBlob(ctx, digest)
}
