package server

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/glovebox-dev/glovebox/api"
)

// Hooks answers a call of a hook: it checks who sent it, and returns the run.
type Hooks func(ctx context.Context, name string, header http.Header, body []byte) (*api.Run, error)

// maxHookCalls bounds the calls of hooks that are answered at the same time, whose
// senders are not known before all of the body is there.
const maxHookCalls = 32

// registerHooks adds the routes of hooks. Deployments make them.
func (s *Server) registerHooks() {
	route(s, traits{}, operation(http.MethodGet, "/v1/hooks", "hooks", "listHooks", "All hooks, by name"),
		func(ctx context.Context, _ *nothing) (*answer[hooksAnswer], error) {
			hooks, err := s.Service.Hooks(ctx)
			return answerWith(hooksAnswer{orEmpty(hooks)}, err)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/hooks/{name}", "hooks", "getHook", "A hook, with its last calls"),
		func(ctx context.Context, in *HookPath) (*answer[*api.Hook], error) {
			return answerWith(s.Service.Hook(ctx, in.Name))
		})
	route(s, traits{}, operation(http.MethodPost, "/v1/hooks/{name}/pause", "hooks", "pauseHook", "Keep a hook from starting anything until it is resumed"),
		func(ctx context.Context, in *HookPath) (*answer[*api.Hook], error) {
			return answerWith(s.Service.PauseHook(ctx, in.Name))
		})
	route(s, traits{}, operation(http.MethodPost, "/v1/hooks/{name}/resume", "hooks", "resumeHook", "Have a hook start runs again"),
		func(ctx context.Context, in *HookPath) (*answer[*api.Hook], error) {
			return answerWith(s.Service.ResumeHook(ctx, in.Name))
		})
	route(s, traits{}, operation(http.MethodDelete, "/v1/hooks/{name}", "hooks", "removeHook", "Forget a hook and its calls; its runs stay"),
		func(ctx context.Context, in *HookPath) (*nothing, error) {
			return &nothing{}, s.Service.RemoveHook(ctx, in.Name)
		})
	call := operation(http.MethodPost, "/v1/hooks/{name}", "hooks", "callHook", "Start the task of a hook; the signature of the message takes the place of the token")
	call.DefaultStatus = http.StatusAccepted
	call.RequestBody = binaryBody("The message, in JSON")
	route(s, traits{signed: true, raw: true, limit: s.Limits.Hook}, call, s.callHook)
}

type hooksAnswer struct {
	Hooks []api.Hook `json:"hooks"`
}

// HookPath is the parameter of the routes of one hook.
type HookPath struct {
	Name string `path:"name" pattern:"^[A-Za-z0-9._][A-Za-z0-9._-]{0,127}$" doc:"The name of a hook" example:"desk.push"`
}

// CalledPath takes any name: what is no name of a hook gets the answer of one that
// is not there.
type CalledPath struct {
	Name string `path:"name" maxLength:"128" doc:"The name of a hook" example:"desk.push"`
}

type callHookInput struct {
	CalledPath
	rawBody
	header http.Header
}

// Resolve is called by huma.
func (in *callHookInput) Resolve(ctx huma.Context) []error {
	r, _ := humago.Unwrap(ctx)
	in.header = r.Header
	return in.rawBody.Resolve(ctx)
}

type hookAnswer struct {
	Run string `json:"run" doc:"The run that the message started, now or before"`
}

func (s *Server) callHook(ctx context.Context, in *callHookInput) (*answer[hookAnswer], error) {
	if s.Config.Hooks == nil {
		return nil, api.Errorf(api.NotFound, "this server answers no hooks")
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, io.NopCloser(in.r), s.Limits.Hook))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, bodyTooLarge(s.Limits.Hook)
	}
	if err != nil {
		if transportFailure(err) != nil {
			return nil, err
		}
		return nil, api.Errorf(api.RequestInvalid, "the body ended early")
	}
	run, err := s.Config.Hooks(ctx, in.Name, in.header, body)
	if err != nil {
		return nil, err
	}
	return &answer[hookAnswer]{hookAnswer{run.ID}}, nil
}
