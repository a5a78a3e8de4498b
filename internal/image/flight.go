package image

import (
	"context"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// flights makes concurrent equal builds of this process one build. The build
// continues as long as at least one caller waits for it.
type flights struct {
	mu      sync.Mutex
	current map[string]*flight
}

type flight struct {
	cancel    context.CancelFunc
	done      chan struct{}
	waiters   int
	joined    int // all callers so far, for their ids
	listeners map[int]func(api.Progress)
	result    *Image
	err       error
}

// do runs fn once for all concurrent callers with the same key.
func (f *flights) do(ctx context.Context, key string, progress func(api.Progress), fn func(context.Context, func(api.Progress)) (*Image, error)) (*Image, error) {
	fl, id := f.join(ctx, key, progress, fn)
	select {
	case <-fl.done:
		return fl.result, fl.err
	case <-ctx.Done():
		f.leave(key, fl, id)
		return nil, api.Errorf(api.Canceled, "image build: %w", context.Cause(ctx))
	}
}

func (f *flights) join(ctx context.Context, key string, progress func(api.Progress), fn func(context.Context, func(api.Progress)) (*Image, error)) (*flight, int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fl := f.current[key]
	if fl == nil {
		fl = f.start(ctx, key, fn)
	}
	id := fl.joined
	fl.joined++
	fl.waiters++
	if progress != nil {
		fl.listeners[id] = progress
	}
	return fl, id
}

// start begins a flight that outlives the caller's context. f.mu is held.
func (f *flights) start(ctx context.Context, key string, fn func(context.Context, func(api.Progress)) (*Image, error)) *flight {
	buildCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	fl := &flight{cancel: cancel, done: make(chan struct{}), listeners: map[int]func(api.Progress){}}
	f.current[key] = fl
	go func() {
		defer cancel()
		fl.result, fl.err = fn(buildCtx, func(p api.Progress) { f.tell(fl, p) })
		f.mu.Lock()
		if f.current[key] == fl {
			delete(f.current, key)
		}
		f.mu.Unlock()
		close(fl.done)
	}()
	return fl
}

// leave takes a caller off; with the last one gone the build is cancelled and
// a new caller starts afresh.
func (f *flights) leave(key string, fl *flight, id int) {
	f.mu.Lock()
	delete(fl.listeners, id)
	fl.waiters--
	last := fl.waiters == 0
	if last && f.current[key] == fl {
		delete(f.current, key)
	}
	f.mu.Unlock()
	if last {
		fl.cancel()
		<-fl.done // nothing of the build is left when the caller returns
	}
}

func (f *flights) tell(fl *flight, p api.Progress) {
	f.mu.Lock()
	listeners := make([]func(api.Progress), 0, len(fl.listeners))
	for _, l := range fl.listeners {
		listeners = append(listeners, l)
	}
	f.mu.Unlock()
	for _, l := range listeners {
		l(p)
	}
}
