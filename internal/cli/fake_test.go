package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/value"
)

// fakeService answers with what a test set, and records what it was asked.
// Methods that it lacks panic.
type fakeService struct {
	api.Service
	stdout, stderr string // what every run prints
	result         *api.Result
	failure        error
	waiting        chan struct{} // closed when a caller waits; nil: runs end immediately

	runs     map[string]*api.Run
	tasksOf  map[string]*api.Task // by run
	children map[string][]api.Run
	log      []api.LogEntry
	events   []api.Event
	blobs    map[string]string
	tasks    map[string]*api.TaskVersion
	envs     map[string]*api.Environment
	problems []api.Problem
	explain  *api.CacheExplanation
	secrets  []string

	made []api.MadeCall // by evaluations

	evaluated []api.Evaluation
	submitted []api.Submission
	deployed  api.Deployment
	queries   []api.RunQuery
	canceled  []string
	resumed   api.ResumeOptions
	resolved  api.Resolution
	rerun     api.RerunOptions
	closed    int
}

func (f *fakeService) Close() error {
	f.closed++
	return nil
}

// Evaluate makes the calls that are set, and gives what a run would give.
func (f *fakeService) Evaluate(_ context.Context, e api.Evaluation) (*api.Result, error) {
	e.Inputs = e.Checked.Map()
	f.evaluated = append(f.evaluated, e)
	if e.Stdout != nil {
		_, _ = e.Stdout.Write([]byte(f.stdout))
	}
	r := api.Result{ExitCode: noExitCode}
	if f.result != nil {
		r = *f.result
		r.RunID, r.Calls, r.CallsMade = "", f.made, len(f.made)
	}
	for _, call := range f.made {
		e.Called(call)
	}
	return &r, f.failure
}

func (f *fakeService) Submit(_ context.Context, s api.Submission) (*api.Run, error) {
	s.Inputs = s.Given()
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

func (f *fakeService) RunTask(_ context.Context, id string) (*api.Task, error) {
	if task, ok := f.tasksOf[id]; ok {
		return task, nil
	}
	run, err := f.Run(context.Background(), id)
	if err != nil {
		return nil, err
	}
	return &api.Task{Name: run.Task, Kind: run.Kind}, nil
}

func (f *fakeService) Runs(_ context.Context, q api.RunQuery) (api.RunPage, error) {
	f.queries = append(f.queries, q)
	runs := f.children[q.Parent]
	if q.IDPrefix != "" {
		runs = nil
		for id, run := range f.runs {
			if strings.HasPrefix(id, q.IDPrefix) {
				runs = append(runs, *run)
			}
		}
		slices.SortFunc(runs, func(a, b api.Run) int { return strings.Compare(b.ID, a.ID) })
	}
	if q.Task != "" {
		runs = slices.DeleteFunc(slices.Clone(runs), func(r api.Run) bool { return r.Task != q.Task })
	}
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
	return func(yield func(api.Event, error) bool) {
		for _, e := range f.events {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (f *fakeService) OpenBlob(_ context.Context, digest string) (io.ReadCloser, int64, error) {
	text, ok := f.blobs[digest]
	if !ok {
		return nil, 0, api.Errorf(api.NotFound, "there is no blob %s", digest)
	}
	return io.NopCloser(strings.NewReader(text)), int64(len(text)), nil
}

func (f *fakeService) ExportTree(_ context.Context, d value.Dir, path string) error {
	return os.WriteFile(path, []byte("tree "+d.SHA256), 0o600)
}

func (f *fakeService) Resume(_ context.Context, id string, o api.ResumeOptions) (*api.Run, error) {
	f.resumed = o
	f.log = append(f.log, api.LogEntry{Seq: 9, Stream: "stdout", Text: "again\n"})
	return f.runs[id], nil
}

func (f *fakeService) Resolve(_ context.Context, id string, o api.Resolution) (*api.Run, error) {
	f.resolved = o
	return &api.Run{ID: "run-3", Task: "pay", Status: api.StatusSucceeded, Root: id, Resolved: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, nil
}

func (f *fakeService) Rerun(_ context.Context, _ string, o api.RerunOptions) (*api.Run, error) {
	f.rerun = o
	return &api.Run{ID: "run-2"}, nil
}

func (f *fakeService) Secrets(context.Context) ([]string, error) { return f.secrets, nil }

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

func (f *fakeService) RemoveTask(_ context.Context, name string) error {
	if f.tasks[name] == nil {
		return api.Errorf(api.NotFound, "there is no task %s", name)
	}
	delete(f.tasks, name)
	return nil
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
		interpreter: func() (api.Service, error) { return service, nil },
	}
	root := c.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	status := c.conclude(cmd, args, err)
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
		Streams: Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, remote: true, engine: fakeEngine{},
		connect:     func(context.Context, string) (api.Service, error) { return service, nil },
		interpreter: func() (api.Service, error) { return service, nil },
	}
	root := c.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(t.Context())
	status := c.conclude(cmd, args, err)
	return printed{out.String(), errs.String(), status}
}

// fakeEngine is an engine that cannot be opened.
type fakeEngine struct{ host.None }

func (fakeEngine) Isolation() string { return "1.2" }

// run runs a command line that is not interrupted.
func run(t *testing.T, service *fakeService, args ...string) printed {
	t.Helper()
	return command(t, t.Context(), service, false, "", args...)
}
