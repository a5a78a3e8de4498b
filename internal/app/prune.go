package app

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

const (
	// pruneBatch is how many trees of runs are deleted at a time: others who write
	// wait that long.
	pruneBatch = 100
	// blobGrace is how long a blob is kept that nothing refers to: a run that is
	// being submitted has its blobs before its record.
	blobGrace = time.Hour
)

// Removed is how much of one kind was removed.
type Removed struct {
	Count int   `json:"count"`
	Bytes int64 `json:"bytes"` // of the disk that are free now
}

// Pruned is what Prune removed.
type Pruned struct {
	Images  Removed `json:"images"`
	Runs    Removed `json:"runs"`    // from the journal, their calls included; the bytes of their logs
	Files   Removed `json:"files"`   // directories with files of runs
	Results int     `json:"results"` // of the cache
	Blobs   Removed `json:"blobs"`
}

// Prune removes what was not used for age: images, ended runs with what is kept
// of them, results in the cache; and further images, the longest unused first,
// until at most most bytes of them are left. 0 bounds nothing. Then it removes
// all blobs that nothing needs any more. Other processes may work meanwhile.
func (a *App) Prune(ctx context.Context, most int64, age time.Duration) (Pruned, error) {
	p := pruner{app: a, ctx: ctx, before: time.Now().Add(-age)}
	steps := []func() error{p.runs, p.results, p.leftovers, p.blobs}
	if age <= 0 {
		steps = []func() error{p.blobs}
	}
	err := p.images(most, age)
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	return p.pruned, err
}

// pruner is one call of Prune.
type pruner struct {
	app    *App
	ctx    context.Context
	before time.Time // what was used since then stays
	pruned Pruned
}

func (p *pruner) images(most int64, age time.Duration) error {
	images, err := p.app.images.Prune(most, age)
	for _, img := range images {
		p.pruned.Images.Count++
		p.pruned.Images.Bytes += img.Size
	}
	return err
}

// runs deletes ended runs, in the journal first: what a crash leaves of them is
// then found as a leftover.
func (p *pruner) runs() error {
	for {
		ids, err := p.app.db.Journal().Prune(p.ctx, p.before, pruneBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			p.pruned.Runs.Count++
			if err := p.remains(id); err != nil {
				return err
			}
		}
	}
}

// remains removes what is kept of a run beside the journal.
func (p *pruner) remains(id string) error {
	if err := remove(&p.pruned.Runs.Bytes, p.app.logPath(id)); err != nil {
		return err
	}
	for _, end := range []string{"", partialRun, inputsRun, ".outputs"} {
		if err := p.files(id + end); err != nil {
			return err
		}
	}
	return nil
}

// files removes a directory with files of a run.
func (p *pruner) files(name string) error {
	path := filepath.Join(p.app.runs(), name)
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
	p.pruned.Results, err = p.app.db.Cache().Evict(p.ctx, p.before, 0)
	return err
}

// leftovers removes old files of runs, which can be laid out again as long as
// the run is there, and logs of runs that are in the journal no more.
func (p *pruner) leftovers() error {
	unfinished, err := p.unfinished()
	if err != nil {
		return err
	}
	err = eachRun(p.app.runs(), func(id string, entry fs.DirEntry) error {
		if unfinished[id] || strings.HasSuffix(entry.Name(), partialRun) || !entry.IsDir() || !p.old(entry) {
			return p.ctx.Err()
		}
		return p.files(entry.Name())
	})
	if err != nil {
		return err
	}
	return eachRun(p.app.logs(), func(id string, entry fs.DirEntry) error {
		if unfinished[id] || !p.old(entry) {
			return p.ctx.Err()
		}
		if _, err := p.app.db.Journal().Load(p.ctx, id); !errors.Is(err, journal.ErrNotFound) {
			return err
		}
		return remove(&p.pruned.Runs.Bytes, filepath.Join(p.app.logs(), entry.Name()))
	})
}

func (p *pruner) unfinished() (map[string]bool, error) {
	records, err := p.app.db.Journal().Unfinished(p.ctx)
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

// blobs removes those that neither the journal nor the cache refers to. The
// marks come first: who refers to an old blob from then on has asked the store
// for it, which made it a new one.
func (p *pruner) blobs() error {
	needed := map[digest]bool{}
	mark := func(text string) error {
		d, err := parseDigest(text)
		needed[d] = true
		return err
	}
	if err := p.app.db.Journal().References(p.ctx, mark); err != nil {
		return err
	}
	if err := p.app.db.Cache().References(p.ctx, mark); err != nil {
		return err
	}
	graceful := time.Now().Add(-blobGrace)
	for info, err := range p.app.blobs.All(p.ctx) {
		if err != nil {
			return err
		}
		if d, err := parseDigest(info.Digest); err != nil || needed[d] || !info.Stored.Before(graceful) {
			continue
		}
		removed, err := p.app.blobs.RemoveOld(info.Digest, graceful)
		if err != nil {
			return err
		}
		if removed.Done {
			p.pruned.Blobs.Count++
			p.pruned.Blobs.Bytes += removed.Freed
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
