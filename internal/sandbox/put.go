package sandbox

import (
	"archive/tar"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// runnerSource is the program that runs auto-IO code, in its folder autoio.
//
//go:embed autoio/*.py
var runnerSource embed.FS

// putter takes files into a cell.
type putter interface {
	Put(ctx context.Context, dir string, write func(*tar.Writer) error) error
}

// job is what the runner in the cell reads, as job.json.
type job struct {
	File       string      `json:"file"`
	SourcePath string      `json:"source_path"`
	Inputs     []jobInput  `json:"inputs"`
	Outputs    []api.Param `json:"outputs"`
	ResultPath string      `json:"result_path"`
}

// jobInput is an input in the JSON encoding of its type. Files are the path at
// which the cell has them, and inside a collection of type str.
type jobInput struct {
	Name  string          `json:"name"`
	Type  api.Type        `json:"type"`
	Value json.RawMessage `json:"value"`
}

// writeFiles writes everything that a cell needs for the run, by paths below
// its root. Owner is root where the program must only read.
func (a *attempt) writeFiles(archive *tar.Writer) error {
	t := &tree{archive: archive}
	t.dir(workDir, 0o755, cell.UserID)
	t.dir(inputsDir, 0o755, 0)
	t.dir(outputsDir, 0o755, cell.UserID)
	if a.bundle != nil {
		t.dir(runnerDir, 0o755, 0)
		t.file(cell.CertificatesFile, a.bundle, 0o444, 0)
	}
	a.writeSecrets(t)
	a.writeInputs(t)
	if a.mode == api.AutoIO || a.mode == api.Verbatim {
		t.file(a.sourcePath(), []byte(a.task.Code), 0o644, cell.UserID)
	}
	if a.mode == api.AutoIO {
		a.writeJob(t)
	}
	return t.err
}

func (a *attempt) writeSecrets(t *tree) {
	if len(a.secrets.files) == 0 {
		return
	}
	t.dir("/"+secretsDir, 0o755, 0)
	for _, name := range slices.Sorted(maps.Keys(a.secrets.files)) {
		t.file("/"+secretsDir+"/"+name, a.secrets.files[name], 0o400, cell.UserID)
	}
}

func (a *attempt) writeInputs(t *tree) {
	for _, i := range a.inputs {
		switch {
		case i.source != nil:
			t.source(i.path(), i.source)
		case i.holdsFiles():
			t.collection(&i)
		case !i.absent():
			t.file(i.path(), i.text, 0o444, 0)
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
	t.dir(runnerDir, 0o755, 0)
	t.dir(valuesDir, 0o755, 0)
	t.file(valuesDir+"/"+i.param.Name, i.text, 0o444, 0)
}

func (a *attempt) writeJob(t *tree) {
	text, err := a.job()
	if err != nil {
		t.fail(err)
		return
	}
	t.dir(runnerDir, 0o755, 0)
	t.runner()
	t.file(jobFile, text, 0o444, 0)
	t.dir(resultDir, 0o700, cell.UserID)
}

// runner writes the program that runs the code.
func (t *tree) runner() {
	parts, err := fs.Glob(runnerSource, "autoio/*")
	if err != nil {
		t.fail(err)
	}
	t.dir(runnerDir+"/autoio", 0o755, 0)
	for _, part := range parts {
		text, err := runnerSource.ReadFile(part)
		if err != nil {
			t.fail(err)
		}
		t.file(runnerDir+"/"+part, text, 0o444, 0)
	}
}

func (a *attempt) job() ([]byte, error) {
	j := job{
		File: sourceName(a.task), SourcePath: a.sourcePath(), ResultPath: resultDir + "/" + resultName,
		Inputs: []jobInput{}, Outputs: append([]api.Param{}, a.task.Signature.Outputs...),
	}
	for _, i := range a.inputs {
		value, err := i.json()
		if err != nil {
			return nil, err
		}
		j.Inputs = append(j.Inputs, jobInput{i.param.Name, i.typ, value})
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, fmt.Errorf("the job of the runner: %w", err)
	}
	return text, nil
}

func (i *input) json() ([]byte, error) {
	if i.source != nil {
		return json.Marshal(i.path())
	}
	value, err := api.EncodeJSON(i.typ, i.value)
	if err != nil {
		return nil, api.BadValue(api.InvalidInput, "input", i.param.Name, err)
	}
	return value, nil
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
