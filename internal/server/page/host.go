package page

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

type systemData struct {
	Findings []api.Finding // about the host
	Storage  []api.Finding // about what is kept on it
	Kept     retained
	Lacks    []string // subjects of findings that are not well
	Refuses  bool     // runs, for one of them
	Cells    []cellRow
	Memory   int64 // that the cells hold together
	Pools    []api.WarmPool
	Workers  []api.Worker
	Nodes    []api.Node
	Secrets  []string
}

// cellRow is a cell in which a run or a session is.
type cellRow struct {
	api.LiveCell
	Age time.Duration
}

// storage are the subjects of findings about what is kept.
var storage = []string{"disk", "images", "journal", "damaged rows", "blobs", "damaged blobs", "cache", "interrupted runs"}

func (p *Page) system(r *http.Request) (content, error) {
	ctx := r.Context()
	var data systemData
	findings, err := p.Service.Doctor(ctx, false)
	if err != nil {
		return content{}, err
	}
	for _, f := range findings {
		if !f.OK {
			data.Lacks, data.Refuses = append(data.Lacks, f.Subject), data.Refuses || f.Fatal
		}
		if slices.Contains(storage, f.Subject) {
			data.Storage = append(data.Storage, f)
		} else {
			data.Findings = append(data.Findings, f)
		}
	}
	kept, err := p.Service.Retention(ctx)
	if err != nil {
		return content{}, err
	}
	data.Kept = newRetained(kept)
	cells, err := p.Service.Cells(ctx)
	if err != nil {
		return content{}, err
	}
	for _, c := range cells {
		data.Cells = append(data.Cells, cellRow{c, max(0, p.Now().Sub(c.Began))})
		data.Memory += c.Memory
	}
	if data.Pools, err = p.Service.WarmPools(ctx); err != nil {
		return content{}, err
	}
	if data.Workers, err = p.Service.Workers(ctx); err != nil {
		return content{}, err
	}
	if data.Nodes, err = p.Service.Nodes(ctx); err != nil {
		return content{}, err
	}
	if data.Secrets, err = p.Service.Secrets(ctx); err != nil {
		return content{}, err
	}
	return content{Template: "system", Title: "System", Nav: "system", Follow: "page/follow/system", Data: data}, nil
}

// usageEvery is how often the use of live cells is shown anew: to read it, and to
// examine the host, costs something.
const usageEvery = 5 * time.Second

// followSystem tells when a cell, a worker or a node comes or goes, and what cells use
// from time to time.
func (p *Page) followSystem(w http.ResponseWriter, r *http.Request) error {
	return p.watch(w, r, "system", func(ctx context.Context) (any, error) {
		cells, err := p.Service.Cells(ctx)
		if err != nil {
			return nil, err
		}
		var seen struct {
			Cells   []string
			Workers []string
			Nodes   []string
			Swept   time.Time
			Now     time.Time // while there are cells
		}
		if kept, err := p.Service.Retention(ctx); err == nil && kept.Last != nil {
			seen.Swept = kept.Last.Began
		}
		for _, c := range cells {
			seen.Cells, seen.Now = append(seen.Cells, c.Run+c.Session), p.Now().Truncate(usageEvery)
		}
		workers, err := p.Service.Workers(ctx)
		for _, worker := range workers {
			seen.Workers = append(seen.Workers, worker.Name)
		}
		nodes, nodesErr := p.Service.Nodes(ctx)
		for _, node := range nodes {
			seen.Nodes = append(seen.Nodes, node.ID+string(node.State))
		}
		return seen, errors.Join(err, nodesErr)
	})
}
