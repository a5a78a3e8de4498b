package box

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/regular"
)

// Apply makes changes in the project, deletions first. Those that turn out to be
// in conflict with what is there are left, and come back with the reason.
func (c *Changes) Apply(accepted []Change) (conflicts []Change, err error) {
	for _, deletions := range []bool{true, false} {
		for _, change := range accepted {
			if (change.new.kind == absent) != deletions {
				continue
			}
			if change.Conflict = c.conflict(&change, false); change.Conflict == "" {
				change.Conflict, err = c.apply(&change)
			}
			if err != nil {
				return conflicts, api.Errorf(api.RequestInvalid, "the project: %s cannot be changed: %w", change.Path, err).
					WithDetails(api.Details{Field: "project", Got: change.Path})
			}
			if change.Conflict != "" {
				conflicts = append(conflicts, change)
			}
		}
	}
	return conflicts, nil
}

// conflict is why a change is not made: something here is not what was copied.
// Before deletions a directory of the project may be in its place.
func (c *Changes) conflict(change *Change, before bool) string {
	now, err := c.project.now(change.Path)
	switch {
	case err != nil:
		return "it cannot be read here"
	case now == change.old || before && now.kind == directory && change.old.kind == absent && slices.Contains(c.project.dirs, change.Path):
		return ""
	case now.kind == absent:
		return "it was deleted here"
	case change.old.kind == absent:
		return "there is something of that name here, which was not copied"
	}
	return "it was changed here, too"
}

// The kinds that are only found in the way.
const (
	directory = kind("directory")
	other     = kind("other")
)

// now is what the project has under a name.
func (p *Project) now(name string) (entry, error) {
	info, err := p.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || notBelowFile(err):
		return entry{}, nil
	case err != nil:
		return entry{}, err
	case info.Mode().Type() == fs.ModeSymlink:
		target, err := p.root.Readlink(name)
		return entry{kind: link, target: target}, err
	case info.IsDir():
		return entry{kind: directory}, nil
	case !info.Mode().IsRegular():
		return entry{kind: other}, nil
	}
	f, err := regular.Open(p.root, name)
	if err != nil {
		return entry{}, err
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	return entry{kind: file, exec: executable(info.Mode()), size: size, digest: hex.EncodeToString(sum.Sum(nil))}, err
}

// apply makes a change whose place is as it was copied.
func (c *Changes) apply(change *Change) (conflict string, err error) {
	root := c.project.root
	if change.new.kind == absent {
		if err := root.Remove(change.Path); err != nil {
			return "", err
		}
		c.project.removeEmpty(path.Dir(change.Path))
		return "", nil
	}
	if conflict := c.project.way(change.Path); conflict != "" {
		return conflict, nil
	}
	if err := root.MkdirAll(path.Dir(change.Path), 0o777); err != nil {
		return "", err
	}
	return "", c.put(change)
}

// way is what stands where the directories of a change have to be.
func (p *Project) way(name string) string {
	parts := strings.Split(path.Dir(name), "/")
	for i := range parts {
		above := path.Join(parts[:i+1]...)
		info, err := p.root.Lstat(above)
		if err == nil && !info.IsDir() {
			return above + " is no directory here"
		}
	}
	return ""
}

// put writes a file or a link beside its place, and then moves it there.
func (c *Changes) put(change *Change) error {
	root := c.project.root
	if change.Verb() == "mode" {
		return root.Chmod(change.Path, c.mode(change))
	}
	unfinished := path.Join(path.Dir(change.Path), ".glovebox-"+rand.Text())
	if err := c.write(change, unfinished); err != nil {
		_ = root.Remove(unfinished) // the first error counts
		return err
	}
	if err := root.Rename(unfinished, change.Path); err != nil {
		_ = root.Remove(unfinished)
		return err
	}
	return nil
}

func (c *Changes) write(change *Change, name string) error {
	root := c.project.root
	if change.new.kind == link {
		return root.Symlink(change.new.target, name)
	}
	from, err := os.Open(change.content)
	if err != nil {
		return stagingError(err)
	}
	defer from.Close()
	mode := fs.FileMode(0o666)
	if change.new.exec {
		mode = 0o777
	}
	to, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if err == nil && change.old.kind == file {
		err = to.Chmod(c.mode(change))
	}
	return errors.Join(err, to.Close())
}

// mode is that of the file which is there, with the right to execute it given to
// those who may read it, or taken from all.
func (c *Changes) mode(change *Change) fs.FileMode {
	info, err := c.project.root.Lstat(change.Path)
	if err != nil {
		return 0o644
	}
	mode := info.Mode().Perm()
	switch {
	case change.old.exec == change.new.exec:
		return mode
	case change.new.exec:
		return mode | mode&0o444>>2
	}
	return mode &^ 0o111
}

// removeEmpty removes directories of the project that have become empty.
func (p *Project) removeEmpty(dir string) {
	for ; dir != "."; dir = path.Dir(dir) {
		if p.root.Remove(dir) != nil {
			return
		}
	}
}
