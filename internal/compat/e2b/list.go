package e2b

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// The bounds of a page.
const (
	pageSize    = 100
	maxPageSize = 1000
)

// list lists sandboxes, the newest first.
func (f *Face) list(w http.ResponseWriter, r *http.Request) error {
	q, err := listQuery(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := f.Sessions.Sessions(r.Context(), q)
	if err != nil {
		return err
	}
	out := make([]detail, len(page.Sessions))
	for i := range page.Sessions {
		out[i] = f.detail(r, &page.Sessions[i])
		out[i].EnvdAccessToken = "" // for whoever connects
	}
	if page.Next != "" {
		w.Header().Set("X-Next-Token", page.Next)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func listQuery(q url.Values) (out api.SessionQuery, err error) {
	out = api.SessionQuery{State: living, Labels: map[string]string{}, Oldest: q.Get("order") == "asc", Cursor: q.Get("nextToken")}
	if out.Limit, err = limitOf(q); err != nil {
		return out, err
	}
	if states := listOf(q["state"]); len(states) > 0 {
		out.State = nil
		for _, state := range states {
			out.State = append(out.State, statesOf(state)...)
		}
	}
	if text := q.Get("startedAfter"); text != "" {
		if out.Since, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return out, badRequest("startedAfter is no time of RFC 3339")
		}
	}
	if template := q.Get("template"); template != "" {
		out.Labels[labelTemplate] = template
	}
	metadata, err := url.ParseQuery(q.Get("metadata")) // a form in a field of a form
	if err != nil {
		return out, badRequest("metadata is no form")
	}
	for key := range metadata {
		out.Labels[labelMetadata+key] = metadata.Get(key)
	}
	return out, nil
}

func limitOf(q url.Values) (int, error) {
	text := q.Get("limit")
	if text == "" {
		return pageSize, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxPageSize {
		return 0, badRequest("limit is not a number from 1 to " + strconv.Itoa(maxPageSize))
	}
	return n, nil
}

// listOf joins parameters that are given several times, or with commas.
func listOf(values []string) (list []string) {
	for _, v := range values {
		list = append(list, strings.FieldsFunc(v, func(c rune) bool { return c == ',' })...)
	}
	return slices.Compact(list)
}
