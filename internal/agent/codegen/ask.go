package codegen

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/value"
)

// maxTries bounds how often a question is asked whose answer is none.
const maxTries = 3

// asking is a question to the model, and where its answer goes.
type asking struct {
	text   string
	schema json.RawMessage
	into   any          // a pointer to what the schema describes
	check  func() error // what is wrong with the answer, in words for the model; nil checks nothing
	said   []api.ModelMessage
}

// ask asks questions at the same time, each again while its answer is none.
func (g *generation) ask(ctx context.Context, open ...*asking) error {
	for _, a := range open {
		a.said = []api.ModelMessage{{Role: api.RoleUser, Text: a.text}}
	}
	for try := 1; len(open) > 0; try++ {
		batch, err := g.questions(open)
		if err != nil {
			return err
		}
		if err := g.calls.all(ctx, batch...); err != nil {
			return err
		}
		var again []*asking
		for i, a := range open {
			problem, err := g.take(a, batch[i].answer)
			if err != nil {
				return err
			}
			if problem == "" {
				continue
			}
			if try == maxTries {
				return endedf("the model gave no answer of the form that was asked for, %d times: %s", maxTries, problem)
			}
			again = append(again, a)
		}
		open = again
	}
	return nil
}

// questions makes calls of the model, if the budget has them.
func (g *generation) questions(open []*asking) ([]*call, error) {
	if err := g.calls.spent.mayAsk(len(open)); err != nil {
		return nil, err
	}
	var batch []*call
	for _, a := range open {
		inputs, err := question.Inputs(api.ModelRequest{
			System: g.system, Messages: a.said, Schema: a.schema, MaxTokens: g.spec.MaxTokens, Temperature: g.spec.Temperature,
		})
		if err != nil {
			return nil, api.Errorf(api.Internal, "the question to the model: %w", err)
		}
		batch = append(batch, &call{tool: g.spec.Model.Name, inputs: inputs})
	}
	return batch, nil
}

// take reads an answer. A problem is for the model, which is asked again.
func (g *generation) take(a *asking, given api.Answer) (problem string, err error) {
	if given.Err != nil {
		return "", given.Err
	}
	answer, err := question.Answer(given.Value)
	if err != nil {
		return "", err
	}
	g.calls.spent.models = g.calls.spent.models.Add(answer.Usage)
	if answer.Stop == api.StopRefusal {
		return "", api.Errorf(api.ModelRefused, "the model will not answer: %s", value.Shorten(answer.Text, maxQuoted))
	}
	if problem = a.read(answer); problem != "" {
		a.said = append(a.said, api.ModelMessage{Role: api.RoleAssistant, Text: answer.Text},
			api.ModelMessage{Role: api.RoleUser, Text: "That answer cannot be used: " + problem + ". Answer again, with one JSON object of the schema and nothing else."})
	}
	return problem, nil
}

func (a *asking) read(answer api.ModelAnswer) (problem string) {
	if answer.Stop == api.StopLength {
		return "it was cut off; write less"
	}
	if err := json.Unmarshal([]byte(unfenced(answer.Text)), a.into); err != nil {
		return fmt.Sprintf("it is no JSON object of the schema (%s)", value.Shorten(err.Error(), 500))
	}
	if a.check == nil {
		return ""
	}
	if err := a.check(); err != nil {
		return err.Error()
	}
	return ""
}

// unfenced takes a text out of the fence of Markdown that models like to put around
// it.
func unfenced(text string) string {
	inner := strings.TrimSpace(text)
	if !strings.HasPrefix(inner, "```") || !strings.HasSuffix(inner, "```") {
		return text
	}
	_, rest, found := strings.Cut(inner, "\n")
	if !found {
		return text
	}
	return strings.TrimRight(rest, "`")
}
