package server

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/value"
)

// registerOutputs adds the routes of what a run was given and gave.
func (s *Server) registerOutputs() {
	result := operation(http.MethodGet, "/v1/runs/{id}/result", "runs", "getResult", "The result of a run, when it has ended")
	result.Description = "200 when the run has ended, also when it failed: then run.error says why. 202 with the run alone if it has not. The run is without its inputs, which getRun and getInputs have, and without its outputs, which are beside it."
	route(s, traits{stream: true}, result, s.result)
	s.describeResult(result)
	route(s, traits{}, operation(http.MethodGet, "/v1/runs/{id}/inputs", "runs", "getInputs", "The inputs of a run, an object by name"),
		func(ctx context.Context, in *RunPath) (*answer[json.RawMessage], error) {
			run, err := s.Service.Run(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return fields(run.Inputs)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/runs/{id}/outputs", "runs", "getOutputs", "The outputs of a run, an object by name; empty before its end"),
		func(ctx context.Context, in *RunPath) (*answer[json.RawMessage], error) {
			run, err := s.Service.Run(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return fields(run.Outputs)
		})
	output := operation(http.MethodGet, "/v1/runs/{id}/outputs/{name}", "runs", "getOutput", "One output")
	output.Description = "The bytes of a File or DataFrame, a tar archive of a Dir, of every other type the JSON of the value."
	route(s, traits{stream: true}, output, s.output)
	s.content(output, "200", "The output", "application/octet-stream", "application/x-tar", mediaJSON)
	s.describeBytes(output)
}

func (s *Server) describeResult(op huma.Operation) {
	schema := schema[api.RunResult](s)
	for _, status := range []string{"200", "202"} {
		s.operationOf(op).Responses[status] = &huma.Response{
			Description: map[string]string{"200": "The run has ended", "202": "It has not ended yet; outputs and what it printed are left out"}[status],
			Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}},
		}
	}
}

func fields(text json.RawMessage) (*answer[json.RawMessage], error) {
	if len(text) == 0 {
		text = json.RawMessage("{}")
	}
	return &answer[json.RawMessage]{text}, nil
}

type outputInput struct {
	RunPath
	Name        string `path:"name" maxLength:"256" doc:"The name of the output" example:"report"`
	Range       string `header:"Range" doc:"Only these bytes of a File or DataFrame, such as bytes=0-99" example:"bytes=0-99"`
	IfRange     string `header:"If-Range" doc:"Range counts only if this is the ETag"`
	IfNoneMatch string `header:"If-None-Match" doc:"Not these bytes again: an ETag that is known"`
}

func (s *Server) output(ctx context.Context, in *outputInput) (*huma.StreamResponse, error) {
	run, err := s.Service.Run(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if !run.Status.Ended() {
		return nil, api.Errorf(api.Conflict, "run %s has not ended yet", in.ID).WithHint("wait for its end with GET /v1/runs/%s/result?wait=30s", in.ID)
	}
	share := budget.ShareOf(ctx)
	if ctx, run, err = s.claim(ctx, run); err != nil {
		return nil, err
	}
	param, v, err := outputOf(run, in.Name)
	if err != nil {
		return nil, err
	}
	if _, ok := value.RefOf(v); ok {
		share.Release() // a stream of any length follows
	}
	switch v := v.(type) {
	case value.File:
		return s.sendBlob(ctx, v.SHA256, v.Path)
	case value.DataFrame:
		return s.sendBlob(ctx, v.SHA256, v.Path)
	case value.Dir:
		return s.sendTree(ctx, v)
	}
	text, err := value.EncodeJSON(param.Type, v)
	if err != nil {
		return nil, err
	}
	return streamed(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text) // the client may be gone
	}), nil
}

// outputOf finds an output of a run that has ended.
func outputOf(run *api.Run, name string) (value.Param, any, error) {
	if run.Signature != nil {
		values, err := api.DecodeFields("output", run.Signature.Outputs, run.Outputs)
		if err != nil {
			return value.Param{}, nil, api.Errorf(api.StorageCorrupt, "the outputs of run %s do not fit their types: %w", run.ID, err)
		}
		for _, p := range run.Signature.Outputs {
			if v, ok := values[name]; ok && p.Name == name {
				return p, v, nil
			}
		}
	}
	return value.Param{}, nil, api.Errorf(api.NotFound, "run %s has no output %q", run.ID, name).WithDetails(api.Details{Field: "name", Got: name})
}

// sendTree sends a directory as a tar archive, by way of a copy on disk that
// lives as long as the transfer.
func (s *Server) sendTree(ctx context.Context, d value.Dir) (*huma.StreamResponse, error) {
	dir, err := os.MkdirTemp(s.Dir, "glovebox-tree-")
	if err != nil {
		return nil, err
	}
	tree := filepath.Join(dir, "tree")
	if err := s.Service.ExportTree(ctx, d, tree); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		defer os.RemoveAll(dir)
		w.Header().Set("Content-Type", "application/x-tar")
		attach(w, d.Path+".tar")
		if r.Method == http.MethodHead {
			return
		}
		if err := writeTar(r.Context(), w, tree); err != nil {
			s.Logger.Error("a directory was not sent whole", "request", infoOf(r).id, "error", err)
			panic(http.ErrAbortHandler) // cuts the connection, so that the client sees a broken body
		}
	}), nil
}
