package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// nextEvent reads the lines of one event or comment.
func nextEvent(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	var lines []string
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ended: %v", err)
		}
		if line = strings.TrimSpace(line); line == "" {
			return strings.Join(lines, "|")
		}
		line, _, _ = strings.Cut(line, "{")
		lines = append(lines, line)
	}
}

func TestEventsGoOnWhereTheyWere(t *testing.T) {
	h := start(t)
	id := h.submit()
	first := bufio.NewReader(h.ask("GET", "/v1/runs/"+id+"/events", "").Body)
	if got := nextEvent(t, first); got != "id: 1|event: created|data: " {
		t.Errorf("got %q", got)
	}
	h.happen(id, api.EventStarted)
	if got := nextEvent(t, first); got != "id: 2|event: started|data: " {
		t.Errorf("got %q", got)
	}
	again := h.ask("GET", "/v1/runs/"+id+"/events?after=0", "", "Last-Event-ID: 1")
	if got := again.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("Content-Type: %s", got)
	}
	second := bufio.NewReader(again.Body)
	if got := nextEvent(t, second); got != "id: 2|event: started|data: " {
		t.Errorf("got %q", got)
	}
	h.finish(id, nil, nil)
	for _, r := range []*bufio.Reader{first, second} {
		if got := nextEvent(t, r); got != "id: 3|event: ended|data: " {
			t.Errorf("got %q", got)
		}
		if _, err := r.ReadByte(); err == nil {
			t.Error("the stream goes on after the end")
		}
	}
}

func TestProgressHasNoID(t *testing.T) {
	h := start(t)
	id := h.submit()
	h.mu.Lock()
	h.runs[id].events[0] = api.Event{Run: id, Kind: api.EventProgress}
	h.mu.Unlock()
	if got := nextEvent(t, bufio.NewReader(h.ask("GET", "/v1/runs/"+id+"/events", "").Body)); got != "event: progress|data: " {
		t.Errorf("got %q", got)
	}
}

func TestBrokenStreams(t *testing.T) {
	h := start(t)
	id := h.submit()
	h.mu.Lock()
	h.runs[id].Status = api.StatusInterrupted
	h.mu.Unlock()
	got := text(t, h.ask("GET", "/v1/runs/"+id+"/events", ""))
	if !strings.HasPrefix(got, "event: error\ndata: {\"code\":\"storage_corrupt\"") {
		t.Errorf("events: %q", got)
	}
	if got := text(t, h.ask("GET", "/v1/runs/"+id+"/outputs", "")); got != "{}" {
		t.Errorf("outputs: %q", got)
	}
}

func TestFollow(t *testing.T) {
	silent := func(ctx context.Context) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			<-ctx.Done()
			yield(0, ctx.Err())
		}
	}
	t.Run("heartbeats come while it is quiet", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			var beats []time.Duration
			ctx, cancel := context.WithCancel(t.Context())
			err := follow(ctx, nil, 15*time.Second, silent, func(int) error { return nil }, func() error {
				beats = append(beats, time.Since(began))
				if len(beats) == 3 {
					cancel()
				}
				return nil
			})
			want := []time.Duration{15 * time.Second, 30 * time.Second, 45 * time.Second}
			if diff := cmp.Diff(want, beats); diff != "" || err != (clientGone{context.Canceled}) {
				t.Errorf("%v %s", err, diff)
			}
		})
	})
	t.Run("a client that is gone ends it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			gone := errors.New("gone")
			err := follow(t.Context(), nil, time.Second, silent, nil, func() error { return gone })
			if err != (clientGone{gone}) {
				t.Errorf("got %v", err)
			}
		})
	})
	t.Run("the server stops", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			draining := make(chan struct{})
			close(draining)
			if err := follow(t.Context(), draining, time.Second, silent, nil, nil); err != (stopping{}) {
				t.Errorf("got %v", err)
			}
		})
	})
}

func TestWaitForResult(t *testing.T) {
	h := start(t)
	id := h.submit()
	answered := make(chan string)
	go func() {
		res, err := h.local.Get("http://glovebox/v1/runs/" + id + "/result?wait=60s")
		if err != nil {
			answered <- err.Error()
			return
		}
		answered <- res.Status
		_ = res.Body.Close()
	}()
	h.finish(id, nil, api.Errorf(api.Timeout, "late"))
	if got := <-answered; got != "200 OK" {
		t.Errorf("got %s", got)
	}
	run, result, err := api.DecodeResult([]byte(text(t, h.ask("GET", "/v1/runs/"+id+"/result", ""))))
	if err != nil || run.Error.Code != api.Timeout || len(result.Outputs) != 0 {
		t.Errorf("%+v %+v %v", run, result, err)
	}
	second := h.submit()
	if res := h.ask("GET", "/v1/runs/"+second+"/result?wait=1ms", ""); res.StatusCode != http.StatusAccepted {
		t.Errorf("a run that goes on: %d", res.StatusCode)
	}
	h.mu.Lock()
	h.runs[second].Status = api.StatusInterrupted
	h.mu.Unlock()
	expect(t, h.ask("GET", "/v1/runs/"+second+"/result?wait=60s", ""), 503, api.Interrupted)
}

func TestDamagedBlobsAreCut(t *testing.T) {
	h := start(t)
	digest := h.put([]byte("damaged and long"))
	res, err := h.local.Get("http://glovebox/v1/blobs/" + digest)
	if err != nil {
		return // not even the header came
	}
	defer res.Body.Close()
	if content, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("%q looks whole", content)
	}
}
