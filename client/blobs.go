package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// PutBlob stores bytes on the server. Those of a file that the server has
// already do not travel.
func (c *Client) PutBlob(ctx context.Context, r io.Reader) (string, int64, error) {
	if f, ok := r.(io.ReadSeeker); ok {
		if digest, size, known, err := c.known(ctx, f); err != nil || known {
			return digest, size, err
		}
	}
	source := &source{r: r}
	defer source.Close()
	req := request{method: http.MethodPost, path: "/v1/blobs", stream: source, header: http.Header{
		"Content-Type": {"application/octet-stream"}, "Expect": {"100-continue"},
	}}
	var out struct {
		Digest string `json:"digest"`
		Size   int64  `json:"size"`
	}
	err := c.ask(ctx, req, &out)
	if failed := source.failure(); failed != nil && ctx.Err() == nil {
		err = api.Errorf(api.RequestInvalid, "what is to be stored cannot be read: %w", failed)
	}
	return out.Digest, out.Size, err
}

// known asks the server whether it has the rest of f. If it has, f is then at
// its end; otherwise f is where it was.
func (c *Client) known(ctx context.Context, f io.ReadSeeker) (digest string, size int64, known bool, err error) {
	start, err := f.Seek(0, io.SeekCurrent)
	if err != nil { // a pipe in the guise of a file
		return "", 0, false, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, untilDone{ctx, f}); err != nil {
		if ctx.Err() != nil {
			return "", 0, false, canceled(ctx)
		}
		return "", 0, false, api.Errorf(api.RequestInvalid, "what is to be stored cannot be read: %w", err)
	}
	digest = hex.EncodeToString(sum.Sum(nil))
	size, known, err = c.stat(ctx, digest)
	if err == nil && !known {
		if _, err = f.Seek(start, io.SeekStart); err != nil {
			err = api.Errorf(api.RequestInvalid, "what is to be stored cannot be read again: %w", err)
		}
	}
	return digest, size, known, err
}

// stat returns the size of a blob, if the server has it.
func (c *Client) stat(ctx context.Context, digest string) (size int64, ok bool, err error) {
	path, err := segment("blob", digest)
	if err != nil {
		return 0, false, err
	}
	resp, err := c.send(ctx, request{method: http.MethodHead, path: "/v1/blobs" + path, repeat: true})
	if errors.Is(err, &api.Error{Code: api.NotFound}) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	defer resp.Body.Close()
	return max(resp.ContentLength, 0), true, nil // 0 where it is not known
}

// OpenBlob returns the bytes of a blob. At their end they are held to the
// digest.
func (c *Client) OpenBlob(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	path, err := segment("blob", digest)
	if err != nil {
		return nil, 0, err
	}
	r := request{method: http.MethodGet, path: "/v1/blobs" + path, repeat: true, header: http.Header{"Accept": {"*/*"}}}
	resp, err := c.send(ctx, r)
	if err != nil {
		return nil, 0, err
	}
	if resp.ContentLength < 0 {
		resp.Body.Close()
		return nil, 0, c.unavailable("answered", errors.New("without the size of a blob"))
	}
	return &checked{ReadCloser: resp.Body, sum: sha256.New(), digest: digest}, resp.ContentLength, nil
}

// checked reads bytes and compares them with their digest at the end.
type checked struct {
	io.ReadCloser
	sum    hash.Hash
	digest string
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.sum.Write(p[:n])
	if err == io.EOF && hex.EncodeToString(c.sum.Sum(nil)) != c.digest {
		return n, api.Errorf(api.StorageCorrupt, "the bytes that the server sent are not those of blob %s", c.digest)
	}
	return n, err
}

// source is a request body that remembers why reading it failed. Once closed it
// reads no more, however long the transport keeps it.
type source struct {
	mu     sync.Mutex
	r      io.Reader
	err    error
	closed bool
}

func (s *source) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, os.ErrClosed
	}
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// Close waits for a Read that is under way.
func (s *source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

func (s *source) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// untilDone reads r until ctx ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}
