package image

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

const (
	exclusive   = syscall.LOCK_EX
	scratchLock = ".lock"
)

// List gives all images, the last used first.
func (s *Service) List() ([]*Record, error) {
	out, err := s.store.records()
	slices.SortFunc(out, func(a, b *Record) int {
		return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.ID, b.ID))
	})
	return out, err
}

// Inspect finds an image by its id, a unique beginning of it, or a name.
func (s *Service) Inspect(image string) (*Record, error) {
	named := nameRecord{}
	if namePattern().MatchString(image) && s.store.read("names", image+".json", &named) {
		if rec, ok := s.store.byID(hexOf(named.Image)); ok {
			return rec, nil
		}
	}
	if id, err := oci.ParseDigest(image); err == nil {
		if rec, ok := s.store.byID(id.Hex()); ok {
			return rec, nil
		}
	}
	all, err := s.store.records()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(r *Record) bool {
		return image == "" || r.Lock.Spec.Ref != image && !strings.HasPrefix(hexOf(r.ID), hexOf(image))
	})
	switch len(all) {
	case 1:
		return all[0], nil
	case 0:
		return nil, api.Errorf(api.ImageNotFound, "there is no image %q in the store", image).WithHint("list them with: glovebox image ls")
	}
	return nil, api.Errorf(api.ImageNotFound, "%d images begin with %q", len(all), image).WithHint("write more of the id")
}

// Stored returns an image that is in the store by its id, without building or
// pulling anything.
func (s *Service) Stored(id string) (*Image, error) {
	rec, err := s.Inspect(id)
	if err != nil {
		return nil, err
	}
	return s.image(rec, false), nil
}

// Remove deletes an image. What other images share with it stays.
func (s *Service) Remove(image string) error {
	rec, err := s.Inspect(image)
	if err != nil {
		return err
	}
	if err := s.store.remove(rec); err != nil {
		return err
	}
	return s.collect()
}

// Prune deletes images that were not used since maxAge, then the longest
// unused ones until all root file systems together have at most maxBytes. A
// zero bound does not bound. Images that are needed stay. It returns what it
// removed.
func (s *Service) Prune(maxBytes int64, maxAge time.Duration, needed func(id string) bool) ([]*Record, error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	var removed []*Record
	kept, seen := int64(0), map[string]bool{}
	for _, rec := range all {
		size := rec.Size
		if seen[rec.RootFS] {
			size = 0
		}
		old := maxAge > 0 && time.Since(rec.Used) > maxAge
		if needed(rec.ID) || !old && (maxBytes <= 0 || kept+size <= maxBytes) {
			kept, seen[rec.RootFS] = kept+size, true
			continue
		}
		if err := s.store.remove(rec); err != nil {
			return removed, err
		}
		removed = append(removed, rec)
	}
	return removed, s.collect()
}

// remove deletes the record with everything that points to it: locks first, so
// that a crash in between leaves nothing dangling.
func (s *store) remove(rec *Record) error {
	for _, kind := range []string{"locks", "names"} {
		entries, err := os.ReadDir(filepath.Join(s.dir, kind))
		if err != nil {
			return storageError("read the image store", err)
		}
		for _, e := range entries {
			if !s.pointsTo(kind, e.Name(), rec.ID) {
				continue
			}
			if err := removeFile(s.path(kind, e.Name())); err != nil {
				return err
			}
		}
	}
	return removeFile(s.path("images", hexOf(rec.ID)+".json"))
}

func (s *store) pointsTo(kind, name, id string) bool {
	if kind == "names" {
		n := nameRecord{}
		return !s.read(kind, name, &n) || n.Image == id
	}
	text, err := os.ReadFile(s.path(kind, name))
	return err == nil && string(oci.DigestOf(text)) == id
}

func removeFile(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return storageError("remove from the image store", err)
}

// Sweep removes what killed processes left: unfinished files and directories,
// and everything that no image or base refers to. Living processes lose
// nothing.
func (s *Service) Sweep() error {
	if err := s.store.sweepTemp(); err != nil {
		return err
	}
	for _, dir := range []string{"rootfs", "blobs"} {
		if err := oci.Sweep(filepath.Join(s.store.dir, dir)); err != nil {
			return err
		}
	}
	return s.collect()
}

// sweepTemp removes directories of dead builds, also while others build.
func (s *store) sweepTemp() error {
	entries, err := os.ReadDir(filepath.Join(s.dir, "tmp"))
	if err != nil {
		return storageError("read the image store", err)
	}
	for _, e := range entries {
		if e.IsDir() {
			removeScratch(s.path("tmp", e.Name()))
		}
	}
	return nil
}

// removeScratch removes the directory of a build if its process is gone. One
// without a lock may be just in the making, and is left to collectTemp.
func removeScratch(dir string) {
	lock, err := os.OpenFile(filepath.Join(dir, scratchLock), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), exclusive|syscall.LOCK_NB) == nil {
		_ = os.RemoveAll(dir) // the next sweep tries again
	}
}

// collect removes what nothing refers to. While a build runs, in this process
// or another, its parts have no references yet: then nothing is collected, and
// the next one does it.
func (s *Service) collect() error {
	release, ok, err := tryAcquire(filepath.Join(s.store.dir, "store.lock"), exclusive)
	if err != nil || !ok {
		return err
	}
	defer release()
	return s.store.collect()
}

// references is what has to stay.
type references struct {
	layers map[oci.Digest]bool
	chains map[string]bool
}

func (r references) add(layers []oci.Layer) {
	for _, l := range layers {
		r.layers[l.Digest] = true
	}
	r.chains[chainOf(layers)] = true
}

// addSteps keeps the steps of an image that are not in it: those of stages that
// it only has files from.
func (s *store) addSteps(refs references, lock *Lock) {
	for _, st := range lock.Steps {
		rec := stepRecord{}
		if s.read("steps", st.Key+".json", &rec) {
			refs.layers[rec.Layer.Digest] = true
		}
	}
}

func (s *store) references() (references, error) {
	refs := references{map[oci.Digest]bool{}, map[string]bool{}}
	records, err := s.records()
	if err != nil {
		return refs, err
	}
	for _, rec := range records {
		refs.add(rec.Layers)
		s.addSteps(refs, rec.Lock)
	}
	bases, err := os.ReadDir(filepath.Join(s.dir, "bases"))
	if err != nil {
		return refs, storageError("read the image store", err)
	}
	for _, e := range bases {
		rec := baseRecord{}
		if s.read("bases", e.Name(), &rec) {
			refs.add(rec.Layers)
		}
	}
	return refs, nil
}

// collect needs the store for itself.
func (s *store) collect() error {
	refs, err := s.references()
	if err != nil {
		return err
	}
	return errors.Join(s.collectSteps(refs), s.collectBlobs(refs), s.collectRootFS(refs), s.collectCaches(), s.collectLocks(), s.collectTemp())
}

func (s *store) collectSteps(refs references) error {
	return s.each("steps", func(name string) error {
		rec := stepRecord{}
		if s.read("steps", name, &rec) && refs.layers[rec.Layer.Digest] {
			return nil
		}
		return removeFile(s.path("steps", name))
	})
}

func (s *store) collectBlobs(refs references) error {
	blobs, err := s.blobs.List()
	if err != nil {
		return err
	}
	for d := range blobs {
		if refs.layers[d] {
			continue
		}
		if err := s.blobs.Remove(d); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) collectRootFS(refs references) error {
	return s.each("rootfs", func(name string) error {
		chain, whole := strings.CutSuffix(name, ".erofs")
		if !whole || refs.chains[chain] {
			return nil // an unfinished file belongs to oci.Sweep
		}
		return removeFile(s.path("rootfs", name))
	})
}

// collectLocks removes the files of flocks, which have no waiters now.
func (s *store) collectLocks() error {
	return s.each("build", func(name string) error { return removeFile(s.path("build", name)) })
}

// collectTemp removes temporary files, which have no writers now.
func (s *store) collectTemp() error {
	return s.each("tmp", func(name string) error {
		return storageError("remove from the image store", os.RemoveAll(s.path("tmp", name)))
	})
}

func (s *store) each(kind string, fn func(name string) error) error {
	entries, err := os.ReadDir(filepath.Join(s.dir, kind))
	if err != nil {
		return storageError("read the image store", err)
	}
	for _, e := range entries {
		if err := fn(e.Name()); err != nil {
			return err
		}
	}
	return nil
}
