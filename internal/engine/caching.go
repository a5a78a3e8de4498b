package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// cacheable reports whether the run could be answered from the cache.
func (e *Engine) cacheable(r *run) bool {
	mode, _, err := cache.Mode(r.task, r.asked())
	return err == nil && mode != api.CacheDisable
}

// asked is how the run shall meet the cache, whatever its task says; "" leaves it
// to the task.
func (r *run) asked() api.CacheMode {
	if r.override == "" && r.record().Fresh {
		return api.CacheDisable
	}
	return r.override
}

// cached answers the run from the cache, or by attempts whose result it keeps.
func (r *run) cached(began time.Time) (*api.Result, error) {
	mode, reason, err := cache.Mode(r.task, r.asked())
	if err != nil {
		return nil, err
	}
	x := &api.CacheExplanation{Run: r.id, Mode: mode, Reason: reason}
	if mode == api.CacheDisable {
		x.Verdict = "disabled"
		r.explain(x)
		return r.uncached(began)
	}
	asked := time.Now()
	key, err := r.key()
	if err != nil {
		return nil, err
	}
	if r.kind == api.KindSandbox {
		r.imageTook = time.Since(asked) // the key has the image, which is built for it
	}
	x.Key, x.Parts = key.Digest, key.Parts
	if mode == api.CacheOverride {
		x.Verdict, x.Reason = "override", reason+": the task runs, and its result replaces the one that is kept"
		r.explain(x)
		return r.fill(x, key, began)
	}
	return r.consult(x, key, began)
}

// uncached makes the attempts, and notes how long the run and its image took before.
func (r *run) uncached(began time.Time) (*api.Result, error) {
	result, err := r.attempts()
	if result != nil {
		result.Timings.Queue = began.Sub(r.record().Created)
		result.Timings.Image += r.imageTook
	}
	return result, err
}

// explain keeps how the run met the cache; it becomes durable with the next event.
func (r *run) explain(x *api.CacheExplanation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rec.Cache = x
}

func (r *run) key() (cache.Key, error) {
	identity, err := r.engine.identity(r.ctx, r.task, r.show)
	if err != nil {
		return cache.Key{}, err
	}
	key, err := cache.NewKey(r.task, identity, r.inputs)
	return key.Of(r.record().Owner), err
}

// identity is that of the runner, and for an orchestrator of every tool too:
// the image that a tool gets can change its result.
func (e *Engine) identity(ctx context.Context, task *api.Task, progress func(api.Progress)) (string, error) {
	identity, err := e.config.Kinds[task.KindOf()].Identity(ctx, task, progress)
	tools := task.Callable()
	if err != nil || len(tools) == 0 {
		return identity, err
	}
	all := []string{identity}
	for _, tool := range tools {
		id, err := e.identity(ctx, tool, progress)
		if err != nil {
			return "", err
		}
		all = append(all, tool.Name+"="+id)
	}
	return strings.Join(all, "\n"), nil
}

// consult looks for the result. Of identical runs at the same time one
// executes, and the others wait for it.
func (r *run) consult(x *api.CacheExplanation, key cache.Key, began time.Time) (*api.Result, error) {
	for {
		if result, err := r.lookUp(x, key); result != nil || err != nil {
			return result, err
		}
		leader, first := r.engine.flights.join(key.Digest, r.id)
		if first {
			r.flight = key.Digest // until it has ended
			// The previous leader may have ended since the look above.
			if result, err := r.lookUp(x, key); result != nil || err != nil {
				return result, err
			}
			x.Verdict, x.Reason = "miss", "nothing is kept for this key"
			return r.fill(r.compare(x), key, began)
		}
		if r.isBelow(leader.run) { // which waits for this one
			x.Verdict, x.Reason = "miss", "the same is under way above it, in run "+leader.run
			r.explain(x)
			return r.uncached(began)
		}
		x.Verdict, x.Reason = "joined", "the same was under way, in run "+leader.run
		select {
		case <-leader.done:
		case <-r.ctx.Done():
			return nil, context.Cause(r.ctx)
		}
	}
}

// lookUp answers the run by the result that is kept, if one is.
func (r *run) lookUp(x *api.CacheExplanation, key cache.Key) (*api.Result, error) {
	entry, err := r.engine.config.Cache.Lookup(r.ctx, key.Digest)
	if errors.Is(err, cache.ErrNotFound) {
		return nil, nil
	}
	var result *api.Result
	if err == nil {
		result, err = r.hit(x, entry)
	} else if !errors.Is(err, cache.ErrDamaged) {
		return nil, api.AsError(err)
	}
	if err != nil {
		r.discard(key.Digest, err)
	}
	return result, nil
}

// discard forgets a result that cannot be used any more, such as one whose
// files are damaged. The run then executes, and its result replaces the old
// one.
func (r *run) discard(key string, why error) {
	if r.ctx.Err() != nil {
		return
	}
	log := r.engine.config.Logger
	log.Warn("a result that was kept is of no use; the task runs", "run", r.id, "key", key, "error", why)
	if err := r.engine.config.Cache.Forget(r.ctx, key); err != nil {
		log.Warn("forgetting a result", "key", key, "error", err)
	}
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
func (e *Engine) nearest(ctx context.Context, x *api.CacheExplanation, task *api.Task) {
	recent, err := e.config.Cache.Recent(ctx, cache.OwnedTask(api.IdentityOf(ctx).Owner, nameOf(task)), 20)
	if err != nil {
		return
	}
	if near, differs := cache.Nearest(x.Parts, recent); near != nil {
		x.Nearest, x.Differs = near.Run, differs
	}
}

// hit answers the run by an entry. An error means that the entry is of no use.
func (r *run) hit(x *api.CacheExplanation, entry *cache.Entry) (*api.Result, error) {
	e := r.engine
	values, err := value.Decode("output", r.task.OutputParams(), entry.Outputs)
	if err != nil {
		return nil, api.AsError(err)
	}
	_, blobs, err := e.takeFiles(r.ctx, values) // which finds out whether its files are still there
	if err != nil {
		return nil, err
	}
	if entry.Report != nil {
		blobs = append(blobs, entry.Report.SHA256)
	}
	if err := e.verify(r.ctx, blobs); err != nil {
		return nil, err
	}
	payload, err := e.payload(r.ctx, bytes.NewReader(entry.Outputs), &blobs)
	if err != nil {
		return nil, err
	}
	r.outputs = outputs{values: values, text: entry.Outputs, payload: payload, blobs: blobs}
	if x.Verdict != "joined" {
		x.Verdict, x.Reason = "hit", "everything that could change the result is as in run "+entry.Run
	}
	x.Source = entry.Run
	r.mu.Lock()
	r.rec.Cache, r.rec.CachedRun, r.rec.Report = x, entry.Run, entry.Report
	r.mu.Unlock()
	r.print("stdout", r.streams.stdout, entry.Stdout)
	r.print("stderr", r.streams.stderr, entry.Stderr)
	return &api.Result{Image: entry.Image, Cached: true, Stdout: entry.Stdout, Stderr: entry.Stderr}, nil
}

// print replays what the cached run printed.
func (r *run) print(stream string, to io.Writer, text []byte) {
	if len(text) > 0 {
		_, _ = r.writer(stream, to).Write(text) // a reader that is gone does not fail the run
	}
}

// maxKept bounds what an entry keeps of each stream: the end counts.
const maxKept = 64 << 10 // bytes

// compare finds, beside the attempts, the earlier run from which a miss differs
// least. The explanation that it returns becomes durable with the end of the
// run.
func (r *run) compare(x *api.CacheExplanation) *api.CacheExplanation {
	r.explain(x)
	whole := *x
	r.comparing.Go(func() { r.engine.nearest(r.ctx, &whole, r.task) })
	return &whole
}

// fill carries the run out, and has its result kept when it ends.
func (r *run) fill(x *api.CacheExplanation, key cache.Key, began time.Time) (*api.Result, error) {
	result, err := r.uncached(began)
	r.comparing.Wait()
	if err == nil && !result.NotKept {
		now := time.Now().UTC()
		r.entry = &cache.Entry{
			Key: key.Digest, Task: cache.OwnedTask(r.record().Owner, nameOf(r.task)), Run: r.id, Parts: key.Parts, Outputs: json.RawMessage(r.outputs.text),
			Stdout: last(result.Stdout), Stderr: last(result.Stderr), Image: result.Image,
			Blobs: r.outputs.blobs, Size: r.outputs.size, Created: now, Used: now,
		}
		if report := r.record().Report; report != nil {
			r.entry.Report, r.entry.Size = report, r.entry.Size+report.Size
			r.entry.Blobs = append(slices.Clip(r.entry.Blobs), report.SHA256)
		}
		if x.Verdict == "miss" {
			x.Verdict = "stored"
		}
	}
	r.explain(x)
	return result, err
}

// store keeps the result of the run, if it is to be kept, while its end is
// written to the disk. A failure of the cache is logged and does not fail the run.
// The result of a run that was never created is not kept: it would name a source
// that does not exist.
func (r *run) store() {
	if r.entry == nil || r.durability.neverCreated() {
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

// join returns the flight of a key. If first is true, the caller has to carry it
// out and to leave it.
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

// unconsulted explains a run that has not looked in the cache.
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
	if task != "" {
		task = cache.OwnedTask(api.IdentityOf(ctx).Owner, task)
	}
	n, err := e.config.Cache.Clear(ctx, task)
	if err != nil {
		return n, api.AsError(err)
	}
	return n, nil
}
