package orchestrator

import (
	"context"
	"io"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// Run makes one attempt. It writes what the code printed to req.Stdout whenever
// the code waits. It writes from the first byte, also after a snapshot was
// loaded, so that each attempt prints the same bytes.
func (r *Runner) Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error) {
	return r.newAttempt(runID, req, nil).watched(ctx, runID)
}

// Prepare validates a task and compiles its code, for attempts that belong to no
// run: their requests have this task, and inputs of its own.
func (r *Runner) Prepare(task *api.Task) (func(context.Context, *api.Request) (*api.Result, error), error) {
	program, err := r.prepared(task)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, req *api.Request) (*api.Result, error) {
		return r.newAttempt("", req, program).watched(ctx, "")
	}, nil
}

// PrepareHere does the same for attempts in the goroutine of their caller, which
// wakes no other thread. Where the interpreter hangs, hung gets the error in
// another goroutine, and the caller ends when, and if, the interpreter returns.
func (r *Runner) PrepareHere(task *api.Task) (func(ctx context.Context, req *api.Request, hung func(error)) (*api.Result, error), error) {
	program, err := r.prepared(task)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, req *api.Request, hung func(error)) (*api.Result, error) {
		a := r.newAttempt("", req, program)
		defer a.supervise(ctx, hung)()
		return a.complete(ctx, "")
	}, nil
}

func (r *Runner) prepared(task *api.Task) (*py.Program, error) {
	if err := r.validate(task, 1, new(int)); err != nil {
		return nil, err
	}
	return r.programs.checked(task)
}

func (r *Runner) newAttempt(runID string, req *api.Request, program *py.Program) *attempt {
	a := &attempt{runner: r, program: program, req: req, world: NewWorld(req), key: runKey(r.config.SnapshotKey, runID), underway: map[uint64]string{}}
	a.watch.began = time.Now()
	return a
}

// complete is the attempt from its beginning to its end.
func (a *attempt) complete(ctx context.Context, runID string) (*api.Result, error) {
	began, req := time.Now(), a.req
	err := a.compile()
	a.startup = time.Since(began)
	if err == nil && req.Caller == nil {
		err = api.Errorf(api.Internal, "an orchestrator was started without a caller")
	}
	if err == nil {
		err = a.run(ctx)
	}
	result := a.result()
	result.RunID = runID
	if err != nil {
		result.ExitCode = -1
	}
	return result, err
}

// compile finds the program, unless the attempt was given it.
func (a *attempt) compile() error {
	if a.program != nil {
		return nil
	}
	return a.inside(func() (err error) {
		a.program, err = a.runner.programs.of(a.req.Task)
		return err
	})
}

// attempt is one attempt of one run.
type attempt struct {
	runner  *Runner
	program *py.Program
	req     *api.Request
	key     []byte
	startup time.Duration

	watch    watch
	state    *py.State
	begun    uint64            // calls passed to Caller.Start: all up to this id
	underway map[uint64]string // the tools of those that were not answered yet
	printed  int               // bytes of output passed on
	failed   failures
	saving   saving
	world    World
	outputs  []api.Output
	used     py.Usage // when the code ended
}

func (a *attempt) run(ctx context.Context) error {
	if err := a.begin(ctx); err != nil {
		return a.unstarted(ctx, err)
	}
	for a.state.Status() == py.Waiting {
		if err := a.step(ctx); err != nil {
			return err
		}
	}
	a.print()
	a.used = a.state.Usage() // Result counts its own time anew
	return a.finish(ctx)
}

// begin starts the code, from the snapshot if there is one that fits.
func (a *attempt) begin(ctx context.Context) error {
	if snapshot := a.req.Caller.Snapshot(); snapshot != nil {
		if a.load(snapshot) {
			return nil
		}
		a.req.Caller.Restart()
	}
	return a.inside(func() (err error) {
		a.state, err = a.program.StartChecked(a.runner.visible(ctx), a.req.Inputs, a.options())
		return err
	})
}

func (a *attempt) options() py.RunOptions {
	l := specOf(a.req.Task).Limits
	if a.runner.deaf {
		l.Time = deafTime
	}
	return py.RunOptions{Host: a.world.Host(), Limits: py.Limits{
		Memory: l.Memory, Depth: l.Depth, Time: l.Time, Steps: l.Steps, Output: l.Output, Calls: l.Calls,
	}}
}

// step starts the new calls, waits until one ends, and resumes the code.
func (a *attempt) step(ctx context.Context) error {
	a.print()
	a.cancelCalls()
	if err := a.startCalls(ctx); err != nil {
		return err
	}
	wake := a.wake()
	a.save(len(a.underway) == 0 && !wake.IsZero() && time.Until(wake) > api.LongSleep)
	answer, err := a.req.Caller.Next(ctx, wake)
	if err != nil {
		return err
	}
	a.state.Advance(a.world.Reach(answer.Time))
	if answer.ID == 0 {
		a.saving.answers++
		return a.inside(func() error { return a.state.Resume(ctx) })
	}
	if answer.Err != nil && EndsAttempt(answer.Err) {
		return answer.Err
	}
	return a.resume(ctx, answer)
}

// wake returns the time at which the code resumes without an answer, or zero.
func (a *attempt) wake() time.Time {
	at, ok := a.state.Timer()
	if !ok {
		return time.Time{}
	}
	return a.world.began.Add(at)
}

// startCalls passes on the calls that were not passed on yet: the new ones, and
// after a snapshot all that wait.
func (a *attempt) startCalls(ctx context.Context) error {
	made := uint64(a.state.Usage().Calls)
	if made == a.begun {
		return nil
	}
	for _, c := range a.state.Calls() {
		if c.ID <= a.begun {
			continue
		}
		if err := a.req.Caller.Start(ctx, api.Call{ID: c.ID, Tool: c.Tool, Inputs: a.named(c), Line: c.Line}); err != nil {
			return err
		}
		a.underway[c.ID] = c.Tool
	}
	a.begun = made
	return nil
}

// cancelCalls passes on which calls the code gave up, but for those that were
// never passed on.
func (a *attempt) cancelCalls() {
	for _, id := range a.state.Canceled() {
		if _, ok := a.underway[id]; ok {
			delete(a.underway, id)
			a.req.Caller.Cancel(id)
		}
	}
}

// named returns the arguments of a call by name.
func (a *attempt) named(c py.Call) map[string]any {
	inputs := make(map[string]any, len(c.Args))
	for i, p := range a.tool(c.Tool).Signature.Inputs {
		inputs[p.Name] = c.Args[i]
	}
	return inputs
}

// tool returns a tool that the code called, which is always there.
func (a *attempt) tool(name string) *api.Task {
	tools := specOf(a.req.Task).Tools
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return &api.Task{Name: name}
}

// resume gives the code an answer.
func (a *attempt) resume(ctx context.Context, answer api.Answer) error {
	tool, ok := a.underway[answer.ID]
	if !ok {
		return api.Errorf(api.Internal, "call %d was answered, which is not under way", answer.ID)
	}
	if answer.Err != nil {
		class, message := raised(answer.Err)
		a.failed.add(failure{Class: class, Message: message, Call: failedCall(answer, tool)})
	}
	err := a.inside(func() error { return a.state.Resume(a.runner.visible(ctx), Answered(answer)) })
	if err != nil {
		return badAnswer(answer, tool, err)
	}
	delete(a.underway, answer.ID)
	a.saving.answers++
	return nil
}

// print passes on what the code printed since the last time.
func (a *attempt) print() {
	if a.state.Usage().Output == a.printed {
		return
	}
	text := a.state.OutputFrom(a.printed)
	a.printed += len(text)
	if a.req.Stdout != nil {
		io.WriteString(a.req.Stdout, text) // an error loses only the stream; the result keeps the end of the output
	}
}

// finish takes the result of code that has ended.
func (a *attempt) finish(ctx context.Context) error {
	declared := a.req.Task.Signature.Outputs
	return a.inside(func() error {
		value, err := a.state.Result()
		switch {
		case a.state.Status() == py.Failed:
			return a.explain(ctx, err)
		case len(declared) == 0:
			return nil
		case err != nil:
			return a.badResult(ctx, declared[0], err)
		}
		a.outputs = []api.Output{{Name: declared[0].Name, Type: declared[0].Type, Value: value}}
		return nil
	})
}

// result is what there is of the attempt, also of one that failed.
func (a *attempt) result() *api.Result {
	result := &api.Result{Outputs: a.outputs, Timings: api.Timings{Start: a.startup}}
	if a.state == nil {
		return result
	}
	used := a.usage()
	kept := a.req.Task.Limits.WithDefaults().Logs
	result.Stdout = []byte(a.state.OutputFrom(max(0, used.Output-int(min(kept, maxPrinted)))))
	result.Timings.Exec = used.Time
	result.Usage = api.Usage{CPU: used.Time, PeakMemory: used.Memory}
	return result
}

// usage is what the code used, until it ended if it has.
func (a *attempt) usage() py.Usage {
	if a.state == nil || a.state.Status() != py.Waiting {
		return a.used
	}
	return a.state.Usage()
}
