package cli

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeService answers as it is told, and remembers what it was asked. Methods
// that it does not have panic.
type fakeService struct {
	api.Service
	stdout, stderr string // what every run prints
	result         *api.Result
	failure        error
	waiting        chan struct{} // closed when somebody waits; nil: runs end at once

	runs     map[string]*api.Run
	children map[string][]api.Run
	log      []api.LogEntry
	tasks    map[string]*api.TaskVersion
	envs     map[string]*api.Environment
	problems []api.Problem
	explain  *api.CacheExplanation

	submitted []api.Submission
	deployed  api.Deployment
	queries   []api.RunQuery
	canceled  []string
	resumed   api.ResumeOptions
	rerun     api.RerunOptions
	closed    int
}

func (f *fakeService) Close() error {
	f.closed++
	return nil
}

func (f *fakeService) Submit(_ context.Context, s api.Submission) (*api.Run, error) {
	f.submitted = append(f.submitted, s)
	if s.Stdout != nil {
		_, _ = s.Stdout.Write([]byte(f.stdout))
		_, _ = s.Stderr.Write([]byte(f.stderr))
	}
	return &api.Run{ID: "run-1"}, nil
}

func (f *fakeService) Wait(ctx context.Context, _ string) (*api.Result, error) {
	if f.waiting != nil && len(f.canceled) == 0 {
		close(f.waiting)
		<-ctx.Done()
		return nil, api.Errorf(api.Canceled, "the waiting was ended")
	}
	return f.result, f.failure
}

func (f *fakeService) Cancel(_ context.Context, id, _ string) error {
	f.canceled = append(f.canceled, id)
	return nil
}

func (f *fakeService) Run(_ context.Context, id string) (*api.Run, error) {
	if run, ok := f.runs[id]; ok {
		return run, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no run %s", id)
}

func (f *fakeService) Runs(_ context.Context, q api.RunQuery) (api.RunPage, error) {
	f.queries = append(f.queries, q)
	runs := f.children[q.Parent]
	if q.Cursor != "" {
		runs = runs[q.Limit:]
	}
	page := api.RunPage{Runs: runs[:min(q.Limit, len(runs))]}
	if len(runs) > q.Limit {
		page.Next = "next"
	}
	return page, nil
}

func (f *fakeService) Logs(_ context.Context, _ string, after int64, _ bool) iter.Seq2[api.LogEntry, error] {
	return func(yield func(api.LogEntry, error) bool) {
		for _, e := range f.log {
			if e.Seq > after && !yield(e, nil) {
				return
			}
		}
	}
}

func (f *fakeService) Events(context.Context, string, int64) iter.Seq2[api.Event, error] {
	return func(func(api.Event, error) bool) {}
}

func (f *fakeService) Resume(_ context.Context, id string, o api.ResumeOptions) (*api.Run, error) {
	f.resumed = o
	f.log = append(f.log, api.LogEntry{Seq: 9, Stream: "stdout", Text: "again\n"})
	return f.runs[id], nil
}

func (f *fakeService) Rerun(_ context.Context, _ string, o api.RerunOptions) (*api.Run, error) {
	f.rerun = o
	return &api.Run{ID: "run-2"}, nil
}

func (f *fakeService) Check(_ context.Context, task *api.Task) ([]api.Problem, error) {
	f.submitted = append(f.submitted, api.Submission{Task: task})
	return f.problems, nil
}

func (f *fakeService) Prompt(_ context.Context, task *api.Task) (string, error) {
	f.submitted = append(f.submitted, api.Submission{Task: task})
	return "Write one program.\n", nil
}

func (f *fakeService) Deploy(_ context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	f.deployed = d
	var versions []api.TaskVersion
	for i, task := range d.Tasks {
		versions = append(versions, api.TaskVersion{Name: task.Name, Version: i + 1, Unchanged: i == 0})
	}
	return versions, nil
}

func (f *fakeService) Task(_ context.Context, ref string) (*api.TaskVersion, error) {
	if task, ok := f.tasks[ref]; ok {
		return task, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no task %s", ref)
}

func (f *fakeService) Tasks(context.Context) ([]api.TaskVersion, error) {
	var list []api.TaskVersion
	for _, task := range f.tasks {
		list = append(list, *task)
	}
	return list, nil
}

func (f *fakeService) Rollback(_ context.Context, name string, version int) (*api.TaskVersion, error) {
	return &api.TaskVersion{Name: name, Version: version}, nil
}

func (f *fakeService) Environment(_ context.Context, ref string) (*api.Environment, error) {
	if env, ok := f.envs[ref]; ok {
		return env, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no environment %s", ref)
}

func (f *fakeService) ExplainCache(context.Context, string) (*api.CacheExplanation, error) {
	return f.explain, nil
}

func (f *fakeService) ClearCache(_ context.Context, task string) (int, error) { return len(task), nil }

// printed is what a command printed, and how it ended.
type printed struct {
	out, err string
	status   int
}

// command runs a command line against a service.
func command(t *testing.T, ctx context.Context, service *fakeService, remote bool, stdin string, args ...string) printed {
	t.Helper()
	var out, errs bytes.Buffer
	c := &cli{
		Streams: Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs}, remote: remote,
		connect: func(context.Context, string) (api.Service, error) {
			if service == nil {
				return nil, errors.New("nothing to connect to")
			}
			return service, nil
		},
	}
	root := c.root()
	root.SetArgs(args)
	status := c.report(root.ExecuteContext(ctx))
	if service != nil && service.closed > 1 {
		t.Errorf("the service was closed %d times", service.closed)
	}
	return printed{out.String(), errs.String(), status}
}

// serviceCommand runs a command line against a server.
func serviceCommand(t *testing.T, service api.Service, args ...string) printed {
	t.Helper()
	var out, errs bytes.Buffer
	c := &cli{
		Streams: Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, remote: true,
		connect: func(context.Context, string) (api.Service, error) { return service, nil },
	}
	root := c.root()
	root.SetArgs(args)
	status := c.report(root.ExecuteContext(t.Context()))
	return printed{out.String(), errs.String(), status}
}

// run runs a command line that is not interrupted.
func run(t *testing.T, service *fakeService, args ...string) printed {
	t.Helper()
	return command(t, t.Context(), service, false, "", args...)
}
