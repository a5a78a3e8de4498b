package client

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// runPath is the path of something below a run.
func runPath(id, below string) (string, error) {
	s, err := segment("run", id)
	return "/v1/runs" + s + below, err
}

// Submit makes a run on the server; what its inputs name on this host is
// uploaded first.
func (c *Client) Submit(ctx context.Context, s api.Submission) (*api.Run, error) {
	inputs, err := c.submittedInputs(ctx, s)
	if err != nil {
		return nil, err
	}
	key, err := keyOf(s)
	if err != nil {
		return nil, err
	}
	r := request{method: http.MethodPost, path: "/v1/runs", header: http.Header{"Idempotency-Key": {key}}, repeat: true}
	var run api.Run
	if err := c.askJSON(ctx, r, submission{s.Task, s.Name, inputs, s.Parent, s.Group, s.Cache, s.Clock, s.Random, s.Notify, s.Labels, s.NodeSelector, s.Priority}, &run); err != nil {
		return nil, err
	}
	c.print(&run, s)
	return &run, nil
}

// keyOf returns the idempotency key of a submission, or a new one, so that a
// repetition by send starts no second run.
func keyOf(s api.Submission) (string, error) {
	if s.IdempotencyKey == "" {
		return "client-" + rand.Text(), nil
	}
	for _, r := range s.IdempotencyKey {
		if r < ' ' || r > '~' {
			return "", api.Errorf(api.InvalidTask, "the idempotency key %q cannot be sent", s.IdempotencyKey).
				WithHint("use a key of printable ASCII").
				WithDetails(api.Details{Field: "idempotency_key", Expected: "printable ASCII", Got: s.IdempotencyKey})
		}
	}
	return s.IdempotencyKey, nil
}

// submission is the body of a request for a run.
type submission struct {
	Task   *api.Task         `json:"task,omitempty"`
	Name   string            `json:"name,omitempty"`
	Inputs json.RawMessage   `json:"inputs,omitempty"`
	Parent string            `json:"parent,omitempty"`
	Group  string            `json:"group,omitempty"`
	Cache  api.CacheMode     `json:"cache,omitempty"`
	Clock  api.Clock         `json:"clock,omitempty"`
	Random api.Random        `json:"random,omitempty"`
	Notify []api.Notify      `json:"notify,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`

	NodeSelector map[string]string `json:"node_selector,omitempty"`
	Priority     *int              `json:"priority,omitempty"`
}

func (c *Client) submittedInputs(ctx context.Context, s api.Submission) (json.RawMessage, error) {
	switch {
	case (s.Task == nil) == (s.Name == ""):
		return nil, api.Errorf(api.InvalidTask, "a run needs a task or the name of a deployed one, and not both").
			WithDetails(api.Details{Field: "task", Expected: "exactly one of task and name"})
	case s.Task != nil:
		return c.encodeInputs(ctx, s.Task.Signature.Inputs, s.Given(), false)
	case len(s.Given()) == 0: // nothing whose type would have to be known
		return nil, nil
	}
	version, err := c.Task(ctx, s.Name)
	if err != nil {
		return nil, err
	}
	return c.encodeInputs(ctx, version.Signature.Inputs, s.Given(), false)
}

// Run returns a run.
func (c *Client) Run(ctx context.Context, id string) (*api.Run, error) {
	path, err := runPath(id, "")
	if err != nil {
		return nil, err
	}
	var run api.Run
	if err := c.ask(ctx, request{method: http.MethodGet, path: path, repeat: true}, &run); err != nil {
		return nil, err
	}
	return &run, nil
}

// Runs lists runs.
func (c *Client) Runs(ctx context.Context, q api.RunQuery) (api.RunPage, error) {
	var page api.RunPage
	err := c.ask(ctx, request{method: http.MethodGet, path: "/v1/runs", query: queryOf(q), repeat: true}, &page)
	return page, err
}

func queryOf(q api.RunQuery) url.Values {
	v := url.Values{}
	setQuery(v, "status", joined(q.Status))
	setQuery(v, "task", q.Task)
	setQuery(v, "kind", string(q.Kind))
	setQuery(v, "parent", q.Parent)
	setQuery(v, "root", q.Root)
	setQuery(v, "trigger", q.Trigger)
	setQuery(v, "owner", q.Owner)
	setLabels(v, q.Labels)
	setQuery(v, "id_prefix", q.IDPrefix)
	setQuery(v, "text", q.Text)
	setQuery(v, "since", instant(q.Since))
	setQuery(v, "until", instant(q.Until))
	if q.Top {
		v.Set("top", "true")
	}
	setPage(v, q.Limit, q.Cursor)
	return v
}

func setLabels(v url.Values, labels map[string]string) {
	for _, label := range api.LabelTexts(labels) {
		v.Add("label", label)
	}
}

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// Cancel ends a run and those below it.
func (c *Client) Cancel(ctx context.Context, id, reason string) error {
	path, err := runPath(id, "/cancel")
	if err != nil {
		return err
	}
	in := struct {
		Reason string `json:"reason,omitempty"`
	}{reason}
	return c.askJSON(ctx, request{method: http.MethodPost, path: path}, in, nil)
}

// RunTask returns the task of a run as it ran.
func (c *Client) RunTask(ctx context.Context, id string) (*api.Task, error) {
	path, err := runPath(id, "/task")
	if err != nil {
		return nil, err
	}
	var task api.Task
	if err := c.askJSON(ctx, request{method: http.MethodGet, path: path}, nil, &task); err != nil {
		return nil, err
	}
	return &task, nil
}

// Resume resumes a run.
func (c *Client) Resume(ctx context.Context, id string, o api.ResumeOptions) (*api.Run, error) {
	path, err := runPath(id, "/resume")
	if err != nil {
		return nil, err
	}
	return c.runFrom(ctx, request{method: http.MethodPost, path: path}, o)
}

// Resolve says what became of a call in doubt.
func (c *Client) Resolve(ctx context.Context, id string, o api.Resolution) (*api.Run, error) {
	path, err := runPath(id, "/resolve")
	if err != nil {
		return nil, err
	}
	return c.runFrom(ctx, request{method: http.MethodPost, path: path}, o)
}

// Rerun makes a new run of an earlier one.
func (c *Client) Rerun(ctx context.Context, id string, o api.RerunOptions) (*api.Run, error) {
	path, err := runPath(id, "/rerun")
	if err != nil {
		return nil, err
	}
	in := struct {
		api.RerunOptions
		Inputs json.RawMessage `json:"inputs,omitempty"`
	}{RerunOptions: o}
	if in.Inputs, err = c.replacedInputs(ctx, id, o); err != nil {
		return nil, err
	}
	return c.runFrom(ctx, request{method: http.MethodPost, path: path}, in)
}

// replacedInputs encodes the inputs of a rerun, as the task declares them that
// is going to run.
func (c *Client) replacedInputs(ctx context.Context, id string, o api.RerunOptions) (json.RawMessage, error) {
	switch {
	case len(o.Inputs) == 0:
		return nil, nil
	case o.Task != nil:
		return c.encodeInputs(ctx, o.Task.Signature.Inputs, o.Inputs, true)
	}
	run, err := c.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	if run.Signature == nil {
		return nil, api.Errorf(api.Internal, "the server does not tell the signature of run %s", id)
	}
	return c.encodeInputs(ctx, run.Signature.Inputs, o.Inputs, true)
}

func (c *Client) runFrom(ctx context.Context, r request, in any) (*api.Run, error) {
	var run api.Run
	if err := c.askJSON(ctx, r, in, &run); err != nil {
		return nil, err
	}
	return &run, nil
}

// taskBody is the body of a request about a task.
type taskBody struct {
	Task *api.Task `json:"task"`
}

// Prompt describes an orchestrator to the author of its code.
func (c *Client) Prompt(ctx context.Context, task *api.Task) (string, error) {
	var out struct {
		Prompt string `json:"prompt"`
	}
	err := c.askJSON(ctx, request{method: http.MethodPost, path: "/v1/prompt", repeat: true}, taskBody{task}, &out)
	return out.Prompt, err
}

// Check finds what would fail in an orchestrator.
func (c *Client) Check(ctx context.Context, task *api.Task) ([]api.Problem, error) {
	var out struct {
		Problems []api.Problem `json:"problems"`
	}
	err := c.askJSON(ctx, request{method: http.MethodPost, path: "/v1/check", repeat: true}, taskBody{task}, &out)
	return out.Problems, err
}
