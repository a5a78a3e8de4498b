package client

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/value"
)

// encodeInputs writes given inputs as their declared types say, after it
// uploaded the files among them. With some, not all inputs must be there.
func (c *Client) encodeInputs(ctx context.Context, params []value.Param, given map[string]any, some bool) (json.RawMessage, error) {
	if some {
		params = onlyGiven(params, given)
	}
	complete, err := api.CompleteInputs(params, given)
	if err != nil {
		return nil, err
	}
	send := make(map[string]any, len(given))
	for name := range given { // defaults are the business of the server
		u := uploader{client: c, ctx: ctx, input: name}
		if send[name], err = value.MapFiles(complete[name], u.upload); err != nil {
			return nil, err
		}
	}
	text, err := api.EncodeFields(params, send)
	if err != nil {
		return nil, api.AsError(err)
	}
	return text, nil
}

// onlyGiven returns the parameters that were given a value, or all of them if
// one of the names is unknown, so that the error lists them.
func onlyGiven(params []value.Param, given map[string]any) []value.Param {
	var found []value.Param
	for _, p := range params {
		if _, ok := given[p.Name]; ok {
			found = append(found, p)
		}
	}
	if len(found) < len(given) {
		optional := make([]value.Param, len(params))
		for i, p := range params {
			if _, ok := given[p.Name]; !ok {
				p.Type, p.Default = value.Type{Kind: value.KindAny}, json.RawMessage("null")
			}
			optional[i] = p
		}
		return optional
	}
	return found
}

// uploader brings the files of one input to the server. The values that it
// returns name content, and no path of this host.
type uploader struct {
	client *Client
	ctx    context.Context
	input  string
}

func (u uploader) upload(file any) (any, error) {
	if d, ok := file.(value.Dir); ok {
		return u.dir(d)
	}
	ref, _ := value.RefOf(file)
	var err error
	ref.SHA256, ref.Size, err = u.file(ref.Path, ref.SHA256)
	ref.Path = baseName(ref.Path)
	return ref.In(file), err
}

func baseName(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}

// file makes sure that the server has the bytes of a file: those at an absolute
// path, or those of the digest.
func (u uploader) file(path, digest string) (string, int64, error) {
	if !filepath.IsAbs(path) {
		size, err := u.stored("file", path, digest)
		return digest, size, err
	}
	f, err := blob.OpenRegular(path)
	if err != nil {
		return "", 0, u.named(err)
	}
	defer f.Close()
	sent, size, err := u.client.PutBlob(u.ctx, f)
	if err == nil && digest != "" && sent != digest {
		err = u.wrong(path, digest, sent)
	}
	return sent, size, err
}

// stored returns the size of what the server has under a digest.
func (u uploader) stored(what, path, digest string) (int64, error) {
	if digest == "" {
		return 0, api.Errorf(api.InvalidInput, "%s: the %s %q is given neither by an absolute path nor by a digest", u.input, what, path).
			WithHint("give an absolute path of this host").
			WithDetails(api.Details{Field: u.input, Expected: "an absolute path", Got: path})
	}
	size, ok, err := u.client.stat(u.ctx, digest)
	if err == nil && !ok {
		err = api.Errorf(api.NotFound, "%s: the server does not have the %s %q", u.input, what, path).
			WithHint("give an absolute path of this host to upload it").WithDetails(api.Details{Field: u.input, Got: digest})
	}
	return size, err
}

func (u uploader) dir(d value.Dir) (value.Dir, error) {
	name := baseName(d.Path)
	if !filepath.IsAbs(d.Path) {
		_, err := u.stored("directory", d.Path, d.SHA256)
		d.Path = name
		return d, err
	}
	sent, err := u.client.PutTree(u.ctx, d.Path)
	if err != nil {
		return d, u.named(blob.PathError(d.Path, err))
	}
	if d.SHA256 != "" && sent.SHA256 != d.SHA256 {
		err = u.wrong(d.Path, d.SHA256, sent.SHA256)
	}
	sent.Path = name
	return sent, err
}

// named says of an error which input it is about.
func (u uploader) named(err error) error {
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.InvalidInput || e.Details.Field != "" {
		return err
	}
	about := *e
	about.Message, about.Details.Field = u.input+": "+e.Message, u.input
	return &about
}

func (u uploader) wrong(path, digest, sent string) *api.Error {
	return api.Errorf(api.InvalidInput, "%s: %s is not the file of its digest", u.input, path).
		WithHint("leave the digest out to send the file as it is").
		WithDetails(api.Details{Field: u.input, Expected: digest, Got: sent})
}
