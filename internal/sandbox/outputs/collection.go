package outputs

import (
	"archive/tar"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/value"
)

// stagePrefix is in front of the name of an output in the directory in which
// the runner puts the files that a variable lists, as "0", "1" and so on.
const stagePrefix = ".glovebox."

// collection takes the files of one output list[File], dict[str, Dir] and the
// like: the entries of one directory. One File that a variable names by its path
// is a collection of that file.
type collection struct {
	g     *Gatherer
	param value.Param
	file  value.Kind // of each item
	items map[string]any
	trees map[string]*outputTree
	names *outputTree // of the entries themselves, checked as in a tree
	begun bool

	listed any               // the value that lists the files by paths of the cell; nil: the directory is the value
	stored map[string]string // with listed: the name of the file, by entry
}

func newCollection(g *Gatherer, p value.Param) *collection {
	inner, _ := files.Required(p.Type)
	file, ok := files.CollectionOf(inner)
	if !ok {
		file = inner
	}
	return &collection{
		g: g, param: p, file: file.Kind, items: map[string]any{}, trees: map[string]*outputTree{}, names: newOutputTree(g.store, p, p.Name),
	}
}

// list makes listed the value. Its paths are names that a cell made up: of them
// only the last part is used, for the name of the file.
func (c *collection) list(listed any) error {
	c.listed, c.stored = listed, map[string]string{}
	_, err := files.Replace(c.param.Type, listed, func(file any, _ string) (any, error) {
		if len(c.stored) >= c.g.limits.OutputFiles {
			return nil, tooLarge(c.param, "files", int64(c.g.limits.OutputFiles), int64(len(c.stored)+1))
		}
		index, name := strconv.Itoa(len(c.stored)), path.Base(files.PathOf(file))
		if api.CheckName(name, false) != nil {
			name = index
		}
		c.stored[index] = name
		return file, nil
	})
	return err
}

// entryName is the name of the directory below /var/outputs.
func (c *collection) entryName() string {
	if c.listed != nil {
		return stagePrefix + c.param.Name
	}
	return c.param.Name
}

// entry takes one entry; below is its path in the directory.
func (c *collection) entry(h *tar.Header, below string, r io.Reader) error {
	if below == "" {
		return c.begin(h)
	}
	if !c.begun {
		return strange("entry %s before its directory", value.Quote(h.Name))
	}
	name, inside, nested := strings.Cut(below, "/")
	at := c.param.Name + "/" + name
	if c.listed != nil {
		stored, ok := c.stored[name]
		if !ok {
			return badOutput(c.param, "a directory with "+value.Quote(name)+", which the variable does not list", "the files that the runner put there")
		}
		at += "/" + stored // in a directory of its own: two files may have one name
		if !nested {
			if err := c.g.store.mkdir(path.Dir(at)); err != nil {
				return err
			}
		}
	}
	if nested {
		return c.below(h, name, inside, at+"/"+inside, r)
	}
	if problem := entryProblem(name); problem != "" {
		return badOutput(c.param, "a directory with the entry "+value.Quote(name)+", which "+problem, "names that every file system can hold")
	}
	if err := c.names.once(name); err != nil {
		return err
	}
	return c.item(h, name, at, r)
}

func (c *collection) begin(h *tar.Header) error {
	if h.Typeflag != tar.TypeDir {
		return badOutput(c.param, entryKind(h), "a directory with an entry for each item")
	}
	if c.begun {
		return strange("output %s twice", value.Quote(c.param.Name))
	}
	c.begun = true
	return c.g.store.mkdir(c.param.Name)
}

func (c *collection) item(h *tar.Header, name, at string, r io.Reader) error {
	expected := byte(tar.TypeReg)
	if c.file == value.KindDir {
		expected = tar.TypeDir
	}
	if h.Typeflag != expected {
		return badOutput(c.param, "a directory in which "+value.Quote(name)+" is "+entryKind(h), "an entry of type "+string(c.file)+" for each item")
	}
	if c.file == value.KindDir {
		c.trees[name] = newOutputTree(c.g.store, c.param, at)
		return c.g.store.mkdir(at)
	}
	value, err := c.g.file(c.param, c.file, at, r)
	c.items[name] = value
	return err
}

func (c *collection) below(h *tar.Header, name, inside, at string, r io.Reader) error {
	t := c.trees[name]
	if t == nil {
		return strange("entry %s before its directory", value.Quote(h.Name))
	}
	return t.entry(h, at, inside, r)
}

// value is the whole collection, and missing_output or bad_output if there is
// not all of it.
func (c *collection) value() (any, error) {
	for name, t := range c.trees {
		c.items[name] = t.value()
	}
	if c.listed == nil {
		return c.sorted(), nil
	}
	i := -1
	return files.Replace(c.param.Type, c.listed, func(file any, _ string) (any, error) {
		i++
		item, ok := c.items[strconv.Itoa(i)]
		if !ok {
			return nil, badOutput(c.param, "a value with "+value.Quote(files.PathOf(file))+", which did not come out of the cell", "files below "+layout.Outputs)
		}
		return item, nil
	})
}

// sorted is the value of a directory: its entries in the order of their names.
func (c *collection) sorted() any {
	inner, _ := files.Required(c.param.Type)
	names := slices.Sorted(maps.Keys(c.items))
	if inner.Kind == value.KindDict {
		d := value.NewDict()
		for _, name := range names {
			d.Set(name, c.items[name])
		}
		return d
	}
	items := make([]any, len(names))
	for i, name := range names {
		items[i] = c.items[name]
	}
	if inner.Kind == value.KindTuple {
		return value.Tuple(items)
	}
	return items
}
