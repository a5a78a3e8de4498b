package server

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// cellArgs say in which cell something runs.
type cellArgs struct {
	Packages       []string          `json:"packages,omitempty" jsonschema:"Python packages to install, as pip names them, such as pandas or numpy>=2; an image with them is built once and kept"`
	SystemPackages []string          `json:"system_packages,omitempty" jsonschema:"Debian packages to install, such as ffmpeg"`
	Python         string            `json:"python,omitempty" jsonschema:"version of Python, such as 3.12; empty is the default"`
	Image          string            `json:"image,omitempty" jsonschema:"an image of a registry to use as it is, such as docker.io/library/node:22; not together with packages, system_packages and python"`
	Network        []string          `json:"network,omitempty" jsonschema:"hosts that may be reached, such as api.github.com or *.example.com; [\"public\"] is the whole internet; empty is no network"`
	Env            map[string]string `json:"env,omitempty" jsonschema:"environment variables"`
	MemoryMB       int64             `json:"memory_mb,omitempty" jsonschema:"limit of memory in MiB; 0 is 1024"`
}

// image refuses paths: what they name is the host's, and a model names it.
func (a cellArgs) image() (api.ImageSpec, error) {
	if _, isPath := api.ImagePath(a.Image); isPath {
		return api.ImageSpec{}, api.Errorf(api.InvalidTask, "the image %q is a path, which would be one of the host", a.Image).
			WithHint("name an image of a registry").WithDetails(api.Details{Field: "image", Got: a.Image})
	}
	return api.ImageSpec{Ref: a.Image, Packages: a.Packages, SystemPackages: a.SystemPackages, Python: a.Python}, nil
}

func (a cellArgs) network() api.Network {
	if slices.Equal(a.Network, []string{"public"}) {
		return api.Network{Public: true}
	}
	return api.Network{Allow: a.Network}
}

func (a cellArgs) resources() api.Resources { return api.Resources{Memory: a.MemoryMB << 20} }

// runArgs say how a run is waited for and found again.
type runArgs struct {
	TimeLimit  float64           `json:"time_limit_s,omitempty" jsonschema:"seconds that it may take, building an image not counted; 0 is 300"`
	Background bool              `json:"background,omitempty" jsonschema:"return the id of the run at once, and ask run_get later"`
	Labels     map[string]string `json:"labels,omitempty" jsonschema:"labels of the run, by which people find it"`
}

// defaultTimeLimit is shorter than that of a run elsewhere: a model waits for it.
const defaultTimeLimit = 300

func (a runArgs) timeout() time.Duration { return seconds(cmp.Or(a.TimeLimit, defaultTimeLimit)) }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

type runPythonArgs struct {
	Code       string                     `json:"code" jsonschema:"Python source; inputs are variables, print() shows text, and each declared output is the variable of its name at the end, or the file /var/outputs/NAME if its type is File, Dir or DataFrame"`
	Inputs     map[string]json.RawMessage `json:"inputs,omitempty" jsonschema:"variables of the code by name, any JSON"`
	InputTypes map[string]string          `json:"input_types,omitempty" jsonschema:"types of inputs that JSON lacks, such as datetime, Decimal, bytes (as base64) or File; a File is {\"path\": NAME, \"sha256\": DIGEST} of a file that an earlier run gave"`
	Outputs    map[string]string          `json:"outputs,omitempty" jsonschema:"variables to return, by name with their type, such as {\"total\": \"int\", \"rows\": \"list[str]\", \"plot\": \"File\"}; Any fits all. Images among the files are shown"`
	cellArgs
	runArgs
}

type runCommandArgs struct {
	Command string            `json:"command" jsonschema:"a command line for sh; what it leaves in /var/outputs/NAME for each declared output comes back"`
	Outputs map[string]string `json:"outputs,omitempty" jsonschema:"files below /var/outputs to return, by name with their type, such as {\"report\": \"File\", \"count\": \"int\"}"`
	cellArgs
	runArgs
}

type runGetArgs struct {
	Run     string  `json:"run" jsonschema:"the id of the run"`
	Wait    float64 `json:"wait_s,omitempty" jsonschema:"seconds to wait for its end, at most 3600; 0 tells at once how it stands"`
	LogFrom *int64  `json:"log_from,omitempty" jsonschema:"return a page of what it printed, from this byte on, in place of stdout and stderr"`
}

func (s *Server) addRuns() {
	add(s, &mcp.Tool{
		Name: "run_python", Annotations: isolated("Run Python in a sandbox"),
		Description: "Run Python code once in an isolated sandbox (a gVisor cell), with packages from PyPI, typed inputs and outputs, files and plots. " +
			"No network and no files of the host unless granted. Returns stdout, stderr, outputs, files and images. State is not kept: use session_create and session_run for that.",
	}, s.runPython)
	add(s, &mcp.Tool{
		Name: "run_command", Annotations: isolated("Run a shell command in a sandbox"),
		Description: "Run a shell command, script or program once in an isolated sandbox (a gVisor cell): bash, node, gcc, ffmpeg or whatever the image or system_packages have. " +
			"No network and no files of the host unless granted. Returns stdout, stderr, exit code and files.",
	}, s.runCommand)
	add(s, &mcp.Tool{
		Name: "run_get", Annotations: reads("Look at a run"),
		Description: "Get the status, result, outputs and logs of a run by its id, also of one in the background; wait_s waits for its end, log_from pages through a long log.",
	}, s.runGet)
}

func (s *Server) runPython(ctx context.Context, req *mcp.CallToolRequest, a runPythonArgs) (*runView, error) {
	task, err := a.task(a.cellArgs, a.Outputs)
	if err != nil {
		return nil, err
	}
	task.Name, task.Code = "run_python", a.Code
	if task.Signature.Inputs, err = params("input", typesOf(a.Inputs, a.InputTypes)); err != nil {
		return nil, err
	}
	given, err := rawInputs(a.Inputs)
	if err != nil {
		return nil, err
	}
	inputs, err := decodeInputs(task.Signature.Inputs, given)
	if err != nil {
		return nil, err
	}
	return s.run(ctx, req, api.Submission{Task: task, Checked: inputs, Labels: a.Labels}, a.Background)
}

func (s *Server) runCommand(ctx context.Context, req *mcp.CallToolRequest, a runCommandArgs) (*runView, error) {
	task, err := a.task(a.cellArgs, a.Outputs)
	if err != nil {
		return nil, err
	}
	task.Name, task.Command = "run_command", []string{"sh", "-c", a.Command}
	return s.run(ctx, req, api.Submission{Task: task, Labels: a.Labels}, a.Background)
}

// task describes what all sandboxes have in common.
func (a runArgs) task(cell cellArgs, outputs map[string]string) (*api.Task, error) {
	image, err := cell.image()
	if err != nil {
		return nil, err
	}
	task := &api.Task{Image: image, Network: cell.network(), Resources: cell.resources(), Env: cell.Env, Timeout: a.timeout()}
	task.Signature.Outputs, err = params("output", outputs)
	return task, err
}

// params declares values by name, in the order of the names.
func params(role string, types map[string]string) ([]value.Param, error) {
	var all []value.Param
	for _, name := range slices.Sorted(maps.Keys(types)) {
		typ, err := value.ParseType(types[name])
		if err != nil {
			return nil, api.BadValue(api.InvalidType, role, name, err)
		}
		all = append(all, value.Param{Name: name, Type: typ})
	}
	return all, nil
}

// typesOf gives each input a type: Any, unless one is given.
func typesOf(inputs map[string]json.RawMessage, types map[string]string) map[string]string {
	all := map[string]string{}
	for name := range inputs {
		all[name] = string(value.KindAny)
	}
	maps.Copy(all, types)
	return all
}

// decodeInputs reads inputs, in which a file is one that is stored: a path would
// name one of the host.
func decodeInputs(params []value.Param, text json.RawMessage) (value.Fields, error) {
	inputs, err := value.Decode("input", params, text)
	if err != nil {
		return inputs, api.AsError(err)
	}
	return inputs.MapFiles(func(name string, file any) (any, error) {
		ref, _ := value.RefOf(file)
		if ref.SHA256 == "" {
			return nil, api.Errorf(api.InvalidInput, "input %s: a path would name a file of the host", name).
				WithHint(`name a file that a run gave, as {"path": NAME, "sha256": DIGEST}, or pass its text`).WithDetails(api.Details{Field: name, Got: "a path"})
		}
		if ref.Path = path.Base(ref.Path); ref.Path == "/" || ref.Path == "." || ref.Path == ".." {
			ref.Path = name
		}
		return ref.In(file), nil
	})
}

// maxWait bounds how long one call of run_get waits.
const maxWait = time.Hour

func (s *Server) runGet(ctx context.Context, _ *mcp.CallToolRequest, a runGetArgs) (*runView, error) {
	run, err := s.service.Run(ctx, a.Run)
	if err == nil && a.Wait > 0 && !run.Status.Ended() {
		run, err = s.waitFor(ctx, run.ID, min(seconds(a.Wait), maxWait))
	}
	if err != nil {
		return nil, err
	}
	v := viewOf(run)
	if a.LogFrom != nil || !run.Status.Ended() {
		return v, s.log(ctx, v, a.LogFrom)
	}
	result, err := s.service.Wait(ctx, run.ID)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	v.end(ctx, s, result, api.AsError(err))
	return v, nil
}

// waitFor waits for a run to end, but not for longer than most.
func (s *Server) waitFor(ctx context.Context, id string, most time.Duration) (*api.Run, error) {
	waiting, stop := context.WithTimeout(ctx, most)
	defer stop()
	_, _ = s.service.Wait(waiting, id) // how it ended is asked for again
	return s.service.Run(ctx, id)
}

// log adds what a run printed: a page of it, or the beginning and the end.
func (s *Server) log(ctx context.Context, v *runView, from *int64) error {
	whole, window := ends{most: maxText}, window{}
	if from != nil {
		window.from = max(*from, 0)
	}
	for entry, err := range s.service.Logs(ctx, v.Run, 0, false) {
		if err != nil {
			return err
		}
		whole.add(entry.Bytes())
		window.add(entry.Bytes())
	}
	if from == nil {
		var left int
		if v.Log, left = whole.cut(); left > 0 {
			v.leave("%d bytes in the middle of the log; run_get with log_from pages through all of it", left)
		}
		return nil
	}
	var next int64
	if v.Log, next = window.page(); next > 0 {
		v.leave("the log continues: run_get with log_from %d; it has %d bytes so far", next, window.seen)
	}
	return nil
}
