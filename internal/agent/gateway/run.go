package gateway

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/model"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
)

// Runs starts runs and waits for them.
type Runs interface {
	Submit(ctx context.Context, s api.Submission) (*api.Run, error)
	Wait(ctx context.Context, id string) (*api.Result, error)
}

// OfRun has each question be a run below that of the cell. An attempt that is made
// again gets what an earlier one was answered to an equal question.
func OfRun(runs Runs, models *model.Runner, run string) Ask {
	return func(ctx context.Context, m api.Model, q api.ModelRaw, x *model.Exchange) (api.ModelAnswer, error) {
		inputs, err := question.Inputs(api.ModelRequest{Raw: &q})
		if err != nil {
			return api.ModelAnswer{}, api.Errorf(api.Internal, "the question to the model: %w", err)
		}
		task := &api.Task{Name: "model", Kind: api.KindModel, Model: &m, Signature: api.ModelSignature()}
		defer models.Expect(run, q, x)()
		asked, err := runs.Submit(ctx, api.Submission{Task: task, Parent: run, Inputs: inputs})
		if err != nil {
			return api.ModelAnswer{}, err
		}
		result, err := runs.Wait(ctx, asked.ID)
		if err != nil {
			return api.ModelAnswer{}, err
		}
		return question.Answer(result.Outputs[0].Value)
	}
}

// OfSession has each question asked without a run: a session keeps no record of what
// is done in it.
func OfSession(models *model.Runner) Ask {
	return func(ctx context.Context, m api.Model, q api.ModelRaw, x *model.Exchange) (api.ModelAnswer, error) {
		return models.Forward(ctx, &m, q, x)
	}
}
