// Package callertest has a caller for tests of programs that make calls: agents and
// the generation of code. Functions of the test carry calls out, and what one
// attempt was answered can be given to another, as after a crash.
package callertest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/value"
)

// ErrKilled is what an attempt that is stopped gets in place of an answer.
var ErrKilled = errors.New("killed")

// Caller is an api.Caller. It carries a call out when it is started, unless an
// attempt before did, and answers in the order of the calls.
type Caller struct {
	Do   func(api.Call) (any, error)
	Asks func(api.Call) api.ModelUsage // what it asked of models; nil is nothing
	Took time.Duration                 // by each call; zero is a millisecond
	Stop int                           // answers after which it is killed; 0 is never

	Earlier  []api.Answer // of the attempt before, which are given again
	Queue    []api.Answer // that nothing has asked for yet
	Answers  []api.Answer // that were given
	Made     []string     // what was carried out, in the words of the test
	Canceled []uint64
}

// Snapshot, Restart, Seed and Save are of callers that keep states.
func (c *Caller) Snapshot() []byte { return nil }
func (c *Caller) Restart()         {}
func (c *Caller) Seed() []byte     { return nil }
func (c *Caller) Save([]byte)      {}

// Cancel implements api.Caller.
func (c *Caller) Cancel(call uint64) { c.Canceled = append(c.Canceled, call) }

// Began implements api.Caller.
func (c *Caller) Began() time.Time { return time.Unix(1_700_000_000, 0) }

// Start implements api.Caller.
func (c *Caller) Start(_ context.Context, call api.Call) error {
	for _, a := range slices.Concat(c.Earlier, c.Queue) {
		if a.ID == call.ID {
			return nil
		}
	}
	took := c.Took
	if took == 0 {
		took = time.Millisecond
	}
	a := api.Answer{ID: call.ID, Time: c.Began().Add(time.Duration(call.ID) * took)}
	var err error
	if a.Value, err = c.Do(call); err != nil {
		a.Err = api.AsError(err)
	}
	if c.Asks != nil {
		a.Models = c.Asks(call)
	}
	c.Queue = append(c.Queue, a)
	return nil
}

// Next implements api.Caller.
func (c *Caller) Next(_ context.Context, wake time.Time) (api.Answer, error) {
	if c.Stop > 0 && len(c.Answers) == c.Stop {
		return api.Answer{}, ErrKilled
	}
	var a api.Answer
	switch {
	case len(c.Earlier) > 0:
		a, c.Earlier = c.Earlier[0], c.Earlier[1:]
	case len(c.Queue) > 0 && (wake.IsZero() || !c.Queue[0].Time.After(wake)):
		a, c.Queue = c.Queue[0], c.Queue[1:]
	case !wake.IsZero():
		a = api.Answer{Time: wake}
	default:
		return a, errors.New("nothing is under way")
	}
	c.Answers = append(c.Answers, a)
	return a, nil
}

// Model makes what carries out calls of a model from what answers its questions.
func Model(answer func(api.ModelRequest) (api.ModelAnswer, error)) func(map[string]any) (any, error) {
	signature := api.ModelSignature()
	return func(inputs map[string]any) (any, error) {
		var r api.ModelRequest
		if err := question.FromValue(signature.Inputs[0].Type, inputs["request"], &r); err != nil {
			return nil, err
		}
		a, err := answer(r)
		if err != nil {
			return nil, err
		}
		return question.AsValue(signature.Outputs[0].Type, a)
	}
}

// Param is a parameter of a type in words, such as list[int].
func Param(name, typ string) value.Param {
	t, err := value.ParseType(typ)
	if err != nil {
		panic(err) // only what a test wrote
	}
	return value.Param{Name: name, Type: t}
}
