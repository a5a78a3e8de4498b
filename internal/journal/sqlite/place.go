package sqlite

import (
	"os"

	"github.com/glovebox-dev/glovebox/api"
)

// place is where the files of an open database are. If one of them is removed
// or replaced, what is written goes to a file that has no name any more.
type place struct {
	path      string      // of the database
	main, log os.FileInfo // the log from the first check on at which it is there
}

func newPlace(path string) (*place, error) {
	info, err := os.Stat(path)
	return &place{path: path, main: info}, err
}

// check returns storage_corrupt if the files are not those that were opened.
func (p *place) check() error {
	now, err := os.Stat(p.path)
	if err != nil || !os.SameFile(p.main, now) {
		return p.lost(p.path)
	}
	log, err := os.Stat(p.path + "-wal")
	switch {
	case p.log == nil && err == nil:
		p.log = log
	case p.log != nil && (err != nil || !os.SameFile(p.log, log)):
		return p.lost(p.path + "-wal")
	}
	return nil
}

func (p *place) lost(path string) error {
	return api.Errorf(api.StorageCorrupt, "%s was removed or replaced while it was in use; nothing more is written to it", path).
		WithHint("stop the processes that use %s, put its files back, and start again", p.path)
}
