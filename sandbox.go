package glovebox

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Sandbox describes a program that is to run in a cell. Set Code or Command;
// with neither, the entrypoint of the image runs. The zero value of every
// other field is a sensible default.
type Sandbox struct {
	// Name appears in messages and names the source in tracebacks. Letters,
	// digits, '.', '_' and '-'.
	Name string
	// Doc says what it does, for people and models.
	Doc string

	// Code is Python source. By default its inputs are variables and its
	// outputs are the variables of the declared names.
	Code string
	// File is the name of the source in tracebacks; empty means Name + ".py".
	File string
	// Verbatim runs Code as it is: it reads /var/inputs/<name>, or its
	// arguments --name value, and writes /var/outputs/<name>.
	Verbatim bool
	// Command is the argv of any other program. It reads and writes the same
	// files as verbatim code.
	Command []string
	// Arguments are appended to the command, the script or the entrypoint.
	Arguments []string
	// Stdin names the input, a File, str or bytes, that a command or a verbatim
	// script finds as its standard input too. Without, that is empty.
	Stdin string
	// Preload names modules that are imported before Code starts, ahead of time
	// where cells are kept ready: see Glovebox.KeepWarm.
	Preload []string

	// Inputs and Outputs declare names and types as a Python signature does,
	// in order: "n: int", "payload: File", "scores: list[float]". An input may
	// have a default, as JSON: "n: int = 5".
	Inputs, Outputs []string

	// Image declares the file system: packages, a base or a prebuilt image.
	Image Image
	// Resources limit the cell. The default is 1 CPU and 1 GiB of memory.
	Resources Resources
	// Limits bound what a run hands back.
	Limits Limits
	// Env are environment variables of the program.
	Env map[string]string
	// Secrets are stored secrets that the program gets.
	Secrets []Secret
	// Network says what the program can reach; by default nothing but the hosts of Secrets.
	Network Network

	// Timeout bounds one attempt, image build not counted; 0 means an hour.
	Timeout time.Duration
	// Retries is how many more attempts a failed run gets.
	Retries int
	// Cache is auto, override or disable; empty means auto, or disable if the
	// program has a network or secrets.
	Cache CacheMode
	// Idempotent says that the program can safely run again when its outcome is
	// unknown, as after a crash.
	Idempotent bool
	// Notify are receivers that hear of the end of its runs.
	Notify []Notify
	// Labels are those of its runs, by name.
	Labels map[string]string
	// NodeSelector are the labels that a node has to have to carry them out; see glovebox
	// serve --label.
	NodeSelector map[string]string
	// Priority is that of its runs among those that wait, from -10 to 10: the higher is
	// first. Each step is worth 30 seconds of waiting.
	Priority int
	// MaxConcurrent is how many of its runs work at the same time, on all nodes together;
	// 0 is any number.
	MaxConcurrent int
	// Approval has a person decide before each run; nil asks for none.
	Approval *Approval
	// Report lets the program write a page of HTML for people beside its outputs, the
	// file /var/outputs/report.html. Run.Report reads it.
	Report bool
}

// The parts of a Sandbox.
type (
	// Image declares the file system of a cell: packages, commands, or a prebuilt image.
	Image = api.ImageSpec
	// Resources limit the CPU, memory and disk of a cell.
	Resources = api.Resources
	// Limits bound what a run hands back.
	Limits = api.RunLimits
	// Secret names a stored secret, and where the program finds it.
	Secret = api.SecretRef
	// Network says what a program can reach.
	Network = api.Network
	// Notify names a receiver that hears of the end of a run, by a signed message.
	Notify = api.Notify
	// CacheMode says whether an earlier result may answer a run.
	CacheMode = api.CacheMode
	// Progress is a stage of a run, such as a step of an image build.
	Progress = api.Progress
)

// task returns the task that s describes.
func (s Sandbox) task() (*api.Task, error) {
	inputs, err := parseParams("input", s.Inputs)
	if err != nil {
		return nil, err
	}
	outputs, err := parseParams("output", s.Outputs)
	if err != nil {
		return nil, err
	}
	task, err := s.bare()
	if err != nil {
		return nil, err
	}
	task.Signature = api.Signature{Inputs: inputs, Outputs: outputs}
	return task, nil
}

// bare returns the task without a signature. Paths of images are those of this
// process.
func (s Sandbox) bare() (*api.Task, error) {
	image, err := s.Image.Absolute(".")
	if err != nil {
		return nil, err
	}
	return &api.Task{
		Name: s.Name, Doc: s.Doc, Code: s.Code, File: s.File, Verbatim: s.Verbatim,
		Command: s.Command, Arguments: s.Arguments, Stdin: s.Stdin, Preload: s.Preload,
		Image: image, Resources: s.Resources, Limits: s.Limits,
		Env: s.Env, Secrets: s.Secrets, Network: s.Network.With(s.Secrets),
		Timeout: s.Timeout, Retries: s.Retries, Cache: s.Cache, Idempotent: s.Idempotent, Notify: s.Notify, Labels: s.Labels, NodeSelector: s.NodeSelector,
		Priority: s.Priority, MaxConcurrent: s.MaxConcurrent,
		Approval: s.Approval, Report: s.Report,
	}, nil
}

func parseParams(kind string, declarations []string) ([]value.Param, error) {
	params := make([]value.Param, 0, len(declarations))
	for _, d := range declarations {
		p, err := parseParam(kind, d)
		if err != nil {
			return nil, err
		}
		params = append(params, p)
	}
	return params, nil
}

// parseParam reads "name: type", with a default after "=" for an input.
func parseParam(kind, d string) (value.Param, error) {
	name, spelling, ok := strings.Cut(d, ":")
	name = strings.TrimSpace(name)
	if !ok {
		return value.Param{}, api.Errorf(api.InvalidTask, "%s %q has no type", kind, d).
			WithHint("declare it as %q", name+": str").
			WithDetails(api.Details{Field: d, Expected: "name: type", Got: d})
	}
	spelling, def, hasDefault := strings.Cut(spelling, "=")
	typ, err := value.ParseType(strings.TrimSpace(spelling))
	if err != nil {
		return value.Param{}, declarationError(kind, name, err)
	}
	p := value.Param{Name: name, Type: typ}
	switch {
	case !hasDefault:
		return p, nil
	case kind == "output":
		return p, api.Errorf(api.InvalidTask, "output %q has a default", name).
			WithHint("leave out the default").WithDetails(api.Details{Field: name, Expected: "name: type", Got: d})
	}
	p.Default = json.RawMessage(strings.TrimSpace(def))
	if _, _, err := p.DefaultValue(); err != nil {
		return p, api.BadValue(api.InvalidTask, "default of input", name, err)
	}
	return p, nil
}

// declarationError says at which input or output the type is wrong.
func declarationError(kind, name string, err error) error {
	e := *api.AsError(err)
	e.Message = kind + " " + name + ": " + e.Message
	e.Details.Field = name
	return &e
}
