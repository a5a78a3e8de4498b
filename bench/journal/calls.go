package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/bench/report"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/worker"
)

// contender executes an orchestrator.
type contender struct {
	name  string
	place *place // nil for the floor
	run   func(task *api.Task) (*api.Result, error)
	took  []time.Duration
	wrote []tables.Written // by each round
}

// contenders are, from the cheapest to the real one: no engine at all, one with
// a journal in memory, one with a file that is in memory, one with the disk.
func (b *bench) contenders() ([]*contender, func() error, error) {
	all := []*contender{{name: "no engine: the interpreter calls the function", run: b.bare()}}
	closing := func() (err error) {
		for _, c := range all[1:] {
			err = errors.Join(err, c.place.close())
		}
		return err
	}
	for _, c := range []struct {
		name string
		options
	}{
		{"engine, journal in memory", options{dir: filepath.Join(b.dir, "memory"), memory: true}},
		{"engine, SQLite without a disk", options{dir: b.memory}},
		{"engine, SQLite on the disk, durable", options{dir: filepath.Join(b.dir, "disk")}},
	} {
		c.owner, c.functions = "bench", map[string]worker.Func{"add": add}
		p, err := open(c.options)
		if err != nil {
			return nil, nil, errors.Join(err, closing())
		}
		all = append(all, &contender{name: c.name, place: p, run: func(task *api.Task) (*api.Result, error) { return p.run(b.ctx, task, nil) }})
	}
	return all, closing, nil
}

// bare carries orchestrators out with a caller that only calls.
func (b *bench) bare() func(*api.Task) (*api.Result, error) {
	runner := orchestrator.New(orchestrator.Config{})
	return func(task *api.Task) (*api.Result, error) {
		return runner.Run(b.ctx, "run", &api.Request{Task: task, Caller: &direct{}})
	}
}

// direct answers calls of add at once.
type direct struct{ answers []api.Answer }

func (*direct) Snapshot() []byte { return nil }
func (*direct) Restart()         {}
func (*direct) Cancel(uint64)    {}
func (*direct) Save([]byte)      {}
func (*direct) Began() time.Time { return time.Time{} }
func (*direct) Seed() []byte     { return nil }

func (d *direct) Start(ctx context.Context, call api.Call) error {
	outputs, err := add(ctx, worker.Invocation{Inputs: call.Inputs})
	d.answers = append(d.answers, api.Answer{ID: call.ID, Value: outputs["result"]})
	return err
}

func (d *direct) Next(context.Context, time.Time) (api.Answer, error) {
	a := d.answers[0]
	d.answers = d.answers[1:]
	return a, nil
}

// inTurns has every contender carry the task out, in turns.
func (b *bench) inTurns(all []*contender, task *api.Task, want int64) error {
	for round := range b.rounds + 1 {
		for i := range all {
			if err := all[(i+round)%len(all)].round(task, want, round > 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *contender) round(task *api.Task, want int64, counts bool) error {
	before := c.written()
	began := time.Now()
	result, err := c.run(task)
	took := time.Since(began)
	if err := check(result, err, want); err != nil || !counts {
		return err
	}
	after := c.written()
	c.took = append(c.took, took)
	c.wrote = append(c.wrote, tables.Written{Operations: after.Operations - before.Operations, Syncs: after.Syncs - before.Syncs})
	return nil
}

func (c *contender) written() tables.Written {
	if c.place == nil || c.place.db == nil {
		return tables.Written{}
	}
	return c.place.db.Written()
}

func check(result *api.Result, err error, want int64) error {
	if err != nil {
		return err
	}
	if len(result.Outputs) != 1 || result.Outputs[0].Value != want {
		return fmt.Errorf("the result is %v, want %d", result.Outputs, want)
	}
	return nil
}

func (b *bench) calls() error {
	const n = 500
	return b.compare("One call after the other",
		fmt.Sprintf("One orchestrator calls a function of this process that adds two numbers, %d times. "+
			"A sync of the disk is shared by the outcome of a call and the intent of the next.", n), sequence(n), n)
}

// row is what make bench shows of one of n calls.
func (c *contender) row(work string, n int, against string) report.Row {
	r := report.Row{Work: work, Name: c.name, Unit: report.Milliseconds, Against: against}
	for _, took := range c.took {
		r.Samples = append(r.Samples, float64(took)/float64(n)/1e6)
	}
	return r
}

func (b *bench) gather() error {
	const n = 1000
	code := "sum(await gather(*[add(i, 1 - i) for i in range(" + strconv.Itoa(n) + ")]))"
	return b.compare("A gather of 1,000", "The same function, called by `gather`.", flow(code, nil, "add"), n)
}

// compare has all contenders make n calls that sum up to n.
func (b *bench) compare(title, about string, task *api.Task, n int) error {
	all, closing, err := b.contenders()
	if err != nil {
		return err
	}
	if err := b.inTurns(all, task, int64(n)); err != nil {
		return errors.Join(err, closing())
	}
	base := median(all[1].took)
	rows := [][]string{{"", "calls/s", "a call", "to the engine in memory", "syncs a call"}}
	for _, c := range all {
		took := median(c.took)
		rows = append(rows, []string{c.name, rate(n, took), micros(took / time.Duration(n)), fmt.Sprintf("%.2f", float64(took)/float64(base)), c.syncs(n)})
		b.found.Rows = append(b.found.Rows, c.row(title, n, all[1].name))
	}
	b.report.section(title, about, rows...)
	return closing()
}

// syncs is how often the disk was synced for one of n calls.
func (c *contender) syncs(n int) string {
	if c.place == nil || c.place.db == nil {
		return ""
	}
	var all []float64
	for _, w := range c.wrote {
		all = append(all, float64(w.Syncs)/float64(n))
	}
	return fmt.Sprintf("%.2f", median(all))
}

// concurrent measures many runs at once.
func (b *bench) concurrent() error {
	const runs, calls = 1000, 10
	all, closing, err := b.contenders()
	if err != nil {
		return err
	}
	task := sequence(calls)
	for _, c := range all {
		one := c.run
		c.run = func(*api.Task) (*api.Result, error) {
			return many(runs, func() (*api.Result, error) { return one(task) })
		}
	}
	if err := b.inTurns(all, task, calls); err != nil {
		return errors.Join(err, closing())
	}
	rows := [][]string{{"", "runs/s", "calls/s", "a call", "submissions a sync"}}
	for _, c := range all {
		took := median(c.took)
		rows = append(rows, []string{c.name, rate(runs, took), rate(runs*calls, took), micros(took / (runs * calls)), c.shared()})
	}
	b.report.section("1,000 runs at once", fmt.Sprintf("Each submits itself, makes %d calls one after the other, and ends.", calls), rows...)
	return closing()
}

// shared is how many submissions shared a sync.
func (c *contender) shared() string {
	if c.place == nil || c.place.db == nil {
		return ""
	}
	var all []float64
	for _, w := range c.wrote {
		all = append(all, float64(w.Operations)/float64(w.Syncs))
	}
	return fmt.Sprintf("%.0f", median(all))
}

// many does the same n times at once and returns the last result.
func many(n int, f func() (*api.Result, error)) (*api.Result, error) {
	results, errs := make([]*api.Result, n), make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { results[i], errs[i] = f() })
	}
	group.Wait()
	return results[n-1], errors.Join(errs...)
}
