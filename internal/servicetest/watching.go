package servicetest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// asJSON writes what has a JSON form, for comparison.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// kept returns the events that have a number, and checks that the numbers count
// from first on.
func (s *suite) kept(all []api.Event, run string, first int64) []api.Event {
	s.Helper()
	kept := slices.DeleteFunc(all, func(e api.Event) bool { return e.Kind == api.EventProgress })
	for i, e := range kept {
		if e.Seq != first+int64(i) || e.Run != run || e.Time.IsZero() {
			s.Fatalf("event %d: %+v, want number %d", i, e, first+int64(i))
		}
	}
	return kept
}

func kinds(events []api.Event) []api.EventKind {
	var list []api.EventKind
	for _, e := range events {
		list = append(list, e.Kind)
	}
	return list
}

// events: they are numbered from 1, begin with created and end with ended, and
// can be read from any place on.
func events(s *suite) {
	inc, _ := s.counter("inc")
	flow := orchestrator("inc(inc(1))", "", "int", inc)
	id := s.submit(flow, nil).ID
	_, err := s.service.Wait(s.Context(), id)
	s.must(err)
	all := s.kept(collect(s, s.service.Events(s.Context(), id, 0)), id, 1)
	want := []api.EventKind{
		api.EventCreated, api.EventStarted, api.EventAttemptStarted, api.EventCallStarted, api.EventCallEnded,
		api.EventCallStarted, api.EventCallEnded, api.EventAttemptEnded, api.EventEnded,
	}
	if got := kinds(all); !slices.Equal(got, want) {
		s.Errorf("got  %v\nwant %v", got, want)
	}
	for after := range all {
		rest := s.kept(collect(s, s.service.Events(s.Context(), id, int64(after))), id, int64(after)+1)
		if asJSON(rest) != asJSON(all[after:]) {
			s.Errorf("after %d: %v", after, kinds(rest))
		}
	}
	if rest := collect(s, s.service.Events(s.Context(), id, int64(len(all)))); len(rest) > 0 {
		s.Errorf("after the end: %v", kinds(rest))
	}
	var ended api.EndedData
	s.must(json.Unmarshal(all[len(all)-1].Data, &ended))
	if ended.Run.Status != api.StatusSucceeded || ended.Run.ID != id {
		s.Errorf("the last event: %+v", ended.Run)
	}
}

// liveEvents: who follows a run sees what happens when it happens, and the end.
func liveEvents(s *suite) {
	g := s.gate("gate")
	id := s.submit(orchestrator("gate(7)", "", "int", g.task), nil).ID
	var seen []api.Event
	for e, err := range s.service.Events(s.Context(), id, 0) {
		s.must(err)
		seen = append(seen, e)
		if e.Kind == api.EventCallStarted {
			if x := <-g.begun; x != 7 {
				s.Errorf("the gate got %d", x)
			}
			g.open <- struct{}{}
		}
	}
	later := collect(s, s.service.Events(s.Context(), id, 0))
	if got, want := asJSON(s.kept(seen, id, 1)), asJSON(s.kept(later, id, 1)); got != want {
		s.Errorf("live\n%s\nlater\n%s", got, want)
	}
}

// eventsOfResume: a resumed run has one list of events, which ends with its
// last end.
func eventsOfResume(s *suite) {
	var c count
	flaky := s.function("flaky", "", "int", func(map[string]any) (any, error) {
		if c.add() == 1 {
			return nil, api.Errorf(api.FunctionFailed, "the first time it fails")
		}
		return int64(1), nil
	})
	id := s.submit(orchestrator("flaky()", "", "int", flaky), nil).ID
	_, err := s.service.Wait(s.Context(), id)
	s.wantCode(err, api.CallFailed)
	first := s.kept(collect(s, s.service.Events(s.Context(), id, 0)), id, 1)
	_, err = s.service.Resume(s.Context(), id, api.ResumeOptions{})
	s.must(err)
	rest := s.kept(collect(s, s.service.Events(s.Context(), id, int64(len(first)))), id, int64(len(first))+1)
	if len(rest) == 0 || rest[0].Kind != api.EventStarted || rest[len(rest)-1].Kind != api.EventEnded {
		s.Fatalf("after the resume: %v", kinds(rest))
	}
	all := s.kept(collect(s, s.service.Events(s.Context(), id, 0)), id, 1)
	if asJSON(all) != asJSON(append(first, rest...)) {
		s.Errorf("all: %v\nwant %v then %v", kinds(all), kinds(first), kinds(rest))
	}
	var started api.StartedData
	s.must(json.Unmarshal(rest[0].Data, &started))
	if !started.Again || started.Resumed {
		s.Errorf("it started as %+v", started)
	}
}

// printedBy joins what entries of a stream hold, and checks their numbers.
func (s *suite) printedBy(entries []api.LogEntry, stream string, first int64) string {
	s.Helper()
	var b strings.Builder
	for i, e := range entries {
		if e.Seq != first+int64(i) || e.Time.IsZero() {
			s.Fatalf("entry %d: %+v, want number %d", i, e, first+int64(i))
		}
		if e.Stream == stream {
			b.Write(e.Bytes())
		}
	}
	return b.String()
}

// logs: what a run printed can be read as often as one likes, from any entry on,
// or the last ones of it, and is in its result too.
func logs(s *suite) {
	inc, _ := s.counter("inc")
	id := s.submit(orchestrator("print('one')\ninc(1)\nprint('zwö')", "", "", inc), nil).ID
	result, err := s.service.Wait(s.Context(), id)
	s.must(err)
	const want = "one\nzwö\n"
	if string(result.Stdout) != want || len(result.Stderr) > 0 {
		s.Errorf("the result has %q and %q", result.Stdout, result.Stderr)
	}
	for _, follow := range []bool{false, true} {
		all := collect(s, s.service.Logs(s.Context(), id, 0, follow))
		if got := s.printedBy(all, "stdout", 1); got != want {
			s.Errorf("follow %v: %q", follow, got)
		}
		for after := range len(all) + 1 {
			rest := collect(s, s.service.Logs(s.Context(), id, int64(after), follow))
			s.printedBy(rest, "stdout", int64(after)+1)
			if len(rest) != len(all)-after || len(rest) > 0 && asJSON(rest) != asJSON(all[after:]) {
				s.Errorf("follow %v after %d: %d entries of %d", follow, after, len(rest), len(all))
			}
			end := collect(s, s.service.Logs(s.Context(), id, -int64(after)-1, follow))
			if want := all[max(0, len(all)-after-1):]; asJSON(end) != asJSON(want) {
				s.Errorf("follow %v, the last %d: %d entries of %d", follow, after+1, len(end), len(all))
			}
		}
	}
}

// liveLogs: a follower sees what was printed before the run continues; without
// follow, the logs end with what there is.
func liveLogs(s *suite) {
	g := s.gate("gate")
	id := s.submit(orchestrator("print('before')\ngate(1)\nprint('after')", "", "", g.task), nil).ID
	<-g.begun
	var b strings.Builder
	for e, err := range s.service.Logs(s.Context(), id, 0, true) {
		s.must(err)
		if e.Stream != "stdout" {
			continue
		}
		b.Write(e.Bytes())
		if b.String() == "before\n" {
			now := collect(s, s.service.Logs(s.Context(), id, 0, false))
			if got := s.printedBy(now, "stdout", 1); got != "before\n" {
				s.Errorf("without following: %q", got)
			}
			g.open <- struct{}{}
		}
	}
	if got := b.String(); got != "before\nafter\n" {
		s.Errorf("followed %q", got)
	}
}

// streams: the writers of a submission have got all when Wait returns, and not
// what calls printed.
func streams(s *suite) {
	below := orchestrator("print('below')\n1", "", "int")
	below.Name = "below"
	var stdout, stderr strings.Builder
	run, err := s.service.Submit(s.Context(), api.Submission{
		Task:   orchestrator("for i in range(1000):\n    print(i)\nbelow()\nprint('end')", "", "", *below),
		Stdout: &stdout, Stderr: &stderr, Progress: func(api.Progress) {},
	})
	s.must(err)
	result, err := s.service.Wait(s.Context(), run.ID)
	s.must(err)
	if got := stdout.String(); !strings.HasPrefix(got, "0\n1\n") || !strings.HasSuffix(got, "999\nend\n") || strings.Contains(got, "below") {
		s.Errorf("stdout has %d bytes: %.20q...", len(got), got)
	}
	if stdout.String() != string(result.Stdout) || stderr.Len() > 0 {
		s.Errorf("the result has %d bytes of stdout; stderr has %q", len(result.Stdout), stderr.String())
	}
}
