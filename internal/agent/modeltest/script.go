package modeltest

import (
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// Script is what a server answers.
type Script struct {
	Key   string // that a question must bring; empty asks for none
	Turns []Turn
}

// Turn is one answer. A question gets the first turn that it matches and that
// was not used before.
type Turn struct {
	Match  string // is in the last message of the question; empty is in any
	Always bool   // can be used any number of times

	Text  string
	Calls []Call
	Stop  string // in the words of OpenAI: stop, length, tool_calls, content_filter; empty is what fits
	Usage *Usage // nil counts words

	Delay time.Duration // before the answer
	Pause time.Duration // between its pieces

	Status     int           // another than 200 makes it a failure
	Error      string        // the message of it; with status 200, in the middle of the answer
	RetryAfter time.Duration // what the failure asks for
	Header     map[string]string
	Body       string // is sent as it is, in place of an answer

	// Number is that of the question which it answers, set by the server: clients put
	// messages of one id together.
	Number int
}

// Call is a call of a tool that an answer asks for. Namespace is the group of the
// tool, where a client of responses has groups.
type Call struct{ ID, Name, Arguments, Namespace string }

// Usage counts tokens.
type Usage struct{ Input, Cached, Output int }

// Read reads a script from YAML, or JSON, which is YAML too:
//
//	key: the key that a question must bring
//	turns:
//	  - match: weather
//	    calls: [{name: weather, arguments: '{"city": "Paris"}'}]
//	  - text: It rains.
//	    usage: {input: 20, cached: 10, output: 3}
//	  - {status: 429, error: slow down, retry_after: 1s}
//
// The path is for messages.
func Read(path string, from io.Reader) (Script, error) {
	text, err := io.ReadAll(io.LimitReader(from, yamlfile.MaxSize+1))
	if err != nil {
		return Script{}, err
	}
	r := &reader{&yamlfile.Reader{Path: path, Text: text}}
	root, err := r.Tree()
	if err != nil {
		return Script{}, err
	}
	s := r.script(root)
	if r.Err != nil {
		return Script{}, r.Err
	}
	if len(s.Turns) == 0 {
		return Script{}, errors.New(path + ": there are no turns")
	}
	return s, nil
}

type node = yamlfile.Node

type reader struct{ *yamlfile.Reader }

func (r *reader) script(root node) (s Script) {
	r.Object(root, "a script", yamlfile.Fields{
		"key": func(n node) { s.Key = r.Str(n) },
		"turns": func(n node) {
			for _, item := range r.Items(n, "turns") {
				s.Turns = append(s.Turns, r.turn(item))
			}
		},
	})
	return s
}

func (r *reader) turn(n node) (t Turn) {
	r.Object(n, "a turn", yamlfile.Fields{
		"match":  func(n node) { t.Match = r.Str(n) },
		"always": func(n node) { t.Always = r.Word(n) == "true" },
		"text":   func(n node) { t.Text = r.Str(n) },
		"calls": func(n node) {
			for _, item := range r.Items(n, "calls") {
				t.Calls = append(t.Calls, r.call(item))
			}
		},
		"stop":        func(n node) { t.Stop = r.Str(n) },
		"usage":       func(n node) { t.Usage = r.usage(n) },
		"delay":       func(n node) { t.Delay = r.duration(n) },
		"pause":       func(n node) { t.Pause = r.duration(n) },
		"status":      func(n node) { t.Status = r.count(n) },
		"error":       func(n node) { t.Error = r.Str(n) },
		"retry_after": func(n node) { t.RetryAfter = r.duration(n) },
		"header":      func(n node) { t.Header = r.Strings(n, "header") },
		"body":        func(n node) { t.Body = r.Str(n) },
	})
	return t
}

func (r *reader) call(n node) (c Call) {
	c.Arguments = "{}"
	r.Object(n, "a call", yamlfile.Fields{
		"id":        func(n node) { c.ID = r.Str(n) },
		"name":      func(n node) { c.Name = r.Str(n) },
		"arguments": func(n node) { c.Arguments = r.Str(n) },
		"namespace": func(n node) { c.Namespace = r.Str(n) },
	})
	return c
}

func (r *reader) usage(n node) *Usage {
	u := &Usage{}
	r.Object(n, "usage", yamlfile.Fields{
		"input":  func(n node) { u.Input = r.count(n) },
		"cached": func(n node) { u.Cached = r.count(n) },
		"output": func(n node) { u.Output = r.count(n) },
	})
	return u
}

func (r *reader) count(n node) int {
	v, err := strconv.Atoi(r.Word(n))
	if r.Err == nil && (err != nil || v < 0) {
		_ = r.Fail(n, "expected a whole number, got %s", yamlfile.Describe(n))
	}
	return v
}

func (r *reader) duration(n node) time.Duration {
	d, err := time.ParseDuration(r.Word(n))
	if r.Err == nil && err != nil {
		_ = r.Fail(n, "expected a duration such as 500ms, got %s", yamlfile.Describe(n))
	}
	return d
}
