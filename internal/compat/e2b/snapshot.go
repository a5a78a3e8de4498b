package e2b

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// forkResult is one fork, or why there is none.
type forkResult struct {
	Sandbox *sandbox  `json:"sandbox,omitempty"`
	Error   *apiError `json:"error,omitempty"`
}

func (f *Face) fork(w http.ResponseWriter, r *http.Request) error {
	in := struct {
		Timeout int64 `json:"timeout"`
		Count   int   `json:"count"`
	}{defaultTimeout, 1}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if in.Count < 1 || in.Count > api.MaxForks || in.Timeout < 0 || in.Timeout > maxSeconds {
		return badRequest("count is not from 1 to " + strconv.Itoa(api.MaxForks) + ", or timeout is no number of seconds")
	}
	s, err := f.live(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	forks, err := f.Sessions.ForkSession(r.Context(), s.ID, api.ForkOptions{Count: in.Count, Timeout: seconds(in.Timeout)})
	if err != nil {
		return err
	}
	out := make([]forkResult, len(forks))
	for i, fork := range forks {
		if fork.Error != nil {
			status, message := statusOf(fork.Error)
			out[i].Error = &apiError{Code: status, Message: message}
			continue
		}
		made := f.sandbox(r, fork.Session)
		out[i].Sandbox = &made
	}
	writeJSON(w, http.StatusCreated, out)
	return nil
}

// snapshotInfo names a snapshot as templates are named.
type snapshotInfo struct {
	SnapshotID string   `json:"snapshotID"`
	Names      []string `json:"names"`
}

// defaultTag is the tag of a template that a client names without one.
const defaultTag = ":default"

func infoOf(s *api.Snapshot) snapshotInfo {
	if s.Name == "" {
		return snapshotInfo{s.ID + defaultTag, []string{}}
	}
	return snapshotInfo{s.Name, []string{s.Name}}
}

// tagged returns the name of a template with a tag.
func tagged(name string) string {
	if name == "" || strings.Contains(name, ":") {
		return name
	}
	return name + defaultTag
}

func (f *Face) newSnapshot(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name   string `json:"name"`
		Memory *bool  `json:"memory"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	s, err := f.live(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	o := api.SnapshotOptions{Name: tagged(in.Name), Memory: in.Memory == nil || *in.Memory}
	snapshot, err := f.Sessions.NewSnapshot(r.Context(), s.ID, o)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, infoOf(snapshot))
	return nil
}

// snapshots lists them. Its token is the place of the next one.
func (f *Face) snapshots(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	limit, err := limitOf(q)
	if err != nil {
		return err
	}
	from, err := strconv.Atoi("0" + q.Get("nextToken"))
	if err != nil {
		return badRequest("nextToken is not one of this list")
	}
	all, err := f.Sessions.Snapshots(r.Context(), q.Get("sandboxID"))
	if err != nil {
		return err
	}
	if name := q.Get("name"); name != "" {
		all = slices.DeleteFunc(all, func(s api.Snapshot) bool { return s.Name != tagged(name) })
	}
	all = all[min(from, len(all)):]
	if len(all) > limit {
		all = all[:limit]
		w.Header().Set("X-Next-Token", strconv.Itoa(from+limit))
	}
	out := make([]snapshotInfo, len(all))
	for i := range all {
		out[i] = infoOf(&all[i])
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// snapshotNamed finds a snapshot by what a client calls it.
func (f *Face) snapshotNamed(ctx context.Context, ref string) (*api.Snapshot, error) {
	s, err := f.Sessions.Snapshot(ctx, tagged(ref))
	if id, ok := strings.CutSuffix(ref, defaultTag); ok && isNotFound(err) {
		return f.Sessions.Snapshot(ctx, id)
	}
	if isNotFound(err) && ref != tagged(ref) {
		return f.Sessions.Snapshot(ctx, ref)
	}
	return s, err
}

// removeTemplate removes one that a client built, or a snapshot, which is a template
// too.
func (f *Face) removeTemplate(w http.ResponseWriter, r *http.Request) error {
	ref, err := escaped(r, "id")
	if err != nil {
		return err
	}
	if removed, err := f.removeBuilt(ref); removed || err != nil {
		w.WriteHeader(http.StatusNoContent)
		return err
	}
	s, err := f.snapshotNamed(r.Context(), ref)
	if err != nil {
		return err
	}
	if err := f.Sessions.RemoveSnapshot(r.Context(), s.ID); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func isNotFound(err error) bool {
	e, ok := api.FindError(err)
	return ok && e.Code == api.NotFound
}
