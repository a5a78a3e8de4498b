package server

import (
	"cmp"
	"context"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func (s *Server) addResources() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "output", Title: "Output of a run", URITemplate: "glovebox://runs/{run}/outputs/{name}",
		Description: "An output of a run: the bytes of a file, or else its value as JSON",
	}, s.readOutput)
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "log", Title: "Log of a run", URITemplate: "glovebox://runs/{run}/log", MIMEType: "text/plain",
		Description: "What a run printed",
	}, s.readLog)
}

func (s *Server) readOutput(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	id, rest, _ := splitURI(req.Params.URI)
	name, err := url.PathUnescape(strings.TrimPrefix(rest, "outputs/"))
	if err != nil {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	run, err := s.service.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	typ, v, ok := outputOf(run, name)
	if !ok {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	switch file := v.(type) {
	case value.File:
		data, err := s.blob(ctx, file.SHA256, maxRead)
		return contents(req, path.Base(file.Path), data), err
	case value.DataFrame:
		data, err := s.blob(ctx, file.SHA256, maxRead)
		return contents(req, path.Base(file.Path), data), err
	}
	text, err := value.EncodeJSON(typ, v)
	if err == nil && len(text) > maxRead {
		err = tooLarge(int64(len(text)))
	}
	return contents(req, "value.json", text), err
}

func (s *Server) readLog(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	id, _, _ := splitURI(req.Params.URI)
	text := ends{most: maxRead}
	for entry, err := range s.service.Logs(ctx, id, 0, false) {
		if err != nil {
			return nil, err
		}
		text.add(entry.Bytes())
	}
	kept, _ := text.cut()
	return contents(req, "log.txt", []byte(kept)), nil
}

// splitURI returns the run that a resource belongs to, and what it is of that.
func splitURI(uri string) (run, rest string, ok bool) {
	run, rest, ok = strings.Cut(strings.TrimPrefix(uri, "glovebox://runs/"), "/")
	return run, rest, ok
}

// outputOf returns an output of a run that has ended.
func outputOf(run *api.Run, name string) (typ value.Type, v any, ok bool) {
	if run.Signature == nil || run.Outputs == nil {
		return typ, nil, false
	}
	values, err := api.DecodeFields("output", run.Signature.Outputs, run.Outputs)
	if err != nil {
		return typ, nil, false
	}
	for _, p := range run.Signature.Outputs {
		if p.Name == name {
			v, ok = values[name]
			return p.Type, v, ok
		}
	}
	return typ, nil, false
}

// contents makes text of bytes if they are.
func contents(req *mcp.ReadResourceRequest, name string, data []byte) *mcp.ReadResourceResult {
	kind := cmp.Or(mime.TypeByExtension(path.Ext(name)), http.DetectContentType(data))
	c := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: kind}
	if utf8.Valid(data) && !strings.HasPrefix(kind, "image/") {
		c.Text = string(data)
	} else {
		c.Blob = data
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}
}

// blob reads stored bytes, unless there are more than most.
func (s *Server) blob(ctx context.Context, digest string, most int64) ([]byte, error) {
	r, size, err := s.service.OpenBlob(ctx, digest)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > most {
		return nil, tooLarge(size)
	}
	return io.ReadAll(io.LimitReader(r, most))
}

func tooLarge(size int64) error {
	return api.Errorf(api.OutputTooLarge, "it has %d bytes, more than the %d that a resource may have", size, maxRead).
		WithHint("get it with: glovebox outputs RUN --out DIR; or give it to another run as an input of type File")
}
