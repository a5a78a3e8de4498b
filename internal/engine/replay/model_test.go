package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// past is a source of runs that are not in any journal.
type past struct {
	runs  map[string]*journal.Record
	calls map[string][]*journal.Record
}

func (p *past) Load(_ context.Context, id string) (*journal.Record, error) {
	if rec := p.runs[id]; rec != nil {
		return rec, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no run %s", id)
}

func (p *past) CallsOf(_ context.Context, rec *journal.Record) ([]*journal.Record, error) {
	return slices.Clone(p.calls[rec.ID]), nil
}

func text(t *rapid.T, of ...string) string { return rapid.SampledFrom(of).Draw(t, "text") }

// drawCalls draws what a run called: some tasks with some inputs, tries of each
// other, and answers by runs of before.
func drawCalls(t *rapid.T, run string) (calls []*journal.Record) {
	nums := rapid.Permutation([]int64{1, 2, 3, 4, 5, 6}).Draw(t, "order")
	for i := range rapid.IntRange(0, 6).Draw(t, "calls") {
		rec := &journal.Record{InputsDigest: text(t, "x", "y"), Key: text(t, "", "", "k", "l"), Owed: rapid.IntRange(0, 5).Draw(t, "owed") == 0}
		rec.ID, rec.Call, rec.Num, rec.TaskDigest = fmt.Sprintf("%s-%d", run, i), uint64(i+1), nums[i], text(t, "f", "g")
		rec.Status = rapid.SampledFrom([]api.Status{api.StatusSucceeded, api.StatusFailed, api.StatusInterrupted}).Draw(t, "status")
		rec.CachedRun, rec.IdempotencyKey = text(t, "", "", "origin"), text(t, "", "a", "b")
		rec.Attempts = rapid.IntRange(0, 1).Draw(t, "attempts")
		if rec.Status == api.StatusSucceeded {
			rec.Owed = false
		}
		calls = append(calls, rec)
	}
	return calls
}

// drawPast draws a run and those that it goes back to, each a further try of the
// next, but the last, which may be a rerun of one that may have been pruned.
func drawPast(t *rapid.T) (*past, *journal.Record, []*journal.Record) {
	p := &past{map[string]*journal.Record{}, map[string][]*journal.Record{}}
	var chain []*journal.Record
	n := rapid.IntRange(1, 3).Draw(t, "runs")
	for i := range n {
		rec := &journal.Record{}
		rec.ID, rec.Attempts, rec.Kind = fmt.Sprint("run", n-i), 2, api.KindOrchestrator
		p.runs[rec.ID], p.calls[rec.ID] = rec, drawCalls(t, rec.ID)
		if i > 0 {
			chain[i-1].Reuse = &journal.Reuse{Run: rec.ID}
		}
		chain = append(chain, rec)
	}
	if last := chain[n-1]; rapid.Bool().Draw(t, "rerun") {
		last.RerunOf, last.Reuse = "run0", &journal.Reuse{Run: "run0", Before: uint64(rapid.IntRange(0, 4).Draw(t, "before"))}
		if rapid.Bool().Draw(t, "kept") {
			p.runs["run0"] = &journal.Record{}
			p.runs["run0"].ID = "run0"
			p.calls["run0"] = drawCalls(t, "run0")
		}
	}
	return p, chain[0], chain
}

// candidates are the calls that may serve, as a slow reader of the rules would
// list them: of the run first, then of those before it.
func candidates(p *past, chain []*journal.Record, known map[string]bool) (done, failed []*journal.Record) {
	used := map[string]bool{}
	take := func(call *journal.Record) {
		used[cmp.Or(call.CachedRun, call.ID)], used[cmp.Or(call.Key, call.ID)] = true, true
	}
	for _, call := range p.calls[chain[0].ID] {
		if known[call.ID] {
			take(call)
		}
	}
	succeeded := func(calls []*journal.Record, before uint64) {
		for _, call := range calls {
			if call.Status == api.StatusSucceeded && !used[cmp.Or(call.CachedRun, call.ID)] && (before == 0 || call.Call < before) {
				take(call)
				done = append(done, call)
			}
		}
	}
	for _, run := range chain {
		calls := p.calls[run.ID]
		succeeded(calls, 0)
		var later []*journal.Record // failures, after what is owed
		for _, call := range calls {
			key := cmp.Or(call.Key, call.ID)
			if used[key] || slices.ContainsFunc(calls, func(other *journal.Record) bool {
				return cmp.Or(other.Key, other.ID) == key && other.Num > call.Num
			}) {
				continue
			}
			if call.Owed {
				used[key] = true
				done = append(done, call)
			} else if call.Status != api.StatusSucceeded && (call.Attempts > 0 || call.CachedRun != "") {
				later = append(later, call)
			}
		}
		for _, call := range later {
			used[cmp.Or(call.Key, call.ID)] = true
			failed = append(failed, call)
		}
	}
	if last := chain[len(chain)-1]; last.RerunOf != "" {
		succeeded(p.calls["run0"], last.Reuse.Before)
	}
	return done, failed
}

func takeFrom(from *[]*journal.Record, fits func(*journal.Record) bool) *journal.Record {
	i := slices.IndexFunc(*from, fits)
	if i < 0 {
		return nil
	}
	found := (*from)[i]
	*from = slices.Delete(*from, i, i+1)
	return found
}

func ask(t *rapid.T) *journal.Record {
	rec := &journal.Record{InputsDigest: text(t, "x", "y")}
	rec.TaskDigest, rec.IdempotencyKey = text(t, "f", "g"), text(t, "", "a", "b")
	return rec
}

func equalTo(rec *journal.Record) func(*journal.Record) bool {
	return func(call *journal.Record) bool {
		return call.TaskDigest == rec.TaskDigest && call.InputsDigest == rec.InputsDigest
	}
}

// TestPoolModel: each earlier call serves once, for the same task and inputs,
// in its order; calls in the history of the attempt serve only that history.
func TestPoolModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, rec, chain := drawPast(rt)
		h, known := NewHistory(), map[string]bool{}
		for _, call := range p.calls[rec.ID] {
			if rapid.IntRange(0, 3).Draw(rt, "known") == 0 {
				known[call.ID] = true
				add(rt, h, api.EventCallStarted, api.CallStartedData{Call: call.Call, Run: call.ID})
			}
		}
		pool, err := OfOrchestrator(rt.Context(), p, rec, h)
		if err != nil {
			rt.Fatal(err)
		}
		done, failed := candidates(p, chain, known)
		for range 30 {
			want := ask(rt)
			if rapid.Bool().Draw(rt, "retry") {
				earlier := takeFrom(&failed, equalTo(want))
				pool.Retry(want)
				if earlier == nil != (want.Reuse == nil) || earlier != nil && (want.Reuse.Run != earlier.ID || want.Key != cmp.Or(earlier.Key, earlier.ID)) {
					rt.Fatalf("a try of %+v is %+v", earlier, want)
				}
				continue
			}
			if got, model := pool.TakeDone(want), takeFrom(&done, equalTo(want)); got != model {
				rt.Fatalf("got %+v, want %+v", got, model)
			}
		}
	})
}

// A submission gets the run of its key first, then one that is done, then one
// that failed; a run serves again only if it was put back.
func TestSubmissionsModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, rec, _ := drawPast(rt)
		rec.Reuse = nil
		pool, err := OfProgram(rt.Context(), p, rec)
		if err != nil {
			rt.Fatal(err)
		}
		var s Submissions
		if s.Take(ask(rt)) != nil {
			rt.Fatal("a first attempt finds something earlier")
		}
		s.Begin(pool)
		done, failed := programCandidates(p.calls[rec.ID])
		answered := map[string]string{}
		for range 30 {
			asked := ask(rt)
			sameKey := func(call *journal.Record) bool {
				return equalTo(asked)(call) && asked.IdempotencyKey != "" && call.IdempotencyKey == asked.IdempotencyKey
			}
			model := takeFrom(&done, sameKey)
			for _, next := range []func() *journal.Record{
				func() *journal.Record { return takeFrom(&failed, sameKey) },
				func() *journal.Record { return takeFrom(&done, equalTo(asked)) },
				func() *journal.Record { return takeFrom(&failed, equalTo(asked)) },
			} {
				if model == nil {
					model = next()
				}
			}
			got := s.Take(asked)
			if got != model {
				rt.Fatalf("got %+v, want %+v", got, model)
			}
			switch {
			case got == nil:
			case rapid.Bool().Draw(rt, "put back"):
				s.PutBack(got)
				if got.Status == api.StatusSucceeded || got.Owed {
					done = append(done, got)
				} else {
					failed = append(failed, got)
				}
			default:
				s.Note(asked.IdempotencyKey, got.ID)
				if asked.IdempotencyKey != "" {
					answered[asked.IdempotencyKey] = got.ID
				}
			}
			for _, key := range []string{"", "a", "b"} {
				if id := s.Answered(key); id != answered[key] {
					rt.Fatalf("key %q got %q, want %q", key, id, answered[key])
				}
			}
		}
	})
}

// programCandidates are the runs that may serve a program again. One that failed
// may, also if it never began, unless a newer try of it stands for it.
func programCandidates(calls []*journal.Record) (done, failed []*journal.Record) {
	used := map[string]bool{}
	for _, call := range calls {
		if origin := cmp.Or(call.CachedRun, call.ID); call.Status == api.StatusSucceeded && !used[origin] {
			used[origin], used[cmp.Or(call.Key, call.ID)] = true, true
			done = append(done, call)
		}
	}
	for _, call := range NewestTries(calls) {
		switch key := cmp.Or(call.Key, call.ID); {
		case call.Status == api.StatusSucceeded:
		case !call.Owed:
			failed = append(failed, call)
		case !used[key]:
			used[key] = true
			done = append(done, call)
		}
	}
	return done, failed
}

func add(t *rapid.T, h *History, kind api.EventKind, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Add(api.Event{Kind: kind, Data: text}); err != nil {
		t.Fatal(err)
	}
}

// A history says what its events said, in their order.
func TestHistoryModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := NewHistory()
		var begun []uint64
		var answers []Answer
		var until time.Time
		runs, answered := map[string]bool{}, map[uint64]bool{}
		for i := range rapid.IntRange(0, 20).Draw(rt, "events") {
			call := uint64(i + 1)
			switch kind := rapid.SampledFrom([]api.EventKind{
				api.EventCallStarted, api.EventCallEnded, api.EventSleepStarted, api.EventSleepEnded, api.EventCancelRequested,
			}).Draw(rt, "kind"); kind {
			case api.EventCallStarted:
				begun, runs[fmt.Sprint(call)] = append(begun, call), true
				add(rt, h, kind, api.CallStartedData{Call: call, Run: fmt.Sprint(call), Tool: "f"})
			case api.EventCallEnded:
				if len(begun) == 0 {
					continue
				}
				ended := api.CallEndedData{Call: rapid.SampledFrom(begun).Draw(rt, "call"), Status: api.StatusSucceeded}
				answers, answered[ended.Call] = append(answers, Answer{CallEndedData: ended}), true
				add(rt, h, kind, ended)
			case api.EventSleepStarted:
				until = time.Unix(int64(i), 0).UTC()
				add(rt, h, kind, api.SleepStartedData{Until: until})
			case api.EventSleepEnded:
				answers = append(answers, Answer{})
				add(rt, h, kind, api.SleepEndedData{})
			default:
				add(rt, h, kind, api.CancelRequestedData{})
			}
		}
		if diff := gocmp.Diff(answers, h.Answers()); diff != "" || !slices.Equal(h.Calls(), begun) || h.Len() != len(begun) || !h.SleepsUntil().Equal(until) {
			rt.Fatalf("%s, calls %v of %v, sleeps until %v, not %v", diff, h.Calls(), begun, h.SleepsUntil(), until)
		}
		for call := range uint64(22) {
			made, ok := h.Call(call)
			if ok != slices.Contains(begun, call) || ok && made.Tool != "f" || h.HasRun(fmt.Sprint(call)) != runs[fmt.Sprint(call)] || h.HasAnswer(call) != answered[call] {
				rt.Fatalf("call %d: %+v, %v", call, made, ok)
			}
		}
	})
}

// TestHistoryOfDamagedEvents: an event that cannot be read is an error, and is
// not skipped.
func TestHistoryOfDamagedEvents(t *testing.T) {
	for _, kind := range []api.EventKind{api.EventCallStarted, api.EventCallEnded, api.EventSleepStarted} {
		if err := NewHistory().Add(api.Event{Kind: kind, Data: json.RawMessage(`{`)}); err == nil {
			t.Errorf("%s is taken", kind)
		}
	}
}
