package server

import (
	"context"
	"encoding/json"
	"io"
	"path"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/value"
)

// submission asks for a run.
type submission struct {
	Task   *api.Task         `json:"task,omitempty" doc:"The whole task; or else name"`
	Name   string            `json:"name,omitempty" doc:"A deployed task: NAME or NAME@VERSION" pattern:"^([A-Za-z0-9._][A-Za-z0-9._-]{0,127}(@[1-9][0-9]{0,8})?)?$"`
	Inputs json.RawMessage   `json:"inputs,omitempty" doc:"An object by name, each value as its declared type" shape:"object"`
	Parent string            `json:"parent,omitempty" doc:"The run whose task asks for this one"`
	Group  string            `json:"group,omitempty" doc:"A name, for people, of runs below one parent that belong together" maxLength:"512"`
	Cache  api.CacheMode     `json:"cache,omitempty" doc:"auto, override or disable: overrules the task" enum:"auto,override,disable"`
	Clock  api.Clock         `json:"clock,omitempty" doc:"Of an orchestrator: real, fixed:TIME or virtual: overrules the task"`
	Random api.Random        `json:"random,omitempty" doc:"Of an orchestrator: real or seeded:N: overrules the task"`
	Notify []api.Notify      `json:"notify,omitempty" doc:"Receivers that hear of the end of the run, beside those of its task; only of a run without a parent" maxItems:"8"`
	Labels map[string]string `json:"labels,omitempty" doc:"Of the run, by name, laid over those of its task" maxProperties:"32"`

	NodeSelector map[string]string `json:"node_selector,omitempty" doc:"Labels that the node of the run has to have, laid over those of its task" maxProperties:"16"`
	Priority     *int              `json:"priority,omitempty" doc:"Of the run among those that wait, in place of that of its task: the higher is first, and each step is worth 30 seconds of waiting" minimum:"-10" maximum:"10"`

	long *io.SectionReader // the inputs, if they were taken out of the body
}

// rerunBody says what is different this time.
type rerunBody struct {
	Task   *api.Task       `json:"task,omitempty" doc:"Replaces the task"`
	Code   string          `json:"code,omitempty" doc:"Replaces the code of the task, and nothing else of it"`
	Inputs json.RawMessage `json:"inputs,omitempty" doc:"Replace inputs, by name" shape:"object"`
	From   uint64          `json:"from,omitempty" doc:"The first call that is done again in any case"`
	Fresh  bool            `json:"fresh,omitempty" doc:"Reuse nothing: no call of the earlier run, and no result of the cache"`

	Cache     api.CacheMode `json:"cache,omitempty" enum:"auto,override,disable" doc:"Overrules the mode of the task; with fresh only override, which keeps the new result"`
	SkipCheck bool          `json:"skip_check,omitempty" doc:"Start the code of an orchestrator although the checker finds that it would fail"`
}

// decodeSubmission reads the inputs as the task declares them. local says that
// the client is the user of this host.
func (s *Server) decodeSubmission(ctx context.Context, given *submission, local bool) (*api.Submission, error) {
	inputs, err := s.checkInputs(ctx, given, local)
	if err != nil {
		return nil, given.firstFault(err)
	}
	given.Inputs = nil // they may be long, and are not needed any more
	return &api.Submission{Task: given.Task, Name: given.Name, Checked: inputs, Parent: given.Parent, Group: given.Group, Cache: given.Cache, Clock: given.Clock, Random: given.Random, Notify: given.Notify, Labels: given.Labels, NodeSelector: given.NodeSelector, Priority: given.Priority}, nil
}

func (s *Server) checkInputs(ctx context.Context, given *submission, local bool) (value.Fields, error) {
	signature, err := s.signatureOf(ctx, given, local)
	if err != nil {
		return value.Fields{}, err
	}
	if inputs, ok, err := given.decodeLong(signature.Inputs); ok || err != nil {
		return inputs, err
	}
	return decodeInputs(signature.Inputs, given.Inputs)
}

func (s *Server) signatureOf(ctx context.Context, given *submission, local bool) (api.Signature, error) {
	switch {
	case (given.Task != nil) == (given.Name != ""):
		return api.Signature{}, api.Errorf(api.InvalidTask, "a run needs a task or the name of a deployed one, and not both").
			WithDetails(api.Details{Field: "task", Expected: "exactly one of task and name"})
	case given.Task != nil:
		return given.Task.Signature, checkTask(given.Task, local)
	}
	version, err := s.Service.Task(ctx, given.Name)
	if err != nil {
		return api.Signature{}, err
	}
	return version.Signature, nil
}

// decodeRerun reads the inputs as the new task declares them, or as the run did.
func (s *Server) decodeRerun(ctx context.Context, id string, given *rerunBody, local bool) (*api.RerunOptions, error) {
	var signature api.Signature
	if given.Task != nil {
		if err := checkTask(given.Task, local); err != nil {
			return nil, err
		}
		signature = given.Task.Signature
	} else {
		run, err := s.Service.Run(ctx, id)
		if err != nil {
			return nil, err
		}
		if run.Signature != nil {
			signature = *run.Signature
		}
	}
	inputs, err := decodeInputs(signature.Inputs, given.Inputs)
	if err != nil {
		return nil, err
	}
	return &api.RerunOptions{
		Task: given.Task, Code: given.Code, Inputs: inputs.Map(), From: given.From, Fresh: given.Fresh, Cache: given.Cache, SkipCheck: given.SkipCheck,
	}, nil
}

func decodeInputs(params []value.Param, text json.RawMessage) (value.Fields, error) {
	inputs, err := value.Decode("input", params, text)
	if err != nil {
		return inputs, api.AsError(err)
	}
	return inputs.MapFiles(func(name string, file any) (any, error) {
		named, err := uploaded(file)
		if err != nil {
			return nil, atField(err, "input", name)
		}
		return named, nil
	})
}

// atField says where a file is that was not uploaded.
func atField(err error, role, name string) error {
	e := *api.AsError(err)
	e.Message = role + " " + name + ": " + e.Message
	e.Details.Field = name
	return &e
}

// checkTask refuses a task that names files of this host, or MCP servers on it. A
// default is an input like any other.
func checkTask(task *api.Task, local bool) error {
	for _, ref := range imageRefs(task) {
		if err := checkImageRef(ref, local); err != nil {
			return err
		}
	}
	if task.MCP != nil {
		if err := checkMCPServer(task.MCP.Server, local); err != nil {
			return err
		}
	}
	for i, p := range task.Signature.Inputs {
		v, ok, err := p.DefaultValue()
		if err != nil {
			return api.BadValue(api.InvalidTask, "default of input", p.Name, err)
		}
		if !ok {
			continue
		}
		if v, err = value.MapFiles(v, uploaded); err != nil {
			return atField(err, "default of input", p.Name)
		}
		if task.Signature.Inputs[i], err = p.WithDefault(v); err != nil {
			return api.AsError(err)
		}
	}
	for _, tool := range task.Callable() {
		if err := checkTask(tool, local); err != nil {
			return err
		}
	}
	return nil
}

// imageRefs are the images that a task names, beside those of tasks that it calls.
func imageRefs(task *api.Task) []string {
	refs := []string{task.Image.Ref, task.Image.Base}
	if c := task.Codegen; c != nil {
		refs = append(refs, c.Script.Image.Ref, c.Script.Image.Base, c.AgentImage.Ref, c.AgentImage.Base)
	}
	return refs
}

// checkMCPServer refuses programs and private networks of this host, which only its
// user may lend.
func checkMCPServer(server api.MCPServer, local bool) error {
	if server.Host && !local {
		return api.Errorf(api.InvalidTask, "an MCP server on the host of the server can only be named by the user of that host").
			WithDetails(api.Details{Field: "mcp.server.host", Expected: "false, or a request over the Unix socket", Got: "true"}).
			WithHint("leave host out: a command then runs in a session, and a URL leads to public addresses")
	}
	for _, ref := range []string{server.Image.Ref, server.Image.Base} {
		if err := checkImageRef(ref, local); err != nil {
			return err
		}
	}
	return nil
}

// checkImageRef refuses paths: what they name is the server's. The user of this
// host may name an absolute one.
func checkImageRef(ref string, local bool) error {
	file, isPath := api.ImagePath(ref)
	if !isPath || (local && path.IsAbs(file)) {
		return nil
	}
	return api.Errorf(api.InvalidTask, "the image %q is a path, which would be one of the server", ref).
		WithDetails(api.Details{Field: "image", Expected: "a reference into a registry, or over the Unix socket an absolute path", Got: ref}).
		WithHint("push the image to a registry and name it there")
}

var digest = lazyregexp.New(`^[0-9a-f]{64}$`)

// uploaded holds a file to the bytes that the client uploaded: its path is only
// a name.
func uploaded(file any) (any, error) {
	ref, _ := value.RefOf(file)
	switch {
	case ref.SHA256 == "":
		return nil, api.Errorf(api.InvalidInput, "a path without sha256 would name a file of the server").
			WithDetails(api.Details{Expected: `{"path": NAME, "sha256": DIGEST}`, Got: "a path"}).
			WithHint("upload the file first with POST /v1/blobs, and name its digest as sha256")
	case !digest().MatchString(ref.SHA256):
		return nil, api.Errorf(api.InvalidInput, "sha256 is not a digest").
			WithDetails(api.Details{Expected: "64 hexadecimal digits in lower case", Got: ref.SHA256})
	}
	if ref.Path = lastElement(ref.Path); ref.Path == "" {
		return nil, api.Errorf(api.InvalidInput, "the path of the file names nothing").
			WithDetails(api.Details{Expected: "the name of a file", Got: "a path without one"})
	}
	return ref.In(file), nil
}

// lastElement returns the name of a file without its directory, "" if it has
// none.
func lastElement(p string) string {
	p = strings.TrimRight(p, `/\`)
	p = p[strings.LastIndexAny(p, `/\`)+1:]
	if p == "." || p == ".." || strings.ContainsRune(p, 0) {
		return ""
	}
	return p
}
