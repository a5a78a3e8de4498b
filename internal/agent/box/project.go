package box

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/regular"
)

// The kinds of entries.
const (
	absent = kind("")
	file   = kind("file")
	link   = kind("link")
)

type kind string

// entry is a file or a link of a project, as git would keep it: directories are
// only there for what is in them.
type entry struct {
	kind   kind
	exec   bool   // of a file: it can be executed
	size   int64  // of a file
	digest string // of a file
	target string // of a link
}

// Project is a directory of this host whose files go into a cell.
type Project struct {
	Dir     string // as it was named
	Files   int    // files and links that go in
	Bytes   int64  // of all files
	LeftOut []LeftOut

	root    *os.Root
	ignored ignored
	entries map[string]entry // by path, with slashes
	dirs    []string         // those above entries, and empty ones
	weights map[string]int64 // bytes by the first name of paths, for an error
}

// LeftOut is something that stays where it is.
type LeftOut struct {
	Path   string
	Reason string
}

// The reasons to leave something out.
const (
	becauseIgnored = "ignored"
	becauseGit     = "the repository of git"
	becauseLink    = "a link that leads out of the project"
	becauseKind    = "neither a file, a directory nor a link"
	becauseAccess  = "it cannot be read"
)

// The bounds of a project.
const (
	MaxFiles = 100_000
	MaxBytes = 1 << 30
	maxDepth = 100 // directories
)

// Open reads which files a directory has. The caller closes the project.
func Open(dir string) (*Project, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unreadable(dir, err)
	}
	p := &Project{Dir: dir, root: root, entries: map[string]entry{}, weights: map[string]int64{}}
	if err := p.readAll(); err != nil {
		_ = root.Close() // it was only read
		return nil, err
	}
	return p, nil
}

// Close lets go of the directory.
func (p *Project) Close() error { return p.root.Close() }

func (p *Project) readAll() error {
	if err := p.ignored.read(p.root, gitDir+"/info/exclude", ""); err != nil {
		return err
	}
	if _, err := p.root.Lstat(".gitignore"); errors.Is(err, fs.ErrNotExist) {
		p.ignored.docker = true
		err := p.ignored.read(p.root, ".dockerignore", "")
		if p.ignored.docker = false; err != nil {
			return err
		}
	}
	return p.walk(".", 0)
}

func (p *Project) walk(dir string, depth int) error {
	below := strings.TrimPrefix(dir, ".")
	if err := p.ignored.read(p.root, path.Join(dir, ".gitignore"), below); err != nil {
		return err
	}
	entries, err := fs.ReadDir(p.root.FS(), dir)
	if err != nil {
		return unreadable(dir, err)
	}
	for _, e := range entries {
		if err := p.add(path.Join(dir, e.Name()), e, depth); err != nil {
			return err
		}
	}
	return nil
}

// add takes an entry into the project, or notes why not.
func (p *Project) add(name string, e fs.DirEntry, depth int) error {
	switch {
	case isGit(e.Name()):
		p.leaveOut(name, becauseGit)
	case e.IsDir() && p.ignored.dir(name), !e.IsDir() && p.ignored.file(name):
		p.leaveOut(name, becauseIgnored)
	case e.IsDir():
		if depth == maxDepth {
			return tooLarge(name, "directories below one another", maxDepth)
		}
		if !p.readable(p.root.Open(name)) {
			p.leaveOut(name, becauseAccess)
			return nil
		}
		p.dirs = append(p.dirs, name)
		return p.walk(name, depth+1)
	case e.Type() == fs.ModeSymlink:
		return p.addLink(name)
	case e.Type().IsRegular():
		return p.addFile(name, e)
	default:
		p.leaveOut(name, becauseKind)
	}
	return nil
}

func (p *Project) addLink(name string) error {
	target, err := p.root.Readlink(name)
	if err != nil {
		return unreadable(name, err)
	}
	if !staysInside(name, target) {
		p.leaveOut(name, becauseLink)
		return nil
	}
	p.entries[name] = entry{kind: link, target: target}
	return p.count(name, 0)
}

func (p *Project) addFile(name string, e fs.DirEntry) error {
	info, err := e.Info()
	if err != nil {
		return unreadable(name, err)
	}
	if !p.readable(regular.Open(p.root, name)) {
		p.leaveOut(name, becauseAccess)
		return nil
	}
	p.entries[name] = entry{kind: file, exec: executable(info.Mode()), size: info.Size()}
	return p.count(name, info.Size())
}

func (p *Project) readable(f *os.File, err error) bool { return err == nil && f.Close() == nil }

func executable(mode fs.FileMode) bool { return mode&0o111 != 0 }

// count holds the bounds, before anything is read.
func (p *Project) count(name string, size int64) error {
	first, _, _ := strings.Cut(name, "/")
	p.weights[first] += size
	p.Files++
	p.Bytes += size
	switch {
	case p.Files > MaxFiles:
		return tooLarge(p.Dir, "files in a project", MaxFiles)
	case p.Bytes > MaxBytes:
		return tooLarge(p.Dir, "bytes in a project", MaxBytes).
			WithHint("name a smaller directory with --project, or ignore what is not needed in .gitignore; the largest so far: %s", p.largest())
	}
	return nil
}

// largest names what takes the most space at the top of the project.
func (p *Project) largest() string {
	var names []string
	for name := range p.weights {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return int(p.weights[b]>>10 - p.weights[a]>>10) })
	return strings.Join(names[:min(3, len(names))], ", ")
}

func (p *Project) leaveOut(name, reason string) {
	p.LeftOut = append(p.LeftOut, LeftOut{name, reason})
}

func tooLarge(name, what string, limit int64) *api.Error {
	return api.Errorf(api.RequestInvalid, "the project %s is too large: there may be %d %s", name, limit, what).
		WithHint("name a smaller directory with --project, or ignore what is not needed in .gitignore").
		WithDetails(api.Details{Field: "project", Got: name, Limit: limit})
}

// staysInside reports whether a link leads to somewhere in the project: it goes
// up only at its beginning, from directories that are no links.
func staysInside(name, target string) bool {
	if target == "" || path.IsAbs(target) || strings.ContainsAny(target, "\\\x00") || len(target) > maxName {
		return false
	}
	depth, down := strings.Count(name, "/"), false
	for part := range strings.SplitSeq(target, "/") {
		switch {
		case part == "" || part == ".":
		case isGit(part):
			return false
		case part != "..":
			down = true
		case down || depth == 0:
			return false
		default:
			depth--
		}
	}
	return true
}
