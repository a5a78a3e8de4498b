package oci

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/glovebox-dev/glovebox/api"
)

// files is a bundle of named files: an OCI layout directory or an archive.
type files interface {
	// open returns the file and its size in bytes.
	open(name string) (io.ReadCloser, int64, error)
}

// layoutDir is a directory. Links in it cannot lead out of it.
type layoutDir struct{ path string }

func (l layoutDir) open(name string) (io.ReadCloser, int64, error) {
	root, err := os.OpenRoot(l.path)
	if err != nil {
		return nil, 0, notThere(err)
	}
	defer root.Close()
	// A named pipe must not make us wait for its writer.
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, notThere(err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, 0, api.Errorf(api.ImageInvalid, "%s is not a regular file", name)
	}
	return f, info.Size(), nil
}

// OpenLayout finds an image in an OCI layout within a file system, whose links
// the file system keeps within it.
func OpenLayout(ctx context.Context, fsys fs.FS, dir string, opts Options) (*Image, error) {
	img, err := openFiles(ctx, layoutFS{fsys, path.Clean("/" + dir)[1:]}, opts)
	if err != nil {
		return nil, located("image "+shown(dir), err)
	}
	img.Ref = dir
	img.Layers = counted(img.Layers, opts.Progress)
	return img, nil
}

// layoutFS is a directory of a file system.
type layoutFS struct {
	fsys fs.FS
	dir  string
}

func (l layoutFS) open(name string) (io.ReadCloser, int64, error) {
	f, err := l.fsys.Open(path.Join(l.dir, name))
	if err != nil {
		return nil, 0, notThere(err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, 0, api.Errorf(api.ImageInvalid, "%s is not a regular file", name)
	}
	return f, info.Size(), nil
}

func notThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return api.Errorf(api.ImageNotFound, "%w", err)
	}
	return api.Errorf(api.ImageInvalid, "%w", err)
}

// archive is a tar whose files are read in place.
type archive struct {
	path    string
	members map[string]member
}

type member struct {
	start, size int64
	link        string // another member, if this is a link
}

// maxMembers bounds the files in an archive of an image, which has a few for
// each layer.
const maxMembers = 100_000

func openArchive(ctx context.Context, path string, opts Options) (*Image, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, notThere(err)
	}
	defer f.Close()
	members, err := readMembers(f)
	if err != nil {
		return nil, api.Errorf(api.ImageInvalid, "it is not a tar of an image: %w", err).
			WithHint("give an uncompressed tar as docker save writes it, or an OCI layout")
	}
	return openFiles(ctx, archive{path, members}, opts)
}

func readMembers(f *os.File) (map[string]member, error) {
	members := map[string]member{}
	tr := tar.NewReader(f)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return members, nil
		}
		if err != nil {
			return nil, err
		}
		if len(members) >= maxMembers || len(h.Name) > maxPath {
			return nil, errors.New("too many files in it, or too long names")
		}
		start, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		name := path.Clean("/" + h.Name)
		switch h.Typeflag {
		case tar.TypeReg:
			members[name] = member{start: start, size: h.Size}
		case tar.TypeSymlink:
			members[name] = member{link: path.Join(path.Dir(name), h.Linkname)}
		case tar.TypeLink:
			members[name] = member{link: path.Clean("/" + h.Linkname)}
		}
	}
}

func (a archive) open(name string) (io.ReadCloser, int64, error) {
	m, ok := a.members[path.Clean("/"+name)]
	for hops := 0; ok && m.link != "" && hops < maxLinks; hops++ {
		m, ok = a.members[m.link]
	}
	if !ok || m.link != "" {
		return nil, 0, api.Errorf(api.ImageNotFound, "the archive has no file %.200q", name)
	}
	f, err := os.Open(a.path)
	if err != nil {
		return nil, 0, notThere(err)
	}
	return readCloser{io.NewSectionReader(f, m.start, m.size), f}, m.size, nil
}

// openFiles reads an OCI layout (image-spec, image-layout.md), or else what
// docker save writes.
func openFiles(ctx context.Context, fl files, opts Options) (*Image, error) {
	index, err := readFile(ctx, fl, "index.json", maxManifest)
	if errors.Is(err, &api.Error{Code: api.ImageNotFound}) {
		return openSaved(ctx, fl, opts)
	}
	if err != nil {
		return nil, err
	}
	return readImage(ctx, layoutContent{fl}, "", index, opts)
}

func readFile(ctx context.Context, fl files, name string, limit int64) ([]byte, error) {
	r, size, err := fl.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > limit {
		return nil, tooLarge(name, "bytes", limit)
	}
	return io.ReadAll(newMeter(ctx, r, name, limit))
}

type layoutContent struct{ files }

func (l layoutContent) blob(_ context.Context, d Digest) (io.ReadCloser, error) {
	r, _, err := l.open("blobs/sha256/" + d.Hex())
	return r, err
}

func (l layoutContent) manifest(ctx context.Context, d Digest) ([]byte, error) {
	return readFile(ctx, l, "blobs/sha256/"+d.Hex(), maxManifest)
}

// saved is an entry of manifest.json, which docker save writes.
type saved struct {
	Config string
	Layers []string
}

// openSaved reads an image that has no manifest of its own; the digest of its
// configuration stands for it, as in docker.
func openSaved(ctx context.Context, fl files, opts Options) (*Image, error) {
	raw, err := readFile(ctx, fl, "manifest.json", maxManifest)
	if err != nil {
		return nil, api.Errorf(api.ImageInvalid, "it has neither index.json nor manifest.json: %w", err)
	}
	var images []saved
	if err := json.Unmarshal(raw, &images); err != nil {
		return nil, api.Errorf(api.ImageInvalid, "manifest.json: %w", err)
	}
	if len(images) != 1 {
		return nil, api.Errorf(api.ImageInvalid, "it has %d images, and one is needed", len(images)).
			WithHint("save one image alone")
	}
	rawConfig, err := readFile(ctx, fl, images[0].Config, maxConfig)
	if err != nil {
		return nil, err
	}
	img, diffIDs, err := readConfig(rawConfig, opts)
	if err != nil {
		return nil, err
	}
	img.Digest = DigestOf(rawConfig)
	img.Layers, err = savedLayers(ctx, fl, images[0].Layers, diffIDs)
	return img, err
}

func savedLayers(ctx context.Context, fl files, names []string, diffIDs []v1.Hash) ([]Layer, error) {
	if len(names) != len(diffIDs) {
		return nil, api.Errorf(api.ImageInvalid, "manifest.json has %d layers, and the configuration %d", len(names), len(diffIDs))
	}
	if limit := (Limits{}).WithDefaults().Layers; len(names) > limit {
		return nil, tooLarge("the image", "layers", int64(limit))
	}
	layers := make([]Layer, len(names))
	for i, name := range names {
		diffID, err := ParseDigest(diffIDs[i].String())
		if err != nil {
			return nil, err
		}
		if layers[i], err = savedLayer(ctx, fl, name, diffID); err != nil {
			return nil, err
		}
	}
	return layers, nil
}

func savedLayer(ctx context.Context, fl files, name string, diffID Digest) (Layer, error) {
	r, size, err := fl.open(name)
	if err != nil {
		return Layer{}, err
	}
	defer r.Close()
	magic := make([]byte, 4)
	if _, err := io.ReadFull(r, magic); err != nil {
		return Layer{}, api.Errorf(api.ImageInvalid, "%.200q is too short for a layer: %w", name, err)
	}
	layer := Layer{Digest: diffID, DiffID: diffID, Size: size, MediaType: sniff(magic)}
	layer.open = func(context.Context) (io.ReadCloser, error) {
		r, _, err := fl.open(name)
		return r, err
	}
	if layer.MediaType == mediaTar {
		return layer, nil
	}
	// No one has written the digest of the compressed bytes down.
	hash := newHash()
	hash.Write(magic)
	if _, err := io.Copy(hash, newMeter(ctx, r, strings.TrimSpace(name), size)); err != nil {
		return Layer{}, err
	}
	layer.Digest = sumDigest(hash)
	return layer, nil
}
