package page

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// startData is a form that starts a run.
type startData struct {
	Task   *api.Task
	Ref    string // of a deployed task; empty to repeat a run
	RunID  string // of the run that is repeated
	Fields []input
	Code   string // that can be changed; empty where it cannot
	Labels string // a line each
	Fresh  bool
	Error  *api.Error
	Checks []api.Problem
	Files  bool  // it takes some
	Max    int64 // bytes of a file that is sent by itself
	Change bool  // a button changed the form, and nothing was sent
}

func (p *Page) startForm(r *http.Request) (content, error) {
	version, err := p.Service.Task(r.Context(), r.PathValue("ref"))
	if err != nil {
		return content{}, err
	}
	return p.startContent(&startData{Task: version.Task, Ref: r.PathValue("ref"), Fields: inputsOf(version.Signature.Inputs, nil)}), nil
}

func (p *Page) startContent(d *startData) content {
	title := "Start " + d.Ref
	if d.RunID != "" {
		title = "Run again: " + visible(cmp.Or(d.Task.Name, string(d.Task.KindOf())))
	}
	d.Max = p.MaxUpload
	d.Files = slices.ContainsFunc(d.Task.Signature.Inputs, func(p value.Param) bool { return p.Type.Files() })
	c := content{Template: "start", Title: title, Scripts: []string{"start.js"}, Styles: []string{"start.css"}, Nav: map[bool]string{true: "runs", false: "tasks"}[d.RunID != ""], Data: d}
	if d.Change {
		c.Status = http.StatusOK
	}
	if d.Code != "" {
		c.Scripts = append(c.Scripts, "editor.js")
	}
	return c
}

// start starts a deployed task.
func (p *Page) start(r *http.Request) (string, content, error) {
	version, err := p.Service.Task(r.Context(), r.PathValue("ref"))
	if err != nil {
		return "", content{}, err
	}
	inputs, fields, ok := readInputs(r.PostForm, version.Signature.Inputs)
	data := &startData{Task: version.Task, Ref: r.PathValue("ref"), Fields: fields, Labels: newlines(r.PostForm.Get("labels")), Fresh: r.PostForm.Get("fresh") != "", Change: r.PostForm.Get("do") != ""}
	if !ok {
		return "", p.startContent(data), nil
	}
	labels, err := api.ParseLabels("labels", given(strings.Split(data.Labels, "\n")))
	if err != nil {
		return p.refused(data, err)
	}
	submission := api.Submission{Name: r.PathValue("ref"), Inputs: inputs.Map(), Labels: labels, IdempotencyKey: r.PostForm.Get("key")}
	if data.Fresh {
		submission.Cache = api.CacheDisable
	}
	run, err := p.Service.Submit(r.Context(), submission)
	if err != nil {
		return p.refused(data, err)
	}
	return "../../runs/" + run.ID, content{}, nil
}

// refused shows a form again with what the engine said of it.
func (p *Page) refused(data *startData, err error) (string, content, error) {
	var e *api.Error
	if !errors.As(err, &e) || e.Code == api.Internal {
		return "", content{}, err
	}
	data.Error, data.Checks = e, e.Details.Problems
	for i := range data.Fields {
		if data.Fields[i].Label == e.Details.Field {
			data.Fields[i].Problem = e.Message
		}
	}
	return "", p.startContent(data), nil
}

// again makes the form that repeats a run, and reads the inputs that it had.
func (p *Page) again(r *http.Request) (*startData, error) {
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	task, err := p.Service.RunTask(r.Context(), run.ID)
	if err != nil {
		return nil, err
	}
	var earlier map[string]json.RawMessage
	if len(run.Inputs) > 0 {
		if err := json.Unmarshal(run.Inputs, &earlier); err != nil {
			return nil, err
		}
	}
	return &startData{Task: task, RunID: run.ID, Code: task.Code, Fields: inputsOf(task.Signature.Inputs, earlier)}, nil
}

func (p *Page) rerunForm(r *http.Request) (content, error) {
	data, err := p.again(r)
	if err != nil {
		return content{}, err
	}
	return p.startContent(data), nil
}

// rerun repeats a run, with other inputs or other code where the form has them.
func (p *Page) rerun(r *http.Request) (string, content, error) {
	data, err := p.again(r)
	if err != nil {
		return "", content{}, err
	}
	inputs, fields, ok := readInputs(r.PostForm, data.Task.Signature.Inputs)
	data.Fields, data.Fresh, data.Change = fields, r.PostForm.Get("fresh") != "", r.PostForm.Get("do") != ""
	if !ok {
		data.Code = cmp.Or(newlines(r.PostForm.Get("code")), data.Code)
		return "", p.startContent(data), nil
	}
	o := api.RerunOptions{Inputs: inputs.Map(), Fresh: data.Fresh, SkipCheck: r.PostForm.Get("skip-check") != ""}
	if code := newlines(r.PostForm.Get("code")); data.Code != "" && strings.TrimRight(code, "\n") != strings.TrimRight(data.Code, "\n") {
		o.Code, data.Code = code, code
	}
	run, err := p.Service.Rerun(r.Context(), data.RunID, o)
	if err != nil {
		return p.refused(data, err)
	}
	return "../" + run.ID, content{}, nil
}

// newlines undoes what browsers do to the ends of lines in a form.
func newlines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// check finds what would fail in code that somebody writes in the form of a run.
func (p *Page) check(w http.ResponseWriter, r *http.Request) error {
	if err := p.readForm(w, r); err != nil {
		return err
	}
	task, err := p.Service.RunTask(r.Context(), r.PostForm.Get("run"))
	if err != nil {
		return err
	}
	changed := *task
	changed.Code = newlines(r.PostForm.Get("code"))
	problems := []api.Problem{}
	if task.KindOf() == api.KindOrchestrator {
		if problems, err = p.Service.Check(r.Context(), &changed); err != nil {
			problems = []api.Problem{{Level: "error", Message: message(err)}}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(problems)
}
