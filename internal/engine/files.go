package engine

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/value"
)

// A File, Dir or DataFrame is known by its content: SHA256 names a blob, and
// Path is the name alone. Runners and clients of this host get a path of this
// host.

// takeFiles returns the values with all files by their content, and the digests
// of their blobs.
func (e *Engine) takeFiles(ctx context.Context, values value.Fields) (value.Fields, []string, error) {
	return taker{engine: e, ctx: ctx}.all(values)
}

// patiently keeps what would be lost if the disk is full.
func (e *Engine) patiently(ctx context.Context, write func() error) error {
	if e.config.Space == nil {
		return write()
	}
	return e.config.Space(ctx, write)
}

func (t taker) all(values value.Fields) (value.Fields, []string, error) {
	taken, err := values.MapFiles(func(name string, file any) (any, error) {
		stored, err := t.take(file)
		if err != nil {
			return nil, fieldError(name, err)
		}
		return stored, nil
	})
	return taken, t.blobs, err
}

// fieldError says which input or output holds the file.
func fieldError(name string, err error) error {
	e := *api.AsError(err)
	e.Message = name + ": " + e.Message
	if e.Details.Field == "" {
		e.Details.Field = name
	}
	return &e
}

// badFile is the error of an output that names a file that is not there, or not
// as it says.
func badFile(err error) error {
	e := *api.AsError(err)
	if e.Code != api.NotFound && e.Code != api.InvalidInput {
		return err
	}
	bad := api.Errorf(api.BadOutput, "output %s", e.Message).WithHint("write the file, or upload its bytes, before the task ends").WithDetails(e.Details)
	return bad
}

type taker struct {
	engine  *Engine
	ctx     context.Context
	move    bool // whether files of this host may be taken instead of copied
	patient bool // whether a full disk is waited for
	blobs   []string
}

func (t *taker) take(file any) (taken any, err error) {
	if !t.patient {
		return t.takeNow(file)
	}
	err = t.engine.patiently(t.ctx, func() error {
		taken, err = t.takeNow(file)
		return err
	})
	return taken, err
}

func (t *taker) takeNow(file any) (any, error) {
	if d, ok := file.(value.Dir); ok {
		return t.dir(d)
	}
	ref, _ := value.RefOf(file)
	stored, err := t.file(ref.Path, ref.SHA256)
	return value.FileRef{Path: baseName(ref.Path, stored), Size: stored.Size, SHA256: stored.Digest}.In(file), err
}

func baseName(path string, ref blob.Ref) string {
	if name := filepath.Base(path); path != "" && api.CheckName(name, false) == nil {
		return name
	}
	return ref.Digest
}

// file takes the bytes at a path of this host, or finds those of a digest.
func (t *taker) file(path, digest string) (blob.Ref, error) {
	if !filepath.IsAbs(path) {
		if digest == "" {
			return blob.Ref{}, api.Errorf(api.InvalidInput, "the file %q is given neither by an absolute path nor by the digest of its bytes", path).
				WithHint("give an absolute path of this host, or upload the bytes first and give their sha256")
		}
		if err := t.mayUse(digest); err != nil {
			return blob.Ref{}, err
		}
		ref, err := t.engine.config.Blobs.Stat(t.ctx, digest)
		if err != nil {
			return ref, blob.AsError("the file "+strconv.Quote(path), err)
		}
		t.blobs = append(t.blobs, ref.Digest)
		return ref, nil
	}
	ref, err := t.engine.config.Blobs.Import(t.ctx, path, t.move)
	if err != nil {
		return ref, blob.PathError(path, err)
	}
	if digest != "" && digest != ref.Digest {
		return ref, api.Errorf(api.InvalidInput, "the file %s does not hold the bytes of its sha256", path).
			WithDetails(api.Details{Expected: digest, Got: ref.Digest})
	}
	t.blobs = append(t.blobs, ref.Digest)
	return ref, nil
}

func (t *taker) dir(d value.Dir) (any, error) {
	name, named := filepath.Base(d.Path), !filepath.IsAbs(d.Path)
	if !named {
		stored, err := blob.PutTree(t.ctx, t.engine.config.Blobs, d.Path, blob.TreeLimits{})
		if err != nil {
			return nil, blob.PathError(d.Path, err)
		}
		d = stored
	} else if d.SHA256 == "" {
		return nil, api.Errorf(api.InvalidInput, "the directory %q is given neither by an absolute path nor by its digest", d.Path).
			WithHint("give an absolute path of this host, or upload its files and its manifest first")
	}
	digests, err := t.treeBlobs(d.SHA256, named)
	if err != nil {
		return nil, blob.AsError("the directory "+strconv.Quote(name), err)
	}
	t.blobs = append(t.blobs, digests...)
	d.Path = baseName(name, blob.Ref{Digest: d.SHA256})
	return d, nil
}

// treeBlobs returns the digests of all that a directory is made of, which is
// there, and stays until the run refers to it. Of one that is named by its digest, whoever
// names it must have all: the list of its files may be made up.
func (t *taker) treeBlobs(digest string, named bool) ([]string, error) {
	if named {
		if err := t.mayUse(digest); err != nil {
			return nil, err
		}
	}
	digests, err := blob.TreeBlobs(t.ctx, t.engine.config.Blobs, digest)
	for _, digest := range digests {
		if named {
			if err := t.mayUse(digest); err != nil {
				return nil, err
			}
		}
		if _, err := t.engine.config.Blobs.Stat(t.ctx, digest); err != nil {
			return nil, err
		}
	}
	return digests, err
}

// mayUse refuses the bytes of a digest that a client names, if its owner has neither sent
// them nor got them from a run: as if they were not there. What a run names, it has.
func (t *taker) mayUse(digest string) error {
	who := api.IdentityOf(t.ctx)
	if len(who.Scopes) == 0 || who.May(api.ScopeAdmin) {
		return nil
	}
	has, err := t.engine.config.HasBlob(t.ctx, who.Owner, digest)
	if err != nil || has {
		return err
	}
	return blob.Unknown(digest)
}

// verify reads blobs, and fails if one is not what its digest says. A path that
// was handed out may be another name of one, and root can write to it.
func (e *Engine) verify(ctx context.Context, digests []string) error {
	for _, digest := range digests {
		r, _, err := e.config.Blobs.Open(ctx, digest)
		if err == nil {
			_, err = io.Copy(io.Discard, r)
			r.Close()
		}
		if err != nil {
			return blob.AsError("read what is kept", err)
		}
	}
	return nil
}

// layOut returns the values with a readable path for each file, below dir. It
// touches nothing if there are no files.
func (e *Engine) layOut(ctx context.Context, values value.Fields, dir string) (value.Fields, error) {
	layers := map[string]*layer{}
	return values.MapFiles(func(name string, file any) (any, error) {
		l := layers[name]
		if l == nil {
			l = &layer{e, ctx, filepath.Join(dir, name), 0}
			layers[name] = l
		}
		laid, err := l.layOut(file)
		if err != nil {
			return nil, fieldError(name, err)
		}
		return laid, nil
	})
}

// layer lays out the files of one value: the first at dir/0/name, and so on.
type layer struct {
	engine *Engine
	ctx    context.Context
	dir    string
	count  int
}

func (l *layer) layOut(file any) (any, error) {
	ref, _ := value.RefOf(file)
	dir, name := filepath.Join(l.dir, strconv.Itoa(l.count)), ref.Path
	l.count++
	if api.CheckName(name, false) != nil {
		return nil, api.Errorf(api.Internal, "a file has the name %q", name)
	}
	ref.Path = filepath.Join(dir, name)
	if _, err := os.Lstat(ref.Path); err == nil {
		return ref.In(file), nil
	}
	err := l.whole(dir, func(dir string) error {
		if d, ok := file.(value.Dir); ok {
			return blob.ExportTree(l.ctx, l.engine.config.Blobs, d, filepath.Join(dir, name))
		}
		return l.engine.config.Blobs.Export(l.ctx, ref.SHA256, filepath.Join(dir, name), false)
	})
	return ref.In(file), blob.AsError("lay out "+name, err)
}

// whole makes a directory that appears with all that is in it. If another process
// makes it meanwhile, theirs counts.
func (l *layer) whole(dir string, fill func(dir string) error) error {
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return err
	}
	growing, err := os.MkdirTemp(l.dir, ".growing-")
	if err != nil {
		return err
	}
	if err := fill(growing); err != nil {
		return errors.Join(err, os.RemoveAll(growing))
	}
	err = syscall.Rename(growing, dir) // unlike os.Rename, it may take the place of an empty one
	if errors.Is(err, fs.ErrExist) {
		return os.RemoveAll(growing)
	}
	return err
}

// inputDir is where the files of a run's inputs are while it runs, outputDir
// where those of its outputs are for clients of this host.
func (e *Engine) inputDir(id string) string  { return filepath.Join(e.config.FileDir, id+".inputs") }
func (e *Engine) outputDir(id string) string { return filepath.Join(e.config.FileDir, id+".outputs") }
