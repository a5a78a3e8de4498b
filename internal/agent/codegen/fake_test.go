package codegen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/value"
)

var errKilled = errors.New("killed")

// fake is a Caller. Its model answers what fits a question first, and its cells are
// functions. It keeps the calls that were carried out, and gives the answers of an
// earlier one again.
type fake struct {
	model []turn
	cells map[string]func(task *api.Task, inputs map[string]any) (any, error)

	earlier, answers, queue []api.Answer
	made                    []string // names of calls that were carried out
	tasks                   []*api.Task
	asked                   []api.ModelRequest
	canceled                []uint64
	stop                    int           // answers after which it fails; 0 is never
	took                    time.Duration // by each call
}

// turn answers one question that has some words in it.
type turn struct {
	words  string
	answer any // is sent as JSON, unless it is a string
	used   bool
}

func (f *fake) Snapshot() []byte   { return nil }
func (f *fake) Restart()           {}
func (f *fake) Cancel(call uint64) { f.canceled = append(f.canceled, call) }
func (f *fake) Began() time.Time   { return time.Unix(1_700_000_000, 0) }
func (f *fake) Seed() []byte       { return nil }
func (f *fake) Save([]byte)        {}

func (f *fake) Start(_ context.Context, c api.Call) error {
	for _, a := range slices.Concat(f.earlier, f.queue) {
		if a.ID == c.ID {
			return nil
		}
	}
	name, run := c.Tool, f.ask
	if c.Task != nil {
		name = c.Task.Name
		f.tasks = append(f.tasks, c.Task)
		run = func(inputs map[string]any) (any, error) { return f.cells[name](c.Task, inputs) }
	}
	f.made = append(f.made, name)
	a := api.Answer{ID: c.ID, Time: f.Began().Add(time.Duration(c.ID) * f.took)}
	var err error
	if a.Value, err = run(c.Inputs); err != nil {
		a.Err = api.AsError(err)
	}
	f.queue = append(f.queue, a)
	return nil
}

func (f *fake) Next(_ context.Context, wake time.Time) (api.Answer, error) {
	if f.stop > 0 && len(f.answers) == f.stop {
		return api.Answer{}, errKilled
	}
	var a api.Answer
	switch {
	case len(f.earlier) > 0:
		a, f.earlier = f.earlier[0], f.earlier[1:]
	case len(f.queue) > 0 && !wake.IsZero() && f.queue[0].Time.After(wake):
		a = api.Answer{Time: wake}
	case len(f.queue) > 0:
		a, f.queue = f.queue[0], f.queue[1:]
	default:
		return a, errors.New("nothing is under way")
	}
	f.answers = append(f.answers, a)
	return a, nil
}

func (f *fake) ask(inputs map[string]any) (any, error) {
	var r api.ModelRequest
	if err := question.FromValue(api.ModelSignature().Inputs[0].Type, inputs["request"], &r); err != nil {
		return nil, err
	}
	f.asked = append(f.asked, r)
	last := r.Messages[len(r.Messages)-1].Text
	for i := range f.model {
		t := &f.model[i]
		if t.used || !strings.Contains(last, t.words) {
			continue
		}
		t.used = true
		text, isText := t.answer.(string)
		if !isText {
			encoded, err := json.Marshal(t.answer)
			if err != nil {
				return nil, err
			}
			text = string(encoded)
		}
		return question.AsValue(api.ModelSignature().Outputs[0].Type, api.ModelAnswer{Text: text, Stop: api.StopEnd, Usage: api.ModelUsage{Input: 100, Output: 10, Cost: 0.01}})
	}
	return nil, api.Errorf(api.ModelUnavailable, "the script has no turn for %q", last)
}

// heard are the last messages of the questions that have these words.
func (f *fake) heard(words string) (found []string) {
	for _, r := range f.asked {
		if last := r.Messages[len(r.Messages)-1].Text; strings.Contains(last, words) {
			found = append(found, last)
		}
	}
	return found
}

type o = map[string]any

// beginning is what a model says at the beginning of every generation.
func beginning(code, tests string) []turn {
	return []turn{
		{words: "Plan the script", answer: o{"description": "adds", "approach": "by adding"}},
		{words: "Write the script", answer: o{"language": "Python", "code": code, "system_packages": []string{}}},
		{words: "Write tests", answer: o{"test_code": tests}},
	}
}

func diagnosed(kind string, packages ...string) turn {
	return turn{words: "Say of each test", answer: o{
		"failures":              []o{{"test_name": "test_add", "error_message": "assert 1 == 2", "expected_behavior": "2", "actual_behavior": "1", "root_cause": "it adds nothing", "suggested_fix": "add", "error_type": kind}},
		"needs_system_packages": []string{}, "needs_language_packages": packages,
	}}
}

func corrected(code string) turn {
	return turn{words: "Correct the script", answer: o{"language": "python", "code": code, "system_packages": []string{}}}
}

// judge makes the outcomes of runs of tests: by the text of a script, how each test
// ends.
func judge(scripts map[string]map[string]string) func(*api.Task, map[string]any) (any, error) {
	return func(_ *api.Task, inputs map[string]any) (any, error) {
		ended := scripts[strings.TrimSpace(inputs["solution"].(string))]
		status := 0
		for _, how := range ended {
			if how != "passed" && how != "skipped" {
				status = 1
			}
		}
		text, err := json.Marshal(o{"exit": status, "ended": ended, "output": fmt.Sprint("the tests ended: ", ended)})
		return string(text), err
	}
}

func noneMissing(*api.Task, map[string]any) (any, error) { return "[]", nil }

type anySandbox struct{}

func (anySandbox) Validate(*api.Task) error { return nil }

func param(name, typ string) value.Param {
	t, err := value.ParseType(typ)
	if err != nil {
		panic(err)
	}
	return value.Param{Name: name, Type: t}
}

func task(samples ...string) *api.Task {
	t := &api.Task{Name: "codegen", Kind: api.KindCodegen, Signature: api.CodegenSignature(samples...), Codegen: &api.Codegen{
		Model:  api.Task{Name: "model", Kind: api.KindModel, Model: &api.Model{Protocol: api.ProtocolOpenAI, Name: "m", Price: api.ModelPrice{Input: 1}}, Signature: api.ModelSignature()},
		Script: api.Task{Name: "script", Signature: api.Signature{Inputs: []value.Param{param("x", "int")}, Outputs: []value.Param{param("total", "float")}}},
	}}
	for _, name := range samples {
		t.Codegen.Script.Signature.Inputs = append(t.Codegen.Script.Signature.Inputs, param(name, "File"))
	}
	return t
}

// attempt validates a task and makes an attempt of it.
func attempt(t *testing.T, task *api.Task, f *fake) (*api.CodegenResult, error) {
	t.Helper()
	r := New(Config{Sandboxes: anySandbox{}})
	if err := r.Validate(task); err != nil {
		t.Fatal(err)
	}
	inputs := map[string]any{"prompt": "Add."}
	for _, p := range task.Signature.Inputs[1:] {
		inputs[p.Name] = value.File{Path: "/x/" + p.Name + ".csv", SHA256: strings.Repeat("a", 64)}
	}
	fields, err := value.Check(task.Signature.Inputs, inputs)
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Run(t.Context(), "run", &api.Request{Task: task, Inputs: fields, Caller: f})
	if err != nil {
		return nil, err
	}
	var made api.CodegenResult
	if err := question.FromValue(result.Outputs[0].Type, result.Outputs[0].Value, &made); err != nil {
		t.Fatal(err)
	}
	if result.NotKept == made.Success {
		t.Errorf("success is %t and not kept %t", made.Success, result.NotKept)
	}
	return &made, nil
}

// generates is attempt that must end without an error.
func generates(t *testing.T, task *api.Task, f *fake) *api.CodegenResult {
	t.Helper()
	made, err := attempt(t, task, f)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
