package image

import (
	"os"
	"sync"
)

// maxKnown bounds how many images are remembered.
const maxKnown = 256

// known are the images that were found before, so that a run of one that is
// there reads no file. Images never change; that one was removed, or a spec
// locked anew, by this process or another, shows in the files.
type known struct {
	mu     sync.Mutex
	bySpec map[string]*sighting // by the digest of the spec
}

// sighting is an image as it was found.
type sighting struct {
	found                        Record
	lock, record, rootfs         string // paths
	lockInfo, recInfo, rootsInfo os.FileInfo
}

// add remembers where an image was found. The lock was looked at before it was
// read, the others are content-addressed.
func (k *known) add(spec string, s *sighting, rec *Record) {
	var err error
	s.found = *rec
	if s.recInfo, err = os.Stat(s.record); err != nil {
		return
	}
	if s.rootsInfo, err = os.Stat(s.rootfs); err != nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.bySpec) >= maxKnown {
		clear(k.bySpec)
	}
	k.bySpec[spec] = s
}

// find returns the record of the image of a spec if it is where it was.
func (k *known) find(spec string) *Record {
	k.mu.Lock()
	s := k.bySpec[spec]
	k.mu.Unlock()
	if s == nil {
		return nil
	}
	lock, err := os.Stat(s.lock)
	if err != nil || !same(lock, s.lockInfo) || !lock.ModTime().Equal(s.lockInfo.ModTime()) {
		return nil
	}
	record, err := os.Stat(s.record)
	if err != nil || !same(record, s.recInfo) {
		return nil
	}
	if rootfs, err := os.Stat(s.rootfs); err != nil || !same(rootfs, s.rootsInfo) {
		return nil
	}
	rec := s.found
	rec.Used = record.ModTime()
	return &rec
}

// same reports whether a path has the file that it had. That of a record shows
// in its time when it was used.
func same(a, b os.FileInfo) bool { return os.SameFile(a, b) && a.Size() == b.Size() }
