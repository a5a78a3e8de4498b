package e2b

import (
	"net/http"
)

// controlRoutes are the routes of the control plane. Older SDKs use those without
// a version.
func (f *Face) controlRoutes() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, answer := range map[string]func(http.ResponseWriter, *http.Request) error{
		"POST /v2/sandboxes":                        f.create,
		"POST /sandboxes":                           f.createOld,
		"GET /v2/sandboxes":                         f.list,
		"GET /sandboxes":                            f.list,
		"GET /sandboxes/{id}":                       f.info,
		"DELETE /sandboxes/{id}":                    f.kill,
		"POST /sandboxes/{id}/timeout":              f.setTimeout,
		"POST /sandboxes/{id}/refreshes":            f.refresh,
		"POST /sandboxes/{id}/pause":                f.pause,
		"POST /sandboxes/{id}/resume":               f.resume,
		"POST /sandboxes/{id}/connect":              f.connect,
		"POST /v2/sandboxes/{id}/connect":           f.connect,
		"POST /sandboxes/{id}/fork":                 f.fork,
		"POST /sandboxes/{id}/snapshots":            f.newSnapshot,
		"GET /snapshots":                            f.snapshots,
		"DELETE /templates/{id}":                    f.removeTemplate,
		"POST /v3/templates":                        f.newTemplate,
		"GET /templates/{id}/files/{hash}":          f.uploadLink,
		"POST /v2/templates/{id}/builds/{build}":    f.startBuild,
		"GET /templates/{id}/builds/{build}/status": f.buildStatus,
		"GET /templates/{id}/{part}":                f.templatePart,
		"GET /templates":                            f.listTemplates,
		"GET /v2/templates":                         f.listTemplates,
		"POST /templates/tags":                      f.addTags,
		"DELETE /templates/tags":                    f.removeTags,
		"GET /sandboxes/{id}/metrics":               f.metrics,
		"GET /sandboxes/metrics":                    f.metricsOfMany,
		"PUT /sandboxes/{id}/network":               f.updateNetwork,
		"GET /sandboxes/{id}/logs":                  f.logs,
		"GET /v2/sandboxes/{id}/logs":               f.logs,
		"GET /health":                               health,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := answer(w, r); err != nil {
				f.fail(w, r, err)
			}
		})
	}
	return mux
}

func (f *Face) serveControl(w http.ResponseWriter, r *http.Request) {
	if _, pattern := f.control.Handler(r); pattern == "" {
		writeError(w, r, http.StatusNotFound, "there is no route "+r.Method+" "+r.URL.Path)
		return
	}
	f.control.ServeHTTP(w, r)
}

func health(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusOK)
	return nil
}

func (f *Face) info(w http.ResponseWriter, r *http.Request) error {
	s, err := f.live(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, f.detail(r, s))
	return nil
}

func (f *Face) kill(w http.ResponseWriter, r *http.Request) error {
	s, err := f.live(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if err := f.Sessions.KillSession(r.Context(), s.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// logs answers that there are none: what a command prints goes to the client that
// started it, and is not kept.
func (f *Face) logs(w http.ResponseWriter, r *http.Request) error {
	if _, err := f.live(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		Logs    []any `json:"logs"`
		Entries []any `json:"logEntries"`
	}{[]any{}, []any{}})
	return nil
}
