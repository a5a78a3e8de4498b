package client

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// TestKeepWarm asks a server that is gone at first: to ask again does no harm.
func TestKeepWarm(t *testing.T) {
	pool := api.WarmPool{Image: "sha256:i", Python: true, Preload: []string{"json"}, Asked: 2, Wanted: 2, Idle: 1, Starting: 1, Memory: 5}
	var asked api.WarmRequest
	h, n := flaky(aborted, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			answer(w, 200, map[string]any{"pools": []api.WarmPool{pool}})
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		answer(w, 200, pool)
	})
	c := serve(t, h)
	request := api.WarmRequest{Name: "stats.add", Cells: 2}
	got, err := c.KeepWarm(t.Context(), request)
	if err != nil || n.Load() != 3 {
		t.Fatalf("%d requests, %v", n.Load(), err)
	}
	if diff := cmp.Diff(pool, *got) + cmp.Diff(request, asked); diff != "" {
		t.Error(diff)
	}
	pools, err := c.WarmPools(t.Context())
	if diff := cmp.Diff([]api.WarmPool{pool}, pools); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

// TestKeepWarmRefuses: an invalid request is not sent.
func TestKeepWarmRefuses(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") }))
	_, err := c.KeepWarm(t.Context(), api.WarmRequest{Cells: 1})
	wantCode(t, err, api.RequestInvalid)
}
