package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// lists measures pages of lists of many runs.
func (b *bench) lists() error {
	const n = 100_000
	p, err := open(options{dir: filepath.Join(b.dir, "lists"), owner: "bench"})
	if err != nil {
		return err
	}
	if err := fill(b.ctx, p, n); err != nil {
		return errors.Join(err, p.close())
	}
	rows := [][]string{{"page of 50", "median"}}
	for _, l := range []struct {
		name string
		api.RunQuery
		page int // from 1
	}{
		{"the first of all", api.RunQuery{}, 1},
		{"the 100th of all", api.RunQuery{}, 100},
		{"the first of those without a parent", api.RunQuery{Top: true}, 1},
		{"of a task, one run in ten", api.RunQuery{Task: "task-3"}, 1},
		{"of a task, the 100th", api.RunQuery{Task: "task-3"}, 100},
		{"of a status, one run in a thousand", api.RunQuery{Status: []api.Status{api.StatusFailed}}, 1},
		{"of a task and a status", api.RunQuery{Task: "task-0", Status: []api.Status{api.StatusFailed}}, 1},
		{"of a task and a status that do not meet", api.RunQuery{Task: "task-3", Status: []api.Status{api.StatusFailed}}, 1},
		{"of two statuses", api.RunQuery{Status: []api.Status{api.StatusFailed, api.StatusSucceeded}}, 1},
		{"of a day, in its middle", api.RunQuery{Until: start.Add(n / 2 * time.Millisecond)}, 1},
	} {
		took, err := b.page(p, l.RunQuery, l.page)
		if err != nil {
			return errors.Join(err, p.close())
		}
		rows = append(rows, []string{l.name, millis(took)})
	}
	b.report.section("Lists", fmt.Sprintf("Pages of the list of %d runs, as `glovebox runs` asks for them.", n), rows...)
	return p.close()
}

// start is when the first run of the lists was created.
var start = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)

// fill writes n runs that have ended: of ten tasks, one in a thousand failed.
func fill(ctx context.Context, p *place, n int) error {
	var last journal.Receipt
	for i := range n {
		at := start.Add(time.Duration(i) * time.Millisecond)
		c := journal.Change{Record: journal.Record{Fence: 1, Seq: 1, Holder: "bench", Run: api.Run{
			ID: engine.NewID(at), Task: fmt.Sprintf("task-%d", i%10), Kind: api.KindFunction, TaskDigest: "sha256:00",
			Status: api.StatusSucceeded, Created: at, Started: at, Ended: at, ExitCode: -1,
		}}}
		c.Record.Root = c.Record.ID
		if i%1000 == 0 {
			c.Record.Status = api.StatusFailed
		}
		c.Events = []api.Event{{Run: c.Record.ID, Seq: 1, Time: at, Kind: api.EventCreated, Data: []byte("{}")}}
		last = p.journal.Submit(c)
	}
	return last.Wait(ctx)
}

// page measures one page, which is the number-th.
func (b *bench) page(p *place, q api.RunQuery, number int) (time.Duration, error) {
	var took []time.Duration
	for range b.rounds * 3 {
		q.Cursor = ""
		var last time.Duration
		for range number {
			began := time.Now()
			page, err := p.Runs(b.ctx, q)
			if err != nil {
				return 0, err
			}
			last, q.Cursor = time.Since(began), page.Next
		}
		took = append(took, last)
	}
	return median(took), nil
}
