package scope

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeEngine is the engine below the scopes of a test: a tree of runs, deployed
// tasks and blobs. Methods that no test needs panic.
type fakeEngine struct {
	api.Service
	parents   map[string]string
	record    *api.Run // of every run
	submitted []api.Submission
	canceled  []string
	tasks     map[string]*api.TaskVersion
	deployed  []api.Deployment
	blobs     map[string][]byte
	trees     map[string]int64
	known     map[string]bool // images by ref
	built     []api.ImageSpec
}

func newFake() *fakeEngine {
	return &fakeEngine{
		parents: map[string]string{"top": "", "me": "top", "child": "me", "grandchild": "child", "sibling": "top", "other": ""},
		tasks:   map[string]*api.TaskVersion{}, blobs: map[string][]byte{},
		trees: map[string]int64{}, known: map[string]bool{},
	}
}

// scope is that of the run me.
func (f *fakeEngine) scope(task *api.Task) *Scope {
	return New(Engine{
		Service: f, DeployFree: f.deployFree, ParentOf: f.parentOf, KnownImage: func(s api.ImageSpec) bool { return f.known[s.Ref] && s.Name == "" },
		TreeSize: func(_ context.Context, digest string) (int64, error) { return f.trees[digest], nil },
	}, "me", task)
}

func (f *fakeEngine) parentOf(_ context.Context, id string) (string, error) {
	parent, ok := f.parents[id]
	if !ok {
		return "", api.Errorf(api.NotFound, "there is no run %s", id)
	}
	return parent, nil
}

func (f *fakeEngine) Submit(_ context.Context, s api.Submission) (*api.Run, error) {
	f.submitted = append(f.submitted, s)
	id := fmt.Sprintf("new-%d", len(f.submitted))
	f.parents[id] = s.Parent
	return &api.Run{ID: id, Parent: s.Parent}, nil
}

func (f *fakeEngine) Wait(_ context.Context, id string) (*api.Result, error) {
	return &api.Result{RunID: id}, nil
}

func (f *fakeEngine) Run(_ context.Context, id string) (*api.Run, error) {
	if f.record != nil {
		return f.record, nil
	}
	return &api.Run{ID: id}, nil
}

func (f *fakeEngine) RunTask(context.Context, string) (*api.Task, error) { return &code, nil }

func (f *fakeEngine) Runs(_ context.Context, q api.RunQuery) (api.RunPage, error) {
	return api.RunPage{Runs: []api.Run{{ID: "below " + q.Parent}}}, nil
}

func (f *fakeEngine) Events(_ context.Context, id string, _ int64) iter.Seq2[api.Event, error] {
	return func(yield func(api.Event, error) bool) { yield(api.Event{Run: id}, nil) }
}

func (f *fakeEngine) Logs(_ context.Context, id string, _ int64, _ bool) iter.Seq2[api.LogEntry, error] {
	return func(yield func(api.LogEntry, error) bool) { yield(api.LogEntry{Text: id}, nil) }
}

func (f *fakeEngine) Cancel(_ context.Context, id, _ string) error {
	f.canceled = append(f.canceled, id)
	return nil
}

func (f *fakeEngine) ExplainCache(_ context.Context, id string) (*api.CacheExplanation, error) {
	return &api.CacheExplanation{
		Run: id, Verdict: "joined", Reason: "the same was under way, in run secret-run", Source: "secret-run", Nearest: "secret-run",
		Differs: []api.CachePart{{Name: "input x", Was: "secret-run"}},
	}, nil
}

func (f *fakeEngine) Task(_ context.Context, ref string) (*api.TaskVersion, error) {
	if v, ok := f.tasks[ref]; ok {
		return v, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no task %s", ref)
}

func (f *fakeEngine) Versions(_ context.Context, name string) ([]api.TaskVersion, error) {
	return []api.TaskVersion{*f.tasks[name]}, nil
}

func (f *fakeEngine) deployFree(_ context.Context, d api.Deployment) ([]api.TaskVersion, error) {
	for i := range d.Tasks {
		if v, ok := f.tasks[d.Tasks[i].Name]; ok && v.Digest != d.Tasks[i].Digest() {
			return nil, api.Errorf(api.Conflict, "the name %s is taken", v.Name)
		}
	}
	f.deployed = append(f.deployed, d)
	versions := make([]api.TaskVersion, len(d.Tasks))
	for i := range d.Tasks {
		versions[i] = api.TaskVersion{Name: d.Tasks[i].Name, Version: 1, Task: &d.Tasks[i]}
	}
	return versions, nil
}

func (f *fakeEngine) put(data string) string {
	sum := sha256.Sum256([]byte(data))
	digest := hex.EncodeToString(sum[:])
	f.blobs[digest] = []byte(data)
	return digest
}

func (f *fakeEngine) PutBlob(_ context.Context, r io.Reader) (string, int64, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return "", 0, err
	}
	return f.put(string(data)), int64(len(data)), nil
}

func (f *fakeEngine) OpenBlob(_ context.Context, digest string) (io.ReadCloser, int64, error) {
	data, ok := f.blobs[digest]
	if !ok {
		return nil, 0, api.Errorf(api.NotFound, "there is no blob %s", digest)
	}
	return io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
}

func (f *fakeEngine) BuildImage(_ context.Context, spec api.ImageSpec, _ func(api.Progress)) (*api.ImageInfo, error) {
	f.built = append(f.built, spec)
	return &api.ImageInfo{ID: "built"}, nil
}

func (f *fakeEngine) deploy(task *api.Task) {
	f.tasks[task.Name] = &api.TaskVersion{Name: task.Name, Version: 3, Digest: task.Digest(), Kind: task.KindOf(), Signature: task.Signature, Task: task}
}

func wantCode(t *testing.T, what string, err error, code api.Code) {
	t.Helper()
	if !errors.Is(err, &api.Error{Code: code}) {
		t.Errorf("%s: got %v, want %s", what, err, code)
	}
}
