package evaluator

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// attempting makes an attempt of a task. Where that hangs, hung gets the error,
// in another goroutine.
type attempting = func(ctx context.Context, r *api.Request, hung func(error)) (*api.Result, error)

// task is a task that was read and prepared.
type task struct {
	*api.Task
	attempt attempting
	tools   map[string]*api.Task
	random  bool // it draws real randomness
}

// tasks keeps the tasks that were read, by their text: a client evaluates the
// same one again and again.
type tasks struct {
	prepare func(*api.Task) (attempting, error)

	mu    sync.Mutex
	known map[string]*task
	size  int // bytes of text
}

// Bounds of what is kept. Beyond them everything is dropped: few clients have
// so many tasks, and reading one again takes little.
const (
	maxKnown     = 256
	maxKnownText = 16 << 20 // bytes
)

// of returns the task that a text describes. A task that is not valid is an
// error each time.
func (t *tasks) of(text []byte) (*task, error) {
	t.mu.Lock()
	known, ok := t.known[string(text)]
	t.mu.Unlock()
	if ok {
		return known, nil
	}
	made, err := readTask(text)
	if err != nil {
		return nil, err
	}
	if made.attempt, err = t.prepare(made.Task); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.size += len(text); len(t.known) >= maxKnown || t.size > maxKnownText {
		clear(t.known)
		t.size = len(text)
	}
	t.known[string(text)] = made
	return made, nil
}

func readTask(text []byte) (*task, error) {
	var read api.Task
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		return nil, api.Errorf(api.RequestInvalid, "task: %w", err)
	}
	if read.KindOf() != api.KindOrchestrator || read.Orchestrator == nil {
		return nil, api.Errorf(api.InvalidTask, "kind: expected %s, got %s", api.KindOrchestrator, read.KindOf()).
			WithHint("only orchestrators are evaluated; run others with an engine")
	}
	made := &task{Task: &read, tools: map[string]*api.Task{}, random: read.Orchestrator.Random == api.RealRandom}
	for i := range read.Orchestrator.Tools {
		tool := &read.Orchestrator.Tools[i]
		made.tools[tool.Name] = tool
	}
	return made, nil
}
