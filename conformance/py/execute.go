package main

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// limits are wide: the suites look at what is computed, not at what is refused.
var limits = py.Limits{Memory: 256 << 20, Time: 10 * time.Second, Output: 16 << 20}

// end is how a program ended.
type end struct {
	output  string
	class   string // of the exception, without its module; "" if there was none
	message string
	refused bool // before it ran
}

// describe is the end in one line.
func (e end) describe() string {
	if e.class == "" {
		return "ended without an exception"
	}
	line, _, _ := strings.Cut(e.message, "\n")
	return e.class + ": " + value.Shorten(line, 160)
}

// execute runs a program with the tools that Monty's tests use.
func execute(source string) end {
	program, err := py.Compile(source, py.Options{Name: "main.py", Dialect: py.Extended, Tools: montyTools()})
	if err != nil {
		return notCompiled(err)
	}
	state, err := program.Start(context.Background(), nil, py.RunOptions{Limits: limits, Host: worldly()})
	if err != nil {
		return end{class: "internal", message: err.Error()}
	}
	for state.Status() == py.Waiting {
		if err := answerAll(state); err != nil {
			return end{class: "internal", message: err.Error()}
		}
	}
	e := end{output: state.Output()}
	if state.Status() == py.Failed {
		_, err := state.Result()
		e.class, e.message = classOf(err)
	}
	return e
}

func notCompiled(err error) end {
	var source *py.SourceError
	if !errors.As(err, &source) {
		return end{class: "internal", message: err.Error()}
	}
	p := source.Problems[0]
	if p.Code == "syntax_error" {
		return end{class: p.Construct, message: p.Message}
	}
	return end{class: "refused", message: p.Message, refused: true}
}

func classOf(err error) (class, message string) {
	var exception *py.Exception
	var limit *py.LimitError
	switch {
	case errors.As(err, &exception):
		return exception.Class[strings.LastIndexByte(exception.Class, '.')+1:], exception.Message
	case errors.As(err, &limit):
		return "limit", limit.Error()
	}
	return "internal", err.Error()
}

// worldly is a host that grants what tests take for granted.
func worldly() py.Host {
	return py.Host{Clock: time.Now, Entropy: func(b []byte) error {
		_, err := rand.Read(b)
		return err
	}}
}

func answerAll(s *py.State) error {
	var results []py.Result
	for _, c := range s.Calls() {
		results = append(results, montyAnswer(c))
	}
	return s.Resume(context.Background(), results...)
}
