package sandbox

import (
	"archive/tar"
	"context"
	"maps"
	"path"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/autoio"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
)

// putter takes files into a cell.
type putter interface {
	Put(ctx context.Context, dir string, write func(*tar.Writer) error) error
}

// writeBase writes what every run of a class finds in its cell, by paths below
// its root.
func (r *Runner) writeBase(archive *tar.Writer, cells *template) error {
	t := &tree{archive: archive}
	t.dir(layout.Work, 0o755, cell.UserID)
	t.dir(layout.Inputs, 0o755, 0)
	t.dir(layout.Outputs, 0o755, cell.UserID)
	if cells.Python {
		t.dir(layout.Runner, 0o755, 0)
		t.dir(path.Dir(layout.RunnerFile), 0o755, 0)
		t.file(layout.RunnerFile, autoio.Program(), 0o444, 0)
		if code := r.compiler.code(cells.image); code != nil {
			t.file(compiledFile, code, 0o444, 0)
		}
		t.dir(layout.Result, 0o700, cell.UserID)
	}
	return t.err
}

// adds reports whether writeFiles writes anything.
func (a *attempt) adds() bool {
	return a.bundle != nil || len(a.secrets.files) > 0 || a.mode == api.Verbatim || slices.ContainsFunc(a.inputs, a.isFile)
}

// isFile reports whether there is a file of the input. Code of auto-IO has
// plain values as variables, and no other way to them: each file takes time.
func (a *attempt) isFile(i input) bool {
	return i.source != nil || i.holdsFiles() || a.mode != api.AutoIO && !i.absent()
}

// writeFiles writes what the run adds, by paths below the root of its cell. Owner
// is root where the program must only read.
func (a *attempt) writeFiles(archive *tar.Writer) error {
	t := &tree{archive: archive}
	if a.bundle != nil {
		t.dir(layout.Runner, 0o755, 0)
		t.file(cell.CertificatesFile, a.bundle, 0o444, 0)
	}
	a.writeSecrets(t)
	a.writeInputs(t)
	if a.mode == api.Verbatim { // the runner of auto-IO writes its own
		t.file(a.sourcePath(), []byte(a.task.Code), 0o644, cell.UserID)
	}
	return t.err
}

func (a *attempt) writeSecrets(t *tree) {
	if len(a.secrets.files) == 0 {
		return
	}
	t.dir(layout.Secrets, 0o755, 0)
	for _, name := range slices.Sorted(maps.Keys(a.secrets.files)) {
		t.file(layout.Secrets+"/"+name, a.secrets.files[name], 0o400, cell.UserID)
	}
}

func (a *attempt) writeInputs(t *tree) {
	for _, i := range a.inputs {
		switch {
		case i.source != nil:
			t.source(i.path(), i.source)
		case i.holdsFiles():
			t.collection(&i)
		case a.isFile(i):
			t.file(i.path(), i.text(), 0o444, 0)
		}
	}
}

// collection writes the files of a collection, and where its value can be read:
// which file is which item.
func (t *tree) collection(i *input) {
	t.dir(i.path(), 0o755, 0)
	for _, f := range i.files {
		s, err := i.open(f)
		if err != nil {
			t.fail(err)
			return
		}
		t.source(i.path()+"/"+f.name, s)
		s.close()
	}
	t.dir(layout.Runner, 0o755, 0)
	t.dir(layout.Values, 0o755, 0)
	t.file(layout.Values+"/"+i.param.Name, i.text(), 0o444, 0)
}

// tree writes entries into a tar until one fails.
type tree struct {
	archive *tar.Writer
	err     error
}

func (t *tree) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

func (t *tree) dir(path string, mode int64, owner int) {
	if t.err == nil {
		t.err = t.archive.WriteHeader(dirHeader(path[1:], mode, owner))
	}
}

func (t *tree) file(path string, content []byte, mode int64, owner int) {
	if t.err == nil {
		t.err = t.archive.WriteHeader(fileHeader(path[1:], int64(len(content)), mode, owner))
	}
	if t.err == nil {
		_, t.err = t.archive.Write(content)
	}
}

func (t *tree) source(path string, s *source) {
	if t.err == nil {
		t.err = s.write(t.archive, path[1:])
	}
}
