package engine

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Place is what this process has for runs, as others on the same journal may have other
// things.
type Place struct {
	journal.Place // whose memory is that of all cells together
	// ImageName tells an image from others, on all processes alike; empty is any.
	ImageName func(api.ImageSpec) string
	// HasImage reports whether an image of a name is here, so that it need not be built
	// or pulled.
	HasImage func(name string) bool
	// Taken is what else than runs takes of the memory; nil is nothing.
	Taken func() int64
}

// needsOf are the needs of a task, and of what it may call: calls are carried out where
// the run is that makes them.
func needsOf(task *api.Task) (n journal.Needs) {
	for _, cell := range cellsOf(task) {
		resources := cell.Resources.WithDefaults()
		n.Memory, n.CPU = max(n.Memory, resources.Memory), max(n.CPU, resources.CPU)
	}
	return n
}

// cellsOf are the tasks in cells of a task: itself, what it may call, and the script that
// it writes.
func cellsOf(task *api.Task) (cells []*api.Task) {
	if task.KindOf() == api.KindSandbox {
		cells = append(cells, task)
	}
	if task.Codegen != nil {
		cells = append(cells, &task.Codegen.Script)
	}
	for _, below := range task.Callable() {
		cells = append(cells, cellsOf(below)...)
	}
	return cells
}

// maxImages bounds how many images of a run are remembered while it waits.
const maxImages = 8

// imagesOf names the images of the cells of a task.
func (p *Place) imagesOf(task *api.Task) (names []string) {
	if p.ImageName == nil {
		return nil
	}
	for _, cell := range cellsOf(task) {
		if name := p.ImageName(cell.Image); name != "" && len(names) < maxImages && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// place says which process a new run may be carried out by.
func (e *Engine) place(sub *submission, ofRun map[string]string) (err error) {
	rec := &sub.rec
	if rec.NodeSelector, err = selectorOf(sub.task, ofRun); err != nil {
		return err
	}
	rec.Limits = e.limitsOf(sub, sub.parent)
	if rec.Parent != "" {
		return nil // it is carried out where the run above it is
	}
	rec.Needs = needsOf(sub.task)
	if e.shared.on.Load() {
		rec.Needs.Images = e.config.Place.imagesOf(sub.task)
	}
	return nil
}

// selectorOf lays the selector of a run over that of its task, and adds those of what it
// may call.
func selectorOf(task *api.Task, ofRun map[string]string) (map[string]string, error) {
	if err := api.NodeLabels.Check(ofRun); err != nil {
		return nil, err
	}
	all := api.JoinLabels(task.NodeSelector, ofRun)
	for _, below := range task.Callable() {
		selector, err := selectorOf(below, nil)
		if err != nil {
			return nil, err
		}
		for name, text := range selector {
			if before, ok := all[name]; ok && before != text {
				return nil, api.Errorf(api.InvalidTask, "the node is to have the label %s=%s, and for the tool %s %s=%s", name, before, nameOf(below), name, text).
					WithHint("calls run on the node of the run that makes them: give both the same label").
					WithDetails(api.Details{Field: "node_selector", Expected: name + "=" + text, Got: name + "=" + before})
			}
		}
		all = api.JoinLabels(all, selector)
	}
	return all, api.NodeLabels.Check(all)
}

// selected refuses a run that selects other processes than this one, and that cannot be
// left to them.
func (e *Engine) selected(rec *journal.Record) error {
	if e.config.Place.Selected(rec.NodeSelector) {
		return nil
	}
	wants, has := labelWords(rec.NodeSelector), "no labels"
	if len(e.config.Place.Labels) > 0 {
		has = labelWords(e.config.Place.Labels)
	}
	hint := "submit it to a server that was started with these as --label, or leave node_selector out"
	if e.shared.on.Load() {
		hint = "submit it to a node with these labels, which glovebox node ls --json shows: a run that calls functions, asks a person first, names paths of the machine or is started by another run stays where it is submitted"
	}
	return api.Errorf(api.InvalidTask, "the run needs a node with %s, and this one has %s", wants, has).
		WithHint("%s", hint).WithDetails(api.Details{Field: "node_selector", Expected: has, Got: wants})
}

func labelWords(labels map[string]string) string { return strings.Join(api.LabelTexts(labels), ", ") }

// taking are the phases in which a run takes its memory, or is about to.
var taking = []phase{admitted, queued, resumed, started, attempting}

// freeMemory is what the cells under way, sessions and the run that memory is kept for leave
// of the memory of this process. The one of
// a run is not counted.
func (e *Engine) freeMemory(but *run) int64 {
	e.mu.Lock()
	live := slices.Collect(maps.Values(e.live))
	e.mu.Unlock()
	taken := int64(0)
	if e.config.Place.Taken != nil {
		taken = e.config.Place.Taken()
	}
	free := e.config.Place.Memory - taken - e.shared.reserved.kept(but.idOrNone())
	for _, r := range live {
		if r != but && r.kind == api.KindSandbox && r.state.in(taking...) {
			free -= r.memory
		}
	}
	return free
}

// idOrNone is the id of a run; empty if r is nil.
func (r *run) idOrNone() string {
	if r == nil {
		return ""
	}
	return r.id
}

// FreeMemory is what the cells of runs leave of the memory of this process.
func (e *Engine) FreeMemory() int64 { return max(0, e.freeMemory(nil)) }

// hasRoomFor reports whether this process can carry a run out now.
func (e *Engine) hasRoomFor(r *run) bool {
	now := e.config.Place.Place
	if e.admission.Room(r.kind) < 1 || !now.Holds(&r.rec) {
		return false
	}
	if now.Memory = e.freeMemory(r); !now.Holds(&r.rec) {
		e.shared.short.Store(true)
		return false
	}
	return true
}

// gaveMemory has this process look for runs again if it was short of memory before one
// ended.
func (e *Engine) gaveMemory(r *run) {
	if r.memory > 0 && e.shared.short.Swap(false) {
		e.admission.Poke()
	}
}

// How long a process passes runs over whose images it lacks: a moment, so that one that has
// them can be first, and no longer than some seconds for younger ones whose images it has.
const (
	headStart  = 100 * time.Millisecond
	longestFor = 2 * time.Second
)

// maxPassed bounds how many runs that were passed over are remembered, and keptPassed for
// how long after they were last seen. A process without room for a kind does not see runs of it.
const (
	maxPassed  = 4096
	keptPassed = time.Minute
)

// passedOver remembers when this process has seen runs that it did not take gladly.
type passedOver struct {
	mu   sync.Mutex
	runs map[string]sightings
}

// sightings are when a run was first and last seen.
type sightings struct{ first, last time.Time }

// look returns the Rank of one look at what waits, and what ends the look and reports
// whether some run was left for a moment.
func (p *passedOver) look(place *Place, now time.Time) (rank func(*journal.Record) journal.Rank, end func() (left bool)) {
	p.mu.Lock()
	before := p.runs
	p.mu.Unlock()
	seen, left := map[string]sightings{}, false
	rank = func(r *journal.Record) journal.Rank {
		if place.has(r.Needs.Images) {
			return journal.Gladly
		}
		first := now
		if s, known := before[r.ID]; known {
			first = s.first
		}
		seen[r.ID] = sightings{first, now}
		switch passed := now.Sub(first); {
		case passed < headStart:
			left = true
			return journal.NotNow
		case passed < longestFor:
			return journal.IfSpared
		}
		return journal.Gladly
	}
	return rank, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		for id, s := range before {
			if _, again := seen[id]; !again && len(seen) < maxPassed && now.Sub(s.last) < keptPassed {
				seen[id] = s
			}
		}
		p.runs = seen
		return left
	}
}

// has reports whether images are here.
func (p *Place) has(images []string) bool {
	for _, name := range images {
		if p.HasImage != nil && !p.HasImage(name) {
			return false
		}
	}
	return true
}

// TakeFree takes runs that have no owner, and for which there is room, and continues
// them. It returns how many.
func (e *Engine) TakeFree(ctx context.Context) (int, error) {
	w := journal.Wanted{Room: map[api.TaskKind]int{}, MaxDeaths: maxDeaths, Place: e.config.Place.Place}
	for kind := range e.config.Kinds {
		w.Room[kind] = e.Room(kind)
	}
	e.continueReserved(ctx)
	if !w.Any() {
		return 0, nil
	}
	w.Place.Memory = e.freeMemory(nil)
	rank, end := e.shared.passed.look(&e.config.Place, time.Now())
	w.Rank = rank
	ids, err := e.config.Journal.Take(ctx, e.owner(), w)
	if err != nil {
		return 0, journalError("", err)
	}
	if end() {
		time.AfterFunc(headStart, e.admission.Poke)
	}
	for _, id := range ids {
		if err := e.continueTaken(ctx, id); err != nil {
			e.config.Logger.Warn("continuing a run that had no owner", "run", id, "error", err)
			e.release(ctx, id)
		}
	}
	if w.Place.Memory < api.DefaultMemory {
		e.shared.short.Store(true)
	}
	if len(ids) > 0 {
		return len(ids), nil // and look once more
	}
	return 0, e.reserve(ctx, w)
}
