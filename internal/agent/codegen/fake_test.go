package codegen

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/callertest"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/value"
)

// fake is a Caller. Its model answers what fits a question first, and its cells are
// functions. Made has the names of the calls that were carried out.
type fake struct {
	callertest.Caller
	model []turn
	cells map[string]func(task *api.Task, inputs map[string]any) (any, error)
	tasks []*api.Task
	asked []api.ModelRequest
}

// turn answers one question that has some words in it.
type turn struct {
	words  string
	answer any // is sent as JSON, unless it is a string
	used   bool
}

func (f *fake) Start(ctx context.Context, c api.Call) error {
	f.Do = f.carryOut
	return f.Caller.Start(ctx, c)
}

func (f *fake) carryOut(c api.Call) (any, error) {
	if c.Task == nil {
		f.Made = append(f.Made, c.Tool)
		return callertest.Model(f.ask)(c.Inputs)
	}
	f.Made = append(f.Made, c.Task.Name)
	f.tasks = append(f.tasks, c.Task)
	return f.cells[c.Task.Name](c.Task, c.Inputs)
}

func (f *fake) ask(r api.ModelRequest) (api.ModelAnswer, error) {
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
				return api.ModelAnswer{}, err
			}
			text = string(encoded)
		}
		return api.ModelAnswer{Text: text, Stop: api.StopEnd, Usage: api.ModelUsage{Input: 100, Output: 10, Cost: 0.01}}, nil
	}
	return api.ModelAnswer{}, api.Errorf(api.ModelUnavailable, "the script has no turn for %q", last)
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

func task(samples ...string) *api.Task {
	t := &api.Task{Name: "codegen", Kind: api.KindCodegen, Signature: api.CodegenSignature(samples...), Codegen: &api.Codegen{
		Model:  api.Task{Name: "model", Kind: api.KindModel, Model: &api.Model{Protocol: api.ProtocolOpenAI, Name: "m", Price: api.ModelPrice{Input: 1}}, Signature: api.ModelSignature()},
		Script: api.Task{Name: "script", Signature: api.Signature{Inputs: []value.Param{callertest.Param("x", "int")}, Outputs: []value.Param{callertest.Param("total", "float")}}},
	}}
	for _, name := range samples {
		t.Codegen.Script.Signature.Inputs = append(t.Codegen.Script.Signature.Inputs, callertest.Param(name, "File"))
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
