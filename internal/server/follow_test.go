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

// TestBrokenStreams: what was sent is never followed by something that could be
// taken for an entry or for the end; a client that asks again gets the reason.
func TestBrokenStreams(t *testing.T) {
	h := start(t)
	id := h.submit()
	open := []*http.Response{h.ask("GET", "/v1/runs/"+id+"/events", ""), h.ask("GET", "/v1/runs/"+id+"/logs?follow=true", "")}
	for _, res := range open {
		if _, err := res.Body.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	h.mu.Lock()
	h.runs[id].damaged = true
	h.changed.Broadcast()
	h.mu.Unlock()
	for i, res := range open {
		if rest, err := io.ReadAll(res.Body); err == nil || strings.Contains(string(rest), "damaged") {
			t.Errorf("stream %d ends as if it were whole: %q", i, rest)
		}
	}
	for _, path := range []string{"/events?after=1", "/logs?after=1", "/logs?after=1&follow=true"} {
		expect(t, h.ask("GET", "/v1/runs/"+id+path, ""), 500, api.StorageCorrupt)
	}
}

func TestNoEntries(t *testing.T) {
	h := start(t)
	id := h.submit()
	h.finish(id, nil, nil)
	h.runs[id].events = nil
	h.runs[id].over = true
	for path, kind := range map[string]string{"/events": "text/event-stream", "/logs": "application/x-ndjson"} {
		res := h.ask("GET", "/v1/runs/"+id+path, "")
		if got := text(t, res); res.StatusCode != 200 || res.Header.Get("Content-Type") != kind || strings.Contains(got, "data") {
			t.Errorf("%s: %d %q", path, res.StatusCode, got)
		}
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
			want := []time.Duration{beginAfter, beginAfter + 15*time.Second, beginAfter + 30*time.Second}
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
	t.Run("a panic ends the stream only", func(t *testing.T) {
		broken := func(context.Context) iter.Seq2[int, error] { return func(func(int, error) bool) { panic("no") } }
		if err := follow(t.Context(), nil, time.Hour, broken, nil, nil); err == nil || !strings.HasPrefix(err.Error(), "panic: no") {
			t.Errorf("got %v", err)
		}
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
