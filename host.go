package glovebox

import (
	"context"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
)

// code is a function from inputs to outputs, by name.
type code = func(context.Context, Invocation) (map[string]any, error)

// host makes functions of this process available to runs.
type host interface {
	// offer makes all of the functions available, or none.
	offer(functions []client.Function) error
	// close takes back what was offered, and waits a bounded time for calls that
	// are under way.
	close() error
}

// inProcess is the host of runs that are carried out in this process.
type inProcess struct {
	register func(task api.Task, c code) (release func(), err error)

	mu       sync.Mutex
	releases []func()
}

func (h *inProcess) offer(functions []client.Function) error {
	var releases []func()
	for _, f := range functions {
		release, err := h.register(f.Task, f.Call)
		if err != nil {
			releaseAll(releases)
			return err
		}
		releases = append(releases, release)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.releases = append(h.releases, releases...)
	return nil
}

// close leaves calls under way to the end of the engine, which waits for them.
func (h *inProcess) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	releaseAll(h.releases)
	h.releases = nil
	return nil
}

func releaseAll(releases []func()) {
	for _, release := range releases {
		release()
	}
}

// workers is the host of runs that are carried out by a server: each offer is
// a worker of its own.
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

func (w *workers) offer(functions []client.Function) error {
	w.serving.Go(func() {
		if err := client.ServeWorker(w.life, w.options, functions); err != nil && w.options.Broken != nil {
			w.options.Broken(err)
		}
	})
	return nil
}

func (w *workers) close() error {
	w.end()
	w.serving.Wait()
	return nil
}
