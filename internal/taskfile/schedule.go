package taskfile

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

// schedules reads what starts tasks by time.
func (r *reader) schedules(n node, tasks []api.Task) []api.ScheduleSpec {
	if n == nil || r.Err != nil {
		return nil
	}
	var list []api.ScheduleSpec
	for _, p := range r.Pairs(n, "schedules") {
		r.checkName(p.At, p.Key)
		list = append(list, r.schedule(p, tasks))
	}
	return list
}

func (r *reader) schedule(p yamlfile.Pair, tasks []api.Task) api.ScheduleSpec {
	s := api.ScheduleSpec{Name: p.Key}
	var inputs node
	r.Object(p.Value, "schedule "+p.Key, yamlfile.Fields{
		"task":       func(n node) { s.Task = r.Str(n) },
		"cron":       func(n node) { s.Cron = r.Str(n) },
		"zone":       func(n node) { s.Zone = r.Str(n) },
		"inputs":     func(n node) { inputs = n },
		"time_input": func(n node) { s.TimeInput = r.Str(n) },
		"catch_up": func(n node) {
			s.CatchUp = api.CatchUp(r.oneOf(n, string(api.CatchUpSkip), string(api.CatchUpLast), string(api.CatchUpAll)))
		},
		"max_catch_up": func(n node) { s.MaxCatchUp = r.limit(n) },
		"overlap": func(n node) {
			s.Overlap = api.Overlap(r.oneOf(n, string(api.OverlapSkip), string(api.OverlapAllow), string(api.OverlapCancel)))
		},
		"paused": func(n node) { s.Paused = r.boolean(n) },
		"end":    func(n node) { s.End = r.moment(n) },
	})
	if r.Err == nil && (s.Task == "" || s.Cron == "") {
		r.Fail(p.At, "schedule %s needs task and cron", p.Key).WithHint(`such as: {task: report, cron: "0 6 * * 1-5", zone: Europe/Berlin}`)
	}
	s.Inputs = r.constants(inputs, s.Task, tasks)
	return s
}

// moment reads a time with its offset from UTC.
func (r *reader) moment(n node) time.Time {
	text := r.Word(n)
	if r.Err != nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		r.Fail(n, "expected a time such as 2027-01-31T18:00:00Z, got %s", value.Quote(text))
	}
	return t
}

// constants reads inputs of a task, which may be in the file or deployed already,
// as JSON.
func (r *reader) constants(n node, task string, tasks []api.Task) json.RawMessage {
	if n == nil || r.Err != nil {
		return nil
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range r.Pairs(n, "inputs") {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(jsonText(p.Key))
		b.WriteByte(':')
		b.Write(r.json(p.Value, typeOfInput(p.Key, task, tasks)))
	}
	b.WriteByte('}')
	if r.Err != nil {
		return nil
	}
	return json.RawMessage(b.String())
}

// typeOfInput is the type of an input of a task in the file; any, if it is not in
// it.
func typeOfInput(name, task string, tasks []api.Task) value.Type {
	for _, t := range tasks {
		if i := slices.IndexFunc(t.Signature.Inputs, func(p value.Param) bool { return p.Name == name }); t.Name == task && i >= 0 {
			return t.Signature.Inputs[i].Type
		}
	}
	return value.Type{Kind: value.KindAny}
}

// deployedSchedules are the schedules of a file under the names that a deployment
// gives them and their tasks.
func (f *File) deployedSchedules() []api.ScheduleSpec {
	list := slices.Clone(f.Schedules)
	for i := range list {
		list[i].Name, list[i].Task = f.deployedName(list[i].Name), f.deployedTask(list[i].Task)
	}
	return list
}

// deployedName is what a name of the file becomes.
func (f *File) deployedName(name string) string {
	if f.Name == "" {
		return name
	}
	return f.Name + "." + name
}

// deployedTask is the same of the name of a task, unless that is not in the file.
func (f *File) deployedTask(name string) string {
	if slices.ContainsFunc(f.Tasks, func(t api.Task) bool { return t.Name == name }) {
		return f.deployedName(name)
	}
	return name
}
