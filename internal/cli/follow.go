package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// followFlags are the flags of all commands that start or resume a run.
type followFlags struct {
	json, detach, raw bool
	verbose           bool
	out               string // directory for the files of outputs
}

func (f *followFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "print the whole result as one line of JSON")
	cmd.Flags().BoolVar(&f.detach, "detach", false, "print the id of the run and leave it to the server")
	outFlag(cmd, &f.out)
	rawFlag(cmd, &f.raw)
}

// registerVerbose adds the flag of commands whose run may be an orchestrator.
func (f *followFlags) registerVerbose(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print also what the tools of an orchestrator print, with their names before it")
}

// job is a run that a command asks for.
type job struct {
	signature api.Signature
	kind      api.TaskKind
	// submit makes the run. Streams that it cannot pass on are printed from the
	// logs, if logs is set, from the entry after the given one.
	submit func(context.Context, output, func(api.Progress)) (*api.Run, error)
	logs   bool
	after  int64
	// evaluation is what happens instead, without a run.
	evaluation *api.Evaluation
}

// submission makes a job of a submission.
func submission(service api.Service, sig api.Signature, kind api.TaskKind, s api.Submission) *job {
	return &job{signature: sig, kind: kind, submit: func(ctx context.Context, out output, progress func(api.Progress)) (*api.Run, error) {
		s.Stdout, s.Stderr, s.Progress = out.stdout, out.stderr, progress
		return service.Submit(ctx, s)
	}}
}

// evaluationOf makes a job that is no run.
func evaluationOf(task *api.Task, inputs value.Fields) *job {
	return &job{signature: task.Signature, kind: task.Kind, evaluation: &api.Evaluation{Task: task, Checked: inputs}}
}

// errDetachedEvaluation refuses --detach of what is no run.
func errDetachedEvaluation() error {
	return usage("both --detach and --durable=false are given").hint("what keeps nothing ends with its command")
}

// follow makes a run, shows what it prints, and prints its result.
func (c *cli) follow(ctx context.Context, f followFlags, isolation string, prepare func(api.Service) (*job, error)) error {
	if f.detach && !c.remote {
		return usage("--detach needs a server: a run in this process ends with it").
			hint("start one with glovebox serve, and set %s to its address", serverVariable)
	}
	if f.detach && f.out != "" {
		return usage("both --detach and --out are given").hint("get the files when the run has ended, with: glovebox outputs RUN --out DIR")
	}
	service, err := c.connect(ctx, isolation)
	if err != nil {
		return err
	}
	return c.do(ctx, f, service, prepare)
}

// do has a service do what prepare makes of it, and closes the service.
func (c *cli) do(ctx context.Context, f followFlags, service api.Service, prepare func(api.Service) (*job, error)) error {
	job, err := prepare(service)
	if err != nil {
		return closing(service, err)
	}
	return closing(service, c.carryOut(ctx, f, service, job))
}

func (c *cli) carryOut(ctx context.Context, f followFlags, service api.Service, job *job) error {
	if f.out != "" {
		if err := checkOut(f.out, job.signature.Outputs); err != nil {
			return err
		}
	}
	line := newProgress(c.Err, os.Getenv)
	defer line.start()()
	out := c.output(f, len(job.signature.Outputs) > 0, line)
	c.hidden = f.json || job.kind.CallsTools()
	if job.evaluation != nil {
		return c.evaluate(ctx, f, service, *job.evaluation, out, line)
	}
	if f.detach {
		out.stdout, out.stderr = nil, nil
	}
	run, err := job.submit(ctx, out, line.show)
	if err != nil {
		line.clear()
		return err
	}
	if f.detach {
		return c.printRun(f.json, run)
	}
	join := c.watch(ctx, service, run.ID, job, out, line)
	joinCalls := func() {}
	if job.kind.CallsTools() {
		joinCalls = watchCalls(ctx, service, run.ID, line, c.toolPrinter(f, line))
	}
	result, err := await(ctx, service, run.ID)
	join()
	joinCalls()
	line.clear()
	if err == nil && f.out != "" {
		result.Outputs, err = placeFiles(ctx, service, f.out, result.Outputs)
	}
	if printed := out.print(result, err); printed != nil && err == nil {
		return api.Errorf(api.Internal, "write the result: %w", printed)
	}
	if err != nil {
		line.fresh()
	} else if result.Cached && !f.json {
		c.tellCached(ctx, service, run.ID, line)
	}
	if err != nil && job.kind.CallsTools() {
		c.run = run.ID
	}
	return err
}

// toolPrinter returns what prints the output of tools, if that is asked for.
func (c *cli) toolPrinter(f followFlags, line *progress) func(tool string) stream {
	if !f.verbose || f.json {
		return nil
	}
	place := line.before(c.Err)
	return func(tool string) stream {
		to := ofTool(place, tool)
		return both{forTerminal(to, c.Err, f.raw), to}
	}
}

// both are a stream and what it ends up in.
type both struct{ stream, below stream }

func (b both) Write(p []byte) (int, error) { return b.stream.Write(p) }

func (b both) flush() error { return errors.Join(b.stream.flush(), b.below.flush()) }

// printRun prints the id of a run that the command leaves to itself.
func (c *cli) printRun(asJSON bool, run *api.Run) error {
	if asJSON {
		return printJSON(c.Out, run)
	}
	_, err := fmt.Fprintln(c.Out, run.ID)
	return err
}

// lastPatience is how long an interrupted command waits for its run to end.
const lastPatience = 15 * time.Second

// await waits for a run. When ctx ends first, the run is canceled.
func await(ctx context.Context, service api.Service, id string) (*api.Result, error) {
	result, err := service.Wait(ctx, id)
	if err != nil && ctx.Err() != nil {
		result, err = abandon(ctx, service, id)
	}
	if result == nil {
		result = &api.Result{RunID: id, ExitCode: noExitCode}
	}
	return result, err
}

// abandon cancels a run and waits a little until it has ended.
func abandon(ctx context.Context, service api.Service, id string) (*api.Result, error) {
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
	defer stop()
	conflict := &api.Error{Code: api.Conflict} // it has ended meanwhile
	if err := service.Cancel(last, id, "the command that started it was interrupted"); err != nil && !errors.Is(err, conflict) {
		return nil, api.Errorf(api.Canceled, "run %s could not be canceled: %w", id, err)
	}
	result, err := service.Wait(last, id)
	if err != nil && last.Err() != nil {
		return result, api.Errorf(api.Canceled, "run %s was asked to end, and has not ended yet", id).WithHint("look at it with: glovebox show %s", id)
	}
	return result, err
}

// watch prints the logs and the progress of a run that was started without
// writers. join waits until all of it is printed.
func (c *cli) watch(ctx context.Context, service api.Service, id string, job *job, out output, line *progress) (join func()) {
	if !job.logs {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	var printing, showing sync.WaitGroup
	showing.Go(func() { showProgress(ctx, service, id, line) })
	if out.stdout != nil {
		printing.Go(func() { _ = copyLogs(ctx, service, id, job.after, true, out.log) }) // the result does not depend on it
	}
	return func() {
		printing.Wait()
		stop()
		showing.Wait()
	}
}

func showProgress(ctx context.Context, service api.Service, id string, line *progress) {
	for event, err := range service.Events(ctx, id, 0) {
		if err != nil {
			return
		}
		var step api.Progress
		if event.Kind == api.EventProgress && json.Unmarshal(event.Data, &step) == nil {
			line.show(step)
		}
	}
}

// copyLogs passes what a run printed to print.
func copyLogs(ctx context.Context, service api.Service, id string, after int64, follow bool, print func(api.LogEntry) error) error {
	for entry, err := range service.Logs(ctx, id, after, follow) {
		if err != nil {
			return err
		}
		if err := print(entry); err != nil {
			return err
		}
	}
	return nil
}
