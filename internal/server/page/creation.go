package page

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// These bound new sessions, and what a page shows of their builds.
const (
	maxCreating   = 16  // that are under way
	maxCreations  = 64  // that have a page, with those
	maxStages     = 16  // of one, the latest
	maxBuildLines = 200 // of one, the latest
	maxBuildLine  = 300 // bytes
)

// creations are the new sessions that somebody asked for, the oldest first.
type creations struct {
	mu  sync.Mutex
	all []*creation
}

// creation is a session that is being made. It belongs to no request, so that its page
// can be loaded again, or left, while the image is built.
type creation struct {
	Name   string // in its address, which can only be known
	Form   sessionForm
	Began  time.Time
	cancel context.CancelCauseFunc
	now    func() time.Time
	done   chan struct{} // closed when it is over

	mu      sync.Mutex
	changed chan struct{} // closed by the next change
	stages  []buildStage
	since   time.Time // the latest of them began
	lines   []string
	step    api.Progress // of the last line
	dropped bool         // lines before those
	session string
	err     *api.Error
}

// buildStage is a stage of a build. One that comes twice is there twice.
type buildStage struct {
	Name string
	Took time.Duration
	Now  bool
}

// add keeps c and forgets the oldest that is over, unless too many are under way.
func (cs *creations) add(c *creation) error {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	busy := 0
	for _, one := range cs.all {
		if !one.over() {
			busy++
		}
	}
	if busy >= maxCreating {
		return api.Errorf(api.Overloaded, "%d sessions are being made already, which is the bound", busy).
			WithHint("wait until one of them runs, or cancel one").WithDetails(api.Details{Limit: maxCreating})
	}
	if len(cs.all) >= maxCreations {
		oldest := slices.IndexFunc(cs.all, (*creation).over)
		cs.all = slices.Delete(cs.all, oldest, oldest+1)
	}
	cs.all = append(cs.all, c)
	return nil
}

func (cs *creations) get(name string) (*creation, error) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.all {
		if c.Name == name {
			return c, nil
		}
	}
	return nil, api.Errorf(api.NotFound, "the server knows no such new session; it keeps the latest %d, until it stops", maxCreations).
		WithHint("look for the session in the list of all, or make it again")
}

// creationLink is a session under way in the list of sessions.
type creationLink struct{ Name, Image, State string }

// underWay lists those that are not over.
func (cs *creations) underWay() (links []creationLink) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.all {
		if !c.over() {
			links = append(links, creationLink{c.Name, c.Form.title(), c.look().State})
		}
	}
	return links
}

// create begins to make a session of a form.
func (p *Page) create(f sessionForm, spec api.SessionSpec) (*creation, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &creation{Name: rand.Text(), Form: f, Began: p.Now(), cancel: cancel, now: p.Now, done: make(chan struct{}), changed: make(chan struct{})}
	if err := p.creations.add(c); err != nil {
		cancel(nil)
		return nil, err
	}
	p.Beside(func(stopped context.Context) {
		defer cancel(nil)
		defer context.AfterFunc(stopped, func() { cancel(canceled("the server stopped")) })()
		p.makeSession(ctx, c, spec)
	})
	return c, nil
}

// makeSession builds the image first, since that can be watched.
func (p *Page) makeSession(ctx context.Context, c *creation, spec api.SessionSpec) {
	var made *api.Session
	_, err := p.Service.BuildImage(ctx, spec.Image, c.show)
	if err == nil {
		c.show(api.Progress{Stage: "start", Message: "starting the session"})
		made, err = p.Service.NewSession(ctx, spec)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		c.end("", p.told("a session was not made", err))
		return
	}
	c.end(made.ID, nil)
}

// canceled is the reason why a session was not made.
func canceled(reason string) error {
	return api.Errorf(api.Canceled, "%s", reason).WithHint("make it again, if that was not meant")
}

// told is an error as people see it. What only the log explains goes there.
func (p *Page) told(what string, err error) *api.Error {
	e := api.AsError(err)
	if e.Code == api.Internal {
		p.Logger.Error(what, "error", err)
		return api.Errorf(api.Internal, "%s; the log of the server says why", what)
	}
	return e
}

// show takes a step of the build.
func (c *creation) show(step api.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != "" || c.err != nil {
		return
	}
	c.enter(value.Shorten(step.Stage, 40))
	text := value.Shorten(stepText(step), maxBuildLine)
	if last := len(c.lines) - 1; last >= 0 && step.Total > 0 && c.step.Total > 0 && c.step.Message == step.Message {
		c.lines[last] = text // it counts up
	} else if text != "" {
		c.lines = append(c.lines, text)
	}
	if c.step = step; len(c.lines) > maxBuildLines {
		c.lines, c.dropped = slices.Delete(c.lines, 0, 1), true
	}
	c.tell()
}

// stepText is one line for people.
func stepText(step api.Progress) string {
	text := step.Message
	if step.Total > 0 {
		text += fmt.Sprintf(" %d%%", min(100, 100*step.Done/step.Total))
	}
	return strings.TrimSpace(text)
}

// enter makes a stage the current one. c.mu is held.
func (c *creation) enter(name string) {
	last := len(c.stages) - 1
	if last >= 0 && c.stages[last].Name == name {
		return
	}
	c.leave()
	if c.stages = append(c.stages, buildStage{Name: name, Now: true}); len(c.stages) > maxStages {
		c.stages = slices.Delete(c.stages, 0, 1)
	}
}

// leave ends the current stage. c.mu is held.
func (c *creation) leave() {
	now := c.now()
	if last := len(c.stages) - 1; last >= 0 {
		c.stages[last].Now, c.stages[last].Took = false, now.Sub(c.since)
	}
	c.since = now
}

// tell wakes those who follow. c.mu is held.
func (c *creation) tell() {
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *creation) end(session string, err *api.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.err = session, err
	c.tell()
	close(c.done)
}

func (c *creation) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// creationLook is what a creation is like at one moment.
type creationLook struct {
	State   string // building, starting, running, canceled or failed
	Stages  []buildStage
	Lines   []string
	Dropped bool
	Session string
	Error   *api.Error
	changed <-chan struct{} // closed when it is no longer like this
}

func (c *creation) look() creationLook {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := creationLook{Stages: slices.Clone(c.stages), Lines: slices.Clone(c.lines), Dropped: c.dropped, Session: c.session, Error: c.err, changed: c.changed}
	switch {
	case c.session != "":
		l.State = "running"
	case c.err != nil && c.err.Code == api.Canceled:
		l.State = "canceled"
	case c.err != nil:
		l.State = "failed"
	case c.step.Stage == "start":
		l.State = "starting"
	default:
		l.State = "building"
	}
	return l
}
