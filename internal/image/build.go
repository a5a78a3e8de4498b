package image

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// builderVersion is part of the key of every base, step and spec. It changes
// when the same spec would give another image.
const builderVersion = 2

// build is one build under way.
type build struct {
	s        *Service
	order    order
	indexes  indexes // that programs in the cells use
	own      indexes // of the engine
	progress func(api.Progress)
	base     *baseRecord
	info     rootInfo // of the base
	layers   []oci.Layer
	env      []string   // of the image
	config   oci.Config // of the image, but for env
	lock     *Lock
	epoch    int64
	scratch  *scratch
}

// The kinds of steps.
const (
	kindTools   = "tools"
	kindAPT     = "apt"
	kindPython  = "python"
	kindCommand = "command"
)

// step is one step of a build: what it is, and what it does in a cell.
type step struct {
	kind string
	text string // what was asked for, for the lock and for people
	from any    // what else decides about the result: where it comes from
	// run does the step; the packages are those that it locked.
	run func(ctx context.Context, c *stepCell) ([]Package, error)
}

// build makes the image of o from its base up.
func (s *Service) build(ctx context.Context, o order, progress func(api.Progress)) (*Record, error) {
	b, err := s.newBuild(o, progress)
	if err != nil {
		return nil, err
	}
	defer b.scratch.close()
	if o.spec.Dockerfile != "" {
		return b.dockerfile(ctx)
	}
	if err := b.begin(ctx); err != nil {
		return nil, err
	}
	for _, st := range b.steps() {
		if err := b.step(ctx, st); err != nil {
			return nil, err
		}
	}
	return b.finish(ctx)
}

func (s *Service) newBuild(o order, progress func(api.Progress)) (*build, error) {
	set, err := readIndexes(s.getenv)
	if err != nil {
		return nil, err
	}
	named, err := set.with(o.spec)
	if err != nil {
		return nil, err
	}
	scratch, err := s.scratch()
	if err != nil {
		return nil, err
	}
	return &build{s: s, order: o, indexes: named, own: set, progress: progress, scratch: scratch}, nil
}

// begin takes the base of the spec.
func (b *build) begin(ctx context.Context) error {
	base, err := b.s.base(ctx, b.order.spec, b.order.baseAuth(), b.progress)
	if err != nil {
		return err
	}
	if err := b.beginWith(ctx, base); err != nil {
		return err
	}
	if err := wantPython(b.info, b.order.spec.Python, base.Base); err != nil {
		return err
	}
	b.lock = &Lock{Version: lockVersion, Spec: b.order.spec, Base: base.Base, Python: firstOf(b.info.Patch, b.info.Version)}
	return nil
}

// beginWith takes a base and looks into it.
func (b *build) beginWith(ctx context.Context, base *baseRecord) error {
	b.base, b.config, b.env, b.epoch = base, base.Config, slices.Clone(base.Config.Env), epochOf(base)
	for _, l := range base.Layers {
		b.layers = append(b.layers, b.s.store.blobs.Layer(l))
	}
	rootfs, err := b.materialize(ctx)
	if err != nil {
		return err
	}
	b.info, err = b.s.inspect(rootfs, b.env)
	return err
}

// epochOf is the time that all files of a build get: that of the Debian
// release, or of nothing in particular.
func epochOf(base *baseRecord) int64 {
	for _, su := range suites() {
		if base.Base.Ref == "debian:"+su.name {
			return su.epoch
		}
	}
	return suites()[0].epoch
}

// sources are what a spec says about where things come from.
func (b *build) sources() any {
	spec := b.order.spec
	return []any{spec.IndexURL, spec.ExtraIndexURLs, spec.Network}
}

// steps are the steps of the spec, in their order: a change of a later one
// leaves the layers of the earlier ones as they are.
func (b *build) steps() []step {
	spec := b.order.spec
	var out []step
	if missing := b.missingTools(); len(missing) > 0 && b.info.APT {
		out = append(out, b.aptStep(kindTools, missing))
	}
	if len(spec.SystemPackages) > 0 {
		out = append(out, b.aptStep(kindAPT, spec.SystemPackages))
	}
	if len(spec.Packages) > 0 {
		out = append(out, b.pythonStep(spec.Packages))
	}
	for _, c := range spec.Commands {
		out = append(out, b.commandStep(c))
	}
	return out
}

// step takes the layer of an equal earlier step or runs the step.
func (b *build) step(ctx context.Context, st step) error {
	key := digestJSON([]any{builderVersion, b.chain(), st.kind, st.text, st.from, b.order.spec.Platform})
	b.lock.Steps = append(b.lock.Steps, LockedStep{Kind: st.kind, Text: st.text, Key: key})
	rec := &stepRecord{}
	if !b.s.store.read("steps", key+".json", rec) || !b.s.store.blobs.Has(rec.Layer.Digest) {
		var err error
		if rec, err = b.runStep(ctx, key, st); err != nil {
			return err
		}
	}
	b.lock.Packages = append(b.lock.Packages, rec.Packages...)
	b.layers = append(b.layers, b.s.store.blobs.Layer(rec.Layer))
	if st.kind == kindPython {
		b.env = withVenv(b.env)
	}
	return nil
}

// runStep runs st in a cell of its own and stores what it changed.
func (b *build) runStep(ctx context.Context, key string, st step) (*stepRecord, error) {
	b.progress(api.Progress{Stage: "build", Message: st.kind + ": " + oneLine(st.text)})
	rootfs, err := b.materialize(ctx)
	if err != nil {
		return nil, err
	}
	c, err := b.startCell(ctx, rootfs, st.kind)
	if err != nil {
		return nil, err
	}
	defer c.close()
	packages, err := st.run(ctx, c)
	if err != nil {
		return nil, c.explain(ctx, err)
	}
	layer, err := b.takeLayer(ctx, c, b.s.layerOptions(b.epoch))
	if err != nil {
		return nil, err
	}
	rec := &stepRecord{Key: key, Layer: layer, Packages: packages}
	return rec, b.s.store.write("steps", key+".json", rec)
}

// chain names the file system that the layers so far make.
func (b *build) chain() string { return chainOf(b.layers) }

// chainOf is the digest of the layers' digests, the lowest first.
func chainOf(layers []oci.Layer) string {
	h := sha256.New()
	for _, l := range layers {
		fmt.Fprintln(h, l.DiffID)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// materialize gives an EROFS file of the layers so far, for the cell of the
// next step. Between the base and the end it is the build's own and goes with
// it; the layers stay, so it is cheap to make again.
func (b *build) materialize(ctx context.Context) (string, error) {
	chain := b.chain()
	if len(b.layers) == len(b.base.Layers) {
		return b.s.materialize(ctx, chain, b.layers)
	}
	kept := b.s.store.rootfs(chain)
	if b.s.store.hasRootFS(chain, 0) {
		return kept, nil
	}
	own := filepath.Join(b.scratch.dir, chain+".erofs")
	if _, err := os.Lstat(own); err == nil {
		return own, nil
	}
	return own, b.s.flatten(ctx, b.layers, own, oci.Limits{})
}

// materialize makes the EROFS file of a chain unless it is there and sound.
func (s *Service) materialize(ctx context.Context, chain string, layers []oci.Layer) (string, error) {
	out := s.store.rootfs(chain)
	if s.store.hasRootFS(chain, 0) {
		return out, nil
	}
	release, err := s.store.only(ctx, "rootfs-"+chain)
	if err != nil {
		return "", err
	}
	defer release()
	if s.store.hasRootFS(chain, 0) {
		return out, nil
	}
	if err := os.RemoveAll(out); err != nil { // what is damaged, or no file
		return "", storageError("remove a damaged image", err)
	}
	return out, s.flatten(ctx, layers, out, oci.Limits{})
}

// finish makes the final root file system and the record.
func (b *build) finish(ctx context.Context) (*Record, error) {
	b.progress(api.Progress{Stage: "build", Message: "writing the image"})
	rootfs, err := b.s.materialize(ctx, b.chain(), b.layers)
	if err != nil {
		return nil, err
	}
	info, err := b.s.inspect(rootfs, b.env)
	if err != nil {
		return nil, err
	}
	b.lock.SystemPackages = info.Debs
	config := b.config
	config.Env = b.env
	return b.s.record(b.lock, b.order.name, config, b.layers, info.Python)
}

// record describes a finished image.
func (s *Service) record(lock *Lock, name string, config oci.Config, layers []oci.Layer, python string) (*Record, error) {
	chain := chainOf(layers)
	stat, err := os.Stat(s.store.rootfs(chain))
	if err != nil {
		return nil, storageError("read the root file system", err)
	}
	return &Record{
		ID: lock.ID(), Name: name, Lock: lock, Config: config, Layers: layers, RootFS: chain,
		Python: python, Created: time.Now().UTC(), Size: stat.Size(),
	}, nil
}

// scratch is a private directory for one build, removed with it or by a sweep.
type scratch struct {
	dir     string
	release func()
}

// scratch makes another directory when a sweep comes between the making of one
// and its lock.
func (s *Service) scratch() (*scratch, error) {
	for range 100 {
		dir, err := os.MkdirTemp(filepath.Join(s.store.dir, "tmp"), "build-")
		if err != nil {
			return nil, storageError("make a directory for the build", err)
		}
		release, ok, err := tryAcquire(filepath.Join(dir, scratchLock), exclusive)
		if err != nil {
			return nil, storageError("lock the directory of the build", err)
		}
		if !ok {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, scratchLock)); err == nil {
			return &scratch{dir, release}, nil
		}
		release()
	}
	return nil, api.Errorf(api.Internal, "every directory for the build is swept away by another process")
}

func (s *scratch) close() {
	// The next sweep removes what is left.
	_ = os.RemoveAll(s.dir)
	s.release()
}

// oneLine makes a step's text fit for a line of progress.
func oneLine(text string) string {
	line := strings.Join(strings.Fields(printable(text)), " ")
	if len(line) > 120 {
		return line[:117] + "..."
	}
	return line
}
