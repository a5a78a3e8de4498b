package image

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// lockLabel is the label that carries the lock of a pushed image.
const lockLabel = "dev.glovebox.lock"

// buildOrPull takes the image from its registry, or builds it and pushes it
// there. Without a registry it is just built.
func (s *Service) buildOrPull(ctx context.Context, o order, progress func(api.Progress)) (*Record, error) {
	if o.registry == "" {
		return s.build(ctx, o, progress)
	}
	ref := registryRef(o.registry, o.name, o.spec)
	rec, err := s.pullBuilt(ctx, o, ref, progress)
	if rec != nil || err != nil {
		return rec, err
	}
	if rec, err = s.build(ctx, o, progress); err != nil {
		return nil, err
	}
	_, err = s.push(ctx, rec, ref, o.auth, progress)
	return rec, err
}

// baseAuth gives the credentials to the base only where they belong: to a base
// that was named, in the registry that they are for.
func (o order) baseAuth() oci.Options {
	own := o.registry == "" || sourceOf("registry", o.spec.Base) == sourceOf("registry", o.registry+"/")
	if o.spec.Base == "" || !own {
		return oci.Options{}
	}
	return o.auth
}

// registryRef is where an image of spec is looked for: its tag follows from the
// spec alone.
func registryRef(registry, name string, spec Spec) string {
	return strings.TrimSuffix(registry, "/") + "/" + name + ":" + spec.Digest()[:12]
}

// pullBuilt takes an image that was built from the same spec. Nothing is
// returned if there is none.
func (s *Service) pullBuilt(ctx context.Context, o order, ref string, progress func(api.Progress)) (*Record, error) {
	opened, err := s.open(ctx, ref, o.auth)
	if errors.Is(err, &api.Error{Code: api.ImageNotFound}) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lock := &Lock{}
	if json.Unmarshal([]byte(opened.Config.Labels[lockLabel]), lock) != nil || lock.Spec.Digest() != o.spec.Digest() {
		return nil, nil
	}
	progress(api.Progress{Stage: "base", Message: "image: " + o.name + " from " + o.registry})
	layers, err := s.fetchLayers(ctx, opened, progress)
	if err != nil {
		return nil, err
	}
	return s.recordLayers(ctx, lock, o.name, opened.Config, layers)
}

// recordLayers makes the root file system of layers and describes the image.
func (s *Service) recordLayers(ctx context.Context, lock *Lock, name string, config oci.Config, layers []oci.Layer) (*Record, error) {
	rootfs, err := s.materialize(ctx, chainOf(layers), layers)
	if err != nil {
		return nil, err
	}
	info, err := s.inspect(rootfs, config.Env)
	if err != nil {
		return nil, err
	}
	if lock.Python == "" {
		lock.Python, lock.SystemPackages = firstOf(info.Patch, info.Version), info.Debs
	}
	return s.record(lock, name, config, layers, info.Python)
}

// prebuilt takes an image as it is. The lock pins its digest, so the same tag
// gives the same image until it is removed from the store.
func (s *Service) prebuilt(ctx context.Context, o order, progress func(api.Progress)) (*Record, error) {
	progress(api.Progress{Stage: "base", Message: "image: " + shortRef(o.spec.Ref) + " from " + sourceOf(refKind(o.spec.Ref), o.spec.Ref)})
	opened, err := s.open(ctx, o.spec.Ref, o.auth)
	if err != nil {
		return nil, err
	}
	layers, err := s.fetchLayers(ctx, opened, progress)
	if err != nil {
		return nil, err
	}
	lock := &Lock{Version: lockVersion, Spec: o.spec, Base: Base{Kind: refKind(o.spec.Ref), Ref: o.spec.Ref, Digest: opened.Digest}}
	return s.recordLayers(ctx, lock, o.name, opened.Config, layers)
}

// Push uploads an image of the store, named by its id, a unique beginning of
// it, or a name. An empty ref takes the tag that Ensure would look for below
// registry. It returns the reference by digest: NAME@sha256:...
func (s *Service) Push(ctx context.Context, image, ref, secret string, progress func(api.Progress)) (string, error) {
	rec, err := s.Inspect(image)
	if err != nil {
		return "", err
	}
	auth, err := s.auth(secret)
	if err != nil {
		return "", err
	}
	if progress == nil {
		progress = func(api.Progress) {}
	}
	done, err := s.store.use(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	if !strings.Contains(ref[strings.LastIndexByte(ref, '/')+1:], ":") {
		ref = registryRef(ref, rec.Name, rec.Lock.Spec)
	}
	digest, err := s.push(ctx, rec, ref, auth, progress)
	if err != nil {
		return "", err
	}
	return byDigest(ref, digest), nil
}

// byDigest puts a digest in the place of what pins ref: its tag, or a digest.
func byDigest(ref string, digest oci.Digest) string {
	last := strings.LastIndexByte(ref, '/') + 1 // a colon before it is that of a port
	return ref[:last+strings.IndexAny(ref[last:]+":", ":@")] + "@" + string(digest)
}

func (s *Service) push(ctx context.Context, rec *Record, ref string, auth oci.Options, progress func(api.Progress)) (oci.Digest, error) {
	auth.Progress = func(done, total int64) {
		progress(api.Progress{Stage: "build", Message: "pushing " + ref, Done: done, Total: total})
	}
	img := &oci.Image{Platform: rec.Lock.Spec.Platform, Config: rec.Config, Created: rec.Created}
	img.Config.Labels = map[string]string{lockLabel: string(rec.Lock.Encode())}
	for k, v := range rec.Config.Labels {
		if k != lockLabel {
			img.Config.Labels[k] = v
		}
	}
	for _, l := range rec.Layers {
		img.Layers = append(img.Layers, s.store.blobs.Layer(l))
	}
	return oci.Push(ctx, ref, img, auth)
}
