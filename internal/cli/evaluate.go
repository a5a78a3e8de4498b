package cli

import (
	"context"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// evaluate evaluates without a run, shows what its calls do, and prints the
// result.
func (c *cli) evaluate(ctx context.Context, f followFlags, service api.Service, asked api.Evaluation, out output, line *progress) error {
	c.evaluated = true
	calls, join := watchMade(ctx, service, line, c.toolPrinter(f, line))
	asked.Stdout, asked.Stderr, asked.Progress, asked.Called = out.stdout, out.stderr, line.show, calls
	result, err := service.Evaluate(ctx, asked)
	join()
	line.clear()
	if result == nil {
		result = &api.Result{ExitCode: noExitCode}
	}
	if printed := out.print(result, err); printed != nil && err == nil {
		return api.Errorf(api.Internal, "write the result: %w", printed)
	}
	if err != nil {
		line.fresh()
	}
	return err
}

// watchMade shows the runs of the calls that an evaluation makes. join waits
// until the output of tools is printed.
func watchMade(ctx context.Context, service api.Service, line *progress, printed func(string) stream) (made func(api.MadeCall), join func()) {
	w := newCallWatcher(service, line, printed)
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	made = func(call api.MadeCall) {
		started := api.CallStartedData{Call: call.ID, Tool: call.Tool, Run: call.Run}
		w.line.change(func(c *calls) { c.begin(started, time.Now()) })
		if w.printed != nil {
			w.print(ctx, started)
		}
		w.follow(ctx)
		watching.Go(func() {
			if _, err := service.Wait(ctx, call.Run); ctx.Err() == nil {
				w.line.change(func(c *calls) { c.end(endedBy(call.ID, err), time.Now()) })
			}
		})
	}
	return made, func() {
		w.printing.Wait()
		stop()
		watching.Wait()
		w.stages.Wait()
	}
}

func endedBy(call uint64, err error) api.CallEndedData {
	if err != nil {
		return api.CallEndedData{Call: call, Status: api.StatusFailed}
	}
	return api.CallEndedData{Call: call, Status: api.StatusSucceeded}
}
