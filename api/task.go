package api

import (
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/value"
)

// Task describes something that can be run: what runs, with which inputs and
// outputs, and under which policies. Which other fields count depends on its
// kind.
//
// A sandbox has Code or Command, an image and limits of its cell; with neither,
// the entrypoint of the image runs. An orchestrator has Code and Orchestrator.
// A function has Function, a model has Model, a tool of an MCP server has MCP, and
// what writes a script has Codegen. An agent has Agent, and in Orchestrator its
// tools. A signal has nothing of it: its run waits until somebody sends its outputs.
type Task struct {
	Name string   `json:"name"`           // letters, digits, '.', '_' and '-'; empty means the kind
	Kind TaskKind `json:"kind,omitempty"` // empty means sandbox
	Doc  string   `json:"doc,omitempty"`  // what it does, for people and models

	Orchestrator *Orchestrator `json:"orchestrator,omitempty"`
	Function     *Function     `json:"function,omitempty"`
	Model        *Model        `json:"model,omitempty"`
	Agent        *Agent        `json:"agent,omitempty"`
	Codegen      *Codegen      `json:"codegen,omitempty"`
	MCP          *MCPTool      `json:"mcp,omitempty"`

	Code      string   `json:"code,omitempty"`      // Python source
	File      string   `json:"file,omitempty"`      // the name of the source in tracebacks; empty means Name + ".py"
	Verbatim  bool     `json:"verbatim,omitempty"`  // run Code as written, without auto-IO
	Command   []string `json:"command,omitempty"`   // argv
	Arguments []string `json:"arguments,omitempty"` // appended to argv
	// Stdin names the input, a File, str or bytes, that a command or verbatim code
	// finds as its standard input too. Without, that is empty.
	Stdin string `json:"stdin,omitempty"`

	// Preload are modules that are imported before the code starts, in this order;
	// ahead of time, where cells are kept warm. Only for Code of a sandbox.
	Preload []string `json:"preload,omitempty"`

	Signature Signature `json:"signature"`
	Image     ImageSpec `json:"image,omitzero"`
	Resources Resources `json:"resources,omitzero"`
	Limits    RunLimits `json:"limits,omitzero"`

	Env     map[string]string `json:"env,omitempty"`     // environment variables by name
	Secrets []SecretRef       `json:"secrets,omitempty"` // stored secrets, as variables or files
	Network Network           `json:"network,omitzero"`
	// StartsRuns gives the cell of a sandbox a way to the engine, on which its
	// program starts runs below its own and waits for them. They may be given no
	// more than the task itself has. See EngineHost.
	StartsRuns bool `json:"starts_runs,omitempty"`
	// Asks lets the program of a sandbox ask a model, without its key and without a
	// network; nil lets it ask none.
	Asks *Asks `json:"asks,omitempty"`

	Timeout time.Duration `json:"timeout_ns,omitempty"` // of one attempt, image build not counted; 0 means DefaultTimeout, for a model DefaultModelTimeout, and for an orchestrator none
	Retries int           `json:"retries,omitempty"`    // further attempts after a failed one
	Cache   CacheMode     `json:"cache,omitempty"`      // empty means auto for tasks that are pure, and otherwise disable
	// Idempotent says that the task can safely be executed again when its
	// outcome is unknown, as after a crash.
	Idempotent bool `json:"idempotent,omitempty"`
	// Notify are the receivers that hear of the end of a run of the task, if no other run
	// started it.
	Notify []Notify `json:"notify,omitempty" maxItems:"8"`
	// Labels are those of each run of the task, by name. They change neither what it does
	// nor what the cache knows of it.
	Labels map[string]string `json:"labels,omitempty" maxProperties:"32"`
	// Report lets a sandbox or a function write a page of HTML for people beside its
	// outputs: a sandbox the file report.html among its outputs.
	Report bool `json:"report,omitempty"`
	// NodeSelector are labels that a node has to have to carry out runs of the task, by
	// name. Of several nodes on one journal, one that has them takes a run.
	NodeSelector map[string]string `json:"node_selector,omitempty" maxProperties:"16"`
	// Priority is that of runs of the task among those that wait, from -10 to 10: the
	// higher is first. Each step is worth 30 seconds of waiting.
	Priority int `json:"priority,omitempty" minimum:"-10" maximum:"10"`
	// MaxConcurrent is how many runs of tasks of this name work at the same time, on all
	// nodes together; 0 is any number. Further ones wait.
	MaxConcurrent int `json:"max_concurrent,omitempty" minimum:"0" maximum:"1000000"`
	// Approval has a person decide before each run of the task, and each call of it
	// as a tool; nil asks for none. Of a signal it is how long it waits.
	Approval *Approval `json:"approval,omitempty"`
}

// DefaultTimeout bounds an attempt whose task names no time limit, and
// DefaultModelTimeout that of a model.
const (
	DefaultTimeout      = time.Hour
	DefaultModelTimeout = 10 * time.Minute
)

// Mode is how a task runs its program.
type Mode string

// The modes.
const (
	AutoIO      Mode = "auto_io"
	Verbatim    Mode = "verbatim"
	CommandMode Mode = "command"
	Entrypoint  Mode = "entrypoint"
)

// Python reports whether the program is Python code.
func (m Mode) Python() bool { return m == AutoIO || m == Verbatim }

// Mode derives the mode from the fields that are set.
func (t *Task) Mode() Mode {
	switch {
	case t.Code != "" && t.Verbatim:
		return Verbatim
	case t.Code != "":
		return AutoIO
	case len(t.Command) > 0:
		return CommandMode
	}
	return Entrypoint
}

// SourceName is the file name that the code has in tracebacks, and in sys.argv
// of a cell: File, or a name made of Name or the kind.
func (t *Task) SourceName() string {
	switch {
	case t.File != "":
		return t.File
	case t.Name != "":
		return t.Name + ".py"
	}
	return string(t.KindOf()) + ".py"
}

// InputParams are the declared inputs, or any value of the declared names if
// the task does not check types.
func (t *Task) InputParams() []value.Param { return t.untyped(t.Signature.Inputs) }

// OutputParams are the same of the outputs.
func (t *Task) OutputParams() []value.Param { return t.untyped(t.Signature.Outputs) }

func (t *Task) untyped(params []value.Param) []value.Param {
	if t.Orchestrator == nil || !t.Orchestrator.SkipTypeCheck {
		return params
	}
	loose := make([]value.Param, len(params))
	for i, p := range params {
		loose[i] = p
		loose[i].Type = value.Type{Kind: value.KindAny}
	}
	return loose
}

// ImageSpec declares the file system of a cell. With Ref set, nothing is
// built and every other field but the credentials must be empty.
type ImageSpec struct {
	Ref            string   `json:"ref,omitempty"`              // a prebuilt image: registry reference, or path of an OCI layout or archive
	Name           string   `json:"name,omitempty"`             // an explicit name for the built image
	Base           string   `json:"base,omitempty"`             // like Ref, for the base; "debian" or "debian:SUITE" for a mirror
	Python         string   `json:"python,omitempty"`           // such as "3.12"; empty takes the base's
	Packages       []string `json:"packages,omitempty"`         // PEP 508 requirements
	SystemPackages []string `json:"system_packages,omitempty"`  // Debian packages
	Commands       []string `json:"commands,omitempty"`         // run by bash with pipefail, or by sh without bash, as root at build time
	AllowURLs      bool     `json:"allow_urls,omitempty"`       // let Packages hold direct references (name @ https://..., name @ git+https://...)
	IndexURL       string   `json:"index_url,omitempty"`        // the package index, in place of all that the engine has; without credentials
	ExtraIndexURLs []string `json:"extra_index_urls,omitempty"` // indexes that are asked before it, the first that has a package gives it
	// Network is what the build reaches beside package indexes and mirrors. Nil
	// is what the engine allows for Commands, and nothing for the packages.
	Network        *Network `json:"network,omitempty"`
	Registry       string   `json:"registry,omitempty"`        // where a built image is pushed and looked for
	RegistrySecret string   `json:"registry_secret,omitempty"` // a stored secret "user:password" for pull and push

	Dockerfile   string            `json:"dockerfile,omitempty"`    // the text of a Dockerfile to build
	Context      string            `json:"context,omitempty"`       // its build context: the digest of a tar that was stored as a blob
	Target       string            `json:"target,omitempty"`        // the stage of it to build; empty is the last
	BuildArgs    map[string]string `json:"build_args,omitempty"`    // values of its ARGs
	BuildSecrets map[string]string `json:"build_secrets,omitempty"` // stored secrets that it may mount, by their ids in it
}

// Resources are the limits of a cell. Zero fields take the defaults.
type Resources struct {
	CPU       float64 `json:"cpu,omitempty" exclusiveMinimum:"0"`        // cores
	Memory    int64   `json:"memory,omitempty" exclusiveMinimum:"0"`     // bytes
	Disk      int64   `json:"disk,omitempty" exclusiveMinimum:"0"`       // bytes that the cell can write
	PIDs      int     `json:"pids,omitempty" exclusiveMinimum:"0"`       // processes and threads
	OpenFiles int     `json:"open_files,omitempty" exclusiveMinimum:"0"` // descriptors a process
}

// The defaults of Resources.
const (
	DefaultCPU             = 1.0
	DefaultMemory    int64 = 1 << 30
	DefaultDisk      int64 = 10 << 30
	DefaultPIDs            = 512
	DefaultOpenFiles       = 1024
)

// WithDefaults returns r with every zero field set to its default.
func (r Resources) WithDefaults() Resources {
	return Resources{
		CPU: orDefault(r.CPU, DefaultCPU), Memory: orDefault(r.Memory, DefaultMemory), Disk: orDefault(r.Disk, DefaultDisk),
		PIDs: orDefault(r.PIDs, DefaultPIDs), OpenFiles: orDefault(r.OpenFiles, DefaultOpenFiles),
	}
}

// RunLimits bound what a run hands back. Zero fields take the defaults.
type RunLimits struct {
	Outputs     int64 `json:"outputs,omitempty"`      // bytes of all outputs together
	OutputFiles int   `json:"output_files,omitempty"` // files and directories in all outputs together
	Logs        int64 `json:"logs,omitempty"`         // bytes kept of each of stdout and stderr
}

// The defaults of RunLimits.
const (
	DefaultOutputs     int64 = 1 << 30
	DefaultOutputFiles       = 100_000
	DefaultLogs        int64 = 16 << 20
)

// WithDefaults returns l with every zero field set to its default.
func (l RunLimits) WithDefaults() RunLimits {
	return RunLimits{
		Outputs:     orDefault(l.Outputs, DefaultOutputs),
		OutputFiles: orDefault(l.OutputFiles, DefaultOutputFiles),
		Logs:        orDefault(l.Logs, DefaultLogs),
	}
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// Network says what a cell can reach. The zero value is no network at all.
type Network struct {
	Public bool     `json:"public,omitempty"` // everything but private, loopback, link-local and metadata addresses
	Allow  []string `json:"allow,omitempty"`  // domains: "pypi.org", "*.example.com"; with an optional ":port"
}

// With returns n with the hosts of withheld secrets, which a face adds where its user has
// named them once.
func (n Network) With(secrets []SecretRef) Network {
	if n.Public {
		return n
	}
	n.Allow = slices.Clone(n.Allow)
	for _, ref := range secrets {
		for _, host := range ref.Hosts {
			if domain := domainOf(host); !slices.Contains(n.Allow, domain) {
				n.Allow = append(n.Allow, domain)
			}
		}
	}
	return n
}

// domainOf is a host of a secret as an entry of Allow.
func domainOf(host string) string {
	domain, plain := strings.CutPrefix(host, "http://")
	if plain && !strings.Contains(domain, ":") {
		domain += ":80"
	}
	return strings.TrimPrefix(domain, "https://")
}

// None reports whether the cell has no network access.
func (n Network) None() bool { return !n.Public && len(n.Allow) == 0 }

// ValidSecretName reports whether a secret can be stored under a name: 1 to 128
// letters, digits, '_', '.' and '-'.
func ValidSecretName(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
	return name != "" && len(name) <= 128 && strings.Trim(name, letters) == ""
}

// SecretRef gives a stored secret to a run: as the environment variable Env,
// or, with Env empty, as the file /run/secrets/<File or Name>. One with Hosts is
// withheld: the program has a placeholder, and the value is put into its requests to
// those hosts by the proxy outside of the cell, which takes it out of the answers.
type SecretRef struct {
	Name string `json:"name" required:"true" pattern:"^[A-Za-z0-9_.-]{1,128}$"` // of the stored secret
	Env  string `json:"env,omitempty"`                                          // the variable; empty for a file
	File string `json:"file,omitempty"`                                         // the name below /run/secrets; empty means Name

	// Hosts are the only ones to which the value goes: "api.openai.com", "*.example.com",
	// with an optional ":port" in place of 443, or "http://HOST:PORT" without TLS. The
	// network of the task has to allow them.
	Hosts []string `json:"hosts,omitempty"`
	// Inject is where the value goes in a request: "placeholder", which is meant if it is
	// empty, wherever the placeholder stands in a header; "header:NAME: TEMPLATE" or
	// "query:NAME=TEMPLATE" into one header or one member of the query, with {} for the value.
	// "aws-sigv4" puts it nowhere: it is ID:KEY or ID:KEY:TOKEN, with which what the program
	// has signed by its placeholder is signed again; AWS_ACCESS_KEY_ID and
	// AWS_SECRET_ACCESS_KEY have the placeholder, too.
	Inject string `json:"inject,omitempty"`
	// Allow are the only requests to Hosts, such as "GET /v1/*"; the method may be *, and * in
	// a path stands for any text. Empty allows all.
	Allow       []string `json:"allow,omitempty"`
	MaxRequest  int64    `json:"max_request,omitempty" minimum:"0"`  // bytes of a request's body; 0 is no bound
	MaxResponse int64    `json:"max_response,omitempty" minimum:"0"` // bytes of an answer's body; 0 is no bound
}

// Withheld reports whether the program has a placeholder in place of the value.
func (s SecretRef) Withheld() bool { return len(s.Hosts) > 0 }

// CacheMode says whether a run may be answered by an earlier one.
type CacheMode string

// The cache modes.
const (
	CacheAuto     CacheMode = "auto"
	CacheOverride CacheMode = "override"
	CacheDisable  CacheMode = "disable"
)
