package owner

import (
	"context"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
)

// Submit implements api.Runs.
func (g *Guard) Submit(ctx context.Context, s api.Submission) (*api.Run, error) {
	if err := Need(ctx, api.ScopeRun); err != nil {
		return nil, err
	}
	if s.Parent != "" {
		if err := g.run(ctx, api.ScopeRun, s.Parent); err != nil {
			return nil, err
		}
	}
	if err := g.submission(ctx, s.Task, s.Name); err != nil {
		return nil, err
	}
	if len(s.Notify) > 0 && !api.IdentityOf(ctx).May(api.ScopeAdmin) {
		return nil, ofHome("notify", "no secret of the home can sign notifications")
	}
	leave, err := g.enter(ctx, runsOf)
	if err != nil {
		return nil, err
	}
	defer leave()
	run, err := g.to.Submit(ctx, s)
	if err == nil {
		g.config.Note(ctx, "submit", run.ID)
	}
	return run, err
}

// Wait implements api.Runs.
func (g *Guard) Wait(ctx context.Context, id string) (*api.Result, error) {
	if err := g.run(ctx, api.ScopeRead, id); err != nil {
		return nil, err
	}
	return g.to.Wait(ctx, id)
}

// Run implements api.Runs.
func (g *Guard) Run(ctx context.Context, id string) (*api.Run, error) {
	if err := g.run(ctx, api.ScopeRead, id); err != nil {
		return nil, err
	}
	return g.to.Run(ctx, id)
}

// RunTask implements api.Runs.
func (g *Guard) RunTask(ctx context.Context, id string) (*api.Task, error) {
	if err := g.run(ctx, api.ScopeRead, id); err != nil {
		return nil, err
	}
	return g.to.RunTask(ctx, id)
}

// Runs implements api.Runs.
func (g *Guard) Runs(ctx context.Context, q api.RunQuery) (api.RunPage, error) {
	none, err := ownOnly(ctx, &q.Owner)
	if err != nil || none {
		return api.RunPage{}, err
	}
	return g.to.Runs(ctx, q)
}

// ownOnly has a query select what its asker may see. It reports whether that is nothing.
func ownOnly(ctx context.Context, owner *string) (none bool, err error) {
	if err := Need(ctx, api.ScopeRead); err != nil {
		return false, err
	}
	who := api.IdentityOf(ctx)
	if who.May(api.ScopeAdmin) {
		return false, nil
	}
	none = *owner != "" && *owner != who.Owner
	*owner = who.Owner
	return none, nil
}

// Events implements api.Runs.
func (g *Guard) Events(ctx context.Context, id string, after int64) iter.Seq2[api.Event, error] {
	if err := g.run(ctx, api.ScopeRead, id); err != nil {
		return failed[api.Event](err)
	}
	return g.to.Events(ctx, id, after)
}

// Logs implements api.Runs.
func (g *Guard) Logs(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.LogEntry, error] {
	if err := g.run(ctx, api.ScopeRead, id); err != nil {
		return failed[api.LogEntry](err)
	}
	return g.to.Logs(ctx, id, after, follow)
}

// Cancel implements api.Runs.
func (g *Guard) Cancel(ctx context.Context, id, reason string) error {
	if err := g.run(ctx, api.ScopeRun, id); err != nil {
		return err
	}
	err := g.to.Cancel(ctx, id, reason)
	g.note(ctx, err, "cancel", id)
	return err
}

// Resume implements api.Runs.
func (g *Guard) Resume(ctx context.Context, id string, o api.ResumeOptions) (*api.Run, error) {
	if err := g.run(ctx, api.ScopeRun, id); err != nil {
		return nil, err
	}
	leave, err := g.enter(ctx, runsOf)
	if err != nil {
		return nil, err
	}
	defer leave()
	run, err := g.to.Resume(ctx, id, o)
	g.note(ctx, err, "resume", id)
	return run, err
}

// Resolve implements api.Runs. The outcome of a call is what a person says it is, as an
// approval is.
func (g *Guard) Resolve(ctx context.Context, id string, o api.Resolution) (*api.Run, error) {
	if err := g.run(ctx, api.ScopeApprove, id); err != nil {
		return nil, err
	}
	run, err := g.to.Resolve(ctx, id, o)
	g.note(ctx, err, "resolve", id)
	return run, err
}

// Rerun implements api.Runs.
func (g *Guard) Rerun(ctx context.Context, id string, o api.RerunOptions) (*api.Run, error) {
	if err := g.run(ctx, api.ScopeRun, id); err != nil {
		return nil, err
	}
	if err := g.rerun(ctx, id, o.Task); err != nil {
		return nil, err
	}
	leave, err := g.enter(ctx, runsOf)
	if err != nil {
		return nil, err
	}
	defer leave()
	run, err := g.to.Rerun(ctx, id, o)
	if err == nil {
		g.config.Note(ctx, "rerun", run.ID)
	}
	return run, err
}

// rerun looks at the task of a run that is made again: an admin may have given it what its
// owner has not, and other code could carry that away.
func (g *Guard) rerun(ctx context.Context, id string, task *api.Task) error {
	if api.IdentityOf(ctx).May(api.ScopeAdmin) {
		return nil
	}
	before, err := g.to.RunTask(ctx, id)
	if err != nil {
		return err
	}
	if err := g.task(ctx, before); err != nil || task == nil {
		return err
	}
	return g.task(ctx, task)
}

// Check implements api.Runs.
func (g *Guard) Check(ctx context.Context, task *api.Task) ([]api.Problem, error) {
	if err := Need(ctx, api.ScopeRun); err != nil {
		return nil, err
	}
	return g.to.Check(ctx, task)
}

// Prompt implements api.Runs.
func (g *Guard) Prompt(ctx context.Context, task *api.Task) (string, error) {
	if err := Need(ctx, api.ScopeRun); err != nil {
		return "", err
	}
	return g.to.Prompt(ctx, task)
}

// Evaluate implements api.Evaluations.
func (g *Guard) Evaluate(ctx context.Context, e api.Evaluation) (*api.Result, error) {
	if err := Need(ctx, api.ScopeRun); err != nil {
		return nil, err
	}
	if err := g.submission(ctx, e.Task, e.Name); err != nil {
		return nil, err
	}
	return g.to.Evaluate(ctx, e)
}

// Approvals implements api.Approvals.
func (g *Guard) Approvals(ctx context.Context, q api.ApprovalQuery) (api.ApprovalPage, error) {
	none, err := ownOnly(ctx, &q.Owner)
	if err != nil || none {
		return api.ApprovalPage{}, err
	}
	return g.to.Approvals(ctx, q)
}

// Approval implements api.Approvals.
func (g *Guard) Approval(ctx context.Context, run string) (*api.PendingApproval, error) {
	if err := g.run(ctx, api.ScopeRead, run); err != nil {
		return nil, err
	}
	return g.to.Approval(ctx, run)
}

// Decide implements api.Approvals.
func (g *Guard) Decide(ctx context.Context, run string, d api.Decision) (*api.PendingApproval, error) {
	if err := g.run(ctx, api.ScopeApprove, run); err != nil {
		return nil, err
	}
	decided, err := g.to.Decide(ctx, run, d)
	action := "refuse"
	if d.Approved {
		action = "approve"
	}
	g.note(ctx, err, action, run)
	return decided, err
}

// Signal implements api.Signals.
func (g *Guard) Signal(ctx context.Context, run, name string, s api.Signal) (*api.PendingApproval, error) {
	if err := g.run(ctx, api.ScopeApprove, run); err != nil {
		return nil, err
	}
	taken, err := g.to.Signal(ctx, run, name, s)
	g.note(ctx, err, "signal", run)
	return taken, err
}

// texts is what a service of this process can say of results beside api.Service.
type texts interface {
	Outcome(ctx context.Context, id string) (*api.Run, error)
	Ended(ctx context.Context, id string) (*api.Result, error)
}

// Outcome returns a run, without its inputs where the service knows it so.
func (g *Guard) Outcome(ctx context.Context, id string) (*api.Run, error) {
	if err := g.run(ctx, api.ScopeRead, id); err != nil {
		return nil, err
	}
	if known, ok := g.to.(texts); ok {
		return known.Outcome(ctx, id)
	}
	return g.to.Run(ctx, id)
}

// Ended is Wait, but for outputs that may be missing.
func (g *Guard) Ended(ctx context.Context, id string) (*api.Result, error) {
	if err := g.run(ctx, api.ScopeRead, id); err != nil {
		return nil, err
	}
	if known, ok := g.to.(texts); ok {
		return known.Ended(ctx, id)
	}
	return g.to.Wait(ctx, id)
}
