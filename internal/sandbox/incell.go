package sandbox

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/outputs"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/internal/sandbox/streams"
)

// maxTaken bounds how many cells that were ready, and then were not, a run takes
// before it starts its own.
const maxTaken = 3

// inCell does everything that needs a cell, and ends it.
func (a *attempt) inCell(ctx context.Context) error {
	defer a.endWays() // when nothing runs in the cell any more
	serve, err := a.connections(ctx)
	if err != nil {
		return err
	}
	a.progress("start", "starting a cell")
	for range maxTaken {
		limited, cancel := a.limited(ctx)
		defer cancel()
		p, warm, err := a.take(ctx, limited)
		if err != nil {
			return err
		}
		taken := time.Now()
		err = a.within(ctx, limited, p, serve)
		if !warm || !errors.Is(err, &api.Error{Code: api.CellLost}) || a.hadEffect(taken, serve) {
			return err
		}
		a.sent = false
	}
	limited, cancel := a.limited(ctx)
	defer cancel()
	p, err := a.startOwn(ctx)
	if err != nil {
		return err
	}
	return a.within(ctx, limited, p, serve)
}

// limited is the time of the run: from when its cell is being started, or taken.
func (a *attempt) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, a.timeout(), ready.ErrTimeLimit)
}

// take gets a cell: one that is ready, if there is one of its class. A start that
// no other run needs ends with the time of this one.
func (a *attempt) take(ctx, limited context.Context) (p *ready.Cell, warm bool, err error) {
	if a.runner.warm == nil || a.special {
		p, err = a.startOwn(ctx)
		return p, false, err
	}
	began := time.Now()
	p, warm, err = a.runner.warm.Take(limited, a.cells.Class, a.runner.starter(a.cells))
	if ctx.Err() != nil && err != nil {
		return nil, false, api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
	}
	if err != nil {
		return nil, false, api.AsError(timedOut(limited, a.timeout(), err))
	}
	a.result.Usage.Warm = warm
	a.result.Timings.Start, a.result.Timings.Guest = time.Since(began), 0
	return p, warm, nil
}

// startOwn starts a cell for this run alone.
func (a *attempt) startOwn(ctx context.Context) (*ready.Cell, error) {
	a.result.Usage.Warm = false
	parts := "run"
	if a.mode == api.Verbatim {
		parts = "verbatim"
	}
	p, err := a.runner.maker.StartOwn(ctx, a.id, a.cells, parts)
	if err != nil {
		return nil, err
	}
	a.result.Timings.Start, a.result.Timings.Guest = p.Timings()
	return p, nil
}

// within makes the cell the cell of this run, runs the program in it, and ends
// it.
func (a *attempt) within(ctx, limited context.Context, p *ready.Cell, serve Handler) (err error) {
	defer func() { err = a.end(p, serve, err) }()
	defer a.runner.live.enter(a.known(), p.Usage)()
	limit := a.timeout()
	if err := p.Adopt(ctx, limit+collectPatience, serve); err != nil {
		return err
	}
	if err := a.put(limited, p); err != nil {
		return timedOut(limited, limit, err)
	}
	exit, err := a.exec(limited, p)
	if err != nil {
		return a.reportedBy(ctx, p, timedOut(limited, limit, err))
	}
	return a.reportedBy(ctx, p, a.collect(ctx, p, exit))
}

// soon is how long after it was taken a cell that is lost may have been lost
// already when it was taken.
const soon = time.Second

// hadEffect reports whether a run whose cell is lost may have done something, so
// that it must not be made again. A cell that was dying when it was taken may have
// taken the job, too; code that has printed nothing and has no network has no
// effect.
func (a *attempt) hadEffect(taken time.Time, serve Handler) bool {
	if !a.sent {
		return false
	}
	silent := a.report.Empty() && len(a.result.Stdout)+len(a.result.Stderr) == 0
	return serve != nil || !silent || time.Since(taken) > soon
}

// connections returns what handles the connections of the program; nil if it may
// make none.
func (a *attempt) connections(ctx context.Context) (Handler, error) {
	if !a.cells.Network {
		return nil, nil
	}
	engine, err := a.openEngine(ctx)
	if err != nil {
		return nil, err
	}
	return a.runner.config.Egress(a.task.Network, a.audit.add, Ways{engine, a.openModel(), a.secrets.withheld})
}

// openEngine returns what handles the program's requests to the engine; nil if the
// task starts no runs.
func (a *attempt) openEngine(ctx context.Context) (serve Handler, err error) {
	if !a.task.StartsRuns {
		return nil, nil
	}
	serve, end, err := a.runner.config.Engine(ctx, a.id, a.task)
	if err == nil {
		a.closeWays = append(a.closeWays, end)
	}
	return serve, err
}

// openModel returns what handles the program's questions to a model; nil if the
// task has it ask none.
func (a *attempt) openModel() Handler {
	if a.task.Asks == nil {
		return nil
	}
	serve, end := a.runner.config.Model(a.id, a.task)
	a.closeWays = append(a.closeWays, end)
	return serve
}

// endWays ends what openEngine and openModel began.
func (a *attempt) endWays() {
	for _, end := range a.closeWays {
		end()
	}
}

func (a *attempt) timeout() time.Duration {
	if a.task.Timeout == 0 {
		return api.DefaultTimeout
	}
	return a.task.Timeout
}

// timedOut replaces err by a time-out if that is the reason behind it.
func timedOut(ctx context.Context, limit time.Duration, err error) error {
	if !errors.Is(context.Cause(ctx), ready.ErrTimeLimit) || errors.Is(err, &api.Error{Code: api.OutOfMemory}) {
		return err
	}
	return api.Errorf(api.Timeout, "the run was killed after its time limit of %s", limit).
		WithDetails(api.Details{Duration: limit})
}

// put writes what the run adds to the cell, if there is something.
func (a *attempt) put(ctx context.Context, p *ready.Cell) error {
	if !a.adds() {
		return nil
	}
	began := time.Now()
	err := p.Put(ctx, "/", a.writeFiles)
	a.result.Timings.Inputs = time.Since(began)
	return err
}

// exec runs the program and keeps the ends of its streams.
func (a *attempt) exec(ctx context.Context, p *ready.Cell) (cell.Exit, error) {
	began := time.Now()
	defer func() { a.result.Timings.Exec = time.Since(began) }()
	if err := p.Await(ctx); err != nil {
		return cell.Exit{}, err
	}
	a.progress("run", "running")
	a.logs = streams.New(ctx, a.req.Stdout, a.req.Stderr, a.limits.Logs, a.secrets.redactor)
	samples := newSampler(p.Usage)
	exit, err := a.execute(ctx, p)
	a.result.Samples = samples.stop()
	a.logs.Close()
	a.result.Stdout, a.result.Stderr = a.logs.Stdout.Kept(), a.logs.Stderr.Kept()
	if err == nil || exit.Code != 0 {
		a.result.ExitCode = exit.Status()
	}
	return exit, err
}

// execute runs a command, or gives the interpreter that waits its job.
func (a *attempt) execute(ctx context.Context, p *ready.Cell) (cell.Exit, error) {
	if !a.mode.Python() {
		a.sent = true
		exit, err := p.Run(ctx, cell.Command{
			Argv: a.argv(), Env: a.environ().List(), Dir: a.workingDir(), Stdin: a.stdinPath(),
			Stdout: a.logs.Stdout, Stderr: a.logs.Stderr,
		})
		return exit, a.explainDir(err)
	}
	job, err := a.job()
	if err != nil {
		return cell.Exit{}, err
	}
	if err := p.Process.Send(ctx, job...); err != nil {
		return cell.Exit{}, err // part of a job starts nothing
	}
	a.sent = true
	return a.await(ctx, p.Process)
}

// explainDir names the image in the error of a command whose directory is not
// there.
func (a *attempt) explainDir(err error) error {
	var e *api.Error
	if !errors.As(err, &e) || e.Details.Field != cell.FieldDir {
		return err
	}
	dir, name := a.workingDir(), imageName(a.task, a.image)
	return api.Errorf(api.CommandNotFound, "the image %s has no directory %q, in which it says that commands start (WORKDIR)", name, dir).
		WithHint("make the directory when the image is built, with RUN mkdir -p, or correct its WORKDIR").
		WithDetails(api.Details{Field: "image", Got: dir, Expected: "a directory of the image"})
}

// await waits for the end of the program; if all that is wanted is its report,
// for that alone.
func (a *attempt) await(ctx context.Context, p ready.Process) (cell.Exit, error) {
	a.report.WaitFor(a.runner.patiently(ctx))
	if a.reports() {
		exit, ended, err := p.Result(ctx, a.logs.Stdout, a.logs.Stderr, a.report)
		if err != nil || ended {
			return exit, err
		}
		if a.report.Succeeded() {
			return cell.Exit{}, nil
		}
	}
	return p.Finish(ctx, a.logs.Stdout, a.logs.Stderr, a.report)
}

func (a *attempt) collect(ctx context.Context, c outputs.Getter, exit cell.Exit) error {
	a.progress("collect", "collecting outputs")
	began := time.Now()
	found, err := a.outcome(ctx, patient{c}, exit)
	a.result.Timings.Collect = time.Since(began)
	a.result.Outputs = found
	return err
}

// patient takes files out of a cell, and not for ever. That values wait for
// memory does not count.
type patient struct{ outputs.Getter }

// Get implements outputs.Getter.
func (p patient) Get(ctx context.Context, dir string, names []string, limits cell.GetLimits, read func(*tar.Header, io.Reader) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, collectPatience, errCollect)
	defer cancel()
	err := p.Getter.Get(ctx, dir, names, limits, read)
	if err != nil && errors.Is(context.Cause(ctx), errCollect) {
		return api.Errorf(api.CellLost, "the outputs did not come out of the cell within %s", collectPatience)
	}
	return err
}

// end ends the cell and records what it used. A run that succeeded does not wait
// until all of the cell is gone from the host, and, where it has no network, not
// for its end either.
func (a *attempt) end(p *ready.Cell, serve Handler, err error) error {
	began := time.Now()
	defer func() { a.result.Timings.Destroy = time.Since(began) }()
	if err == nil {
		usage := p.Usage()
		if serve != nil {
			p.Release()
		}
		a.account(usage.CPU, usage.PeakMemory)
		a.runner.reaper.reap(p.Box)
		return nil
	}
	death, closeErr := p.Close()
	p.Await(context.Background()) // it ends with the cell; why is known
	a.account(death.CPU, death.PeakMemory)
	if closeErr != nil {
		a.runner.config.Logger.Warn("removing a cell", "run", a.id, "error", closeErr)
	}
	return err
}

// account adds up what the run has used, when no connection is served any more.
func (a *attempt) account(cpu time.Duration, peak int64) {
	warm := a.result.Usage.Warm
	a.result.Network, a.result.Usage = a.audit.sum(a.secrets.redactor)
	a.result.Usage.CPU, a.result.Usage.PeakMemory, a.result.Usage.Warm = cpu, peak, warm
}
