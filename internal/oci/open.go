package oci

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/glovebox-dev/glovebox/api"
)

// Bounds of what describes an image: bytes, and indexes within indexes.
const (
	maxManifest = 4 << 20
	maxConfig   = 8 << 20
	maxIndexes  = 4

	maxDescriptors = 10_000 // manifests of an index, or layers of a manifest
)

// Open finds an image and reads its manifest and its configuration; the layers
// are read later. The reference is that of a registry, or else "oci:PATH",
// "archive:PATH" or a path that starts with /, ./ or ../: all three mean an OCI
// layout directory, or an uncompressed tar of one or of docker save.
//
// The errors are image_not_found, image_invalid, registry_denied and
// registry_unavailable. No credentials appear in them.
func Open(ctx context.Context, ref string, opts Options) (*Image, error) {
	img, err := open(ctx, ref, opts)
	if err != nil {
		return nil, located("image "+shown(ref), err)
	}
	img.Ref = ref
	img.Layers = counted(img.Layers, opts.Progress)
	return img, nil
}

func open(ctx context.Context, ref string, opts Options) (*Image, error) {
	path, ok := api.ImagePath(ref)
	if !ok {
		return openRemote(ctx, ref, opts)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, api.Errorf(api.ImageNotFound, "there is no such file or directory: %w", err)
	}
	if info.IsDir() {
		return openFiles(ctx, layoutDir{path}, opts)
	}
	return openArchive(ctx, path, opts)
}

// content is where the parts of an image come from. What it gives is not
// checked yet.
type content interface {
	manifest(ctx context.Context, d Digest) ([]byte, error)
	blob(ctx context.Context, d Digest) (io.ReadCloser, error)
}

// document is an image index or a manifest: image-spec, image-index.md and
// manifest.md; docker's schema 2 has the same fields.
type document struct {
	Manifests descriptors   `json:"manifests"`
	Config    v1.Descriptor `json:"config"`
	Layers    descriptors   `json:"layers"`
}

// descriptors are counted before they take memory: each has many times the
// size of its shortest text.
type descriptors []v1.Descriptor

// UnmarshalJSON implements json.Unmarshaler.
func (all *descriptors) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	start, err := d.Token()
	switch {
	case err != nil || start == nil:
		return err
	case start != json.Delim('['):
		return fmt.Errorf("it has %.40s, expected a list of manifests or layers", text)
	}
	for d.More() {
		if len(*all) == maxDescriptors {
			return fmt.Errorf("it names more than %d manifests or layers", maxDescriptors)
		}
		var one v1.Descriptor
		if err := d.Decode(&one); err != nil {
			return err
		}
		*all = append(*all, one)
	}
	return nil
}

// readImage follows indexes to the manifest of the platform and reads it.
func readImage(ctx context.Context, c content, digest Digest, raw []byte, opts Options) (*Image, error) {
	for range maxIndexes {
		if digest != "" && DigestOf(raw) != digest {
			return nil, api.Errorf(api.ImageInvalid, "manifest %s is damaged: its bytes have the digest %s", digest, DigestOf(raw))
		}
		var doc document
		if err := json.Unmarshal(raw, &doc); err != nil {
			return nil, api.Errorf(api.ImageInvalid, "manifest %s: %w", digest, err)
		}
		if len(doc.Manifests) == 0 {
			return readManifest(ctx, c, digest, doc, opts)
		}
		next, err := pick(doc.Manifests, opts.platform())
		if err != nil {
			return nil, err
		}
		digest = next
		if raw, err = c.manifest(ctx, next); err != nil {
			return nil, err
		}
	}
	return nil, api.Errorf(api.ImageInvalid, "more than %d indexes lead to it", maxIndexes)
}

func (o Options) platform() string {
	if o.Platform == "" {
		return HostPlatform()
	}
	return o.Platform
}

// pick chooses the manifest of a platform; one that names no platform will do
// if it is alone.
func pick(manifests []v1.Descriptor, platform string) (Digest, error) {
	want, err := v1.ParsePlatform(platform)
	if err != nil {
		return "", api.Errorf(api.InvalidTask, "platform %q: %w", platform, err)
	}
	var have []string
	for _, m := range manifests {
		if m.Platform == nil {
			have = append(have, "unnamed")
			continue
		}
		if m.Platform.Satisfies(*want) {
			return ParseDigest(m.Digest.String())
		}
		have = append(have, m.Platform.String())
	}
	if len(manifests) == 1 && manifests[0].Platform == nil {
		return ParseDigest(manifests[0].Digest.String())
	}
	return "", api.Errorf(api.ImageNotFound, "it is not made for %s, only for: %.300s", platform, strings.Join(have, ", ")).
		WithHint("use an image for %s", platform)
}

func readManifest(ctx context.Context, c content, digest Digest, doc document, opts Options) (*Image, error) {
	if doc.Config.Size > maxConfig {
		return nil, tooLarge("the configuration", "bytes", maxConfig)
	}
	configDigest, err := ParseDigest(doc.Config.Digest.String())
	if err != nil {
		return nil, api.Errorf(api.ImageInvalid, "the manifest names no configuration: %w", err)
	}
	r, err := c.blob(ctx, configDigest)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	raw, err := io.ReadAll(newMeter(ctx, verify(r, "configuration", configDigest, doc.Config.Size), "the configuration", maxConfig))
	if err != nil {
		return nil, err
	}
	img, diffIDs, err := readConfig(raw, opts)
	if err != nil {
		return nil, err
	}
	img.Digest = digest
	img.Layers, err = describeLayers(c, doc.Layers, diffIDs)
	return img, err
}

// readConfig reads image-spec, config.md.
func readConfig(raw []byte, opts Options) (*Image, []v1.Hash, error) {
	var cf v1.ConfigFile
	if err := json.Unmarshal(raw, &cf); err != nil {
		return nil, nil, api.Errorf(api.ImageInvalid, "the configuration: %w", err)
	}
	have := v1.Platform{OS: cf.OS, Architecture: cf.Architecture, Variant: cf.Variant}
	want, err := v1.ParsePlatform(opts.platform())
	if err != nil {
		return nil, nil, api.Errorf(api.InvalidTask, "platform %q: %w", opts.Platform, err)
	}
	want.Variant = ""
	if !have.Satisfies(*want) {
		return nil, nil, api.Errorf(api.ImageInvalid, "it is made for %.100q, and %s is needed", have.String(), want.String())
	}
	img := &Image{Platform: have.String(), Config: configOf(cf.Config), Created: cf.Created.Time}
	return img, cf.RootFS.DiffIDs, nil
}

func describeLayers(c content, descs []v1.Descriptor, diffIDs []v1.Hash) ([]Layer, error) {
	if len(descs) != len(diffIDs) {
		return nil, api.Errorf(api.ImageInvalid, "the manifest has %d layers, and the configuration %d", len(descs), len(diffIDs))
	}
	if limit := (Limits{}).WithDefaults().Layers; len(descs) > limit {
		return nil, tooLarge("the image", "layers", int64(limit))
	}
	layers := make([]Layer, len(descs))
	for i, desc := range descs {
		layer, err := describeLayer(desc, diffIDs[i])
		if err != nil {
			return nil, err
		}
		layer.open = func(ctx context.Context) (io.ReadCloser, error) { return c.blob(ctx, layer.Digest) }
		layers[i] = layer
	}
	return layers, nil
}

func describeLayer(desc v1.Descriptor, diff v1.Hash) (Layer, error) {
	digest, err := ParseDigest(desc.Digest.String())
	if err != nil {
		return Layer{}, err
	}
	diffID, err := ParseDigest(diff.String())
	if err != nil {
		return Layer{}, err
	}
	if desc.Size < 0 {
		return Layer{}, api.Errorf(api.ImageInvalid, "layer %s has the size %d", digest, desc.Size)
	}
	media, err := layerMedia(string(desc.MediaType))
	return Layer{Digest: digest, DiffID: diffID, Size: desc.Size, MediaType: media}, err
}

// layerMedia gives the OCI name of a media type.
func layerMedia(media string) (string, error) {
	switch media {
	case mediaGzip, "application/vnd.docker.image.rootfs.diff.tar.gzip":
		return mediaGzip, nil
	case mediaZstd, "application/vnd.docker.image.rootfs.diff.tar.zstd":
		return mediaZstd, nil
	case mediaTar, "application/vnd.docker.image.rootfs.diff.tar":
		return mediaTar, nil
	}
	return "", api.Errorf(api.ImageInvalid, "a layer is of the unknown type %.100q", media)
}

// counted has the layers report what is read of them.
func counted(layers []Layer, progress func(done, total int64)) []Layer {
	if progress == nil {
		return layers
	}
	var total int64
	for _, layer := range layers {
		total += layer.Size
	}
	done := new(atomic.Int64)
	report := func(n int) { progress(min(done.Add(int64(n)), total), total) }
	out := make([]Layer, len(layers))
	for i, layer := range layers {
		open := layer.open
		layer.open = func(ctx context.Context) (io.ReadCloser, error) {
			r, err := open(ctx)
			if err != nil {
				return nil, err
			}
			return readCloser{&counter{r, report}, r}, nil
		}
		out[i] = layer
	}
	return out
}

type counter struct {
	r      io.Reader
	report func(n int)
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.report(n)
	return n, err
}
