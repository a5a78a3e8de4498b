package servicetest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// NewContext implements api.Contexts.
func (f *FakeSessions) NewContext(_ context.Context, id string, spec api.ContextSpec) (*api.Context, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return nil, err
	}
	if spec.Language == "" {
		spec.Language = api.LanguagePython
	}
	made := api.Context{ID: fmt.Sprintf("context%d", len(s.contexts)+1), Spec: spec, Created: time.Unix(4, 0).UTC()}
	s.contexts = append(s.contexts, made)
	return &made, nil
}

// Contexts implements api.Contexts.
func (f *FakeSessions) Contexts(_ context.Context, id string) ([]api.Context, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return nil, err
	}
	return slices.Clone(s.contexts), nil
}

// RunCode implements api.Contexts: the value of code is its text, "raise" raises,
// and "picture" is one.
func (f *FakeSessions) RunCode(_ context.Context, id string, r api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	return func(yield func(api.CodeEvent, error) bool) {
		f.mu.Lock()
		s, err := f.running(id)
		if err == nil && r.Context != "" {
			_, err = s.context(r.Context)
		}
		f.mu.Unlock()
		if err != nil {
			yield(api.CodeEvent{}, err)
			return
		}
		for _, e := range outcome(r.Code) {
			e.Time = time.Unix(5, 0).UTC()
			if !yield(e, nil) {
				return
			}
		}
	}
}

func outcome(code string) []api.CodeEvent {
	text, _ := json.Marshal(code) // it is a string
	last := api.CodeEvent{Type: api.CodeResult, Main: true, Data: map[string]json.RawMessage{"text/plain": text}}
	switch code {
	case "raise":
		last = api.CodeEvent{Type: api.CodeError, Error: &api.CodeFailure{Name: "ValueError", Value: "no", Traceback: "Traceback: ValueError: no"}}
	case "picture":
		last = api.CodeEvent{Type: api.CodeResult, Data: map[string]json.RawMessage{"text/plain": json.RawMessage(`"<Figure>"`), "image/png": json.RawMessage(`"iVBORw=="`)}}
	}
	return []api.CodeEvent{{Type: api.CodeStarted, Count: 1}, {Type: api.CodeStdout, Text: "printed\n"}, {Type: api.CodeStderr, Text: "warned\n"}, last, {Type: api.CodeEnded}}
}

func (s *fakeSession) context(id string) (int, error) {
	i := slices.IndexFunc(s.contexts, func(c api.Context) bool { return c.ID == id })
	if i < 0 {
		return i, api.Errorf(api.NotFound, "session %s has no context %s", s.ID, id)
	}
	return i, nil
}

// withContext finds a context and calls do under the lock.
func (f *FakeSessions) withContext(id, name string, do func(s *fakeSession, i int)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return err
	}
	i, err := s.context(name)
	if err == nil {
		do(s, i)
	}
	return err
}

// InterruptContext implements api.Contexts.
func (f *FakeSessions) InterruptContext(_ context.Context, id, name string) error {
	return f.withContext(id, name, func(*fakeSession, int) {})
}

// RestartContext implements api.Contexts.
func (f *FakeSessions) RestartContext(_ context.Context, id, name string) error {
	return f.withContext(id, name, func(s *fakeSession, i int) { s.contexts[i].Executions = 0 })
}

// RemoveContext implements api.Contexts.
func (f *FakeSessions) RemoveContext(_ context.Context, id, name string) error {
	return f.withContext(id, name, func(s *fakeSession, i int) { s.contexts = slices.Delete(s.contexts, i, i+1) })
}
