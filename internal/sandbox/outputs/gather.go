// Package outputs takes what a program left in its cell to the host: files and
// directories into a store on disk, and the texts of values, which it decodes by
// the declared types.
//
// All of it is hostile. A Gatherer asks for the declared names alone, counts each
// entry before it keeps anything of it, and lets only regular files and
// directories pass, under names that every file system can hold. Values wait as
// text until there is memory to decode them, and must not name files of the
// host. The files of a run appear in one step, when all are there.
//
// Read gather.go first; tree.go and collection.go take one Dir and one list or
// dict of files, value.go and memory.go decode, and store.go writes.
package outputs

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/value"
)

// Getter takes files out of a cell.
type Getter interface {
	Get(ctx context.Context, dir string, names []string, limits cell.GetLimits, read func(*tar.Header, io.Reader) error) error
}

// Gatherer takes outputs from below /var/outputs, exactly those that are
// declared. It believes nothing about the entries that come.
type Gatherer struct {
	store       *Store
	limits      api.RunLimits
	declared    []value.Param
	values      map[string]any
	trees       map[string]*outputTree
	collections map[string]*collection
	wanted      map[string]value.Param // by the name of the entry in the cell
	bytes       int64
	files       int
	texts       budget.Text // of the values that are not files, one after the other
	pending     []pendingValue
}

// pendingValue is the text of a value that is not decoded yet.
type pendingValue struct {
	param value.Param
	end   int64 // in all texts
}

// NewGatherer returns what gathers the declared outputs into a store.
func NewGatherer(s *Store, limits api.RunLimits, declared []value.Param) *Gatherer {
	g := &Gatherer{
		store: s, limits: limits, declared: declared, values: map[string]any{}, trees: map[string]*outputTree{},
		collections: map[string]*collection{}, wanted: map[string]value.Param{}, texts: budget.Text{Dir: s.dir, Space: s.Space},
	}
	for _, p := range declared {
		inner, _ := files.Required(p.Type)
		if _, ok := files.CollectionOf(inner); ok {
			g.collections[p.Name] = newCollection(g, p)
		}
		g.wanted[p.Name] = p
	}
	return g
}

// List says which files of the cell outputs consist of, by name, each as a
// value of its type.
func (g *Gatherer) List(listed map[string]any) error {
	for name, value := range listed {
		c := g.collections[name]
		if c == nil {
			c = newCollection(g, g.wanted[name])
			g.collections[name] = c
		}
		delete(g.wanted, c.entryName())
		if err := c.list(value); err != nil {
			return err
		}
		g.wanted[c.entryName()] = c.param
	}
	return nil
}

// Gather takes the outputs that are files out of the cell, and decodes the others.
func (g *Gatherer) Gather(ctx context.Context, c Getter) error {
	if len(g.wanted) == 0 {
		return nil
	}
	defer g.texts.Close()
	names := slices.Sorted(maps.Keys(g.wanted))
	if err := c.Get(ctx, layout.Outputs, names, cell.GetLimits{Bytes: g.limits.Outputs, Files: g.limits.OutputFiles}, g.entry); err != nil {
		return g.byOutput(err)
	}
	if err := g.decode(ctx); err != nil {
		return err
	}
	for name, t := range g.trees {
		g.values[name] = t.value()
	}
	for name, c := range g.collections {
		if !c.begun {
			continue
		}
		value, err := c.value()
		if err != nil {
			return err
		}
		g.values[name] = value
	}
	return nil
}

// byOutput names the output in an error that names its entry in the cell.
func (g *Gatherer) byOutput(err error) error {
	var e *api.Error
	if !errors.As(err, &e) {
		return err
	}
	entry := e.Details.Field
	if p, ok := g.wanted[entry]; ok && p.Name != entry {
		named := *e
		named.Message = strings.Replace(e.Message, value.Quote(entry), value.Quote(p.Name), 1)
		named.Details.Field = p.Name
		return &named
	}
	return err
}

// decode reads the values when all of their texts are there, since who holds
// memory must not wait for more.
func (g *Gatherer) decode(ctx context.Context) error {
	text, err := Claim(ctx, &g.texts)
	if err != nil {
		return err
	}
	var start int64
	for _, v := range g.pending {
		if g.values[v.param.Name], err = Decode(v.param, text[start:v.end:v.end], value.DecodeText); err != nil {
			return err
		}
		start = v.end
	}
	return nil
}

// Has reports whether an output has come.
func (g *Gatherer) Has(name string) bool {
	_, ok := g.values[name]
	return ok
}

// Complete returns all values by name, with those that are known from elsewhere,
// or missing_output.
func (g *Gatherer) Complete(known map[string]any) (map[string]any, error) {
	for name, value := range known {
		g.values[name] = value
	}
	for _, p := range g.declared {
		if _, optional := files.Required(p.Type); !g.Has(p.Name) && !(optional && p.Type.Files()) {
			return nil, unwritten(p)
		}
	}
	return g.values, nil
}

func unwritten(p value.Param) error {
	at := layout.Outputs + "/" + p.Name
	hint := "write the output of type %s to %s"
	if inner, _ := files.Required(p.Type); p.Type.Files() && !files.IsFile(inner) {
		hint = "write the files of the %s into the directory %s"
	}
	return api.Errorf(api.MissingOutput, "output %s is missing: there is no %s", value.Quote(p.Name), at).
		WithHint(hint, p.Type, at).
		WithDetails(api.Details{Field: p.Name, Expected: p.Type.String()})
}

// entry takes one entry of the archive.
func (g *Gatherer) entry(h *tar.Header, r io.Reader) error {
	name, below, nested := strings.Cut(strings.TrimSuffix(h.Name, "/"), "/")
	p, ok := g.wanted[name]
	if !ok {
		return strange("entry %s, which was not asked for", value.Quote(h.Name))
	}
	if err := g.charge(p, h); err != nil {
		return err
	}
	if c := g.collections[p.Name]; c != nil {
		return c.entry(h, below, r)
	}
	if inner, _ := files.Required(p.Type); inner.Kind == value.KindDir {
		return g.treeEntry(p, h, below, r)
	}
	if nested || g.Has(name) {
		return strange("entry %s twice or in the wrong place", value.Quote(h.Name))
	}
	if h.Typeflag != tar.TypeReg {
		return badOutput(p, entryKind(h), "a regular file with "+p.Type.String())
	}
	inner, _ := files.Required(p.Type)
	if !files.IsFile(inner) {
		return g.text(p, h.Size, r)
	}
	value, err := g.file(p, inner.Kind, p.Name, r)
	g.values[name] = value
	return err
}

// strange is the error of an archive that no working guest sends.
func strange(format string, args ...any) error {
	return api.Errorf(api.CellLost, "the cell sent "+format, args...)
}

// charge counts an entry by its apparent size before anything of it is kept.
func (g *Gatherer) charge(p value.Param, h *tar.Header) error {
	g.files++
	if g.files > g.limits.OutputFiles {
		return tooLarge(p, "files", int64(g.limits.OutputFiles), int64(g.files))
	}
	if h.Size < 0 || h.Size > g.limits.Outputs-g.bytes {
		return tooLarge(p, "bytes", g.limits.Outputs, max(0, g.bytes)+max(0, h.Size))
	}
	g.bytes += h.Size
	return nil
}

func tooLarge(p value.Param, unit string, limit, got int64) *api.Error {
	return api.Errorf(api.OutputTooLarge, "with output %s the outputs have at least %d %s, more than the limit of %d", value.Quote(p.Name), got, unit, limit).
		WithDetails(api.Details{Field: p.Name, Limit: limit, Peak: got})
}

// entryKind says what an entry is that is not a regular file.
func entryKind(h *tar.Header) string {
	if h.Typeflag == tar.TypeLink {
		return "a hard link"
	}
	return files.Describe(h.FileInfo().Mode())
}

// text keeps the text of a value: what is there, since size is only a Claim.
func (g *Gatherer) text(p value.Param, size int64, r io.Reader) error {
	if total := g.texts.Size() + size; total > MaxValues {
		return TooLarge(p, MaxValues, total)
	}
	if _, err := io.Copy(&g.texts, io.LimitReader(r, size)); err != nil {
		return HostError(err)
	}
	g.values[p.Name] = nil // so that it cannot come twice
	g.pending = append(g.pending, pendingValue{p, g.texts.Size()})
	return nil
}

// file keeps a File or DataFrame at a path in the store.
func (g *Gatherer) file(p value.Param, kind value.Kind, at string, r io.Reader) (any, error) {
	buffered := bufio.NewReader(r)
	start, _ := buffered.Peek(len(parquetMagic)) // a shorter file is no Parquet
	saved, err := g.store.save(at, 0o600, buffered)
	if err != nil {
		return nil, err
	}
	if kind == value.KindFile {
		return value.File{Path: saved.path, Size: saved.size, SHA256: saved.sum}, nil
	}
	if string(start) != parquetMagic {
		return nil, badOutput(p, "a file that is not Parquet", "a DataFrame in a Parquet file")
	}
	return value.DataFrame{Path: saved.path, Format: "parquet", Size: saved.size, SHA256: saved.sum}, nil
}

// parquetMagic begins every Parquet file (github.com/apache/parquet-format).
const parquetMagic = "PAR1"

func (g *Gatherer) treeEntry(p value.Param, h *tar.Header, below string, r io.Reader) error {
	t := g.trees[p.Name]
	if below == "" {
		if h.Typeflag != tar.TypeDir {
			return badOutput(p, entryKind(h), "a directory")
		}
		if t != nil {
			return strange("output %s twice", value.Quote(p.Name))
		}
		t = newOutputTree(g.store, p, p.Name)
		g.trees[p.Name] = t
		return g.store.mkdir(p.Name)
	}
	if t == nil {
		return strange("entry %s before its directory", value.Quote(h.Name))
	}
	return t.entry(h, path.Join(p.Name, below), below, r)
}
