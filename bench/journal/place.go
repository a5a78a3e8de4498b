package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/engine"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

// place is where runs execute: an engine on a journal.
type place struct {
	*engine.Engine
	workers *worker.Runner
	journal journal.Journal
	db      *sqlite.DB // nil for a journal in memory
	dir     string     // of everything on the disk
}

// options say what a place is made of.
type options struct {
	dir         string // of everything on the disk
	memory      bool   // the journal is in memory
	owner       string
	noSnapshots bool
	functions   map[string]worker.Func
}

// open opens a place.
func open(o options) (*place, error) {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return nil, err
	}
	p := &place{workers: worker.New(worker.Config{}), journal: newMemory(), dir: o.dir}
	if !o.memory {
		db, err := sqlite.Open(context.Background(), filepath.Join(o.dir, "glovebox.db"), sqlite.Options{})
		if err != nil {
			return nil, err
		}
		p.db, p.journal = db, db.Journal()
	}
	for id, f := range o.functions {
		if _, err := p.workers.Register(function(id), f); err != nil {
			return nil, err
		}
	}
	blobs, err := file.Open(filepath.Join(o.dir, "blobs"))
	if err != nil {
		return nil, err
	}
	var config orchestrator.Config
	if !o.noSnapshots {
		config.SnapshotKey = []byte("the key of snapshots, 32 bytes..")
	}
	p.Engine = engine.New(engine.Config{
		Kinds:   map[api.TaskKind]engine.Runner{api.KindFunction: p.workers, api.KindOrchestrator: orchestrator.New(config)},
		Journal: p.journal, Blobs: blobs, FileDir: filepath.Join(o.dir, "runs"), LogDir: filepath.Join(o.dir, "logs"),
		Owner: o.owner, Alive: func(owner string) bool { return owner == o.owner }, Logger: slog.New(slog.DiscardHandler),
	})
	return p, nil
}

func (p *place) close() error {
	p.Close()
	return errors.Join(p.workers.Close(), p.journal.Close())
}

// run executes a task and waits for it.
func (p *place) run(ctx context.Context, task *api.Task, inputs map[string]any) (*api.Result, error) {
	r, err := p.Submit(ctx, api.Submission{Task: task, Inputs: inputs})
	if err != nil {
		return nil, err
	}
	return p.Wait(ctx, r.ID)
}

var integer = value.Type{Kind: value.KindInt}

// function is the task of a function of two ints.
func function(id string) api.Task {
	return api.Task{
		Name: id, Kind: api.KindFunction, Function: &api.Function{ID: id}, Idempotent: true,
		Signature: api.Signature{
			Inputs:  []value.Param{{Name: "x", Type: integer}, {Name: "y", Type: integer}},
			Outputs: []value.Param{{Name: "result", Type: integer}},
		},
	}
}

func add(_ context.Context, call worker.Invocation) (map[string]any, error) {
	x, _ := call.Inputs["x"].(int64)
	y, _ := call.Inputs["y"].(int64)
	return map[string]any{"result": x + y}, nil
}

// flow is the task of an orchestrator that may call functions.
func flow(code string, inputs []value.Param, functions ...string) *api.Task {
	task := &api.Task{
		Name: "flow", Kind: api.KindOrchestrator, Code: code, Orchestrator: &api.Orchestrator{Dialect: "extended"},
		Signature: api.Signature{Inputs: inputs, Outputs: []value.Param{{Name: "result", Type: integer}}},
	}
	for _, id := range functions {
		task.Orchestrator.Tools = append(task.Orchestrator.Tools, function(id))
	}
	return task
}

// sequence calls add n times, one after the other, and returns n.
func sequence(n int) *api.Task {
	return flow("n = 0\nfor i in range("+strconv.Itoa(n)+"):\n    n = add(n, 1)\nn", nil, "add")
}
