package oci

import (
	"context"
	"crypto/sha256"
	"hash"
	"io"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/glovebox-dev/glovebox/api"
)

func newHash() hash.Hash { return sha256.New() }

// Push uploads an image under a reference and returns the digest of its
// manifest. Layers that the registry has are not sent again.
func Push(ctx context.Context, ref string, img *Image, opts Options) (Digest, error) {
	digest, err := push(ctx, ref, img, opts)
	if err != nil {
		return "", located("push to "+shown(ref), err)
	}
	return digest, nil
}

func push(ctx context.Context, ref string, img *Image, opts Options) (Digest, error) {
	parsed, err := parseReference(ref)
	if err != nil {
		return "", err
	}
	assembled, err := img.assemble(ctx, opts.Progress)
	if err != nil {
		return "", err
	}
	if err := remote.Write(parsed, assembled, append(opts.remote(parsed), remote.WithContext(ctx))...); err != nil {
		return "", opts.registryError(ctx, err)
	}
	return imageDigest(assembled)
}

// WriteArchive writes an image as docker save does, under the name ref, to a
// file that appears complete or not at all.
func WriteArchive(ctx context.Context, path, ref string, img *Image) error {
	tag, err := name.NewTag(ref)
	if err != nil {
		return api.Errorf(api.InvalidTask, "the name %.200q of the image in the archive: %w", ref, err)
	}
	assembled, err := img.assemble(ctx, nil)
	if err != nil {
		return err
	}
	f, err := createAtomic(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer f.abort()
	if err := tarball.Write(tag, assembled, f); err != nil {
		return located("write "+path, err)
	}
	return f.commit(path)
}

// ManifestDigest returns the digest that an image has once it is pushed.
func (img *Image) ManifestDigest(ctx context.Context) (Digest, error) {
	assembled, err := img.assemble(ctx, nil)
	if err != nil {
		return "", err
	}
	return imageDigest(assembled)
}

func imageDigest(img v1.Image) (Digest, error) {
	h, err := img.Digest()
	if err != nil {
		return "", located("manifest", err)
	}
	return ParseDigest(h.String())
}

// assemble makes an OCI image out of layers and a configuration.
func (img *Image) assemble(ctx context.Context, progress func(done, total int64)) (v1.Image, error) {
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	var adds []mutate.Addendum
	for _, layer := range counted(img.Layers, progress) {
		adds = append(adds, mutate.Addendum{Layer: stored{ctx, layer}, MediaType: types.MediaType(layer.MediaType)})
	}
	layered, err := mutate.Append(base, adds...)
	if err != nil {
		return nil, located("assemble the image", err)
	}
	cf, err := layered.ConfigFile()
	if err != nil {
		return nil, located("assemble the image", err)
	}
	cf = cf.DeepCopy()
	platform := Options{Platform: img.Platform}.platform()
	parsed, err := v1.ParsePlatform(platform)
	if err != nil {
		return nil, api.Errorf(api.InvalidTask, "platform %q: %w", platform, err)
	}
	cf.OS, cf.Architecture, cf.Variant = parsed.OS, parsed.Architecture, parsed.Variant
	cf.Created = v1.Time{Time: img.Created.UTC()}
	cf.History = nil
	cf.Config = img.Config.stored()
	return mutate.ConfigFile(layered, cf)
}

// stored shows a layer as the registry client wants it.
type stored struct {
	ctx   context.Context
	layer Layer
}

func (s stored) Digest() (v1.Hash, error)             { return v1.NewHash(string(s.layer.Digest)) }
func (s stored) DiffID() (v1.Hash, error)             { return v1.NewHash(string(s.layer.DiffID)) }
func (s stored) Size() (int64, error)                 { return s.layer.Size, nil }
func (s stored) MediaType() (types.MediaType, error)  { return types.MediaType(s.layer.MediaType), nil }
func (s stored) Compressed() (io.ReadCloser, error)   { return s.layer.Compressed(s.ctx) }
func (s stored) Uncompressed() (io.ReadCloser, error) { return s.layer.Tar(s.ctx) }
