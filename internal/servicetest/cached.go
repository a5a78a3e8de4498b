package servicetest

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// cachedRun makes a run in a mode and tells its id, how it met the cache, and
// what it gave.
func (s *suite) cachedRun(task *api.Task, inputs map[string]any, mode api.CacheMode) (*api.Run, *api.CacheExplanation, any) {
	s.Helper()
	run, err := s.service.Submit(s.Context(), api.Submission{Task: task, Inputs: inputs, Cache: mode})
	s.must(err)
	result, err := s.service.Wait(s.Context(), run.ID)
	s.must(err)
	explanation, err := s.service.ExplainCache(s.Context(), run.ID)
	s.must(err)
	run = s.get(run.ID)
	if run.Cached != result.Cached || explanation.Run != run.ID || explanation.Reason == "" {
		s.Errorf("cached %v and %v, explained as %+v", run.Cached, result.Cached, explanation)
	}
	return run, explanation, s.only(result)
}

// cacheModes: auto answers a run by an earlier one of the same task and inputs,
// override does it anew and keeps the new result, disable does neither; what is
// cleared is forgotten.
func cacheModes(s *suite) {
	var n count
	task := s.function("next", "x: int", "int", func(map[string]any) (any, error) { return int64(n.add()), nil })
	runs := map[int]string{}
	for i, test := range []struct {
		mode    api.CacheMode
		x       int
		want    int64
		verdict string
		source  int // the step whose result it is
	}{
		{"", 1, 1, "disabled", -1}, // functions can have effects
		{api.CacheAuto, 1, 2, "stored", -1},
		{api.CacheAuto, 1, 2, "hit", 1},
		{api.CacheAuto, 2, 3, "stored", -1},
		{api.CacheDisable, 1, 4, "disabled", -1},
		{api.CacheAuto, 1, 2, "hit", 1},
		{api.CacheOverride, 1, 5, "override", -1},
		{api.CacheAuto, 1, 5, "hit", 6},
	} {
		run, explanation, got := s.cachedRun(&task, map[string]any{"x": test.x}, test.mode)
		runs[i] = run.ID
		if got != test.want || explanation.Verdict != test.verdict || run.Cached != (test.verdict == "hit") {
			s.Errorf("step %d gave %v as %s: %s", i, got, explanation.Verdict, explanation.Reason)
		}
		if run.CachedRun != runs[test.source] || explanation.Source != runs[test.source] {
			s.Errorf("step %d is of run %q and %q, want %q", i, run.CachedRun, explanation.Source, runs[test.source])
		}
	}
	cleared, err := s.service.ClearCache(s.Context(), "another")
	if err != nil || cleared != 0 {
		s.Errorf("cleared %d of another task, %v", cleared, err)
	}
	cleared, err = s.service.ClearCache(s.Context(), "next")
	if err != nil || cleared != 2 {
		s.Errorf("cleared %d, %v", cleared, err)
	}
	if _, explanation, got := s.cachedRun(&task, map[string]any{"x": 1}, api.CacheAuto); got != int64(6) || explanation.Verdict != "stored" {
		s.Errorf("after clearing: %v, %s", got, explanation.Verdict)
	}
}

// cacheByContent: files count by their content wherever they are, and code by
// its text.
func cacheByContent(s *suite) {
	upper, n := s.upper("upper")
	upper.Cache = api.CacheAuto
	dir := s.TempDir()
	one, same := s.write(filepath.Join(dir, "one"), "text"), s.write(filepath.Join(s.TempDir(), "one"), "text")
	other := s.write(filepath.Join(dir, "other"), "other")
	for i, test := range []struct {
		path, want string
		calls      int
	}{{one, "TEXT", 1}, {same, "TEXT", 1}, {other, "OTHER", 2}, {one, "TEXT", 2}} {
		_, _, out := s.cachedRun(&upper, map[string]any{"f": value.File{Path: test.path}}, "")
		if got := s.read(out.(value.File).Path); got != test.want || n.get() != test.calls {
			s.Errorf("%d: got %q after %d calls", i, got, n.get())
		}
	}
	_, stored, _ := s.cachedRun(orchestrator("1 + 1", "", "int"), nil, api.CacheAuto)
	_, changed, got := s.cachedRun(orchestrator("1 + 2", "", "int"), nil, api.CacheAuto)
	if got != int64(3) || changed.Key == stored.Key || changed.Nearest != stored.Run {
		s.Errorf("changed code gave %v as %+v", got, changed)
	}
	if !slices.ContainsFunc(changed.Differs, func(p api.CachePart) bool { return p.Name == "code" }) {
		s.Errorf("the difference: %+v", changed.Differs)
	}
}

// cacheFlight: runs that ask for the same at the same time have it done once.
func cacheFlight(s *suite) {
	g := s.gate("gate")
	g.task.Cache = api.CacheAuto
	first := s.submit(&g.task, map[string]any{"x": 1}).ID
	<-g.begun
	var all sync.WaitGroup
	others := make([]string, 5)
	for i := range others {
		others[i] = s.submit(&g.task, map[string]any{"x": 1}).ID
	}
	close(g.open) // for all, so that one too many is found and does not hang
	for _, id := range others {
		all.Go(func() {
			result, err := s.service.Wait(s.Context(), id)
			if err != nil || !result.Cached || result.Outputs[0].Value != int64(1) {
				s.Errorf("got %+v, %v", result, err)
			}
			explanation, err := s.service.ExplainCache(s.Context(), id)
			if err != nil || explanation.Source != first || explanation.Verdict != "joined" && explanation.Verdict != "hit" {
				s.Errorf("explained as %+v, %v", explanation, err)
			}
		})
	}
	all.Wait()
	select {
	case <-g.begun:
		s.Error("it was done twice")
	default:
	}
}

// cacheOfFailures: a failure is no result, and whoever waits for it tries again.
func cacheOfFailures(s *suite) {
	var n count
	task := s.functionOf("flaky", "", "int", func(context.Context, map[string]any) (any, error) {
		if n.add() == 1 {
			return nil, errors.New("not yet")
		}
		return int64(1), nil
	})
	task.Cache = api.CacheAuto
	_, err := s.run(&task, nil)
	s.wantCode(err, api.FunctionFailed)
	if _, explanation, got := s.cachedRun(&task, nil, ""); got != int64(1) || explanation.Verdict != "stored" {
		s.Errorf("got %v as %s", got, explanation.Verdict)
	}
}
