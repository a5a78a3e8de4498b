package oci

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/glovebox-dev/glovebox/api"
)

// LayerOptions says what becomes of a changed file system.
type LayerOptions struct {
	// Exclude lists directories, without a leading slash, that are left out with
	// all that is below them; see CellPaths.
	Exclude []string
	// Stubs lists directories that are left out if nothing that is kept is in
	// them: they came up because something was mounted there.
	Stubs []string
	// ModTime is the latest time that an entry may bear; later ones are set to
	// it. The zero time leaves all as they are.
	ModTime time.Time
	// TempDir holds the spool; empty means the system's.
	TempDir string
	Limits  Limits
}

// CellPaths lists what a cell has for itself and never belongs in a layer.
func CellPaths() []string {
	return []string{"dev", "proc", "run", "sys", "tmp", "var/inputs", "var/outputs", "work"}
}

// xattrPrefix is how a tar carries extended attributes, after star(1).
const xattrPrefix = "SCHILY.xattr."

// maxXattrs bounds the extended attributes of one entry: bytes, as in Linux.
const maxXattrs = 64 << 10

// WriteLayer turns the tar of a changed file system into a gzip-compressed
// layer and returns the digest of the uncompressed one. Deletions may be
// written as overlayfs does, as character devices 0,0 and as opaque
// directories. The layer has its entries in the order of their names, so that
// equal changes give equal layers.
func WriteLayer(ctx context.Context, r io.Reader, w io.Writer, opts LayerOptions) (Digest, error) {
	spool, err := createNameless(opts.TempDir)
	if err != nil {
		return "", err
	}
	defer spool.Close()
	u := &upper{files: map[string]*upperFile{}, spool: spool, opts: opts, limits: opts.Limits.WithDefaults()}
	if err := u.read(ctx, r); err != nil {
		return "", located("changed files", err)
	}
	return u.write(ctx, w)
}

// upper is the content of a changed file system; the data is in the spool.
type upper struct {
	files    map[string]*upperFile // by path, without a leading slash
	links    []*tar.Header         // to be made when all files are known
	spool    *os.File
	end      int64 // of the spool
	opts     LayerOptions
	limits   Limits
	entries  int
	metadata int64
}

// upperFile is one file; hard links are several names for one of it.
type upperFile struct {
	header   *tar.Header
	start    int64  // of its data in the spool
	opaque   bool   // a directory that hides what is below it
	whiteout bool   // a deletion
	written  string // the name under which the layer has it already
}

func (u *upper) read(ctx context.Context, r io.Reader) error {
	metered := newMeter(ctx, r, "the file system", u.limits.Bytes)
	tr := tar.NewReader(metered)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := u.charge(h); err != nil {
			return err
		}
		if err := u.add(h, tr); err != nil {
			return entryError(h.Name, err)
		}
	}
	if _, err := io.Copy(io.Discard, metered); err != nil {
		return err
	}
	return u.resolveLinks()
}

func (u *upper) charge(h *tar.Header) error {
	u.entries++
	u.metadata += int64(len(h.Name) + len(h.Linkname))
	for key, value := range h.PAXRecords {
		u.metadata += int64(len(key) + len(value))
	}
	switch {
	case u.entries > u.limits.Entries:
		return tooLarge("the file system", "entries", int64(u.limits.Entries))
	case u.metadata > u.limits.Metadata:
		return tooLarge("the file system", "bytes of names, links and attributes", u.limits.Metadata)
	case h.Size > u.limits.Bytes-u.end:
		return tooLarge("the file system", "bytes", u.limits.Bytes)
	}
	return nil
}

func (u *upper) add(h *tar.Header, content io.Reader) error {
	parts, err := splitName(h.Name)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, whiteoutPrefix) }) {
		return api.Errorf(api.ImageInvalid, "the name begins with %q, which means a deletion in a layer", whiteoutPrefix)
	}
	h.Name = strings.Join(parts, "/")
	if h.Typeflag == tar.TypeLink {
		u.links = append(u.links, h)
		return nil
	}
	f := &upperFile{start: u.end, whiteout: isWhiteout(h)}
	if f.header, err = u.clean(h); err != nil {
		return err
	}
	if !f.header.FileInfo().Mode().IsDir() && h.Name == "" {
		return api.Errorf(api.ImageInvalid, "the root is not a directory")
	}
	f.opaque = isOpaque(h)
	if f.header.Typeflag == tar.TypeReg {
		if f.header.Size, err = io.Copy(u.spool, content); err != nil {
			return err
		}
		u.end += f.header.Size
	}
	u.files[h.Name] = f
	return nil
}

func isWhiteout(h *tar.Header) bool {
	return h.Typeflag == tar.TypeChar && h.Devmajor == 0 && h.Devminor == 0
}

func isOpaque(h *tar.Header) bool {
	return h.Typeflag == tar.TypeDir &&
		(h.PAXRecords[xattrPrefix+"trusted.overlay.opaque"] == "y" || h.PAXRecords[xattrPrefix+"user.overlay.opaque"] == "y")
}

// clean makes the header that the layer has: what is known to be right, and
// nothing else.
func (u *upper) clean(h *tar.Header) (*tar.Header, error) {
	checked, err := newFile(h)
	if err != nil {
		return nil, err
	}
	c := &tar.Header{
		Typeflag: h.Typeflag, Mode: h.Mode & 0o7777, Uid: int(checked.UID), Gid: int(checked.GID),
		ModTime: time.Unix(checked.Mtime, 0), Linkname: checked.Target,
	}
	if checked.Mode.IsRegular() {
		c.Typeflag = tar.TypeReg
	}
	if !u.opts.ModTime.IsZero() && c.ModTime.After(u.opts.ModTime) {
		c.ModTime = u.opts.ModTime.Truncate(time.Second)
	}
	c.PAXRecords, err = keptXattrs(h.PAXRecords)
	return c, err
}

// keptXattrs picks the attributes that mean something outside of the cell.
func keptXattrs(records map[string]string) (map[string]string, error) {
	kept := map[string]string{}
	size := 0
	for key, value := range records {
		name, ok := strings.CutPrefix(key, xattrPrefix)
		if !ok || strings.HasPrefix(name, "user.overlay.") {
			continue
		}
		if name != "security.capability" && !strings.HasPrefix(name, "user.") {
			continue
		}
		if size += len(name) + len(value); size > maxXattrs || len(name) > maxName {
			return nil, api.Errorf(api.ImageInvalid, "the extended attributes take more than %d bytes", maxXattrs)
		}
		kept[key] = value
	}
	return kept, nil
}

// resolveLinks gives each hard link the file that its target names. A link may
// lead to another link, whose own entry came before it. gVisor writes all
// deletions but the first as links to the first, so a link to a deletion is one.
func (u *upper) resolveLinks() error {
	for _, h := range u.links {
		target, err := splitName(h.Linkname)
		if err != nil {
			return entryError(h.Name, err)
		}
		f := u.files[strings.Join(target, "/")]
		unusable := f == nil || f.header.Typeflag == tar.TypeDir || h.Name == ""
		if unusable && u.excluded(h.Name) {
			continue
		}
		if unusable {
			return entryError(h.Name, api.Errorf(api.ImageInvalid, "the hard link leads to %.200q, which is not a file here", h.Linkname))
		}
		u.files[h.Name] = f
	}
	return nil
}

// write emits the layer.
func (u *upper) write(ctx context.Context, w io.Writer) (Digest, error) {
	zw, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return "", api.Errorf(api.Internal, "gzip: %w", err)
	}
	sum := sha256.New()
	tw := tar.NewWriter(io.MultiWriter(zw, sum))
	for _, name := range slices.Sorted(maps.Keys(u.files)) {
		if err := ctx.Err(); err != nil {
			return "", contextError(err)
		}
		if err := u.writeFile(tw, name); err != nil {
			return "", located("layer", entryError(name, err))
		}
	}
	if err := tw.Close(); err != nil {
		return "", located("layer", err)
	}
	if err := zw.Close(); err != nil {
		return "", located("layer", err)
	}
	return sumDigest(sum), nil
}

func (u *upper) writeFile(tw *tar.Writer, name string) error {
	f := u.files[name]
	if u.excluded(name) || name == "" || slices.Contains(u.opts.Stubs, name) && !u.holds(name) {
		return nil
	}
	if f.whiteout {
		dir, base := splitLast(name)
		return tw.WriteHeader(marker(dir + whiteoutPrefix + base))
	}
	if f.written != "" {
		return tw.WriteHeader(&tar.Header{Typeflag: tar.TypeLink, Name: name, Linkname: f.written, Mode: f.header.Mode,
			Uid: f.header.Uid, Gid: f.header.Gid, ModTime: f.header.ModTime})
	}
	return u.writeNew(tw, name, f)
}

func (u *upper) writeNew(tw *tar.Writer, name string, f *upperFile) error {
	h := *f.header
	h.Name = name
	switch h.Typeflag {
	case tar.TypeChar, tar.TypeBlock:
		return nil // a cell has devices of its own
	case tar.TypeDir:
		h.Name += "/"
	default:
		f.written = name
	}
	if err := tw.WriteHeader(&h); err != nil {
		return err
	}
	if f.opaque {
		return tw.WriteHeader(marker(name + "/" + whiteoutOpaque))
	}
	_, err := io.Copy(tw, io.NewSectionReader(u.spool, f.start, h.Size))
	return err
}

// marker is an empty file that stands for a deletion.
func marker(name string) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, ModTime: time.Unix(0, 0)}
}

func (u *upper) excluded(name string) bool {
	for _, dir := range u.opts.Exclude {
		if name == dir || strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// holds reports whether anything in a directory is kept.
func (u *upper) holds(dir string) bool {
	for name := range u.files {
		if strings.HasPrefix(name, dir+"/") && !u.excluded(name) && !slices.Contains(u.opts.Stubs, name) {
			return true
		}
	}
	return false
}

func splitLast(name string) (dir, base string) {
	at := strings.LastIndexByte(name, '/') + 1
	return name[:at], name[at:]
}
