package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/denied"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
	"github.com/glovebox-dev/glovebox/value"
)

// refuses is a service that refuses what a fake does not do. It is deeper than the
// rest of a fake, whose methods so hide its own.
type refuses struct{ denied.Service }

// fake is a service whose runs end as play says.
type fake struct {
	refuses
	*servicetest.FakeSessions

	canceled chan string                                                      // runs
	play     func(ctx context.Context, s api.Submission) (*api.Result, error) // of Wait

	mu    sync.Mutex
	last  api.Submission
	runs  []*fakeRun
	blobs map[string][]byte
}

type fakeRun struct {
	api.Run
	s    api.Submission
	over chan struct{}
	once sync.Once

	result *api.Result
	err    error
}

func newFake(play func(context.Context, api.Submission) (*api.Result, error)) *fake {
	return &fake{
		refuses:      refuses{denied.Service{Refuse: func(what string) *api.Error { return api.Errorf(api.NotFound, "the fake does not %s", what) }}},
		FakeSessions: servicetest.NewFakeSessions(), play: play, canceled: make(chan string, 10), blobs: map[string][]byte{},
	}
}

func (f *fake) Submit(_ context.Context, s api.Submission) (*api.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = s
	r := &fakeRun{Run: api.Run{ID: fmt.Sprintf("run-%d", len(f.runs)+1), Status: api.StatusRunning}, s: s, over: make(chan struct{})}
	f.runs = append(f.runs, r)
	return &r.Run, nil
}

func (f *fake) find(id string) (*fakeRun, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.runs {
		if r.ID == id {
			return r, nil
		}
	}
	return nil, api.Errorf(api.NotFound, "there is no run %s", id)
}

// Wait plays the run, once.
func (f *fake) Wait(ctx context.Context, id string) (*api.Result, error) {
	r, err := f.find(id)
	if err != nil {
		return nil, err
	}
	r.once.Do(func() {
		r.result, r.err = f.play(ctx, r.s)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.end(r)
	})
	return r.result, r.err
}

func (f *fake) end(r *fakeRun) {
	r.Status = api.StatusSucceeded
	if r.err != nil {
		r.Status = api.StatusFailed
	}
	if r.result == nil {
		return
	}
	r.result.RunID = r.ID
	values := map[string]any{}
	r.Signature = &api.Signature{}
	for _, o := range r.result.Outputs {
		values[o.Name] = o.Value
		r.Signature.Outputs = append(r.Signature.Outputs, value.Param{Name: o.Name, Type: o.Type})
	}
	r.Outputs, _ = api.EncodeFields(r.Signature.Outputs, values)
	close(r.over)
}

func (f *fake) Run(_ context.Context, id string) (*api.Run, error) {
	r, err := f.find(id)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	known := r.Run
	return &known, nil
}

// Tasks of a fake are none.
func (f *fake) Tasks(context.Context) ([]api.TaskVersion, error) { return nil, nil }

func (f *fake) Cancel(_ context.Context, id, _ string) error {
	f.canceled <- id
	return nil
}

func (f *fake) Logs(_ context.Context, id string, _ int64, _ bool) iter.Seq2[api.LogEntry, error] {
	return func(yield func(api.LogEntry, error) bool) {
		r, err := f.find(id)
		if err != nil || r.result == nil {
			yield(api.LogEntry{Text: "so far\n"}, err)
			return
		}
		yield(api.LogEntry{Seq: 1, Stream: "stdout", Text: string(r.result.Stdout)}, nil)
	}
}

func (f *fake) OpenBlob(_ context.Context, digest string) (io.ReadCloser, int64, error) {
	data, ok := f.blobs[digest]
	if !ok {
		return nil, 0, api.Errorf(api.NotFound, "there is no blob %s", digest)
	}
	return io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
}

func (f *fake) Close() error { return nil }

// printing plays a run that prints.
func printing(text string) func(context.Context, api.Submission) (*api.Result, error) {
	return func(context.Context, api.Submission) (*api.Result, error) {
		return &api.Result{Stdout: []byte(text)}, nil
	}
}

// connect returns a client of a server over f.
func connect(t *testing.T, f *fake, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	_, client := connectService(t, f, o)
	return client
}

// connectService is connect with any service.
func connectService(t *testing.T, service api.Service, o *mcp.ClientOptions) (*Server, *mcp.ClientSession) {
	t.Helper()
	s := New(Config{Service: service, Version: "test"})
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.mcp.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return s, client
}

// call calls a tool, and returns the text and the structured content of its answer.
func call(t *testing.T, c *mcp.ClientSession, name string, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// said is the text of an answer.
func said(r *mcp.CallToolResult) string {
	var b bytes.Buffer
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// member is a member of the structured content of an answer.
func member(r *mcp.CallToolResult, name string) any {
	object, _ := r.StructuredContent.(map[string]any)
	return object[name]
}
