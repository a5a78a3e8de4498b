// Package prune removes from a home what was not used lately: images, ended runs
// with their logs and files, results in the cache, and then the blobs that
// nothing refers to any more.
//
// Other processes may work on the home meanwhile, and a crash may come at any
// time, so the order matters:
//
//   - A run is deleted in the journal first. Files and logs that a crash leaves
//     behind belong to no run then, and a later Prune removes them as leftovers.
//   - A run that has not ended keeps everything it needs, whatever its age.
//   - Blobs come last, by mark and sweep: references are collected first, and
//     only blobs older than an hour are removed. A run that is being submitted
//     stores its blobs before its record, and one that comes to refer to an old
//     blob asks the store for it, which makes it a new one.
package prune

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"iter"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

const (
	// pruneBatch is how many trees of runs are deleted in one transaction; other
	// writers wait that long.
	pruneBatch = 100
	// Grace is how long a blob is kept that nothing refers to.
	Grace = time.Hour
)

// Stores are what a home keeps.
type Stores struct {
	Home     home.Dir
	Images   func(maxBytes int64, age time.Duration) ([]int64, error) // prunes images, and returns their sizes
	Journal  journal.Journal
	Sessions journal.Sessions
	Cache    cache.Store
	Blobs    Blobs
	Needs    []Referrer // what else refers to blobs
	Logger   *slog.Logger
}

// Referrer knows blobs that are needed.
type Referrer interface {
	References(ctx context.Context, f func(digest string) error) error
}

// Blobs is a store of blobs that can be pruned.
type Blobs interface {
	All(context.Context) iter.Seq2[blob.Info, error]
	// RemoveOld deletes a blob unless it was stored, or asked for, since before.
	RemoveOld(ctx context.Context, digest string, before time.Time) (removed bool, freed int64, err error)
}

// Prune removes what was not used for age, and further images, the longest
// unused first, until at most maxImages bytes of them are left; 0 limits
// neither. Then it removes the blobs that nothing needs.
func Prune(ctx context.Context, s Stores, maxImages int64, age time.Duration) (api.Pruned, error) {
	return newPruner(ctx, s, age).prune(maxImages, age)
}

func (p *pruner) prune(maxImages int64, age time.Duration) (api.Pruned, error) {
	steps := []func() error{p.runs, p.sessions, p.results, p.leftovers, p.blobs}
	if age <= 0 {
		steps = []func() error{p.blobs}
	}
	err := p.images(maxImages, age)
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	return p.pruned, err
}

// MakeRoom removes what can be removed without writing to the journal, whose
// disk is full.
func MakeRoom(ctx context.Context, s Stores, maxImages int64, age time.Duration) (api.Pruned, error) {
	p := newPruner(ctx, s, age)
	err := p.images(maxImages, age)
	if err == nil && age > 0 {
		err = p.leftovers()
	}
	if err == nil {
		err = p.blobs()
	}
	return p.pruned, err
}

// Downloads removes the files of runs on servers that were not used for age.
// It is all that there is to prune where there is no engine.
func Downloads(ctx context.Context, d home.Dir, age time.Duration) (api.Pruned, error) {
	p := newPruner(ctx, Stores{Home: d}, age)
	if age <= 0 {
		return p.pruned, nil
	}
	return p.pruned, p.oldFiles(d.Downloads(), nil)
}

// Add adds to p what was removed before.
func Add(p *api.Pruned, other api.Pruned) {
	addRemoved(&p.Images, other.Images)
	addRemoved(&p.Runs, other.Runs)
	addRemoved(&p.Files, other.Files)
	p.Results += other.Results
	p.Sessions += other.Sessions
	addRemoved(&p.Blobs, other.Blobs)
}

func addRemoved(r *api.Removed, other api.Removed) {
	r.Count += other.Count
	r.Bytes += other.Bytes
}

// pruner is one call of Prune.
type pruner struct {
	Stores
	ctx    context.Context
	before time.Time // what was used since then stays
	except []string  // tasks whose runs stay
	most   int       // trees of runs to delete at once
	pruned api.Pruned
}

func newPruner(ctx context.Context, s Stores, age time.Duration) *pruner {
	return &pruner{Stores: s, ctx: ctx, before: time.Now().Add(-age), most: math.MaxInt}
}

// sessions forgets those that have ended.
func (p *pruner) sessions() error {
	for {
		n, err := p.Sessions.PruneSessions(p.ctx, p.before, pruneBatch)
		p.pruned.Sessions += n
		if err != nil || n < pruneBatch {
			return err
		}
	}
}

func (p *pruner) images(most int64, age time.Duration) error {
	sizes, err := p.Images(most, age)
	for _, size := range sizes {
		p.pruned.Images.Count++
		p.pruned.Images.Bytes += size
	}
	return err
}

// runs deletes ended runs.
func (p *pruner) runs() error {
	return p.trees(journal.Pruning{Before: p.before, Except: p.except})
}

// trees deletes trees of runs, in the journal first: what a crash leaves of them is
// then found as a leftover.
func (p *pruner) trees(which journal.Pruning) (err error) {
	if which.Keep, err = p.repeated(); err != nil {
		return err
	}
	for p.most > 0 {
		which.Limit = min(p.most, pruneBatch)
		ids, err := p.Journal.Prune(p.ctx, which)
		if err != nil || len(ids) == 0 {
			return err
		}
		p.most -= which.Limit
		for _, id := range ids {
			p.pruned.Runs.Count++
			if err := p.remains(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// remains removes what is kept of a run beside the journal.
func (p *pruner) remains(id string) error {
	if err := remove(&p.pruned.Runs.Bytes, p.Home.Log(id)); err != nil {
		return err
	}
	for _, end := range []string{"", partialRun, inputsRun, ".outputs"} {
		if err := p.files(filepath.Join(p.Home.Runs(), id+end)); err != nil {
			return err
		}
	}
	return nil
}

// files removes a directory with files of a run.
func (p *pruner) files(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p.pruned.Files.Count++
	return remove(&p.pruned.Files.Bytes, path)
}

// remove removes a tree and adds the bytes that this gives back.
func remove(bytes *int64, path string) error {
	freed, err := removeTree(path)
	*bytes += freed
	if err != nil {
		return api.Errorf(api.Internal, "remove %s: %w", path, err)
	}
	return nil
}

func (p *pruner) results() (err error) {
	p.pruned.Results, err = p.Cache.Evict(p.ctx, p.before, 0)
	return err
}

// leftovers removes old files of runs, which can be laid out or downloaded again
// as long as the run is there, and logs of runs that the journal no longer has.
func (p *pruner) leftovers() error {
	unfinished, err := p.unfinished()
	if errors.Is(err, journal.ErrDamaged) { // that run may need any of the files
		p.Logger.Warn("files of runs are left as they are", "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	for _, dir := range []string{p.Home.Runs(), p.Home.Downloads()} {
		if err := p.oldFiles(dir, unfinished); err != nil {
			return err
		}
	}
	return eachRun(p.Home.Logs(), func(id string, entry fs.DirEntry) error {
		if unfinished[id] || !p.old(entry) {
			return p.ctx.Err()
		}
		if _, err := p.Journal.Load(p.ctx, id); !errors.Is(err, journal.ErrNotFound) {
			return err
		}
		return remove(&p.pruned.Runs.Bytes, filepath.Join(p.Home.Logs(), entry.Name()))
	})
}

// oldFiles removes old directories with files of runs, but of those to keep.
func (p *pruner) oldFiles(dir string, keep map[string]bool) error {
	return eachRun(dir, func(id string, entry fs.DirEntry) error {
		if keep[id] || strings.HasSuffix(entry.Name(), partialRun) || !entry.IsDir() || !p.old(entry) {
			return p.ctx.Err()
		}
		return p.files(filepath.Join(dir, entry.Name()))
	})
}

func (p *pruner) unfinished() (map[string]bool, error) {
	records, err := p.Journal.Unfinished(p.ctx)
	ids := make(map[string]bool, len(records))
	for _, rec := range records {
		ids[rec.ID] = true
	}
	return ids, err
}

func (p *pruner) old(entry fs.DirEntry) bool {
	info, err := entry.Info()
	return err == nil && info.ModTime().Before(p.before)
}

// blobs removes those that nothing refers to. It marks first, see the package
// comment.
func (p *pruner) blobs() error {
	needed := map[digest]bool{}
	mark := func(text string) error {
		d, err := parseDigest(text)
		needed[d] = true
		return err
	}
	for _, needs := range append([]Referrer{p.Journal, p.Cache}, p.Needs...) {
		if err := needs.References(p.ctx, mark); err != nil {
			return err
		}
	}
	graceful := time.Now().Add(-Grace)
	for info, err := range p.Blobs.All(p.ctx) {
		if err != nil {
			return err
		}
		if d, err := parseDigest(info.Digest); err != nil || needed[d] || !info.Stored.Before(graceful) {
			continue
		}
		removed, freed, err := p.Blobs.RemoveOld(p.ctx, info.Digest, graceful)
		if err != nil {
			return err
		}
		if removed {
			p.pruned.Blobs.Count++
			p.pruned.Blobs.Bytes += freed
		}
	}
	return nil
}

// digest is that of a blob, in a quarter of the memory of its text.
type digest [32]byte

func parseDigest(text string) (d digest, err error) {
	if n, err := hex.Decode(d[:], []byte(text[:min(len(text), 2*len(d))])); err != nil || n != len(d) || len(text) != 2*len(d) {
		return d, api.Errorf(api.StorageCorrupt, "%.80q is not the digest of a blob", text)
	}
	return d, nil
}
