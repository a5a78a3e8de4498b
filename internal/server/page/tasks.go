package page

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

func (p *Page) tasks(r *http.Request) (content, error) {
	tasks, err := p.Service.Tasks(r.Context())
	if err != nil {
		return content{}, err
	}
	kept, err := p.Service.Retention(r.Context())
	if err != nil {
		return content{}, err
	}
	return content{Template: "tasks", Title: "Tasks", Nav: "tasks", Data: newTasks(tasks, kept)}, nil
}

type taskData struct {
	Version  *api.TaskVersion
	Versions []api.TaskVersion
	Source   *source
	Policies []fact
	Runs     []runRow
	Before   string // the version that a comparison begins with; empty for none
	Diff     []diffLine
	Rest     []diffLine // of all but the code
}

func (p *Page) task(r *http.Request) (content, error) {
	ctx, ref := r.Context(), r.PathValue("ref")
	version, err := p.Service.Task(ctx, ref)
	if err != nil {
		return content{}, err
	}
	data := &taskData{Version: version, Source: newSource(version.Task, nil), Policies: policiesOf(version.Task)}
	if data.Source != nil {
		data.Source.cut()
	}
	if data.Versions, err = p.Service.Versions(ctx, version.Name); err != nil {
		return content{}, err
	}
	kept, err := p.Service.Retention(ctx)
	if err != nil {
		return content{}, err
	}
	data.Policies = append(data.Policies, fact{Name: "Runs are kept", Text: keptWords(kept.OfRuns(version.Name))})
	list, err := p.Service.Runs(ctx, api.RunQuery{Task: version.Name, Limit: 10})
	if err != nil {
		return content{}, err
	}
	for _, run := range list.Runs {
		data.Runs = append(data.Runs, p.row(run))
	}
	if data.Before = r.URL.Query().Get("before"); data.Before != "" {
		before, err := p.Service.Task(ctx, version.Name+"@"+data.Before)
		if err != nil {
			return content{}, err
		}
		data.Diff = compareLines(before.Task.Code, version.Task.Code)
		data.Rest = compareLines(besidesCode(before.Task), besidesCode(version.Task))
	}
	return content{Template: "task", Title: version.Name, Nav: "tasks", Data: data}, nil
}

// besidesCode writes what a task has but its code, a line each.
func besidesCode(t *api.Task) string {
	rest := *t
	rest.Code = ""
	text, err := json.MarshalIndent(rest, "", "  ")
	if err != nil {
		return ""
	}
	return string(text)
}

// policiesOf says under what a task runs.
func policiesOf(t *api.Task) []fact {
	var facts []fact
	add := func(name, text string) {
		if text != "" {
			facts = append(facts, fact{Name: name, Text: text})
		}
	}
	add("Image", strings.Join(append([]string{t.Image.Ref}, t.Image.Packages...), " "))
	add("Network", networkText(t.Network))
	for _, s := range t.Secrets {
		add("Secret", s.Name)
	}
	if t.Timeout > 0 {
		add("Time limit", took(t.Timeout))
	}
	if t.Retries > 0 {
		add("Retries", strconv.Itoa(t.Retries))
	}
	add("Cache", string(t.Cache))
	if t.KindOf() == api.KindSandbox {
		r := t.Resources.WithDefaults()
		add("Limits", processors(r.CPU)+", "+size(r.Memory)+" of memory, "+size(r.Disk)+" of disk")
	}
	if t.Orchestrator != nil {
		var tools []string
		for _, tool := range t.Orchestrator.Tools {
			tools = append(tools, tool.Name)
		}
		add("Tools", strings.Join(tools, ", "))
	}
	return facts
}

func processors(n float64) string {
	if n == 1 {
		return "1 processor"
	}
	return strconv.FormatFloat(n, 'g', -1, 64) + " processors"
}

func networkText(n api.Network) string {
	switch {
	case n.Public:
		return "everything public"
	case len(n.Allow) > 0:
		return strings.Join(n.Allow, ", ")
	}
	return "none"
}

func (p *Page) rollback(r *http.Request) (string, content, error) {
	version, err := strconv.Atoi(r.PostForm.Get("version"))
	if err != nil {
		return "", content{}, api.Errorf(api.RequestInvalid, "the form names no version").WithDetails(api.Details{Field: "version", Got: r.PostForm.Get("version"), Expected: "a number"})
	}
	name, _, _ := strings.Cut(r.PathValue("ref"), "@")
	if _, err := p.Service.Rollback(r.Context(), name, version); err != nil {
		return "", content{}, err
	}
	return "../" + name, content{}, nil
}
