package page

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// pageSize is how many rows a list has.
const pageSize = 50

type runsData struct {
	Filter  filter
	Runs    []runRow
	Damaged []string
	Next    string // the query of the page after; empty at the end
	First   string // the query of the first page; empty on it
	Partly  bool   // whether the search ended before the page was full
	Any     bool   // whether there is a filter
}

// filter is what a list of runs is asked for, as the address says it.
type filter struct {
	Status  string
	Task    string
	Kind    string
	ID      string
	Text    string   // of the name of the task or the error
	Labels  []string // each NAME=VALUE
	Trigger string   // the schedule or hook that started them, such as schedule:NAME
	Since   string
	Until   string
	Parent  string
	Calls   bool // also the runs that others started
	cursor  string
	request api.RunQuery
}

type runRow struct {
	api.Run
	Took    time.Duration
	Comment string
}

// timeForms are what the field of a time in a form sends, and what programs write.
var timeForms = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02", time.RFC3339Nano}

// unknown refuses a word that is none of those that a field takes.
func unknown[W ~string](field, got string, takes []W) error {
	expected := fmt.Sprint("one of ", strings.Trim(fmt.Sprint(takes), "[]"))
	return api.Errorf(api.RequestInvalid, "%s is %q, expected %s", field, got, expected).WithDetails(api.Details{Field: field, Got: got, Expected: expected})
}

// More reports whether the filter asks for more than a status, a task or a text.
func (f filter) More() bool {
	return f.Kind != "" || f.ID != "" || len(f.Labels) > 0 || f.Trigger != "" || f.Since != "" || f.Until != "" || f.Calls
}

func parseTime(field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, api.Errorf(api.RequestInvalid, "%s is %q, which is no time", field, text).
		WithDetails(api.Details{Field: field, Got: text, Expected: "a time in UTC such as 2026-11-28T09:30"})
}

// readFilter reads the filter of an address.
func readFilter(q url.Values) (filter, error) {
	f := filter{
		Status: q.Get("status"), Task: strings.TrimSpace(q.Get("task")), Kind: q.Get("kind"), ID: strings.TrimSpace(q.Get("id")), Text: strings.TrimSpace(q.Get("text")), Trigger: strings.TrimSpace(q.Get("trigger")),
		Labels: given(q["label"]),
		Since:  q.Get("since"), Until: q.Get("until"), Parent: q.Get("parent"), Calls: q.Get("calls") != "", cursor: q.Get("cursor"),
	}
	f.request = api.RunQuery{
		Task: f.Task, Kind: api.TaskKind(f.Kind), IDPrefix: f.ID, Text: f.Text, Trigger: f.Trigger, Parent: f.Parent, Limit: pageSize, Cursor: f.cursor,
		Top: !f.Calls && f.Parent == "" && f.ID == "",
	}
	if f.Status != "" {
		if !slices.Contains(statuses, api.Status(f.Status)) {
			return f, unknown("status", f.Status, statuses)
		}
		f.request.Status = []api.Status{api.Status(f.Status)}
	}
	if f.Kind != "" && !slices.Contains(kinds, f.request.Kind) {
		return f, unknown("kind", f.Kind, kinds)
	}
	var err error
	if f.request.Labels, err = api.ParseLabels("label", f.Labels); err != nil {
		return f, err
	}
	if f.request.Since, err = parseTime("since", f.Since); err != nil {
		return f, err
	}
	f.request.Until, err = parseTime("until", f.Until)
	return f, err
}

// query writes the filter as the query of an address, for the page at cursor.
func (f filter) query(cursor string) string {
	q := url.Values{}
	for name, text := range map[string]string{
		"status": f.Status, "task": f.Task, "kind": f.Kind, "id": f.ID, "text": f.Text, "trigger": f.Trigger, "since": f.Since, "until": f.Until, "parent": f.Parent, "cursor": cursor,
	} {
		if text != "" {
			q.Set(name, text)
		}
	}
	if len(f.Labels) > 0 {
		q["label"] = f.Labels
	}
	if f.Calls {
		q.Set("calls", "1")
	}
	return q.Encode()
}

// given are the texts of fields that were filled in.
func given(texts []string) (filled []string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			filled = append(filled, text)
		}
	}
	return filled
}

// labelLink is a label that leads to the runs that have it.
type labelLink struct{ Text, List string }

func labelLinks(labels map[string]string) (links []labelLink) {
	for _, text := range api.LabelTexts(labels) {
		links = append(links, labelLink{text, "page/runs?" + filter{Labels: []string{text}}.query("")})
	}
	return links
}

func (p *Page) runs(r *http.Request) (content, error) {
	f, err := readFilter(r.URL.Query())
	if err != nil {
		return content{}, err
	}
	data, err := p.listRuns(r.Context(), f)
	if err != nil {
		return content{}, err
	}
	return content{Template: "runs", Title: "Runs", Nav: "runs", Follow: "page/follow/runs?" + f.query(f.cursor), Data: data}, nil
}

func (p *Page) listRuns(ctx context.Context, f filter) (*runsData, error) {
	list, err := p.Service.Runs(ctx, f.request)
	if err != nil {
		return nil, err
	}
	data := &runsData{Filter: f, Damaged: list.Damaged, Any: f.query("") != ""}
	for _, run := range list.Runs {
		data.Runs = append(data.Runs, p.row(run))
	}
	if list.Next != "" {
		data.Next = "?" + f.query(list.Next)
		data.Partly = len(list.Runs)+len(list.Damaged) < pageSize
	}
	if f.cursor != "" {
		data.First = "?" + f.query("")
	}
	return data, nil
}

func (p *Page) row(run api.Run) runRow {
	return runRow{Run: run, Took: runTook(&run, p.Now()), Comment: comment(&run)}
}

// note is what is worth saying of a run beside its bar.
func note(run *api.Run) string {
	said := comment(run)
	if run.Error == nil {
		return said
	}
	return strings.TrimPrefix(said+", "+value.Shorten(run.Error.Message, 80), ", ")
}

// comment is what is worth saying of a run beside its status.
func comment(run *api.Run) string {
	var words []string
	if run.Cached {
		words = append(words, "from the cache")
	}
	if run.Attempts > 1 {
		words = append(words, plural(run.Attempts, "attempt"))
	}
	if run.Calls > 0 {
		words = append(words, plural(run.Calls, "call"))
	}
	if run.Waiting != nil {
		words = append(words, "waits: "+run.Waiting.Message)
	}
	if waits := run.WaitsFor(); waits != "" {
		words = append(words, "waits for "+waits)
	}
	return strings.Join(words, ", ")
}
