package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
	"github.com/glovebox-dev/glovebox/value"
)

// fake is a service in memory. Its runs end when the test says so.
type fake struct {
	*servicetest.FakeSessions
	fakeSchedules
	fakeHooks
	fakeOwners
	fakeNotifications
	fakeApprovals

	mu      sync.Mutex
	changed *sync.Cond // a run got an event, or ended
	runs    map[string]*fakeRun
	tasks   map[string]*api.TaskVersion
	blobs   map[string][]byte
	trees   map[string]map[string]string // by digest: contents by path
	secrets map[string]string
	last    api.Submission
	again   api.RerunOptions
	query   api.RunQuery
	failure error // of Workers
	panics  bool  // in Images
	pools   []api.WarmPool
	waiting chan string // takes the runs that Wait has to wait for, if somebody listens
}

type fakeRun struct {
	api.Run
	events  []api.Event
	result  *api.Result
	damaged bool // its journal
	over    bool // there are no more events
}

func newFake() *fake {
	f := &fake{
		FakeSessions: servicetest.NewFakeSessions(), runs: map[string]*fakeRun{}, tasks: map[string]*api.TaskVersion{}, blobs: map[string][]byte{},
		trees: map[string]map[string]string{}, secrets: map[string]string{}, waiting: make(chan string, 10),
	}
	f.changed = sync.NewCond(&f.mu)
	return f
}

func (f *fake) Close() error { return nil }

func (f *fake) Submit(_ context.Context, s api.Submission) (*api.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = s
	for _, r := range f.runs {
		if s.IdempotencyKey != "" && r.IdempotencyKey == s.IdempotencyKey {
			return &r.Run, nil
		}
	}
	signature := api.Signature{}
	name := s.Name
	if s.Task != nil {
		signature, name = s.Task.Signature, s.Task.Name
	} else if v, ok := f.tasks[s.Name]; ok {
		signature = v.Signature
	}
	inputs, err := api.EncodeFields(signature.Inputs, s.Given())
	if err != nil {
		return nil, err
	}
	r := &fakeRun{Run: api.Run{
		ID: fmt.Sprintf("run-%d", len(f.runs)+1), Task: name, Status: api.StatusRunning, Signature: &signature, Inputs: inputs,
		Created: time.Now(), IdempotencyKey: s.IdempotencyKey,
	}}
	f.runs[r.ID] = r
	f.append(r, api.EventCreated)
	return &r.Run, nil
}

func (f *fake) append(r *fakeRun, kind api.EventKind) {
	r.events = append(r.events, api.Event{Run: r.ID, Seq: int64(len(r.events) + 1), Time: time.Unix(1, 0).UTC(), Kind: kind})
	f.changed.Broadcast()
}

// happen adds an event to a run.
func (f *fake) happen(id string, kind api.EventKind) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.append(f.runs[id], kind)
}

// finish ends a run.
func (f *fake) finish(id string, result *api.Result, failed *api.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.runs[id]
	r.Status, r.Error, r.result = api.StatusSucceeded, failed, result
	if failed != nil {
		r.Status = api.StatusFailed
	}
	if result != nil {
		values := map[string]any{}
		for _, o := range result.Outputs {
			values[o.Name], _ = value.MapFiles(o.Value, contentOnly)
			r.Signature.Outputs = append(r.Signature.Outputs, value.Param{Name: o.Name, Type: o.Type})
		}
		r.Outputs, _ = api.EncodeFields(r.Signature.Outputs, values)
	}
	f.append(r, api.EventEnded)
}

func (f *fake) run(id string) (*fakeRun, error) {
	if r, ok := f.runs[id]; ok {
		return r, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no run %s", id)
}

// await waits under the lock until done, or ctx ends.
func (f *fake) await(ctx context.Context, done func() bool) error {
	defer context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	})()
	for !done() && ctx.Err() == nil {
		f.changed.Wait()
	}
	return ctx.Err()
}

func (f *fake) Wait(ctx context.Context, id string) (*api.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, err := f.run(id)
	if err != nil {
		return nil, err
	}
	if r.Status == api.StatusInterrupted {
		return nil, api.Errorf(api.Interrupted, "its process is gone")
	}
	if !r.Status.Ended() {
		f.waiting <- id
	}
	if err := f.await(ctx, func() bool { return r.Status.Ended() }); err != nil && !r.Status.Ended() {
		return nil, err
	}
	if r.Error != nil {
		return r.result, r.Error
	}
	return r.result, nil
}

func (f *fake) Run(_ context.Context, id string) (*api.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, err := f.run(id)
	if err != nil {
		return nil, err
	}
	run := r.Run
	return &run, nil
}

func (f *fake) Runs(_ context.Context, q api.RunQuery) (api.RunPage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.query = q
	var page api.RunPage
	for _, id := range slices.Sorted(maps.Keys(f.runs)) {
		page.Runs = append(page.Runs, f.runs[id].Run)
	}
	return page, nil
}

func (f *fake) Events(ctx context.Context, id string, after int64) iter.Seq2[api.Event, error] {
	return func(yield func(api.Event, error) bool) {
		for {
			e, err := f.event(ctx, id, after)
			if err == io.EOF {
				return
			}
			if !yield(e, err) || err != nil || e.Kind == api.EventEnded {
				return
			}
			after = e.Seq
		}
	}
}

func (f *fake) event(ctx context.Context, id string, after int64) (api.Event, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, err := f.run(id)
	if err != nil {
		return api.Event{}, err
	}
	if err := f.await(ctx, func() bool { return r.damaged || r.over || int64(len(r.events)) > after }); err != nil {
		return api.Event{}, err
	}
	if r.damaged {
		return api.Event{}, api.Errorf(api.StorageCorrupt, "the journal is damaged")
	}
	if r.over {
		return api.Event{}, io.EOF
	}
	return r.events[after], nil
}

func (f *fake) Logs(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.LogEntry, error] {
	return func(yield func(api.LogEntry, error) bool) {
		for e, err := range f.Events(ctx, id, after) {
			if !yield(api.LogEntry{Seq: e.Seq, Time: e.Time, Stream: "stdout", Text: string(e.Kind)}, err) || !follow {
				return
			}
		}
	}
}

func (f *fake) Cancel(_ context.Context, id, reason string) error {
	f.mu.Lock()
	_, err := f.run(id)
	f.mu.Unlock()
	if err == nil {
		f.finish(id, nil, api.Errorf(api.Canceled, "%s", reason))
	}
	return err
}

func (f *fake) Resume(ctx context.Context, id string, o api.ResumeOptions) (*api.Run, error) {
	if !o.RetryUnknown {
		return nil, api.Errorf(api.Conflict, "it runs")
	}
	return f.Run(ctx, id)
}

func (f *fake) Resolve(ctx context.Context, id string, o api.Resolution) (*api.Run, error) {
	if o.Call != "2" || string(o.Value) != "null" {
		return nil, api.Errorf(api.Conflict, "it is not in doubt")
	}
	return f.Run(ctx, id)
}

func (f *fake) Rerun(ctx context.Context, id string, o api.RerunOptions) (*api.Run, error) {
	f.again = o
	return f.Run(ctx, id)
}

func (f *fake) RunTask(ctx context.Context, id string) (*api.Task, error) {
	if _, err := f.Run(ctx, id); err != nil {
		return nil, err
	}
	return &api.Task{Name: "kept", Code: "y = 1"}, nil
}

// Evaluate gives what the code is, or waits if it is "wait".
func (f *fake) Evaluate(ctx context.Context, e api.Evaluation) (*api.Result, error) {
	if e.Name == "absent" {
		return nil, api.Errorf(api.NotFound, "there is no task absent")
	}
	r := &api.Result{Calls: []api.MadeCall{{ID: 1, Tool: "t", Run: "run-1"}}, CallsMade: 1, Stdout: []byte("hi")}
	if e.Task != nil && e.Task.Code == "wait" {
		f.waiting <- "evaluation"
		<-ctx.Done()
		return r, api.Errorf(api.Canceled, "given up: %w", context.Cause(ctx))
	}
	if e.Task != nil && e.Task.Code == "fail" {
		return r, api.Errorf(api.PythonException, "it failed")
	}
	r.Outputs = []api.Output{{Name: "result", Type: value.Type{Kind: value.KindAny}, Value: e.Checked.Map()["x"]}}
	return r, nil
}

func (f *fake) Check(_ context.Context, task *api.Task) ([]api.Problem, error) {
	if task.Code == "" {
		return nil, nil
	}
	return []api.Problem{{Level: "error", Code: "c", Line: 1, Column: 2, Message: "m"}}, nil
}

func (f *fake) Prompt(_ context.Context, task *api.Task) (string, error) {
	return "write " + task.Name, nil
}

func (f *fake) Deploy(_ context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	var versions []api.TaskVersion
	for _, task := range d.Tasks {
		v := api.TaskVersion{Name: task.Name, Version: 1, Signature: task.Signature, Task: &task}
		f.tasks[task.Name] = &v
		versions = append(versions, v)
	}
	return versions, nil
}

func (f *fake) Tasks(context.Context) ([]api.TaskVersion, error) { return nil, nil }

func (f *fake) Task(_ context.Context, ref string) (*api.TaskVersion, error) {
	if v, ok := f.tasks[ref]; ok {
		return v, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no task %s", ref)
}

func (f *fake) Versions(ctx context.Context, name string) ([]api.TaskVersion, error) {
	v, err := f.Task(ctx, name)
	if err != nil {
		return nil, err
	}
	return []api.TaskVersion{*v}, nil
}

func (f *fake) Rollback(ctx context.Context, name string, _ int) (*api.TaskVersion, error) {
	return f.Task(ctx, name)
}

func (f *fake) RemoveTask(ctx context.Context, name string) error {
	_, err := f.Task(ctx, name)
	return err
}

func (f *fake) Environments(context.Context) ([]api.Environment, error) { return nil, nil }

func (f *fake) Environment(_ context.Context, ref string) (*api.Environment, error) {
	return &api.Environment{Name: ref, Version: 3}, nil
}

func (f *fake) PutBlob(_ context.Context, r io.Reader) (string, int64, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return "", 0, fmt.Errorf("storing in /secret/path: %w", err)
	}
	return f.put(content), int64(len(content)), nil
}

func (f *fake) put(content []byte) string {
	sum := sha256.Sum256(content)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.blobs[hex.EncodeToString(sum[:])] = content
	return hex.EncodeToString(sum[:])
}

// blob is a blob that can be seeked in.
type blob struct{ *bytes.Reader }

func (blob) Close() error { return nil }

func (f *fake) OpenBlob(_ context.Context, digest string) (io.ReadCloser, int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, ok := f.blobs[digest]
	if !ok {
		return nil, 0, api.Errorf(api.NotFound, "there is no blob %s", digest)
	}
	if bytes.HasPrefix(content, []byte("damaged")) {
		return io.NopCloser(io.MultiReader(strings.NewReader("dam"), iotestErr{})), int64(len(content)), nil
	}
	return blob{bytes.NewReader(content)}, int64(len(content)), nil
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, api.Errorf(api.StorageCorrupt, "damaged") }

func (f *fake) PutTree(context.Context, string) (value.Dir, error) { return value.Dir{}, nil }

func (f *fake) ExportTree(_ context.Context, d value.Dir, path string) error {
	for name, content := range f.trees[d.SHA256] {
		file := filepath.Join(path, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(content), 0o400); err != nil {
			return err
		}
	}
	return nil
}

func (f *fake) ExplainCache(_ context.Context, run string) (*api.CacheExplanation, error) {
	return &api.CacheExplanation{Run: run, Verdict: "miss"}, nil
}

func (f *fake) ClearCache(_ context.Context, task string) (int, error) { return len(task), nil }

func (f *fake) BuildImage(_ context.Context, spec api.ImageSpec, progress func(api.Progress)) (*api.ImageInfo, error) {
	if spec.Name == "bad" {
		return nil, api.Errorf(api.BuildFailed, "no")
	}
	progress(api.Progress{Stage: "resolve"})
	if spec.Name == "late" {
		return nil, api.Errorf(api.BuildFailed, "no")
	}
	return &api.ImageInfo{ID: "i", Name: spec.Name}, nil
}

func (f *fake) Images(context.Context) ([]api.ImageInfo, error) {
	if f.panics {
		panic("at /secret/path")
	}
	return nil, nil
}

func (f *fake) Image(_ context.Context, image string) (*api.ImageInfo, error) {
	return &api.ImageInfo{ID: image, Record: json.RawMessage(`{"lock":1}`)}, nil
}

func (f *fake) RemoveImage(context.Context, string) error { return nil }

func (f *fake) PushImage(_ context.Context, _, ref, _ string, progress func(api.Progress)) (string, error) {
	progress(api.Progress{Stage: "push"})
	return ref + "@sha256:0123", nil
}

func (f *fake) SetSecret(_ context.Context, name string, value []byte) error {
	f.secrets[name] = string(value)
	return nil
}

func (f *fake) Secrets(context.Context) ([]string, error) {
	return slices.Sorted(maps.Keys(f.secrets)), nil
}

func (f *fake) RemoveSecret(_ context.Context, name string) error {
	if _, ok := f.secrets[name]; !ok {
		return api.Errorf(api.SecretNotFound, "there is no secret %s", name)
	}
	delete(f.secrets, name)
	return nil
}

func (f *fake) ListMCPTools(_ context.Context, server api.MCPServer) ([]api.Task, error) {
	return []api.Task{{Name: server.Name, Kind: api.KindMCP, MCP: &api.MCPTool{Server: server, Tool: "t"}}}, nil
}

func (*fake) Nodes(context.Context) ([]api.Node, error) {
	return []api.Node{{ID: "node-1", State: api.NodeActive}}, nil
}

func (*fake) DrainNode(_ context.Context, id string) error {
	if id != "node-1" {
		return api.Errorf(api.NotFound, "there is no node %q", id)
	}
	return nil
}

func (f *fake) Workers(context.Context) ([]api.Worker, error) { return nil, f.failure }
