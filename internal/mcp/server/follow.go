package server

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

// run makes a run and waits for it, unless it is to go on in the background.
// While it waits the client hears of its progress, and can cancel it.
func (s *Server) run(ctx context.Context, req *mcp.CallToolRequest, sub api.Submission, background bool) (*runView, error) {
	if background {
		run, err := s.service.Submit(ctx, sub)
		if err != nil {
			return nil, err
		}
		return viewOf(run), nil
	}
	progress := report(ctx, req)
	defer progress.stop()
	sub.Progress, sub.Stdout, sub.Stderr = progress.step, progress.writer(), progress.writer()
	run, err := s.service.Submit(ctx, sub)
	if err != nil {
		return nil, err
	}
	v := viewOf(run)
	result, err := s.service.Wait(ctx, run.ID)
	if err != nil && ctx.Err() != nil {
		return nil, s.abandon(ctx, run.ID)
	}
	if known, err := s.service.Run(ctx, run.ID); err == nil {
		v.Calls = known.Calls
	}
	v.end(ctx, s, result, api.AsError(err))
	return v, nil
}

// lastPatience is how long it may take to cancel a run.
const lastPatience = 10 * time.Second

// abandon cancels a run whose client does not wait any more.
func (s *Server) abandon(ctx context.Context, id string) error {
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
	defer stop()
	ended := &api.Error{Code: api.Conflict}
	if err := s.service.Cancel(last, id, "the MCP client canceled the call"); err != nil && !errors.Is(err, ended) {
		s.logger.Warn("a run could not be canceled", "run", id, "error", err)
	}
	return api.Errorf(api.Canceled, "the call was canceled, and run %s with it", id)
}
