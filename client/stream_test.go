package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// journal is a run whose events a fake server sends, a few at a time.
type journal struct {
	events []api.Event
	each   int // how many come over one connection; 0 is all
	again  int // how many of the earlier ones come again
	how    func(w http.ResponseWriter)
	status api.Status
}

func newJournal(n int) *journal {
	j := &journal{status: api.StatusSucceeded}
	for i := 1; i <= n; i++ {
		j.events = append(j.events, api.Event{Run: "r", Seq: int64(i), Kind: api.EventAttemptStarted, Data: json.RawMessage(`{"attempt":1}`)})
	}
	j.events[0].Kind, j.events[n-1].Kind = api.EventCreated, api.EventEnded
	return j
}

func (j *journal) serveEvents(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.Atoi(r.URL.Query().Get("after"))
	first := max(0, after-j.again)
	last := len(j.events)
	if j.each > 0 {
		last = min(last, after+j.each)
	}
	fmt.Fprint(w, ": hello\n\n")
	for _, e := range j.events[min(first, last):last] {
		text, _ := json.Marshal(e)
		fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Kind, text)
	}
	_ = http.NewResponseController(w).Flush()
	if last < len(j.events) && j.how != nil {
		j.how(w)
	}
}

func (j *journal) routes() *http.ServeMux {
	return routes(map[string]http.HandlerFunc{
		"GET /v1/runs/r/events": j.serveEvents,
		"GET /v1/runs/r":        func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, api.Run{ID: "r", Status: j.status}) },
	})
}

// Every event comes once and in order, however the connections end.
func TestEventsOverManyConnections(t *testing.T) {
	for name, how := range map[string]func(http.ResponseWriter){
		"cut":            cut,
		"ended":          func(http.ResponseWriter) {},
		"with a comment": func(w http.ResponseWriter) { fmt.Fprint(w, ": the server stops\n\n") },
		"in a message": func(w http.ResponseWriter) {
			fmt.Fprint(w, "id: 99\ndata: {\"seq\"")
		},
		"cut in a message": func(w http.ResponseWriter) {
			fmt.Fprint(w, "id: 99\ndata: {\"seq\":99}\n")
			cut(w)
		},
	} {
		for _, after := range []int64{0, 3, 7} {
			t.Run(fmt.Sprint(name, after), func(t *testing.T) {
				j := newJournal(7)
				j.each, j.again, j.how, j.status = 2, 1, how, api.StatusRunning
				if after == 7 {
					j.status = api.StatusSucceeded
				}
				c := serve(t, j.routes())
				next := after
				for e, err := range c.Events(t.Context(), "r", after) {
					if next++; err != nil || e.Seq != next {
						t.Fatalf("got event %d, %v; want %d", e.Seq, err, next)
					}
				}
				if next != 7 {
					t.Errorf("the last event was %d", next)
				}
			})
		}
	}
}

func TestEventsStopWhenNobodyWantsMore(t *testing.T) {
	c := serve(t, newJournal(5).routes())
	n := 0
	for range c.Events(t.Context(), "r", 0) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d events", n)
	}
}

func TestEventsOfNothing(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fail(w, 404, api.Errorf(api.NotFound, "no run r")) }))
	n := 0
	for _, err := range c.Events(t.Context(), "r", 0) {
		n++
		wantCode(t, err, api.NotFound)
	}
	if n != 1 {
		t.Errorf("%d items", n)
	}
}

// A server that is gone for good is an error in the end, and so is one that
// says nothing that can be read, without patience.
func TestStreamsEnd(t *testing.T) {
	t.Run("gone", func(t *testing.T) {
		var requests int
		c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if requests++; requests == 1 {
				fmt.Fprint(w, "data: {\"seq\":1}\n\n")
				_ = http.NewResponseController(w).Flush()
			}
			cut(w)
		}))
		c.timing.patience = 0
		var last error
		for _, err := range c.Events(t.Context(), "r", 0) {
			last = err
		}
		wantCode(t, last, api.ServerUnavailable)
	})
	t.Run("nonsense", func(t *testing.T) {
		var requests int
		c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			requests++
			fmt.Fprint(w, "data: nonsense\n\n")
		}))
		var last error
		for _, err := range c.Events(t.Context(), "r", 0) {
			last = err
		}
		wantCode(t, last, api.ServerUnavailable)
		if requests != 1 {
			t.Errorf("%d requests", requests)
		}
	})
}

// logs serves log entries over connections that break after each two.
func logs(t *testing.T, entries []api.LogEntry) *http.ServeMux {
	return routes(map[string]http.HandlerFunc{
		"GET /v1/runs/r": func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, api.Run{ID: "r", Status: api.StatusSucceeded})
		},
		"GET /v1/runs/r/logs": func(w http.ResponseWriter, r *http.Request) {
			after, _ := strconv.Atoi(r.URL.Query().Get("after"))
			live := r.URL.Query().Get("follow") == "true"
			if stream := r.Header.Get("Accept") == eventStream; stream != live {
				t.Errorf("follow=%v with Accept: %s", live, r.Header.Get("Accept"))
			}
			for i, e := range entries[after:] {
				if i == 2 {
					_ = http.NewResponseController(w).Flush()
					cut(w)
				}
				text, _ := json.Marshal(e)
				if live {
					text = []byte(fmt.Sprintf("id: %d\ndata: %s\n", e.Seq, text))
				}
				_, _ = w.Write(append(text, '\n'))
			}
		},
	})
}

func someLogs() []api.LogEntry {
	return []api.LogEntry{
		{Seq: 1, Stream: "stdout", Text: "a\n"}, {Seq: 2, Stream: "stderr", Text: "warning\n"}, {Seq: 3, Stream: "stdout", Data: []byte{0xff, 0, '\n'}},
		{Seq: 4, Stream: "system", Text: "trying again"}, {Seq: 5, Stream: "stdout", Text: "b"},
	}
}

func TestLogs(t *testing.T) {
	want := someLogs()
	for _, live := range []bool{false, true} {
		for after := range int64(len(want) + 1) {
			c := serve(t, logs(t, want))
			got := []api.LogEntry{}
			for e, err := range c.Logs(t.Context(), "r", after, live) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, e)
			}
			if diff := cmp.Diff(want[after:], got); diff != "" {
				t.Errorf("live %v after %d -want +got:\n%s", live, after, diff)
			}
		}
	}
}

// TestStreamsOfASubmission: the output of a submission arrives byte for byte,
// and Wait returns after the last of it.
func TestStreamsOfASubmission(t *testing.T) {
	mux := logs(t, someLogs())
	mux.HandleFunc("POST /v1/runs", func(w http.ResponseWriter, _ *http.Request) { answer(w, 201, api.Run{ID: "r"}) })
	mux.HandleFunc("GET /v1/runs/r/result", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, api.RunResult{Run: &api.Run{ID: "r"}}) })
	mux.HandleFunc("GET /v1/runs/r/events", func(w http.ResponseWriter, _ *http.Request) {
		text, _ := json.Marshal(api.Progress{Stage: "build", Message: "m", Done: 1, Total: 2})
		fmt.Fprintf(w, "event: progress\ndata: {\"kind\":\"progress\",\"data\":%s}\n\ndata: {\"seq\":1,\"kind\":\"ended\"}\n\n", text)
	})
	c := serve(t, mux)
	var stdout, stderr bytes.Buffer
	var progress []api.Progress
	run, err := c.Submit(t.Context(), api.Submission{
		Task: &api.Task{}, Stdout: &stdout, Stderr: &stderr, Progress: func(p api.Progress) { progress = append(progress, p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Wait(t.Context(), run.ID); err != nil {
		t.Fatal(err)
	}
	if got := stdout.String(); got != "a\n\xff\x00\nb" {
		t.Errorf("stdout %q", got)
	}
	if got := stderr.String(); got != "warning\n" {
		t.Errorf("stderr %q", got)
	}
	if diff := cmp.Diff([]api.Progress{{Stage: "build", Message: "m", Done: 1, Total: 2}}, progress); diff != "" {
		t.Error(diff)
	}
	if len(c.follows) != 0 {
		t.Error("the client remembers a run that is over")
	}
}

// A writer that fails does not hold anything up.
func TestWriterThatFails(t *testing.T) {
	mux := logs(t, someLogs())
	mux.HandleFunc("POST /v1/runs", func(w http.ResponseWriter, _ *http.Request) { answer(w, 201, api.Run{ID: "r"}) })
	mux.HandleFunc("GET /v1/runs/r/result", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, api.RunResult{Run: &api.Run{ID: "r"}}) })
	c := serve(t, mux)
	r, w := io.Pipe()
	r.CloseWithError(errors.New("full"))
	var stderr bytes.Buffer
	if _, err := c.Submit(t.Context(), api.Submission{Task: &api.Task{}, Stdout: w, Stderr: &stderr}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Wait(t.Context(), "r"); err != nil || stderr.String() != "warning\n" {
		t.Errorf("got %v, %q", err, stderr.String())
	}
}

// A log that the server cut is not taken for all that the run printed.
func TestLogThatWasCut(t *testing.T) {
	mux := logs(t, append(someLogs(), api.LogEntry{Seq: 100, Stream: "system", Text: "the log ends here\n", Cut: true}))
	mux.HandleFunc("POST /v1/runs", func(w http.ResponseWriter, _ *http.Request) { answer(w, 201, api.Run{ID: "r"}) })
	mux.HandleFunc("GET /v1/runs/r/result", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, api.RunResult{Run: &api.Run{ID: "r"}}) })
	c := serve(t, mux)
	var stdout bytes.Buffer
	if _, err := c.Submit(t.Context(), api.Submission{Task: &api.Task{}, Stdout: &stdout}); err != nil {
		t.Fatal(err)
	}
	result, err := c.Wait(t.Context(), "r")
	if !errors.Is(err, &api.Error{Code: api.OutputTooLarge}) || result == nil || stdout.String() != "a\n\xff\x00\nb" {
		t.Errorf("got %v, %v, %q", result, err, stdout.String())
	}
}

// With declared outputs, what a run prints is no result: that it was cut is said,
// and no failure.
func TestLogThatWasCutBesideOutputs(t *testing.T) {
	mux := logs(t, append(someLogs(), api.LogEntry{Seq: 6, Stream: "system", Text: "the log ends here\n", Cut: true}))
	signature := api.Signature{Outputs: []value.Param{{Name: "r", Type: value.Type{Kind: value.KindInt}}}}
	mux.HandleFunc("POST /v1/runs", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 201, api.Run{ID: "r", Signature: &signature})
	})
	mux.HandleFunc("GET /v1/runs/r/result", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, api.RunResult{Run: &api.Run{ID: "r"}}) })
	c := serve(t, mux)
	var stderr bytes.Buffer
	if _, err := c.Submit(t.Context(), api.Submission{Task: &api.Task{}, Stderr: &stderr}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Wait(t.Context(), "r"); err != nil || !strings.HasSuffix(stderr.String(), "the log ends here\n") {
		t.Errorf("got %v, standard error %q", err, stderr.String())
	}
}

func TestMessages(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                      {"EOF"},
		": comment\n":                           {"EOF"},
		": comment\n\n\n":                       {"EOF"},
		"data: a\n\n":                           {"||a", "EOF"},
		"data:a\r\n\r\ndata:  b\n\n":            {"||a", "|| b", "EOF"},
		"id: 1\nevent: e\ndata: a\ndata: b\n\n": {"1|e|a\nb", "EOF"},
		"data\n\n":                              {"||", "EOF"},
		"id: 1\n\ndata: a\n\n":                  {"||a", "EOF"},
		"data: a\n":                             {"unexpected EOF"},
		"data: a":                               {"unexpected EOF"},
		"retry: 5\nx: y\ndata: a\n\n: bye\n":    {"||a", "EOF"},
		"data: " + strings.Repeat("x", 97):      {"a message of the stream is longer than 100 bytes"},
		"data: " + strings.Repeat("x", 30) + "\ndata: " + strings.Repeat("x", 70) + "\n\n": {"a message of the stream is longer than 100 bytes"},
	} {
		m := newMessages(iotest.OneByteReader(strings.NewReader(text)))
		m.limit = 100
		var got []string
		for {
			msg, err := m.next()
			if err != nil {
				got = append(got, err.Error())
				break
			}
			got = append(got, msg.id+"|"+msg.kind+"|"+string(msg.data))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q -want +got:\n%s", text, diff)
		}
	}
}

// TestMessagesRoundTrip: the client reads what a server writes, in pieces of
// any size.
func TestMessagesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-z:{} ]{0,9}`), 1, 5)
		want := rapid.SliceOf(rapid.Custom(func(t *rapid.T) string { return strings.Join(lines.Draw(t, "lines"), "\n") })).Draw(t, "messages")
		var b strings.Builder
		for i, text := range want {
			fmt.Fprintf(&b, ":\nid: %d\ndata: %s\n\n", i, strings.ReplaceAll(text, "\n", "\ndata: "))
		}
		m := newMessages(iotest.HalfReader(strings.NewReader(b.String())))
		for i, text := range want {
			msg, err := m.next()
			if err != nil || msg.id != strconv.Itoa(i) || string(msg.data) != text {
				t.Fatalf("message %d: got %+v, %v; want %q", i, msg, err, text)
			}
		}
		if _, err := m.next(); err != io.EOF {
			t.Fatalf("at the end: %v", err)
		}
	})
}

func FuzzMessages(f *testing.F) {
	for _, seed := range []string{"", "data: a\n\n", "id: 1\nevent: e\ndata\n\n", ":\n\n", "data: a\r\n\r\n", "a:b\n", "\r\n\n"} {
		f.Add([]byte(seed), uint16(50))
	}
	f.Fuzz(func(t *testing.T, text []byte, limit uint16) {
		m := newMessages(bytes.NewReader(text))
		m.limit = int(limit)
		total := 0
		for {
			msg, err := m.next()
			if err != nil {
				return
			}
			if len(msg.data) > int(limit) {
				t.Fatalf("a message of %d bytes", len(msg.data))
			}
			if total += len(msg.data); total > len(text) {
				t.Fatal("more came out than went in")
			}
		}
	})
}

func TestLinesOfImages(t *testing.T) {
	image := api.ImageInfo{ID: "i", Name: "n"}
	lines := func(lines ...any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for _, l := range lines {
				_ = json.NewEncoder(w).Encode(l)
			}
		}
	}
	step := map[string]any{"progress": api.Progress{Stage: "base"}}
	var stages []string
	progress := func(p api.Progress) { stages = append(stages, p.Stage) }
	c := serve(t, lines(step, step, map[string]any{"image": image}))
	got, err := c.BuildImage(t.Context(), api.ImageSpec{}, progress)
	if err != nil || got.ID != "i" || len(stages) != 2 {
		t.Errorf("got %v, %v after %q", got, err, stages)
	}
	c = serve(t, lines(step, map[string]any{"reference": "r@sha256:d"}))
	reference, err := c.PushImage(t.Context(), "i/j:k", "ref", "s", nil)
	if err != nil || reference != "r@sha256:d" {
		t.Errorf("got %q, %v", reference, err)
	}
	c = serve(t, lines(step, map[string]any{"error": api.Errorf(api.BuildFailed, "step 3")}))
	_, err = c.BuildImage(t.Context(), api.ImageSpec{}, nil)
	wantCode(t, err, api.BuildFailed)
	for _, last := range []any{step, map[string]any{"reference": "r@sha256:d"}, "text"} {
		c = serve(t, lines(last))
		_, err = c.BuildImage(context.Background(), api.ImageSpec{}, nil)
		wantCode(t, err, api.ServerUnavailable)
	}
}
