package engine

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// cacheable reports whether the run could be answered from the cache.
func (e *Engine) cacheable(r *run) bool {
	mode, _, err := cache.Mode(r.task, r.override)
	return err == nil && mode != api.CacheDisable
}

// cached answers the run from the cache, or by attempts whose result it keeps.
func (r *run) cached(began time.Time) (*api.Result, error) {
	mode, reason, err := cache.Mode(r.task, r.override)
	if err != nil {
		return nil, err
	}
	told := &api.CacheExplanation{Run: r.id, Mode: mode, Reason: reason}
	if mode == api.CacheDisable {
		told.Verdict = "disabled"
		r.tell(told)
		return r.carried(began)
	}
	key, err := r.key()
	if err != nil {
		return nil, err
	}
	told.Key, told.Parts = key.Digest, key.Parts
	if mode == api.CacheOverride {
		told.Verdict, told.Reason = "override", reason+": the run is carried out, and its result replaces the one that is kept"
		r.tell(told)
		return r.fill(told, key, began)
	}
	return r.consult(told, key, began)
}

// carried makes the attempts, and notes how long the run waited before.
func (r *run) carried(began time.Time) (*api.Result, error) {
	result, err := r.attempts()
	if result != nil {
		result.Timings.Queue = began.Sub(r.record().Created)
	}
	return result, err
}

// tell keeps how the run met the cache; it becomes durable with the next event.
func (r *run) tell(x *api.CacheExplanation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rec.Cache = x
}

func (r *run) key() (cache.Key, error) {
	identity, err := r.engine.identity(r.ctx, r.task, r.show)
	if err != nil {
		return cache.Key{}, err
	}
	return cache.NewKey(r.task, identity, r.inputs)
}

// identity is that of the runner, and for an orchestrator of every tool too:
// the image that a tool gets can change its result.
func (e *Engine) identity(ctx context.Context, task *api.Task, progress func(api.Progress)) (string, error) {
	identity, err := e.config.Kinds[task.KindOf()].Identity(ctx, task, progress)
	if err != nil || task.Orchestrator == nil {
		return identity, err
	}
	all := []string{identity}
	for i := range task.Orchestrator.Tools {
		tool := &task.Orchestrator.Tools[i]
		id, err := e.identity(ctx, tool, progress)
		if err != nil {
			return "", err
		}
		all = append(all, tool.Name+"="+id)
	}
	return strings.Join(all, "\n"), nil
}

// consult looks for the result. Of identical runs at the same time one is
// carried out, and the others wait for it.
func (r *run) consult(told *api.CacheExplanation, key cache.Key, began time.Time) (*api.Result, error) {
	for {
		if result, err := r.kept(told, key); result != nil || err != nil {
			return result, err
		}
		leader, first := r.engine.flights.join(key.Digest, r.id)
		if first {
			r.flight = key.Digest // until it has ended
			// Whoever was first before may have ended since the look above.
			if result, err := r.kept(told, key); result != nil || err != nil {
				return result, err
			}
			told.Verdict, told.Reason = "miss", "nothing is kept for this key"
			return r.fill(r.compare(told), key, began)
		}
		if r.isBelow(leader.run) { // which waits for this one
			told.Verdict, told.Reason = "miss", "the same is under way above it, in run "+leader.run
			r.tell(told)
			return r.carried(began)
		}
		told.Verdict, told.Reason = "joined", "the same was under way, in run "+leader.run
		select {
		case <-leader.done:
		case <-r.ctx.Done():
			return nil, context.Cause(r.ctx)
		}
	}
}

// kept answers the run by the result that is kept, if one is.
func (r *run) kept(told *api.CacheExplanation, key cache.Key) (*api.Result, error) {
	entry, err := r.engine.config.Cache.Lookup(r.ctx, key.Digest)
	if errors.Is(err, cache.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, api.AsError(err)
	}
	result, _ := r.hit(told, entry)
	return result, nil
}

// isBelow reports whether the run was started, by however many others between,
// by the one of that id.
func (r *run) isBelow(id string) bool {
	for above := r.parent; above != nil; above = above.parent {
		if above.id == id {
			return true
		}
	}
	return false
}

// nearest says from which earlier run of the task a miss differs least.
func (e *Engine) nearest(ctx context.Context, told *api.CacheExplanation, task *api.Task) {
	recent, err := e.config.Cache.Recent(ctx, nameOf(task), 20)
	if err != nil {
		return
	}
	if near, differs := cache.Nearest(told.Parts, recent); near != nil {
		told.Nearest, told.Differs = near.Run, differs
	}
}

// hit answers the run by an entry; ok is false if the entry is of no use.
func (r *run) hit(told *api.CacheExplanation, entry *cache.Entry) (result *api.Result, ok bool) {
	e := r.engine
	values, err := api.DecodeFields("output", outputParams(r.task), entry.Outputs)
	if err != nil {
		return nil, false
	}
	_, blobs, err := e.takeFiles(r.ctx, values, false) // which finds out whether its files are still there
	if err != nil {
		return nil, false
	}
	payload, err := e.payload(r.ctx, entry.Outputs, &blobs)
	if err != nil {
		return nil, false
	}
	r.outputs = outputs{values: values, text: entry.Outputs, payload: payload, blobs: blobs}
	if told.Verdict != "joined" {
		told.Verdict, told.Reason = "hit", "everything that could change the result is as in run "+entry.Run
	}
	told.Source = entry.Run
	r.mu.Lock()
	r.rec.Cache, r.rec.CachedRun = told, entry.Run
	r.mu.Unlock()
	r.print("stdout", r.streams.stdout, entry.Stdout)
	r.print("stderr", r.streams.stderr, entry.Stderr)
	return &api.Result{Image: entry.Image, Cached: true, Stdout: entry.Stdout, Stderr: entry.Stderr}, true
}

// print shows what the run printed when it was carried out.
func (r *run) print(stream string, to io.Writer, text []byte) {
	if len(text) > 0 {
		_, _ = r.writer(stream, to).Write(text) // who does not listen any more misses nothing but this
	}
}

// maxKept bounds what an entry keeps of each stream: the end counts.
const maxKept = 64 << 10 // bytes

// compare looks, while the run goes on, from which earlier one a miss differs
// least. What it returns becomes durable with the end of the run.
func (r *run) compare(told *api.CacheExplanation) *api.CacheExplanation {
	r.tell(told)
	whole := *told
	r.comparing.Go(func() { r.engine.nearest(r.ctx, &whole, r.task) })
	return &whole
}

// fill carries the run out, and has its result kept when it ends.
func (r *run) fill(told *api.CacheExplanation, key cache.Key, began time.Time) (*api.Result, error) {
	result, err := r.carried(began)
	r.comparing.Wait()
	if err == nil {
		now := time.Now().UTC()
		r.entry = &cache.Entry{
			Key: key.Digest, Task: nameOf(r.task), Run: r.id, Parts: key.Parts, Outputs: json.RawMessage(r.outputs.text),
			Stdout: last(result.Stdout), Stderr: last(result.Stderr), Image: result.Image,
			Blobs: r.outputs.blobs, Size: r.outputs.size, Created: now, Used: now,
		}
		if told.Verdict == "miss" {
			told.Verdict = "stored"
		}
	}
	r.tell(told)
	return result, err
}

// store keeps the result of the run, if it is to be kept, while its end is
// written to the disk. That the cache is in trouble is no trouble of the run. Of
// one that was never made, nobody would find where the result is from.
func (r *run) store() {
	if r.entry == nil || r.unmade() {
		return
	}
	ctx := context.WithoutCancel(r.ctx)
	if err := r.engine.config.Cache.Put(ctx, *r.entry); err != nil {
		r.engine.config.Logger.Warn("keeping a result in the cache", "run", r.id, "error", err)
		return
	}
	r.engine.evict(ctx)
}

func last(text []byte) []byte { return text[max(0, len(text)-maxKept):] }

// evict holds the cache to its bounds, when that is due.
func (e *Engine) evict(ctx context.Context) {
	e.evicting.Lock()
	defer e.evicting.Unlock()
	if _, err := e.eviction.Run(ctx, time.Now()); err != nil && ctx.Err() == nil {
		e.config.Logger.Warn("evicting from the cache", "error", err)
	}
}

// flights are the results that are under way, by key.
type flights struct {
	mu  sync.Mutex
	all map[string]*flight
}

type flight struct {
	run  string
	done chan struct{}
}

// join returns the flight of a key; first is true for who has to carry it out.
func (f *flights) join(key, run string) (leader *flight, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if leader, ok := f.all[key]; ok {
		return leader, false
	}
	leader = &flight{run, make(chan struct{})}
	if f.all == nil {
		f.all = map[string]*flight{}
	}
	f.all[key] = leader
	return leader, true
}

func (f *flights) leave(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.all[key].done)
	delete(f.all, key)
}

// ExplainCache says why a run was or was not answered from the cache.
func (e *Engine) ExplainCache(ctx context.Context, id string) (*api.CacheExplanation, error) {
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	if rec.Cache != nil {
		return rec.Cache, nil
	}
	return e.unconsulted(ctx, rec)
}

// unconsulted explains a run that has not come to the cache.
func (e *Engine) unconsulted(ctx context.Context, rec *journal.Record) (*api.CacheExplanation, error) {
	x := &api.CacheExplanation{Run: rec.ID, Mode: api.CacheDisable, Verdict: "disabled"}
	switch {
	case rec.Cached:
		x.Source, x.Reason = rec.CachedRun, "the call was answered by the run that it repeats, without the cache"
	case rec.Started.IsZero():
		x.Reason = "the run has not started"
	default:
		task, err := e.loadTask(ctx, rec.TaskDigest)
		if err != nil {
			return nil, err
		}
		if x.Mode, x.Reason, err = cache.Mode(task, ""); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// ClearCache forgets the results of one task, or all.
func (e *Engine) ClearCache(ctx context.Context, task string) (int, error) {
	n, err := e.config.Cache.Clear(ctx, task)
	if err != nil {
		return n, api.AsError(err)
	}
	return n, nil
}
