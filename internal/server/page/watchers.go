package page

import (
	"context"
	"sync"
)

// watchers watch what somebody looks at, each for all who do.
type watchers struct {
	mu  sync.Mutex
	all map[string]*watcher
}

type watcher struct {
	followers map[chan struct{}]bool
	stop      context.CancelFunc
}

// join returns what tells of changes, until leave is called. It is closed when watch
// returns, whose context ends with the last follower.
func (ws *watchers) join(name string, watch func(ctx context.Context, tell func())) (changes chan struct{}, leave func()) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.all == nil {
		ws.all = map[string]*watcher{}
	}
	w := ws.all[name]
	if w == nil {
		ctx, stop := context.WithCancel(context.Background())
		w = &watcher{followers: map[chan struct{}]bool{}, stop: stop}
		ws.all[name] = w
		go func() {
			watch(ctx, func() { ws.tell(w) })
			ws.end(name, w)
		}()
	}
	changes = make(chan struct{}, 1)
	w.followers[changes] = true
	return changes, func() {
		ws.mu.Lock()
		defer ws.mu.Unlock()
		if delete(w.followers, changes); len(w.followers) == 0 {
			ws.forget(name, w)
		}
	}
}

func (ws *watchers) tell(w *watcher) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for f := range w.followers {
		leaveWord(f)
	}
}

// remind tells one follower, whatever happens.
func (ws *watchers) remind(name string, changes chan struct{}) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.all[name]; w != nil && w.followers[changes] {
		leaveWord(changes)
	}
}

func leaveWord(changes chan<- struct{}) {
	select {
	case changes <- struct{}{}:
	default: // a word of it waits already
	}
}

func (ws *watchers) end(name string, w *watcher) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for f := range w.followers {
		close(f)
	}
	w.followers = nil
	ws.forget(name, w)
}

func (ws *watchers) forget(name string, w *watcher) {
	w.stop()
	if ws.all[name] == w {
		delete(ws.all, name)
	}
}
