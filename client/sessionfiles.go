package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

// fileQuery are the parameters of a request for a file.
func fileQuery(path string, o api.FileOptions) url.Values {
	v := url.Values{"path": {path}}
	setQuery(v, "user", o.User)
	setQuery(v, "owner", o.Owner)
	return v
}

// StatFile describes a file of a session.
func (c *Client) StatFile(ctx context.Context, session, path string, o api.FileOptions) (*api.FileInfo, error) {
	return askSession[api.FileInfo](ctx, c, request{method: http.MethodGet, query: fileQuery(path, o), repeat: true}, session, "/files/stat", nil)
}

// ListFiles lists a directory of a session.
func (c *Client) ListFiles(ctx context.Context, session, path string, depth int, o api.FileOptions) ([]api.FileInfo, error) {
	v := fileQuery(path, o)
	if depth != 0 {
		v.Set("depth", strconv.Itoa(depth))
	}
	out, err := askSession[struct {
		Files []api.FileInfo `json:"files"`
	}](ctx, c, request{method: http.MethodGet, query: v, repeat: true}, session, "/files/list", nil)
	if err != nil {
		return nil, err
	}
	return out.Files, nil
}

// MakeDir makes a directory in a session.
func (c *Client) MakeDir(ctx context.Context, session, path string, o api.FileOptions) (*api.FileInfo, error) {
	return askSession[api.FileInfo](ctx, c, request{method: http.MethodPost, query: fileQuery(path, o)}, session, "/files/directory", nil)
}

// MoveFile moves a file or a tree of a session.
func (c *Client) MoveFile(ctx context.Context, session, from, to string, o api.FileOptions) (*api.FileInfo, error) {
	in := struct {
		From  string `json:"from"`
		To    string `json:"to"`
		User  string `json:"user,omitempty"`
		Owner string `json:"owner,omitempty"`
	}{from, to, o.User, o.Owner}
	return askSession[api.FileInfo](ctx, c, request{method: http.MethodPost}, session, "/files/move", in)
}

// RemoveFile removes a file or a tree of a session.
func (c *Client) RemoveFile(ctx context.Context, session, path string, o api.FileOptions) error {
	return c.tellSession(ctx, request{method: http.MethodDelete, query: fileQuery(path, o), repeat: true, slow: true}, session, "/files", nil)
}

// fileHeader describes a file beside its bytes.
const fileHeader = "Glovebox-File"

// ReadFile returns the bytes of a file of a session, and describes it. Attributes
// that are too long for a header are left out.
func (c *Client) ReadFile(ctx context.Context, session, path string, offset, limit int64, o api.FileOptions) (io.ReadCloser, *api.FileInfo, error) {
	at, err := sessionPath(session, "/files/content")
	if err != nil {
		return nil, nil, err
	}
	r := request{method: http.MethodGet, path: at, query: fileQuery(path, o), repeat: true, header: http.Header{"Accept": {"*/*"}}}
	if offset > 0 || limit > 0 {
		r.header.Set("Range", rangeOf(offset, limit))
	}
	resp, err := c.send(ctx, r)
	if e, ok := api.FindError(err); ok && e.Code == api.RequestInvalid && e.Details.Field == "Range" { // it ends before that
		info, err := c.StatFile(ctx, session, path, o)
		return io.NopCloser(bytes.NewReader(nil)), info, err
	}
	if err != nil {
		return nil, nil, err
	}
	var info api.FileInfo
	if err := json.Unmarshal([]byte(resp.Header.Get(fileHeader)), &info); err != nil {
		resp.Body.Close()
		return nil, nil, c.unavailable("did not describe the file", nonsense{err})
	}
	return resp.Body, &info, nil
}

func rangeOf(offset, limit int64) string {
	from := "bytes=" + strconv.FormatInt(offset, 10) + "-"
	if limit == 0 {
		return from
	}
	return from + strconv.FormatInt(offset+limit-1, 10)
}

// WriteFile writes a file of a session.
func (c *Client) WriteFile(ctx context.Context, session, path string, content io.Reader, o api.WriteOptions) (*api.FileInfo, error) {
	v := fileQuery(path, o.FileOptions)
	if o.Mode != 0 {
		v.Set("mode", strconv.FormatUint(uint64(o.Mode), 8))
	}
	if o.Append {
		v.Set("append", "true")
	}
	header := http.Header{}
	if o.Attributes != nil {
		text, err := json.Marshal(o.Attributes)
		if err != nil {
			return nil, api.Errorf(api.RequestInvalid, "the attributes cannot be written as JSON: %w", err).WithDetails(api.Details{Field: "attributes"})
		}
		header.Set("Glovebox-Attributes", string(text))
	}
	var info api.FileInfo
	if err := c.upload(ctx, session, "/files/content", v, header, content, &info); err != nil {
		return nil, err
	}
	return &info, nil
}

// upload sends bytes to a session.
func (c *Client) upload(ctx context.Context, session, below string, query url.Values, header http.Header, content io.Reader, out any) error {
	path, err := sessionPath(session, below)
	if err != nil {
		return err
	}
	source := &source{r: content}
	defer source.Close()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Expect", "100-continue")
	err = c.ask(ctx, request{method: http.MethodPut, path: path, query: query, stream: source, header: header, slow: true}, out)
	if failed := source.failure(); failed != nil && ctx.Err() == nil {
		return api.Errorf(api.RequestInvalid, "what is to be written cannot be read: %w", failed)
	}
	return err
}

// WatchFiles yields changes in a directory of a session.
func (c *Client) WatchFiles(ctx context.Context, session, path string, recursive bool, o api.FileOptions) iter.Seq2[api.FileEvent, error] {
	v := fileQuery(path, o)
	if recursive {
		v.Set("recursive", "true")
	}
	r := request{method: http.MethodGet, query: v, repeat: true}
	return sessionEntries(ctx, c, r, session, "/files/watch", nil, func(api.FileEvent) bool { return false })
}

// DownloadTree returns files of a session as a tar archive.
func (c *Client) DownloadTree(ctx context.Context, session, path string, o api.FileOptions) (io.ReadCloser, error) {
	at, err := sessionPath(session, "/files/tree")
	if err != nil {
		return nil, err
	}
	resp, err := c.send(ctx, request{method: http.MethodGet, path: at, query: fileQuery(path, o), repeat: true, slow: true, header: http.Header{"Accept": {"*/*"}}})
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// UploadTree unpacks a tar archive in a session.
func (c *Client) UploadTree(ctx context.Context, session, path string, archive io.Reader, o api.FileOptions) error {
	return c.upload(ctx, session, "/files/tree", fileQuery(path, o), http.Header{}, archive, nil)
}

// SessionUser looks a user of a session up.
func (c *Client) SessionUser(ctx context.Context, session, name string) (*api.User, error) {
	v := url.Values{}
	setQuery(v, "name", name)
	return askSession[api.User](ctx, c, request{method: http.MethodGet, query: v, repeat: true}, session, "/user", nil)
}
