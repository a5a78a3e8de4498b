package glovebox

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/client"
)

// code is a function from inputs to outputs, by name.
type code = func(context.Context, Invocation) (map[string]any, error)

// host makes functions of this process available to runs.
type host interface {
	// offer makes all of the functions available, or none, until withdraw is
	// called. Calls that are under way then continue.
	offer(functions []client.Function) (withdraw func(), err error)
	// close takes back what was offered, and waits a bounded time for calls that
	// are under way.
	close() error
}

// inProcess is the host of runs that this process executes. Calls under way are
// left to the end of the engine, which waits for them.
type inProcess struct {
	register func(client.Function) (release func(), err error)

	mu       sync.Mutex
	releases map[string]func() // by id
}

func (h *inProcess) offer(functions []client.Function) (func(), error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.releases == nil {
		h.releases = map[string]func(){}
	}
	var ids []string
	for _, f := range functions {
		release, err := h.register(f)
		if err != nil {
			h.release(ids)
			return nil, err
		}
		ids = append(ids, f.Task.Function.ID)
		h.releases[f.Task.Function.ID] = release
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.release(ids)
	}, nil
}

// release takes functions back. h.mu is held.
func (h *inProcess) release(ids []string) {
	for _, id := range ids {
		if release := h.releases[id]; release != nil {
			release()
			delete(h.releases, id)
		}
	}
}

func (h *inProcess) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.release(slices.Collect(maps.Keys(h.releases)))
	return nil
}

// workers is the host of runs that a server executes: each offer is a worker of
// its own.
type workers struct {
	options client.WorkerOptions
	life    context.Context // ends with the Glovebox
	end     context.CancelFunc
	serving sync.WaitGroup
}

func newWorkers(o client.WorkerOptions) *workers {
	w := &workers{options: o}
	w.life, w.end = context.WithCancel(context.Background())
	return w
}

func (w *workers) offer(functions []client.Function) (func(), error) {
	life, end := context.WithCancel(w.life)
	w.serving.Go(func() {
		defer end()
		if err := client.ServeWorker(life, w.options, functions); err != nil && w.options.Broken != nil {
			w.options.Broken(err)
		}
	})
	return end, nil
}

func (w *workers) close() error {
	w.end()
	w.serving.Wait()
	return nil
}
