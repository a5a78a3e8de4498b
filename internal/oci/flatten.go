package oci

import (
	"archive/tar"
	"context"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci/erofs"
)

// The names of deletions in a layer, from the OCI image specification, layer.md.
const (
	whiteoutPrefix = ".wh."
	whiteoutMeta   = ".wh..wh."
	whiteoutOpaque = ".wh..wh..opq"
)

// Flatten merges layers, the lowest first, into one read-only EROFS image and
// writes it to the file out, which appears complete or not at all. Equal layers
// give equal files. Device nodes and extended attributes are left out: a cell
// has devices of its own, and its EROFS knows no attributes. The directories
// that cells need are always there, as directories.
func Flatten(ctx context.Context, layers []Layer, out string, limits Limits) error {
	f, err := createAtomic(filepath.Dir(out))
	if err != nil {
		return err
	}
	defer f.abort()
	if err := merge(ctx, layers, f.File, limits.WithDefaults()); err != nil {
		return err
	}
	return f.commit(out)
}

// Pack writes the files of one tar to a file as Flatten does, for reading them
// back with OpenRootFS. Nothing is added, and no name means a deletion. Device
// nodes are left out.
func Pack(ctx context.Context, r io.Reader, out string, limits Limits) error {
	f, err := createAtomic(filepath.Dir(out))
	if err != nil {
		return err
	}
	defer f.abort()
	limits = limits.WithDefaults()
	p := &flattener{tree: newTree(limits.Entries), out: erofs.NewWriter(f.File), limits: limits, plain: true}
	if err := p.applyTar(newMeter(ctx, r, "the archive", limits.Bytes)); err != nil {
		return located("archive", err)
	}
	if err := p.out.Finish(p.tree.root.inodes()); err != nil {
		return located("archive", err)
	}
	return f.commit(out)
}

// Decompress reads r as a layer is read: plain, or compressed by gzip or zstd.
// The caller closes it.
func Decompress(r io.Reader) (io.ReadCloser, error) { return decompress(r) }

// merge writes the image to an empty file.
func merge(ctx context.Context, layers []Layer, out *os.File, limits Limits) error {
	if len(layers) > limits.Layers {
		return tooLarge("the image", "layers", int64(limits.Layers))
	}
	f := &flattener{tree: newTree(limits.Entries), out: erofs.NewWriter(out), limits: limits}
	for i, layer := range layers {
		if err := f.apply(ctx, i+1, layer); err != nil {
			return err
		}
	}
	if err := f.tree.addMountPoints(); err != nil {
		return err
	}
	return located("image", f.out.Finish(f.tree.root.inodes()))
}

// flattener is the state over all layers.
type flattener struct {
	tree     *tree
	out      *erofs.Writer
	limits   Limits
	entries  int
	tarBytes int64
	metadata int64
	plain    bool // names are names, whatever they are
}

// apply merges one layer. Its tar is read to the very end, because only then
// its digests are checked.
func (f *flattener) apply(ctx context.Context, number int, layer Layer) error {
	r, err := layer.Tar(ctx)
	if err != nil {
		return layerError(layer.Digest, err)
	}
	defer r.Close()
	f.tree.layer = number
	metered := newMeter(ctx, r, "the image", f.limits.Bytes-f.tarBytes)
	if err := f.applyTar(metered); err != nil {
		return layerError(layer.Digest, err)
	}
	f.tarBytes += metered.limit - metered.left
	return nil
}

func (f *flattener) applyTar(r io.Reader) error {
	tr := tar.NewReader(r)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			_, err := io.Copy(io.Discard, r)
			return err
		}
		if err != nil {
			return err
		}
		if err := f.charge(h); err != nil {
			return err
		}
		if err := f.applyEntry(h, tr); err != nil {
			return entryError(h.Name, err)
		}
	}
}

func (f *flattener) charge(h *tar.Header) error {
	f.entries++
	f.metadata += int64(len(h.Name) + len(h.Linkname))
	switch {
	case f.entries > f.limits.Entries:
		return tooLarge("the image", "entries", int64(f.limits.Entries))
	case f.metadata > f.limits.Metadata:
		return tooLarge("the image", "bytes of names and links", f.limits.Metadata)
	case h.Size > f.limits.Bytes-f.out.Size():
		return tooLarge("the image", "bytes", f.limits.Bytes)
	}
	return nil
}

func (f *flattener) applyEntry(h *tar.Header, content io.Reader) error {
	parts, err := splitName(h.Name)
	if err != nil {
		return err
	}
	if !f.plain && len(parts) > 0 && strings.HasPrefix(parts[len(parts)-1], whiteoutPrefix) {
		return f.applyWhiteout(parts[:len(parts)-1], parts[len(parts)-1])
	}
	if h.Typeflag == tar.TypeLink {
		return f.tree.link(parts, h.Linkname)
	}
	file, err := newFile(h)
	if err != nil {
		return err
	}
	if file.Mode.IsRegular() {
		file.Data, err = f.out.Append(content, f.limits.Bytes-f.out.Size())
		if err != nil {
			return err
		}
	}
	return f.tree.put(parts, file)
}

func (f *flattener) applyWhiteout(parent []string, name string) error {
	if name == whiteoutOpaque {
		return f.tree.opaque(parent)
	}
	if strings.HasPrefix(name, whiteoutMeta) {
		return nil // bookkeeping of aufs
	}
	name = strings.TrimPrefix(name, whiteoutPrefix)
	if name == "" || name == "." || name == ".." {
		return api.Errorf(api.ImageInvalid, "the whiteout names no file")
	}
	return f.tree.whiteout(parent, name)
}

// newFile takes over what the header of an entry says, except for its name.
func newFile(h *tar.Header) (*file, error) {
	if h.Uid < 0 || h.Uid > math.MaxUint32 || h.Gid < 0 || h.Gid > math.MaxUint32 {
		return nil, api.Errorf(api.ImageInvalid, "the owner %d:%d is not a pair of 32-bit numbers", h.Uid, h.Gid)
	}
	mode, err := fileMode(h)
	if err != nil {
		return nil, err
	}
	f := &file{Inode: erofs.Inode{Mode: mode, UID: uint32(h.Uid), GID: uint32(h.Gid)}}
	f.Mtime, f.Nsec = fileTime(h)
	if mode&fs.ModeSymlink != 0 {
		f.Target = h.Linkname
		return f, checkTarget(h.Linkname)
	}
	return f, nil
}

func fileMode(h *tar.Header) (fs.FileMode, error) {
	mode := fs.FileMode(h.Mode & 0o777)
	for _, bit := range []struct {
		unix int64
		mode fs.FileMode
	}{{0o4000, fs.ModeSetuid}, {0o2000, fs.ModeSetgid}, {0o1000, fs.ModeSticky}} {
		if h.Mode&bit.unix != 0 {
			mode |= bit.mode
		}
	}
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeGNUSparse, tar.TypeCont:
		return mode, nil
	case tar.TypeDir:
		return mode | fs.ModeDir, nil
	case tar.TypeSymlink:
		return mode | fs.ModeSymlink, nil
	case tar.TypeFifo:
		return mode | fs.ModeNamedPipe, nil
	case tar.TypeChar, tar.TypeBlock:
		return mode | fs.ModeDevice, nil
	}
	return 0, api.Errorf(api.ImageInvalid, "the entry is of the unknown type %q", h.Typeflag)
}

// maxTime is the end of the year 9999: seconds since 1970.
const maxTime = 253402300799

func fileTime(h *tar.Header) (sec int64, nsec uint32) {
	sec = h.ModTime.Unix()
	if sec < 0 || sec > maxTime {
		return min(max(sec, 0), maxTime), 0
	}
	return sec, uint32(h.ModTime.Nanosecond())
}
