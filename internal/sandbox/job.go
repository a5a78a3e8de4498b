package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/tuning"
	"github.com/glovebox-dev/glovebox/value"
)

// job is what the interpreter waits for: a line of JSON, and behind it the code.
// That may be in any encoding, so it is no part of the JSON.
type job struct {
	Verbatim     bool          `json:"verbatim"`
	File         string        `json:"file"`
	SourcePath   string        `json:"source_path"`
	Environ      []string      `json:"env"` // NAME=value
	Dir          string        `json:"dir"`
	Stdin        string        `json:"stdin"`     // a path, or empty
	Argv         []string      `json:"argv"`      // sys.argv
	OriginalArgv []string      `json:"orig_argv"` // sys.orig_argv, behind the interpreter
	Inputs       []jobInput    `json:"inputs"`
	Outputs      []value.Param `json:"outputs"`
	ResultPath   string        `json:"result_path"`           // where the result goes if it cannot be piped
	Linger       bool          `json:"linger"`                // the end of the process is not waited for
	PythonEnds   bool          `json:"python_ends,omitempty"` // the interpreter takes everything apart at its end, as ever
	SourceBytes  int           `json:"source_bytes"`
}

// jobInput is an input in the JSON encoding of its type. Files are the path at
// which the cell has them, and inside a collection of type str.
type jobInput struct {
	Name  string          `json:"name"`
	Type  value.Type      `json:"type"`
	Value json.RawMessage `json:"value"`
}

func (a *attempt) job() ([]byte, error) {
	j := job{
		Verbatim: a.mode == api.Verbatim, File: a.task.SourceName(), SourcePath: a.sourcePath(),
		Environ: a.environ().List(), Dir: layout.Work, Stdin: a.stdinPath(), Argv: a.argv(), OriginalArgv: a.argv(),
		Inputs: []jobInput{}, Outputs: []value.Param{}, ResultPath: layout.Result + "/" + layout.ResultName, Linger: a.reports(), PythonEnds: !tuning.On(tuning.Exit), SourceBytes: len(a.task.Code),
	}
	if !j.Verbatim {
		j.OriginalArgv = []string{a.sourcePath()}
		j.Outputs = append(j.Outputs, a.task.Signature.Outputs...)
		for _, i := range a.inputs {
			text, err := i.JSON()
			if err != nil {
				return nil, err
			}
			j.Inputs = append(j.Inputs, jobInput{i.Param.Name, i.Type, text})
		}
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, fmt.Errorf("the job of the runner: %w", err)
	}
	return append(append(text, '\n'), a.task.Code...), nil
}

// reports reports whether all outputs come in the report of the runner, so that
// nothing is wanted of the cell when that is there.
func (a *attempt) reports() bool {
	return tuning.On(tuning.Linger) && a.mode == api.AutoIO && !slices.ContainsFunc(a.task.Signature.Outputs, func(p value.Param) bool { return p.Type.Files() })
}
