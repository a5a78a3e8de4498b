package client

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// flaky lets the first two requests down in a way, then hands over to h.
func flaky(down, h http.HandlerFunc) (http.HandlerFunc, *atomic.Int32) {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) <= 2 {
			down(w, r)
			return
		}
		h(w, r)
	}, &n
}

func aborted(w http.ResponseWriter, _ *http.Request) { cut(w) }

func overloaded(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Retry-After", "0")
	fail(w, 429, api.Errorf(api.Overloaded, "busy"))
}

// A repeated submission has the same key and the same body.
func TestSubmitIsRepeatedWithItsKey(t *testing.T) {
	for name, down := range map[string]http.HandlerFunc{"cut": aborted, "overloaded": overloaded} {
		t.Run(name, func(t *testing.T) {
			var seen []string
			note := func(next http.HandlerFunc) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					var body json.RawMessage
					_ = json.NewDecoder(r.Body).Decode(&body)
					seen = append(seen, r.Header.Get("Idempotency-Key")+" "+string(body))
					next(w, r)
				}
			}
			h, _ := flaky(down, func(w http.ResponseWriter, _ *http.Request) { answer(w, 201, api.Run{ID: "r"}) })
			c := serve(t, note(h))
			run, err := c.Submit(t.Context(), api.Submission{Task: &api.Task{Name: "x"}})
			if err != nil || run.ID != "r" {
				t.Fatalf("got %v, %v", run, err)
			}
			if len(seen) != 3 || seen[0] != seen[1] || seen[1] != seen[2] || !strings.HasPrefix(seen[0], "client-") {
				t.Errorf("requests: %q", seen)
			}
		})
	}
}

func TestKeysOfTheCaller(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer(w, 201, api.Run{ID: "r", IdempotencyKey: r.Header.Get("Idempotency-Key")})
	}))
	run, err := c.Submit(t.Context(), api.Submission{Task: &api.Task{}, IdempotencyKey: "mine 1"})
	if err != nil || run.IdempotencyKey != "mine 1" {
		t.Errorf("got %v, %v", run, err)
	}
	_, err = c.Submit(t.Context(), api.Submission{Task: &api.Task{}, IdempotencyKey: "a\nb"})
	wantCode(t, err, api.InvalidTask)
}

// TestWhatIsNotRepeated: a request whose effect may have happened unnoticed is
// not sent again.
func TestWhatIsNotRepeated(t *testing.T) {
	for name, call := range map[string]func(*Client) error{
		"cancel": func(c *Client) error { return c.Cancel(t.Context(), "r", "") },
		"resume": func(c *Client) error { _, err := c.Resume(t.Context(), "r", api.ResumeOptions{}); return err },
		"rerun":  func(c *Client) error { _, err := c.Rerun(t.Context(), "r", api.RerunOptions{}); return err },
		"deploy": func(c *Client) error { _, err := c.Deploy(t.Context(), api.Deployment{}); return err },
		"clear":  func(c *Client) error { _, err := c.ClearCache(t.Context(), ""); return err },
		"put": func(c *Client) error {
			_, _, err := c.PutBlob(t.Context(), onlyReader{strings.NewReader("x")})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, n := flaky(aborted, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, map[string]any{}) })
			err := call(serve(t, h))
			if e := wantCode(t, err, api.ServerUnavailable); e.Outcome != api.Unknown {
				t.Errorf("outcome %s", e.Outcome)
			}
			if got := n.Load(); got != 1 {
				t.Errorf("%d requests", got)
			}
		})
	}
}

type onlyReader struct{ r *strings.Reader }

func (o onlyReader) Read(p []byte) (int, error) { return o.r.Read(p) }

func TestQueryOfRuns(t *testing.T) {
	var got string
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.URL.RawQuery
		answer(w, 200, api.RunPage{Runs: []api.Run{{ID: "r"}}, Next: "n"})
	}))
	page, err := c.Runs(t.Context(), api.RunQuery{
		Status: []api.Status{api.StatusFailed, api.StatusQueued}, Task: "a&b", Kind: api.KindFunction, Parent: "p", Root: "q", IDPrefix: "run-0", Top: true, Limit: 7, Cursor: "c=",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "cursor=c%3D&id_prefix=run-0&kind=function&limit=7&parent=p&root=q&status=failed%2Cqueued&task=a%26b&top=true"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if diff := cmp.Diff(api.RunPage{Runs: []api.Run{{ID: "r"}}, Next: "n"}, page, cmp.AllowUnexported(api.Error{})); diff != "" {
		t.Error(diff)
	}
}
