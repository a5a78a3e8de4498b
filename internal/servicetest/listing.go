package servicetest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// ids lists the runs that a query selects, on one page, and checks what lists
// leave out.
func (s *suite) ids(q api.RunQuery) []string {
	s.Helper()
	page, err := s.service.Runs(s.Context(), q)
	s.must(err)
	if page.Next != "" {
		s.Errorf("%+v has a further page", q)
	}
	return s.idsOf(page.Runs)
}

func (s *suite) idsOf(runs []api.Run) []string {
	s.Helper()
	list := []string{}
	for _, r := range runs {
		if r.Inputs != nil || r.Outputs != nil {
			s.Errorf("the list has inputs %s or outputs %s", r.Inputs, r.Outputs)
		}
		list = append(list, r.ID)
	}
	return list
}

// list: every filter selects what its name says, the newest first, and calls of
// a run in their order.
func list(s *suite) {
	inc, _ := s.counter("inc")
	bad := s.function("bad", "", "int", func(map[string]any) (any, error) { return nil, errors.New("no") })
	alone, failed := s.submit(&inc, map[string]any{"x": 1}).ID, s.submit(&bad, nil).ID
	flow := s.submit(orchestrator("inc(inc(1))", "", "int", inc), nil).ID
	for _, id := range []string{alone, failed, flow} {
		_, err := s.service.Wait(s.Context(), id)
		if (err != nil) != (id == failed) {
			s.Fatal(err)
		}
	}
	calls := s.ids(api.RunQuery{Parent: flow})
	if len(calls) != 2 || s.get(calls[0]).Call != 1 || s.get(calls[1]).Call != 2 {
		s.Fatalf("the calls: %v", calls)
	}
	for i, test := range []struct {
		query api.RunQuery
		want  []string
	}{
		{api.RunQuery{}, []string{calls[1], calls[0], flow, failed, alone}},
		{api.RunQuery{Top: true}, []string{flow, failed, alone}},
		{api.RunQuery{Task: "inc"}, []string{calls[1], calls[0], alone}},
		{api.RunQuery{Task: "inc", Top: true}, []string{alone}},
		{api.RunQuery{Task: "in"}, []string{}},
		{api.RunQuery{Kind: api.KindOrchestrator}, []string{flow}},
		{api.RunQuery{Kind: api.KindSandbox}, []string{}},
		{api.RunQuery{Status: []api.Status{api.StatusFailed}}, []string{failed}},
		{api.RunQuery{Status: []api.Status{api.StatusFailed, api.StatusSucceeded}, Top: true}, []string{flow, failed, alone}},
		{api.RunQuery{Status: []api.Status{api.StatusRunning}}, []string{}},
		{api.RunQuery{Root: flow}, []string{calls[1], calls[0], flow}},
		{api.RunQuery{Root: alone}, []string{alone}},
		{api.RunQuery{Parent: alone}, []string{}},
		{api.RunQuery{Since: time.Now().Add(time.Hour)}, []string{}},
		{api.RunQuery{Until: time.Now().Add(-time.Hour)}, []string{}},
		{api.RunQuery{Since: time.Now().Add(-time.Hour), Until: time.Now().Add(time.Hour), Top: true}, []string{flow, failed, alone}},
	} {
		if got := s.ids(test.query); !slices.Equal(got, test.want) {
			s.Errorf("%d: %+v\ngot  %v\nwant %v", i, test.query, got, test.want)
		}
	}
}

// pages: the pages of a list hold every run of its beginning once, also when
// runs are added meanwhile.
func pages(s *suite) {
	inc, _ := s.counter("inc")
	var want []string
	for i := range 7 {
		want = append(want, s.submit(&inc, map[string]any{"x": i}).ID)
	}
	slices.Reverse(want)
	var got []string
	q := api.RunQuery{Limit: 3}
	for n := 0; n == 0 || q.Cursor != ""; n++ {
		page, err := s.service.Runs(s.Context(), q)
		s.must(err)
		if len(page.Runs) > 3 || len(page.Runs) == 0 {
			s.Fatalf("a page of %d", len(page.Runs))
		}
		got = append(got, s.idsOf(page.Runs)...)
		q.Cursor = page.Next
		s.submit(&inc, map[string]any{"x": 100 + n})
	}
	if !slices.Equal(got, want) {
		s.Errorf("got  %v\nwant %v", got, want)
	}
}

// badQueries: a query that makes no sense is refused.
func badQueries(s *suite) {
	for _, q := range []api.RunQuery{{Limit: -1}, {Limit: 1001}, {Cursor: "made up"}} {
		_, err := s.service.Runs(s.Context(), q)
		s.wantCode(err, api.RequestInvalid)
	}
}

// leaving: ending the context of Wait or of a stream ends that call
// immediately, and not the run.
func leaving(s *suite) {
	g := s.gate("gate")
	id := s.submit(&g.task, map[string]any{"x": 1}).ID
	<-g.begun
	for name, follow := range map[string]func(ctx context.Context) error{
		"Wait":   func(ctx context.Context) error { _, err := s.service.Wait(ctx, id); return err },
		"Events": func(ctx context.Context) error { return lastError(s.service.Events(ctx, id, 0)) },
		"Logs":   func(ctx context.Context) error { return lastError(s.service.Logs(ctx, id, 0, true)) },
	} {
		ctx, cancel := context.WithCancel(s.Context())
		done := make(chan error, 1)
		go func() { done <- follow(ctx) }()
		cancel()
		if err := <-done; !errors.Is(err, &api.Error{Code: api.Canceled}) || !errors.Is(err, context.Canceled) {
			s.Errorf("%s: got %v, want canceled", name, err)
		}
	}
	for range s.service.Events(s.Context(), id, 0) {
		break
	}
	g.open <- struct{}{}
	result, err := s.service.Wait(s.Context(), id)
	s.must(err)
	if s.only(result) != int64(1) {
		s.Errorf("got %v", result.Outputs)
	}
}
