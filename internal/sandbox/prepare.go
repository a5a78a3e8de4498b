package sandbox

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
	"github.com/glovebox-dev/glovebox/internal/sandbox/traceback"
	"github.com/glovebox-dev/glovebox/value"
)

// preparePatience bounds how long an interpreter may take until it waits for
// its job, with all modules that it imports ahead.
const preparePatience = 2 * time.Minute

// prepared is a cell with everything done in it that is the same for all runs
// of its class: the directories are there, and an interpreter waits for a job. A
// run makes it its own by Adopt. It is what the pool keeps.
type prepared struct {
	box
	process process // nil in a cell for commands
	pending chan error
}

// Done implements pool.Item: a cell is of no use either without the interpreter
// that waits in it.
func (p *prepared) Done() <-chan struct{} {
	if p.process != nil {
		return p.process.Over()
	}
	return p.box.Done()
}

// Memory implements pool.Item.
func (p *prepared) Memory() int64 { return p.Usage().Memory }

// Discard implements pool.Item.
func (p *prepared) Discard() { p.Close() }

// await returns when what is still being prepared is done. The end of the time
// of its run ends the cell, and with it what is being prepared there.
func (p *prepared) await(ctx context.Context) error {
	if p.pending == nil {
		return nil
	}
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), errTimeLimit) {
			p.Release()
		}
	})
	defer stop()
	err := <-p.pending
	p.pending = nil
	return err
}

// prepare does all that can be done before a run has the cell.
func (r *Runner) prepare(ctx context.Context, c box, t *template, parts string) (process, error) {
	ctx, cancel := context.WithTimeout(ctx, preparePatience)
	defer cancel()
	if err := c.Put(ctx, "/", func(archive *tar.Writer) error { return r.writeBase(archive, t) }); err != nil {
		return nil, err
	}
	if !t.Python {
		return nil, nil
	}
	p, err := c.Begin(ctx, cell.Command{Argv: t.argv(parts), Env: t.env, Dir: layout.Work})
	if err != nil {
		return nil, err
	}
	if err := p.Ready(ctx); err != nil {
		return nil, notReady(err)
	}
	return p, nil
}

// startWarm starts and prepares a cell for whichever run comes.
func (r *Runner) startWarm(ctx context.Context, t *template) (*prepared, error) {
	c, err := r.start(ctx, t.spec("warm-"+randomID()))
	if err != nil {
		return nil, err
	}
	p := &prepared{box: c}
	p.process, err = r.prepare(ctx, c, t, "run")
	if err == nil {
		err = context.Cause(ctx) // the cell is being killed though it became ready
	}
	if err != nil {
		return nil, errors.Join(err, closed(c))
	}
	return p, nil
}

func closed(c box) error {
	_, err := c.Close()
	return err
}

// startOwn starts a cell for one run, and returns while it is still being
// prepared.
func (r *Runner) startOwn(ctx context.Context, id string, t *template, parts string) (*prepared, error) {
	c, err := r.start(ctx, t.spec(id))
	if err != nil {
		return nil, err
	}
	p := &prepared{box: c, pending: make(chan error, 1)}
	go func() {
		var err error
		p.process, err = r.prepare(ctx, c, t, parts)
		p.pending <- err
	}()
	return p, nil
}

// preloadMark begins the line by which the runner reports a module that it
// could not import.
const preloadMark = "glovebox preload "

// notReady explains why an interpreter has ended before it could take a job.
func notReady(err error) error {
	var ended *cell.NotReadyError
	if !errors.As(err, &ended) {
		return err
	}
	before, report, found := cutLast(ended.Stderr, preloadMark)
	details := api.Details{ExitCode: statusOf(ended.Exit), Signal: ended.Exit.Signal, Stderr: streams.Clean(before, streams.LastLineBytes)}
	var failed struct{ Module, Type, Message string }
	if found && json.Unmarshal([]byte(report), &failed) == nil {
		return preloadFailed(failed.Module, failed.Type+": "+failed.Message, details)
	}
	e := api.Errorf(api.NonzeroExit, "the interpreter of the image ended before it could run anything (status %d)", details.ExitCode)
	if ended.Exit.Signal != "" {
		e = api.Errorf(api.Signaled, "the interpreter of the image was ended by %s before it could run anything", ended.Exit.Signal)
	}
	return e.WithHint("look at what the image, its variables and the modules in preload do to python3").WithDetails(details)
}

func preloadFailed(module, reason string, details api.Details) error {
	module, reason = streams.Clean(module, traceback.MessageBytes), streams.Clean(reason, traceback.MessageBytes)
	details.Field, details.Got, details.Expected = "preload", value.Quote(module), "modules that can be imported in the image"
	e := api.Errorf(api.InvalidTask, "preload %s: %s", value.Quote(module), streams.FirstLine(reason)).
		WithHint("leave the module out of preload, or add the package that has it to packages").WithDetails(details)
	e.Outcome = api.NotStarted
	return e
}

// cutLast cuts text around the last line that begins with mark.
func cutLast(text, mark string) (before, rest string, found bool) {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range slices.Backward(lines) {
		if rest, found := strings.CutPrefix(line, mark); found {
			return strings.Join(lines[:i], ""), strings.TrimSuffix(rest, "\n"), true
		}
	}
	return text, "", false
}
