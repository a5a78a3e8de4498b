package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerRuns adds the routes that start, list and change runs.
func (s *Server) registerRuns() {
	submit := operation(http.MethodPost, "/v1/runs", "runs", "submitRun", "Start a run")
	submit.DefaultStatus = http.StatusCreated
	route(s, traits{inputs: true}, submit, s.submit)
	made := s.operationOf(submit).Responses["201"]
	made.Description = "The run is durable, and starts when its turn comes. It is without its inputs, which getRun has"
	s.operationOf(submit).Responses["200"] = &huma.Response{Description: "The run of an earlier request with this Idempotency-Key", Headers: made.Headers, Content: made.Content}
	route(s, traits{}, operation(http.MethodGet, "/v1/runs", "runs", "listRuns", "List runs, the newest first"), s.list)
	route(s, traits{}, operation(http.MethodGet, "/v1/runs/{id}", "runs", "getRun", "A run, with inputs and outputs"),
		func(ctx context.Context, in *RunPath) (*answer[*api.Run], error) {
			return answerWith(s.Service.Run(ctx, in.ID))
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/runs/{id}/task", "runs", "getRunTask", "The whole task of a run as it ran: code, tools, image, policies; secrets by name only"),
		func(ctx context.Context, in *RunPath) (*answer[*api.Task], error) {
			return answerWith(s.Service.RunTask(ctx, in.ID))
		})

	cancel := operation(http.MethodPost, "/v1/runs/{id}/cancel", "runs", "cancelRun", "End a run and the runs that it started")
	cancel.DefaultStatus = http.StatusAccepted
	cancel.RequestBody = &huma.RequestBody{}
	route(s, traits{}, cancel, s.cancel)
	cancel.RequestBody.Required = false
	resume := operation(http.MethodPost, "/v1/runs/{id}/resume", "runs", "resumeRun", "Continue a run; calls that succeeded are not done again")
	resume.DefaultStatus = http.StatusAccepted
	resume.RequestBody = &huma.RequestBody{}
	route(s, traits{}, resume, s.resume)
	resume.RequestBody.Required = false
	route(s, traits{}, operation(http.MethodPost, "/v1/runs/{id}/resolve", "runs", "resolveRun", "Say what became of a call whose outcome is unknown"), s.resolve)
	rerun := operation(http.MethodPost, "/v1/runs/{id}/rerun", "runs", "rerunRun", "Start a new run of an earlier one")
	rerun.DefaultStatus = http.StatusCreated
	rerun.RequestBody = &huma.RequestBody{}
	route(s, traits{}, rerun, s.rerun)
	rerun.RequestBody.Required = false

	route(s, traits{}, operation(http.MethodPost, "/v1/check", "runs", "checkTask", "Find what would fail in an orchestrator"), s.check)
	route(s, traits{}, operation(http.MethodPost, "/v1/prompt", "runs", "promptTask", "Describe an orchestrator to whoever writes its code"), s.prompt)
	route(s, traits{}, operation(http.MethodGet, "/v1/runs/{id}/cache", "cache", "explainCache", "Why a run was or was not answered from the cache"),
		func(ctx context.Context, in *RunPath) (*answer[*api.CacheExplanation], error) {
			return answerWith(s.Service.ExplainCache(ctx, in.ID))
		})
	route(s, traits{}, operation(http.MethodDelete, "/v1/cache", "cache", "clearCache", "Forget results"), s.clearCache)
}

// started is the answer to a request that made a run.
type started struct {
	Status   int
	Location string `header:"Location" doc:"The path of the run"`
	Body     *api.Run
}

type submitInput struct {
	Key  string `header:"Idempotency-Key" maxLength:"256" pattern:"^[ -~]+$" doc:"Makes a repetition return the run of the first; with other contents it is a conflict"`
	Body jsonBody[submission]
}

func (s *Server) submit(ctx context.Context, in *submitInput) (*started, error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	given.takeInputs(ctx)
	asked, err := s.decodeSubmission(ctx, given, isLocal(ctx))
	if err != nil {
		return nil, err
	}
	asked.IdempotencyKey = in.Key
	began := time.Now().Truncate(time.Millisecond) // a store may keep no more
	run, err := s.Service.Submit(ctx, *asked)
	if err != nil {
		return nil, err
	}
	status := http.StatusCreated
	if in.Key != "" && run.Created.Before(began) {
		status = http.StatusOK
	}
	shown := *run
	shown.Inputs = nil // the client has them
	return &started{status, "/v1/runs/" + run.ID, &shown}, nil
}

type listInput struct {
	Status []string  `query:"status" doc:"Any of these, separated by commas" maxItems:"6" enum:"queued,running,interrupted,succeeded,failed,canceled"`
	Task   string    `query:"task" minLength:"1" maxLength:"256" doc:"The name of the task"`
	Kind   string    `query:"kind" doc:"What carries the task out" enum:"sandbox,orchestrator,function,model,agent,codegen,mcp,signal"`
	Parent string    `query:"parent" minLength:"1" maxLength:"128" doc:"Calls of this run"`
	Root   string    `query:"root" minLength:"1" maxLength:"128" doc:"The tree of this run"`
	From   string    `query:"trigger" maxLength:"137" pattern:"^(schedule|hook):[A-Za-z0-9._][A-Za-z0-9._-]{0,127}$" doc:"What started them: schedule:NAME or hook:NAME" example:"hook:desk.push"`
	Owner  string    `query:"owner" maxLength:"63" pattern:"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$" doc:"Whose they are"`
	Label  []string  `query:"label,explode" maxItems:"32" doc:"A label that they have, as NAME=VALUE; repeatable, and they have all of them"`
	Top    bool      `query:"top" doc:"Only runs without a parent"`
	ID     string    `query:"id_prefix" maxLength:"128" doc:"The beginning of their ids"`
	Text   string    `query:"text" maxLength:"200" doc:"What is in the name of the task or in the error, in small or capital letters; a page looks at 5,000 runs at most"`
	Since  time.Time `query:"since" doc:"Created then or later"`
	Until  time.Time `query:"until" doc:"Created before then"`
	Limit  int       `query:"limit" minimum:"0" maximum:"1000" doc:"0 means 50"`
	Cursor string    `query:"cursor" maxLength:"1024" pattern:"^[A-Za-z0-9_-]+$" doc:"The member next of the page before; it is opaque, and valid only with the same parameters"`
}

func (s *Server) list(ctx context.Context, in *listInput) (*answer[api.RunPage], error) {
	q := api.RunQuery{
		Task: in.Task, Kind: api.TaskKind(in.Kind), Parent: in.Parent, Root: in.Root, Top: in.Top, Trigger: in.From, Owner: in.Owner, IDPrefix: in.ID, Text: in.Text,
		Since: in.Since, Until: in.Until, Limit: in.Limit, Cursor: in.Cursor,
	}
	for _, status := range in.Status {
		q.Status = append(q.Status, api.Status(status))
	}
	var err error
	if q.Labels, err = api.ParseLabels("label", in.Label); err != nil {
		return nil, err
	}
	page, err := s.Service.Runs(ctx, q)
	if page.Runs == nil {
		page.Runs = []api.Run{}
	}
	return answerWith(page, err)
}

type cancelBody struct {
	Reason string `json:"reason,omitempty" maxLength:"1000" doc:"For people"`
}

type cancelInput struct {
	RunPath
	Body jsonBody[cancelBody]
}

func (s *Server) cancel(ctx context.Context, in *cancelInput) (*nothing, error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if len(given.Reason) > 1000 {
		return nil, api.Errorf(api.RequestInvalid, "the reason is longer than 1000 bytes").WithDetails(api.Details{Field: "reason", Limit: 1000})
	}
	return &nothing{}, s.Service.Cancel(ctx, in.ID, given.Reason)
}

type resumeInput struct {
	RunPath
	Body jsonBody[api.ResumeOptions]
}

func (s *Server) resume(ctx context.Context, in *resumeInput) (*answer[*api.Run], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	return answerWith(s.Service.Resume(ctx, in.ID, *given))
}

type resolveInput struct {
	RunPath
	Body jsonBody[api.Resolution]
}

func (s *Server) resolve(ctx context.Context, in *resolveInput) (*answer[*api.Run], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	return answerWith(s.Service.Resolve(ctx, in.ID, *given))
}

type rerunInput struct {
	RunPath
	Body jsonBody[rerunBody]
}

func (s *Server) rerun(ctx context.Context, in *rerunInput) (*started, error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	options, err := s.decodeRerun(ctx, in.ID, given, isLocal(ctx))
	if err != nil {
		return nil, err
	}
	run, err := s.Service.Rerun(ctx, in.ID, *options)
	if err != nil {
		return nil, err
	}
	return &started{http.StatusCreated, "/v1/runs/" + run.ID, run}, nil
}

type taskBody struct {
	Task *api.Task `json:"task" doc:"The whole task; the code may be missing for a prompt" required:"true"`
}

type checkAnswer struct {
	Problems []api.Problem `json:"problems"`
}

func (s *Server) check(ctx context.Context, in *struct{ Body jsonBody[taskBody] }) (*answer[checkAnswer], error) {
	task, err := taskIn(in.Body)
	if err != nil {
		return nil, err
	}
	problems, err := s.Service.Check(ctx, task)
	return answerWith(checkAnswer{orEmpty(problems)}, err)
}

type promptAnswer struct {
	Prompt string `json:"prompt"` // what a model has to know
}

func (s *Server) prompt(ctx context.Context, in *struct{ Body jsonBody[taskBody] }) (*answer[promptAnswer], error) {
	task, err := taskIn(in.Body)
	if err != nil {
		return nil, err
	}
	text, err := s.Service.Prompt(ctx, task)
	return answerWith(promptAnswer{text}, err)
}

func taskIn(body jsonBody[taskBody]) (*api.Task, error) {
	given, err := body.get()
	if err != nil {
		return nil, err
	}
	if given.Task == nil {
		return nil, missing("task", "a task")
	}
	return given.Task, nil
}

func missing(field, expected string) *api.Error {
	return api.Errorf(api.RequestInvalid, "the field %s is missing", field).
		WithDetails(api.Details{Field: field, Expected: expected, Got: "nothing"})
}

// orEmpty makes an empty list an array in JSON, not null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

type clearInput struct {
	Task string `query:"task" minLength:"1" maxLength:"256" doc:"Only results of this task; without it all are forgotten"`
}

type clearAnswer struct {
	Cleared int `json:"cleared"` // how many results
}

func (s *Server) clearCache(ctx context.Context, in *clearInput) (*answer[clearAnswer], error) {
	n, err := s.Service.ClearCache(ctx, in.Task)
	return answerWith(clearAnswer{n}, err)
}
