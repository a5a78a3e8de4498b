package model

import (
	"errors"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds of an answer.
const (
	maxAnswer = 16 << 20 // bytes of text and arguments together
	maxCalls  = 1000
	maxUsage  = 1 << 40 // tokens
)

// errGarbage is why an answer is none of its protocol.
var errGarbage = errors.New("it sent no answer of its protocol")

// answer collects an answer as it comes.
type answer struct {
	text   strings.Builder
	calls  []*call
	usage  api.ModelUsage
	stop   api.ModelStop // "" until the answer is complete
	size   int
	onText func(string)
}

// call is a call that the model asks for, whose arguments come bit by bit.
type call struct {
	index     int64 // as the provider counts
	id, name  string
	arguments strings.Builder
}

// write adds text.
func (a *answer) write(text string) error {
	if text == "" {
		return nil
	}
	if err := a.grow(len(text)); err != nil {
		return err
	}
	a.text.WriteString(text)
	a.onText(text)
	return nil
}

// begin adds a call.
func (a *answer) begin(index int64, id, name string) (*call, error) {
	if len(a.calls) == maxCalls {
		return nil, fmt.Errorf("%w: it asked for more than %d calls", errGarbage, maxCalls)
	}
	if id == "" {
		id = fmt.Sprintf("call_%d", len(a.calls)+1)
	}
	c := &call{index: index, id: id, name: name}
	a.calls = append(a.calls, c)
	return c, a.grow(len(id) + len(name))
}

// call returns the last call of that number, or nil.
func (a *answer) call(index int64) *call {
	for i := len(a.calls) - 1; i >= 0; i-- {
		if a.calls[i].index == index {
			return a.calls[i]
		}
	}
	return nil
}

// argue adds to the arguments of a call.
func (a *answer) argue(c *call, text string) error {
	c.arguments.WriteString(text)
	return a.grow(len(text))
}

func (a *answer) grow(n int) error {
	if a.size += n; a.size > maxAnswer {
		return tooLarge(maxAnswer)
	}
	return nil
}

// finish returns the answer, which must be complete.
func (a *answer) finish() (api.ModelAnswer, error) {
	if a.stop == "" {
		return api.ModelAnswer{}, fmt.Errorf("%w: it ended in the middle of one", errGarbage)
	}
	out := api.ModelAnswer{Text: a.text.String(), Stop: a.stop, Usage: sane(a.usage)}
	for _, c := range a.calls {
		out.Calls = append(out.Calls, api.ModelCall{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	switch {
	case a.stop == api.StopEnd && len(a.calls) > 0: // some servers say no more than that it ended
		out.Stop = api.StopCalls
	case a.stop == api.StopCalls && len(a.calls) == 0:
		out.Stop = api.StopEnd
	}
	return out, nil
}

// sane bounds what a provider says that it counted.
func sane(u api.ModelUsage) api.ModelUsage {
	input := within(u.Input, maxUsage)
	return api.ModelUsage{Input: input, CachedInput: within(u.CachedInput, input), Output: within(u.Output, maxUsage)}
}

func within(n, most int64) int64 { return min(max(n, 0), most) }
