package page

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
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
	Fresh  bool
	Error  *api.Error
	Checks []api.Problem
}

// input is a field of a form, by the type of the input.
type input struct {
	Name     string
	Type     string
	Widget   string // text, area, number, checkbox, date, datetime, time, none
	Value    string
	Choices  []string
	Required bool
	Fixed    bool // a file that the earlier run had, which stays
	Problem  string
	Step     string // of a number
}

// widgetOf says how the values of a type are written in a form.
func widgetOf(t value.Type) (widget, step string) {
	switch t.Kind {
	case value.KindInt:
		return "number", "1"
	case value.KindFloat:
		return "number", "any"
	case value.KindBool:
		return "bool", ""
	case value.KindDate:
		return "date", ""
	case value.KindStr, value.KindDecimal, value.KindUUID, value.KindTimedelta, value.KindDateTime, value.KindTime:
		return "text", ""
	case value.KindFile, value.KindDir, value.KindDataFrame:
		return "file", ""
	}
	return "json", ""
}

// inputsOf makes the fields of a form; given are values as the form shows them.
func inputsOf(params []value.Param, given map[string]json.RawMessage) []input {
	var fields []input
	for _, param := range params {
		inner, optional := param.Type.Optional()
		t := param.Type
		if optional {
			t = inner
		}
		in := input{Name: param.Name, Type: param.Type.String(), Required: param.Default == nil && !optional}
		in.Widget, in.Step = widgetOf(t)
		raw, ok := given[param.Name]
		if !ok {
			raw = param.Default
		}
		in.Value = fieldText(t, raw)
		if t.Kind == value.KindStr && (strings.ContainsRune(in.Value, '\n') || len(in.Value) > 80) {
			in.Widget = "area"
		}
		if in.Widget == "file" && raw != nil {
			in.Fixed = true
		}
		fields = append(fields, in)
	}
	return fields
}

// fieldText writes a value as a field of a form has it.
func fieldText(t value.Type, raw json.RawMessage) string {
	if raw == nil || string(raw) == "null" {
		return ""
	}
	var s string
	if t.Kind != value.KindAny && t.Kind != value.KindUnion && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// readInputs reads the fields of a form, and says of each what is wrong with it.
func readInputs(r *http.Request, params []value.Param, fields []input, earlier map[string]json.RawMessage) (value.Fields, bool) {
	var parts []value.Fields
	ok := true
	for i, param := range params {
		f := &fields[i]
		text := r.PostForm.Get("in-" + param.Name)
		f.Value = text
		raw, given := formValue(param, f, text, earlier)
		if !given {
			if f.Required {
				f.Problem, ok = "a value is needed", false
			}
			continue
		}
		part, err := value.Decode("input", []value.Param{param}, object(param.Name, raw))
		if err != nil {
			f.Problem, ok = problemOf(err), false
			continue
		}
		parts = append(parts, part)
	}
	return value.Merge(parts...), ok
}

func object(name string, raw json.RawMessage) []byte {
	quoted, _ := json.Marshal(name) // a string always can be
	return append(append(append([]byte{'{'}, quoted...), ':'), append(raw, '}')...)
}

// formValue returns the JSON of a field, or that there is none.
func formValue(param value.Param, f *input, text string, earlier map[string]json.RawMessage) (json.RawMessage, bool) {
	inner, optional := param.Type.Optional()
	t := param.Type
	if optional {
		t = inner
	}
	switch f.Widget {
	case "file":
		raw, ok := earlier[param.Name]
		return raw, ok
	case "bool":
		if text == "" {
			return nil, false
		}
		return json.RawMessage(map[bool]string{true: "true", false: "false"}[text == "true"]), true
	case "json", "number":
		text = strings.TrimSpace(text)
		return json.RawMessage(text), text != ""
	}
	if text == "" && (optional || t.Kind != value.KindStr) {
		return nil, false
	}
	quoted, err := json.Marshal(text)
	return quoted, err == nil
}

func problemOf(err error) string {
	e := api.AsError(err)
	words := e.Message
	if e.Hint != "" {
		words += "; " + e.Hint
	}
	return words
}

func (p *Page) startForm(r *http.Request) (content, error) {
	version, err := p.Service.Task(r.Context(), r.PathValue("ref"))
	if err != nil {
		return content{}, err
	}
	return startContent(&startData{Task: version.Task, Ref: r.PathValue("ref"), Fields: inputsOf(version.Signature.Inputs, nil)}), nil
}

func startContent(d *startData) content {
	title := "Start " + d.Ref
	if d.RunID != "" {
		title = "Run again: " + visible(cmp.Or(d.Task.Name, string(d.Task.KindOf())))
	}
	return content{Template: "start", Title: title, Nav: map[bool]string{true: "runs", false: "tasks"}[d.RunID != ""], Data: d}
}

// start starts a deployed task.
func (p *Page) start(r *http.Request) (string, content, error) {
	version, err := p.Service.Task(r.Context(), r.PathValue("ref"))
	if err != nil {
		return "", content{}, err
	}
	data := &startData{Task: version.Task, Ref: r.PathValue("ref"), Fields: inputsOf(version.Signature.Inputs, nil), Fresh: r.PostForm.Get("fresh") != ""}
	inputs, ok := readInputs(r, version.Signature.Inputs, data.Fields, nil)
	if !ok {
		return "", startContent(data), nil
	}
	submission := api.Submission{Name: r.PathValue("ref"), Inputs: inputs.Map(), IdempotencyKey: r.PostForm.Get("key")}
	if data.Fresh {
		submission.Cache = api.CacheDisable
	}
	run, err := p.Service.Submit(r.Context(), submission)
	if err != nil {
		return refused(data, err)
	}
	return "../../runs/" + run.ID, content{}, nil
}

// refused shows a form again with what the engine said of it.
func refused(data *startData, err error) (string, content, error) {
	var e *api.Error
	if !errors.As(err, &e) || e.Code == api.Internal {
		return "", content{}, err
	}
	data.Error, data.Checks = e, e.Details.Problems
	for i := range data.Fields {
		if data.Fields[i].Name == e.Details.Field {
			data.Fields[i].Problem = e.Message
		}
	}
	return "", startContent(data), nil
}

// again makes the form that repeats a run, and reads the inputs that it had.
func (p *Page) again(r *http.Request) (data *startData, earlier map[string]json.RawMessage, err error) {
	run, err := p.Service.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, nil, err
	}
	task, err := p.Service.RunTask(r.Context(), run.ID)
	if err != nil {
		return nil, nil, err
	}
	if len(run.Inputs) > 0 {
		if err := json.Unmarshal(run.Inputs, &earlier); err != nil {
			return nil, nil, err
		}
	}
	return &startData{Task: task, RunID: run.ID, Code: task.Code, Fields: inputsOf(task.Signature.Inputs, earlier)}, earlier, nil
}

func (p *Page) rerunForm(r *http.Request) (content, error) {
	data, _, err := p.again(r)
	if err != nil {
		return content{}, err
	}
	return startContent(data), nil
}

// rerun repeats a run, with other inputs or other code where the form has them.
func (p *Page) rerun(r *http.Request) (string, content, error) {
	data, earlier, err := p.again(r)
	if err != nil {
		return "", content{}, err
	}
	inputs, ok := readInputs(r, data.Task.Signature.Inputs, data.Fields, earlier)
	data.Fresh = r.PostForm.Get("fresh") != ""
	if !ok {
		data.Code = r.PostForm.Get("code")
		return "", startContent(data), nil
	}
	o := api.RerunOptions{Inputs: inputs.Map(), Fresh: data.Fresh, SkipCheck: r.PostForm.Get("skip-check") != ""}
	if code := newlines(r.PostForm.Get("code")); data.Code != "" && strings.TrimRight(code, "\n") != strings.TrimRight(data.Code, "\n") {
		o.Code, data.Code = code, code
	}
	run, err := p.Service.Rerun(r.Context(), data.RunID, o)
	if err != nil {
		return refused(data, err)
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
