package box

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

//go:embed work.py
var workProgram string

// Files are what an agent gets that works without a session, and what is taken out
// at its end. Paths are below the directory that it works in.
type Files struct {
	Texts map[string]string // by path
	Given map[string]any    // files of the engine, by path
	Want  []string          // paths of texts that are taken out
	Most  int               // bytes of one of them
}

// Work is what an agent left. All of it is as its cell says it.
type Work struct {
	Status   int               `json:"status"`
	Said     string            `json:"said"`     // the last of it
	Texts    map[string]string `json:"texts"`    // of the files that were wanted
	Problems map[string]string `json:"problems"` // why one is missing
	Cost     float64           `json:"cost_usd"` // US dollars that it says its model took
}

// program is what the agent's cell is asked for.
type program struct {
	Dir     string            `json:"dir"`
	Texts   map[string]string `json:"texts"`
	Files   map[string]string `json:"files"`
	HomeDir string            `json:"home_dir"`
	Home    map[string]string `json:"home"`
	Script  string            `json:"script"`
	Argv    []string          `json:"argv"`
	Want    []string          `json:"want"`
	Most    int               `json:"most"`
}

// workDir is where work.py has the agent work.
const workDir = "/tmp/work"

// maxWork bounds the output of the cell beside the files that are wanted, in bytes.
const maxWork = 1 << 20

// maxEscape is how many bytes JSON takes for one of a text at most.
const maxEscape = 6

// Task is a sandbox in which the agent does its job on files, and the inputs of it:
// the way for those who want a run, which is journalled, in the place of a session.
// What came of it is read by ReadWork. An attempt that is lost with its cell can be
// made again, since it reached nothing but its model.
func (j Job) Task(name string, f Files) (*api.Task, map[string]any, error) {
	spec, err := j.Spec()
	if err != nil {
		return nil, nil, err
	}
	text := value.Type{Kind: value.KindStr}
	task := &api.Task{
		Name: name, Code: workProgram, Image: spec.Image, Resources: spec.Resources, Env: spec.Env, Secrets: spec.Secrets, Network: spec.Network, Asks: spec.Asks,
		Limits: api.RunLimits{Outputs: maxWork + int64(len(f.Want)*f.Most*maxEscape)}, Idempotent: true,
		Signature: api.Signature{Inputs: []value.Param{{Name: "request", Type: text}}, Outputs: []value.Param{{Name: "work", Type: text}}},
	}
	p := program{
		Dir: workDir, Texts: f.Texts, Files: map[string]string{}, HomeDir: otherHome, Home: map[string]string{},
		Script: j.Agent.script, Argv: j.Agent.argv(j.Prompt, j.Options), Want: f.Want, Most: f.Most,
	}
	for _, file := range j.Agent.home(workDir) {
		p.Home[file.path] = file.text
	}
	inputs := map[string]any{}
	for i, path := range slices.Sorted(maps.Keys(f.Given)) {
		input := "file_" + strconv.Itoa(i+1)
		task.Signature.Inputs = append(task.Signature.Inputs, value.Param{Name: input, Type: value.Type{Kind: value.KindFile}})
		p.Files[path], inputs[input] = input, f.Given[path]
	}
	encoded, err := json.Marshal(p)
	if err != nil {
		return nil, nil, api.Errorf(api.Internal, "the job of the agent: %w", err)
	}
	inputs["request"] = string(encoded)
	return task, inputs, nil
}

// ReadWork reads the output of a task.
func ReadWork(output any) (Work, error) {
	var w Work
	given, _ := output.(string)
	if err := json.Unmarshal([]byte(given), &w); err != nil {
		return w, api.Errorf(api.BadOutput, "what the agent left cannot be read: %w", err)
	}
	w.Said = strings.ToValidUTF8(w.Said, "\uFFFD")
	return w, nil
}
