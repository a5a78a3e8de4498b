package page

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

const (
	// watchEvery is how often a list that somebody looks at is read, so that a change is
	// seen within 200 ms. All who look at the same share the reading, and one that takes
	// long is made less often: watchRest times as long as it took is between two.
	watchEvery = 100 * time.Millisecond
	watchRest  = 4
	// settle is how long changes of a run are gathered before a page gets word of them.
	settle = 50 * time.Millisecond
)

// events writes server-sent events.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newEventWriter(w http.ResponseWriter) (*eventWriter, error) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // some proxies would hold the events back
	e := &eventWriter{w, http.NewResponseController(w)}
	return e, e.write(": here\n\n")
}

func (e *eventWriter) write(text string) error {
	if _, err := e.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.control.Flush()
}

func (e *eventWriter) send(name string, v any) error {
	text, err := event(name, v)
	if err != nil {
		return err
	}
	return e.write(text)
}

// event is an event as it is sent.
func event(name string, v any) (string, error) {
	text, err := json.Marshal(v)
	return fmt.Sprintf("event: %s\ndata: %s\n\n", name, text), err
}

// stream sends the events that produce gives until it returns or the browser leaves,
// and a comment when it is quiet. What send fails with is the end of its context.
func (p *Page) stream(w http.ResponseWriter, r *http.Request, produce func(ctx context.Context, send func(event string) error)) error {
	out, err := newEventWriter(w)
	if err != nil {
		return nil // the browser has left
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	events := make(chan string)
	go func() {
		defer close(events)
		produce(ctx, func(event string) error {
			select {
			case events <- event:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	}()
	p.pass(ctx, out, events)
	return nil
}

// pass sends events until there are no more or the browser leaves, and a comment when it is
// quiet.
func (p *Page) pass(ctx context.Context, out *eventWriter, events <-chan string) {
	beat := time.NewTicker(p.Beat)
	defer beat.Stop()
	for {
		text := ": still here\n\n"
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		case e, more := <-events:
			if text = e; !more {
				return
			}
		}
		if out.write(text) != nil {
			return
		}
	}
}

// tell sends "change" for what comes on changes, what comes within settle of each other
// as one, and a comment when it is quiet. It returns when the browser leaves, or changes
// is closed: then "end" was sent.
func (p *Page) tell(ctx context.Context, w http.ResponseWriter, changes <-chan struct{}, settle time.Duration) error {
	out, err := newEventWriter(w)
	if err != nil {
		return nil // the browser has left
	}
	beat := time.NewTicker(p.Beat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
			err = out.write(": still here\n\n")
		case _, more := <-changes:
			if more {
				more = gather(ctx, changes, settle)
			}
			if err = out.send("change", nil); err == nil && !more {
				_ = out.send("end", nil) // the browser may be gone
				return nil
			}
		}
		if err != nil {
			return nil // the browser has left
		}
	}
}

// gather takes further changes for a moment, and reports whether more may come.
func gather(ctx context.Context, changes <-chan struct{}, settle time.Duration) bool {
	timer := time.NewTimer(settle)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return true
		case <-timer.C:
			return true
		case _, more := <-changes:
			if !more {
				return false
			}
		}
	}
}

// followRun tells when something happens to a run, until it has ended. One reading of its
// events is for all who look at it. The first word is of what happened since the page was
// made.
func (p *Page) followRun(w http.ResponseWriter, r *http.Request) error {
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	name := "run " + run.ID
	changes, leave := p.watchers.join(name, func(ctx context.Context, tell func()) {
		for _, err := range p.Service.Events(ctx, run.ID, 0) {
			if err != nil {
				return
			}
			tell()
		}
	})
	defer leave()
	p.watchers.remind(name, changes)
	return p.tell(r.Context(), w, changes, settle)
}

func (p *Page) followRuns(w http.ResponseWriter, r *http.Request) error {
	f, err := readFilter(r.URL.Query())
	if err != nil {
		return err
	}
	return p.watch(w, r, "runs?"+f.query(f.cursor), func(ctx context.Context) (any, error) { return p.Service.Runs(ctx, f.request) })
}

func (p *Page) followSessions(w http.ResponseWriter, r *http.Request) error {
	return p.watch(w, r, "sessions", func(ctx context.Context) (any, error) {
		list, err := p.Service.Sessions(ctx, api.SessionQuery{Limit: pageSize})
		return []any{list, p.creations.underWay()}, err
	})
}

// watch tells when what read returns becomes something else.
func (p *Page) watch(w http.ResponseWriter, r *http.Request, name string, read func(context.Context) (any, error)) error {
	changes, leave := p.watchers.join(name, func(ctx context.Context, tell func()) { reread(ctx, read, tell) })
	defer leave()
	return p.tell(r.Context(), w, changes, 0) // they were gathered between two readings
}

// reread reads a list until its context ends. What cannot be read now may be a moment
// later.
func reread(ctx context.Context, read func(context.Context) (any, error), tell func()) {
	seed := maphash.MakeSeed()
	var last uint64
	for first := true; ; first = false {
		began := time.Now()
		if list, err := read(ctx); err == nil {
			text, err := json.Marshal(list)
			if sum := maphash.Bytes(seed, text); err == nil && sum != last {
				if last = sum; !first {
					tell()
				}
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(watchEvery, watchRest*time.Since(began))):
		}
	}
}
