package image

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// store keeps images on disk:
//
//	blobs/              layers, content-addressed
//	rootfs/<chain>.erofs  the file system of a chain of layers
//	bases/<key>.json    resolved bases
//	steps/<key>.json    the layers of finished steps
//	locks/<spec>.json   the lock of a spec
//	images/<id>.json    the record of an image
//	names/<name>.json   names for images
//	uv/<version>-<arch> the installer
//	caches/<key>.tar    what cache mounts of Dockerfiles hold
//	build/, store.lock  locks of processes
//	tmp/                what is not finished
//
// A file appears under its name only when it is whole: it is written in tmp,
// synced and renamed.
type store struct {
	dir   string
	blobs *oci.Blobs
	known known
}

// Record is an image in the store.
type Record struct {
	ID      string      `json:"id"`
	Name    string      `json:"name"`
	Lock    *Lock       `json:"lock"`
	Config  oci.Config  `json:"config"`
	Layers  []oci.Layer `json:"layers"`
	RootFS  string      `json:"rootfs"` // the digest of the chain of layers, in hex
	Python  string      `json:"python,omitempty"`
	Created time.Time   `json:"created"`
	Size    int64       `json:"size"` // bytes of the root file system
	Used    time.Time   `json:"-"`    // last handed out
}

// stepRecord is the layer of a finished step.
type stepRecord struct {
	Key      string    `json:"key"`
	Layer    oci.Layer `json:"layer"`
	Packages []Package `json:"packages,omitempty"`
}

var storeDirs = []string{"blobs", "rootfs", "bases", "steps", "locks", "images", "names", "uv", "caches", "build", "tmp"}

func openStore(dir string) (*store, error) {
	for _, d := range storeDirs {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			return nil, storageError("make the image store", err)
		}
	}
	if _, err := oci.OpenBlobs(filepath.Join(dir, "blobs")); err != nil {
		return nil, err
	}
	return storeAt(dir), nil
}

// storeAt touches nothing.
func storeAt(dir string) *store {
	return &store{dir: dir, blobs: oci.BlobsAt(filepath.Join(dir, "blobs")), known: known{bySpec: map[string]*sighting{}}}
}

func (s *store) path(kind, name string) string { return filepath.Join(s.dir, kind, name) }

// write puts v as JSON under kind/name.
func (s *store) write(kind, name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return api.Errorf(api.Internal, "encode %s/%s: %w", kind, name, err)
	}
	return s.writeBytes(kind, name, append(text, '\n'))
}

func (s *store) writeBytes(kind, name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Join(s.dir, "tmp"), "file-*")
	if err != nil {
		return storageError("write to the image store", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return storageError("write to the image store", err)
	}
	return s.publish(f, s.path(kind, name))
}

// publish syncs f and gives it its final name.
func (s *store) publish(f *os.File, path string) error {
	if err := errors.Join(f.Sync(), os.Rename(f.Name(), path)); err != nil {
		return storageError("write to the image store", err)
	}
	return storageError("write to the image store", syncDir(filepath.Dir(path)))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// read fills v from kind/name. A missing or damaged file reads as absent, so
// that it is made again.
func (s *store) read(kind, name string, v any) bool {
	text, err := os.ReadFile(s.path(kind, name))
	return err == nil && json.Unmarshal(text, v) == nil
}

// bySpec finds the image that a spec was locked to. The record may be others'
// too: what it points to must not be changed.
func (s *store) bySpec(spec Spec) (*Record, bool) { return s.bySpecDigest(spec.Digest()) }

func (s *store) bySpecDigest(digest string) (*Record, bool) {
	if rec := s.known.find(digest); rec != nil {
		return rec, true
	}
	seen := sighting{lock: s.path("locks", digest+".json")}
	var err error
	if seen.lockInfo, err = os.Stat(seen.lock); err != nil { // before reading: what comes later is noticed
		return nil, false
	}
	text, err := os.ReadFile(seen.lock)
	if err != nil {
		return nil, false
	}
	rec, ok := s.byID(oci.DigestOf(text).Hex())
	if !ok {
		return nil, false
	}
	seen.record, seen.rootfs = s.path("images", hexOf(rec.ID)+".json"), s.rootfs(rec.RootFS)
	s.known.add(digest, &seen, rec)
	return rec, true
}

// byID reads a record whose root file system is there.
func (s *store) byID(hex string) (*Record, bool) {
	rec := &Record{}
	if !s.read("images", hex+".json", rec) || rec.Lock == nil || rec.Lock.ID() != rec.ID {
		return nil, false
	}
	if !s.hasRootFS(rec.RootFS, rec.Size) {
		return nil, false
	}
	if info, err := os.Stat(s.path("images", hex+".json")); err == nil {
		rec.Used = info.ModTime()
	}
	return rec, true
}

// touchEvery is how exactly it is known when an image was last used.
const touchEvery = time.Minute

// touch marks rec as used now, for prune.
func (s *store) touch(rec *Record) {
	now := time.Now()
	if now.Sub(rec.Used).Abs() < touchEvery {
		return
	}
	// A failure only makes the image look older than it is.
	_ = os.Chtimes(s.path("images", hexOf(rec.ID)+".json"), now, now)
}

// save makes rec the image of its spec and gives it its name.
func (s *store) save(rec *Record) error {
	if err := s.write("images", hexOf(rec.ID)+".json", rec); err != nil {
		return err
	}
	if err := s.name(rec.Name, rec.ID); err != nil {
		return err
	}
	return s.writeBytes("locks", rec.Lock.Spec.Digest()+".json", rec.Lock.Encode())
}

type nameRecord struct {
	Image string `json:"image"`
}

func (s *store) name(name, id string) error {
	if name == "" {
		return nil
	}
	return s.write("names", name+".json", nameRecord{id})
}

func (s *store) rootfs(chain string) string { return s.path("rootfs", chain+".erofs") }

// hasRootFS reports whether the root file system of a chain is there, and is
// sound as far as its beginning and its size tell; size is 0 if it is not known.
func (s *store) hasRootFS(chain string, size int64) bool {
	info, err := os.Lstat(s.rootfs(chain))
	return err == nil && (size == 0 || info.Size() == size) && oci.CheckRootFS(s.rootfs(chain)) == nil
}

// records lists all whole images.
func (s *store) records() ([]*Record, error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, "images"))
	if err != nil {
		return nil, storageError("read the image store", err)
	}
	var out []*Record
	for _, e := range entries {
		if rec, ok := s.byID(strings.TrimSuffix(e.Name(), ".json")); ok {
			out = append(out, rec)
		}
	}
	return out, nil
}

func hexOf(id string) string { return strings.TrimPrefix(id, "sha256:") }

// storageError maps what the host's file system says; nil stays nil.
func storageError(doing string, err error) error {
	var known *api.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return api.Errorf(api.StorageFull, "%s: the disk is full: %w", doing, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return api.Errorf(api.Internal, "%s: %w", doing, err).WithHint("make the directory of Glovebox writable for this user")
	}
	return fmt.Errorf("%s: %w", doing, err)
}
