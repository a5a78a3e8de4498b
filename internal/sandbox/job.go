package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/inputs"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/tuning"
	"github.com/glovebox-dev/glovebox/value"
)

// job is what the interpreter waits for: a line of JSON, and behind it the code.
// That may be in any encoding, so it is no part of the JSON. The member "inputs"
// stands between the two parts.
type job struct {
	jobBegin
	jobRest
}

type jobBegin struct {
	Verbatim     bool     `json:"verbatim"`
	File         string   `json:"file"`
	SourcePath   string   `json:"source_path"`
	Environ      []string `json:"env"` // NAME=value
	Dir          string   `json:"dir"`
	Stdin        string   `json:"stdin"`     // a path, or empty
	Argv         []string `json:"argv"`      // sys.argv
	OriginalArgv []string `json:"orig_argv"` // sys.orig_argv, behind the interpreter
}

type jobRest struct {
	Outputs     []value.Param `json:"outputs"`
	ResultPath  string        `json:"result_path"`           // where the result goes if it cannot be piped
	Linger      bool          `json:"linger"`                // the end of the process is not waited for
	PythonEnds  bool          `json:"python_ends,omitempty"` // the interpreter takes everything apart at its end, as ever
	SourceBytes int           `json:"source_bytes"`
}

// jobInput is an input in the JSON encoding of its type, which is its last member
// "value". Files are the path at which the cell has them, and inside a collection
// of type str.
type jobInput struct {
	Name string     `json:"name"`
	Type value.Type `json:"type"`
}

// job returns the pieces of the job. Its inputs are written here: the text of a
// value is checked, and may be long.
func (a *attempt) job() ([][]byte, error) {
	j := job{jobBegin{
		Verbatim: a.mode == api.Verbatim, File: a.task.SourceName(), SourcePath: a.sourcePath(),
		Environ: a.environ().List(), Dir: layout.Work, Stdin: a.stdinPath(), Argv: a.argv(), OriginalArgv: a.argv(),
	}, jobRest{
		Outputs: []value.Param{}, ResultPath: layout.Result + "/" + layout.ResultName, Linger: a.reports(), PythonEnds: !tuning.On(tuning.Exit), SourceBytes: len(a.task.Code),
	}}
	if !j.Verbatim {
		j.OriginalArgv = []string{a.sourcePath()}
		j.Outputs = append(j.Outputs, a.task.Signature.Outputs...)
	}
	var p pieces
	if err := p.open(j.jobBegin, "inputs"); err != nil {
		return nil, err
	}
	p.add("[")
	if !j.Verbatim {
		if err := p.addInputs(a.inputs); err != nil {
			return nil, err
		}
	}
	rest, err := json.Marshal(j.jobRest)
	if err != nil {
		return nil, fmt.Errorf("the job of the runner: %w", err)
	}
	p.add("],")
	p.join(rest[1:])
	p.add("\n" + a.task.Code)
	return p.done(), nil
}

// pieces are a text of which long parts are not copied.
type pieces struct {
	all   [][]byte
	short []byte // what follows them
}

// longPiece is from where on a text is a piece of its own, in bytes.
const longPiece = 64 << 10

func (p *pieces) add(text string) { p.join([]byte(text)) }

// join adds a text, which must not be changed afterwards.
func (p *pieces) join(text []byte) {
	if len(text) <= longPiece {
		p.short = append(p.short, text...)
		return
	}
	p.all, p.short = append(p.done(), text), nil
}

// done returns all pieces.
func (p *pieces) done() [][]byte {
	if len(p.short) == 0 {
		return p.all
	}
	return append(p.all, p.short)
}

// open adds the object of a struct up to the value of one more member.
func (p *pieces) open(v any, member string) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("the job of the runner: %w", err)
	}
	p.join(fmt.Appendf(text[:len(text)-1], ",%q:", member))
	return nil
}

func (p *pieces) addInputs(in inputs.Inputs) error {
	for n, i := range in {
		if n > 0 {
			p.add(",")
		}
		text, err := i.JSON()
		if err != nil {
			return err
		}
		if err := p.open(jobInput{i.Param.Name, i.Type}, "value"); err != nil {
			return err
		}
		p.join(text)
		p.add("}")
	}
	return nil
}

// reports reports whether all outputs come in the report of the runner, so that
// nothing is wanted of the cell when that is there.
func (a *attempt) reports() bool {
	return tuning.On(tuning.Linger) && !a.task.Report && a.mode == api.AutoIO && !slices.ContainsFunc(a.task.Signature.Outputs, func(p value.Param) bool { return p.Type.Files() })
}
