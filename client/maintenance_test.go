package client

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestMaintenance(t *testing.T) {
	want := api.Pruned{Images: api.Removed{Count: 1, Bytes: 2}, Results: 3}
	found := []api.Finding{{Subject: "home", OK: true, Detail: "d"}, {Subject: "base", Fatal: true, Detail: "none", Remedy: "r"}}
	var body string
	c := serve(t, routes(map[string]http.HandlerFunc{
		"POST /v1/prune": func(w http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			body = string(text)
			answer(w, 200, want)
		},
		"GET /v1/doctor": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery != "deep=true" {
				t.Errorf("asked for %s", r.URL)
			}
			answer(w, 200, map[string]any{"ready": false, "findings": found})
		},
	}))
	pruned, err := c.Prune(t.Context(), api.PruneRequest{OlderThan: time.Minute, MaxImages: 7})
	if err != nil || *pruned != want || body != `{"older_than_ns":60000000000,"max_images":7}` {
		t.Errorf("%+v, %v, asked with %s", pruned, err, body)
	}
	if got, err := c.Doctor(t.Context(), true); err != nil || !cmp.Equal(got, found) {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = c.Prune(t.Context(), api.PruneRequest{MaxImages: -1})
	if e := wantCode(t, err, api.RequestInvalid); e.Details.Field != "max_images" {
		t.Errorf("got %+v", e)
	}
}
