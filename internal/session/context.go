package session

import (
	"context"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/session/contexts"
	"github.com/glovebox-dev/glovebox/value"
)

// maxContexts bounds the interpreters of a session.
const maxContexts = 64

// interpreter is a context of a session.
type interpreter struct {
	*contexts.Context
	drivers *drivers
	id      string
	spec    api.ContextSpec
	created time.Time
	byName  bool // the one of its language that code gets that names none
}

// NewContext implements api.Contexts.
func (s *Service) NewContext(ctx context.Context, session string, spec api.ContextSpec) (*api.Context, error) {
	return asked(ctx, s, session, func(u *use) (*api.Context, error) {
		i, err := u.newContext(ctx, spec, false)
		if err != nil {
			return nil, err
		}
		return i.describe(), nil
	})
}

func (u *use) newContext(ctx context.Context, spec api.ContextSpec, byName bool) (*interpreter, error) {
	if spec.Language == "" {
		spec.Language = api.LanguagePython
	}
	l := u.live
	spec.Dir = inDir(l.current().Spec.Dir, spec.Dir)
	if l.countContexts() >= maxContexts {
		return nil, api.Errorf(api.LimitExceeded, "session %s has %d contexts, which is the bound", l.id, maxContexts).WithHint("remove one")
	}
	d := &drivers{live: l}
	started, err := contexts.New(ctx, d, spec, contexts.Options{})
	if err != nil {
		return nil, api.AsError(err)
	}
	i := &interpreter{Context: started, drivers: d, id: newID(), spec: spec, created: now(), byName: byName}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.contexts = append(l.contexts, i)
	return i, nil
}

func (l *live) countContexts() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.contexts)
}

func (i *interpreter) describe() *api.Context {
	n, busy := i.Executions()
	return &api.Context{ID: i.id, Spec: i.spec, Created: i.created, Executions: n, Busy: busy}
}

// saveContexts describes the contexts of a session whose memory is saved.
func (l *live) saveContexts() []journal.SavedContext {
	l.mu.Lock()
	all := slices.Clone(l.contexts)
	l.mu.Unlock()
	saved := make([]journal.SavedContext, 0, len(all))
	for _, i := range all {
		pid, offset := i.drivers.place()
		saved = append(saved, journal.SavedContext{Context: *i.describe(), PID: pid, Offset: offset, ByLanguage: i.byName})
	}
	return saved
}

// attachContexts makes the contexts that are in the memory of a session its own.
// One that cannot be reached is gone, as if its interpreter had ended.
func (l *live) attachContexts(all []journal.SavedContext) {
	for _, saved := range all {
		d := &drivers{live: l}
		attached, err := contexts.Attach(d, saved.Spec, saved.Executions, contexts.Options{}, func(stdout, stderr io.Writer) (contexts.Process, error) {
			return d.attach(saved, stdout, stderr)
		})
		if err != nil {
			l.service.config.Logger.Warn("continuing a context", "session", l.id, "context", saved.ID, "error", err)
			continue
		}
		i := &interpreter{Context: attached, drivers: d, id: saved.ID, spec: saved.Spec, created: saved.Created, byName: saved.ByLanguage}
		l.mu.Lock()
		l.contexts = append(l.contexts, i)
		l.mu.Unlock()
	}
}

// Contexts implements api.Contexts.
func (s *Service) Contexts(ctx context.Context, session string) ([]api.Context, error) {
	return asked(ctx, s, session, func(u *use) ([]api.Context, error) {
		u.live.mu.Lock()
		all := slices.Clone(u.live.contexts)
		u.live.mu.Unlock()
		out := make([]api.Context, len(all))
		for i, c := range all {
			out[i] = *c.describe()
		}
		return out, nil
	})
}

// RunCode implements api.Contexts.
func (s *Service) RunCode(ctx context.Context, session string, r api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	return func(yield func(api.CodeEvent, error) bool) {
		u, err := s.use(ctx, session, true)
		if err != nil {
			yield(api.CodeEvent{}, err)
			return
		}
		defer u.leave()
		i, err := u.contextOf(u.ctx, r)
		if err != nil {
			yield(api.CodeEvent{}, u.explain(err))
			return
		}
		for e, err := range i.Run(u.ctx, r) {
			if !yield(e, u.explain(err)) || err != nil {
				return
			}
		}
	}
}

// contextOf returns the context that a request means.
func (u *use) contextOf(ctx context.Context, r api.CodeRequest) (*interpreter, error) {
	if r.Context != "" && r.Language != "" {
		return nil, wrong("language", value.Quote(r.Language), "nothing beside context, which has its language")
	}
	if r.Context != "" {
		return u.live.context(r.Context)
	}
	if r.Language == "" {
		r.Language = api.LanguagePython
	}
	l := u.live
	l.byName.Lock() // one is started for all who come meanwhile
	defer l.byName.Unlock()
	l.mu.Lock()
	at := slices.IndexFunc(l.contexts, func(i *interpreter) bool { return i.byName && i.spec.Language == r.Language })
	if at >= 0 {
		defer l.mu.Unlock()
		return l.contexts[at], nil
	}
	l.mu.Unlock()
	return u.newContext(ctx, api.ContextSpec{Language: r.Language}, true)
}

func (l *live) context(id string) (*interpreter, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, i := range l.contexts {
		if i.id == id {
			return i, nil
		}
	}
	return nil, api.Errorf(api.NotFound, "session %s has no context %q", l.id, id).WithDetails(api.Details{Field: "context", Got: id})
}

// InterruptContext implements api.Contexts.
func (s *Service) InterruptContext(ctx context.Context, session, id string) error {
	return s.withContext(ctx, session, id, func(u *use, i *interpreter) error { return i.Interrupt() })
}

// RestartContext implements api.Contexts.
func (s *Service) RestartContext(ctx context.Context, session, id string) error {
	return s.withContext(ctx, session, id, func(u *use, i *interpreter) error { return i.Restart(u.ctx) })
}

// RemoveContext implements api.Contexts.
func (s *Service) RemoveContext(ctx context.Context, session, id string) error {
	return s.withContext(ctx, session, id, func(u *use, i *interpreter) error {
		i.Close()
		u.live.mu.Lock()
		defer u.live.mu.Unlock()
		u.live.contexts = slices.DeleteFunc(u.live.contexts, func(other *interpreter) bool { return other == i })
		return nil
	})
}

func (s *Service) withContext(ctx context.Context, session, id string, f func(*use, *interpreter) error) error {
	return s.do(ctx, session, func(u *use) error {
		i, err := u.live.context(id)
		if err != nil {
			return err
		}
		return f(u, i)
	})
}
