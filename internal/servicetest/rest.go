package servicetest

import (
	"slices"

	"github.com/glovebox-dev/glovebox/api"
)

// secrets: their names can be listed, their values not.
func secrets(s *suite) {
	ctx := s.Context()
	s.must(s.service.SetSecret(ctx, "token", []byte("value\x00\n")))
	s.must(s.service.SetSecret(ctx, "another", []byte("x")))
	s.must(s.service.SetSecret(ctx, "token", []byte("changed")))
	names, err := s.service.Secrets(ctx)
	if err != nil || !slices.Equal(names, []string{"another", "token"}) {
		s.Errorf("got %q, %v", names, err)
	}
	s.must(s.service.RemoveSecret(ctx, "another"))
	s.wantCode(s.service.RemoveSecret(ctx, "another"), api.SecretNotFound)
	if names, err = s.service.Secrets(ctx); err != nil || !slices.Equal(names, []string{"token"}) {
		s.Errorf("got %q, %v", names, err)
	}
	s.wantCode(s.service.SetSecret(ctx, "bad/name", []byte("x")), api.InvalidTask)
	s.wantCode(s.service.SetSecret(ctx, "empty", nil), api.InvalidTask)
}

// closing: Close releases all callers that wait, without reporting an end of
// the run.
func closing(s *suite) {
	g := s.gate("gate")
	id := s.submit(&g.task, map[string]any{"x": 1}).ID
	<-g.begun
	waited, followed := make(chan error, 1), make(chan []api.EventKind, 1)
	go func() { _, err := s.service.Wait(s.Context(), id); waited <- err }()
	go func() {
		var seen []api.EventKind
		for e, err := range s.service.Events(s.Context(), id, 0) {
			if err == nil {
				seen = append(seen, e.Kind)
			}
		}
		followed <- seen
	}()
	s.must(s.service.Close())
	if err := <-waited; err == nil {
		s.Error("who waits got a result")
	}
	if seen := <-followed; slices.Contains(seen, api.EventEnded) {
		s.Errorf("the events: %v", seen)
	}
	close(g.open)
}
