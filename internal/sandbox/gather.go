package sandbox

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// gatherer takes outputs from below /var/outputs, exactly those that are
// declared. It believes nothing about the entries that come.
type gatherer struct {
	store    *store
	limits   api.RunLimits
	declared []api.Param
	values   map[string]any
	trees    map[string]*outputTree
	sets     map[string]*collection
	places   map[string]api.Param // by the name of the entry that is wanted
	bytes    int64
	files    int
	text     int64 // bytes of values that are not files
}

func newGatherer(s *store, limits api.RunLimits, declared []api.Param) *gatherer {
	g := &gatherer{
		store: s, limits: limits, declared: declared, values: map[string]any{}, trees: map[string]*outputTree{},
		sets: map[string]*collection{}, places: map[string]api.Param{},
	}
	for _, p := range declared {
		inner, _ := required(p.Type)
		if _, ok := collectionOf(inner); ok {
			g.sets[p.Name] = newCollection(g, p)
		}
		g.places[p.Name] = p
	}
	return g
}

// list says which files of the cell outputs consist of, by name, each as a
// value of its type.
func (g *gatherer) list(listed map[string]any) error {
	for name, value := range listed {
		c := g.sets[name]
		delete(g.places, c.place())
		if err := c.list(value); err != nil {
			return err
		}
		g.places[c.place()] = c.param
	}
	return nil
}

func (g *gatherer) gather(ctx context.Context, c getter) error {
	if len(g.places) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(g.places))
	if err := c.Get(ctx, outputsDir, names, cell.GetLimits{Bytes: g.limits.Outputs, Files: g.limits.OutputFiles}, g.entry); err != nil {
		return err
	}
	for name, t := range g.trees {
		g.values[name] = t.value()
	}
	for name, c := range g.sets {
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

func (g *gatherer) has(name string) bool {
	_, ok := g.values[name]
	return ok
}

// complete adds the values that are known from elsewhere, and finds outputs
// that are missing.
func (g *gatherer) complete(known map[string]any) error {
	for name, value := range known {
		g.values[name] = value
	}
	for _, p := range g.declared {
		if _, optional := required(p.Type); !g.has(p.Name) && !(optional && p.Type.Files()) {
			return unwritten(p)
		}
	}
	return nil
}

func unwritten(p api.Param) error {
	at := outputsDir + "/" + p.Name
	hint := "write the output of type %s to %s"
	if inner, _ := required(p.Type); p.Type.Files() && !isFile(inner) {
		hint = "write the files of the %s into the directory %s"
	}
	return api.Errorf(api.MissingOutput, "output %s is missing: there is no %s", api.Quote(p.Name), at).
		WithHint(hint, p.Type, at).
		WithDetails(api.Details{Field: p.Name, Expected: p.Type.String()})
}

// entry takes one entry of the archive.
func (g *gatherer) entry(h *tar.Header, r io.Reader) error {
	name, below, nested := strings.Cut(strings.TrimSuffix(h.Name, "/"), "/")
	p, ok := g.places[name]
	if !ok {
		return strange("entry %s, which was not asked for", api.Quote(h.Name))
	}
	if err := g.charge(p, h); err != nil {
		return err
	}
	if c := g.sets[p.Name]; c != nil {
		return c.entry(h, below, r)
	}
	if inner, _ := required(p.Type); inner.Kind == api.KindDir {
		return g.treeEntry(p, h, below, r)
	}
	if nested || g.has(name) {
		return strange("entry %s twice or in the wrong place", api.Quote(h.Name))
	}
	if h.Typeflag != tar.TypeReg {
		return badOutput(p, entryKind(h), "a regular file with "+p.Type.String())
	}
	value, err := g.value(p, h.Size, r)
	if err != nil {
		return err
	}
	g.values[name] = value
	return nil
}

// strange is the error of an archive that no working guest sends.
func strange(format string, args ...any) error {
	return api.Errorf(api.CellLost, "the cell sent "+format, args...)
}

// charge counts an entry by its apparent size before anything of it is kept.
func (g *gatherer) charge(p api.Param, h *tar.Header) error {
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

func tooLarge(p api.Param, unit string, limit, got int64) *api.Error {
	return api.Errorf(api.OutputTooLarge, "with output %s the outputs have at least %d %s, more than the limit of %d", api.Quote(p.Name), got, unit, limit).
		WithDetails(api.Details{Field: p.Name, Limit: limit, Peak: got})
}

// entryKind says what an entry is that is not a regular file.
func entryKind(h *tar.Header) string {
	if h.Typeflag == tar.TypeLink {
		return "a hard link"
	}
	return kindOf(h.FileInfo().Mode())
}

func (g *gatherer) value(p api.Param, size int64, r io.Reader) (any, error) {
	if inner, _ := required(p.Type); isFile(inner) {
		return g.file(p, inner.Kind, p.Name, r)
	}
	if g.text += size; g.text > maxValues {
		return nil, valueTooLarge(p, maxValues, g.text)
	}
	text, err := readText(r, size)
	if err != nil {
		return nil, err
	}
	return decodeOutput(p, text, api.DecodeText)
}

// readText reads what is there, growing with it: size is only a claim.
func readText(r io.Reader, size int64) ([]byte, error) {
	var text bytes.Buffer
	_, err := io.Copy(&text, io.LimitReader(r, size))
	return text.Bytes(), err
}

// file keeps a File or DataFrame at a path in the store.
func (g *gatherer) file(p api.Param, kind api.Kind, at string, r io.Reader) (any, error) {
	buffered := bufio.NewReader(r)
	start, _ := buffered.Peek(len(parquetMagic)) // a shorter file is no Parquet
	saved, err := g.store.save(at, 0o600, buffered)
	if err != nil {
		return nil, err
	}
	if kind == api.KindFile {
		return api.File{Path: saved.path, Size: saved.size, SHA256: saved.sum}, nil
	}
	if string(start) != parquetMagic {
		return nil, badOutput(p, "a file that is not Parquet", "a DataFrame in a Parquet file")
	}
	return api.DataFrame{Path: saved.path, Format: "parquet", Size: saved.size, SHA256: saved.sum}, nil
}

// parquetMagic begins every Parquet file (github.com/apache/parquet-format).
const parquetMagic = "PAR1"

func (g *gatherer) treeEntry(p api.Param, h *tar.Header, below string, r io.Reader) error {
	t := g.trees[p.Name]
	if below == "" {
		if h.Typeflag != tar.TypeDir {
			return badOutput(p, entryKind(h), "a directory")
		}
		if t != nil {
			return strange("output %s twice", api.Quote(p.Name))
		}
		t = newOutputTree(g.store, p, p.Name)
		g.trees[p.Name] = t
		return g.store.mkdir(p.Name)
	}
	if t == nil {
		return strange("entry %s before its directory", api.Quote(h.Name))
	}
	return t.entry(h, path.Join(p.Name, below), below, r)
}
