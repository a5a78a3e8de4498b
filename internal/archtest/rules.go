// Package archtest holds the rules by which packages may import each other, and
// the tests that enforce them. The rules are data: to change one is to change a
// line here, with its reason.
package archtest

// module is the path of this project's own module.
const module = "github.com/glovebox-dev/glovebox"

// rule says what the non-test files of one package may import of this module.
type rule struct {
	pkg    string   // below the module; "" is the root package
	may    []string // below the module; a final "/..." stands for everything below
	reason string
}

// rules has one row for every package. A package without a row fails the test,
// so that a new package begins with the decision where it belongs.
var rules = []rule{
	{"value", nil, "types and values; everything imports it, so it imports nothing"},
	{"value/valuetest", []string{"value"}, "draws types and values for the property tests of others"},
	{"internal/loopback", nil, "which hosts are this machine, for every door that trusts it"},
	{"api", []string{"internal/loopback", "value"}, "everything imports api, so it imports values, and what a host is"},

	{"py/syntax", nil, "the text of a program and its tree, of use to other tools"},
	{"py/tool", []string{"api"}, "what a host tells about its tools, in the types of the whole system"},
	{"py/graph", nil, "values as nodes: all that a session and its host share"},
	{"py/resolve", []string{"py/syntax"}, "what the names of a tree mean, decided once for all that read it"},
	{"py/check", []string{"api", "py/internal/builtins", "py/resolve", "py/syntax", "py/tool"}, "judges a tree; it never runs one"},
	{"py/lib", nil, "carries the text of modules, which is compiled like any program"},
	{"py/internal/code", nil, "the instructions: all that the compiler and the machine share"},
	{"py/internal/builtins", nil, "one list of names, for all that have to agree on it"},
	{"py/internal/compile", []string{"py/internal/code", "py/resolve", "py/syntax"}, "turns a tree into instructions, and knows no values and no machine"},
	{"py/internal/budget", nil, "how to pay; everything that works for a program imports it"},
	{"py/internal/raise", nil, "how to fail; the same"},
	{"py/internal/libm", pyLeaf(), "a library of one subject: it pays, it fails, and knows no values of the machine"},
	{"py/internal/mt", pyLeaf(), "the same"},
	{"py/internal/blake2", nil, "hash functions that the standard library lacks"},
	{"py/internal/zone", nil, "the world's time zones, from data of its own"},
	{"py/internal/num", pyLeaf("py/internal/libm"), "the same; some functions of math take ints of any size"},
	{"py/internal/decimal", pyLeaf("py/internal/num"), "the same; its digits are ints of any size"},
	{"py/internal/text", pyLeaf(), "the same"},
	{"py/internal/regex", pyLeaf("py/internal/text"), "the same; messages quote as repr does"},
	{"py/internal/jsontext", pyLeaf(), "the same"},
	{"py/internal/unidata", []string{"py/internal/budget", "py/internal/text"}, "the same; normal forms keep surrogates that are alone"},
	{"py/internal/calendar", pyLeaf("py/internal/regex", "py/internal/text"), "the same; strptime is a pattern"},
	{"py/internal/machine", pyLeaf("api", "py/graph", "py/internal/builtins", "py/internal/calendar", "py/internal/code", "py/internal/compile", "py/internal/decimal", "py/internal/num",
		"py/internal/text", "py/internal/zone", "py/lib", "py/syntax", "py/tool"),
		"runs instructions; it compiles bundled modules, and knows neither dialects nor who started it nor the native modules"},
	{"py/internal/modules", pyLeaf("py/internal/blake2", "py/internal/calendar", "py/internal/decimal", "py/internal/jsontext", "py/internal/libm",
		"py/internal/machine", "py/internal/mt", "py/internal/num", "py/internal/regex", "py/internal/text", "py/internal/unidata", "py/internal/zone", "py/syntax"),
		"the modules written in Go; each joins a library of one subject with the machine, which it knows by its exported names"},
	{"py/internal/difftest", nil, "compares the language with CPython, in tests only"},
	{"py", []string{"api", "py/check", "py/graph", "py/internal/builtins", "py/internal/code", "py/internal/compile", "py/internal/machine", "py/internal/modules", "py/lib", "py/syntax", "py/tool"},
		"the face of the interpreter; of this module it needs the types that cross the boundary, and nothing else"},

	{"internal/lazyregexp", nil, "expressions that cost a process nothing until it uses them"},
	{"internal/tuning", nil, "switches for what only saves time; whatever has such a thing asks here"},

	{"internal/guest/wire", nil, "both sides of the protocol link it, so it stays as small as the guest"},
	{"internal/guest", []string{"internal/guest/wire"}, "the guest runs beside hostile code: every line in it is attack surface"},
	{"cmd/glovebox-guest", []string{"internal/guest"}, "the guest binary is the guest and nothing else"},

	{"internal/cell", []string{"api", "internal/guest/wire", "internal/tuning"}, "the interface knows no driver"},
	{"internal/cell/pool", []string{"api", "internal/cell", "internal/tuning"}, "keeps what takes long to start, by the class of its cell; what that is, is passed in"},
	{"internal/guest/binary", nil, "it only carries bytes"},
	{"internal/disk", nil, "how much space there is, for whoever writes"},
	{"internal/cell/gvisor", []string{"api", "internal/cell", "internal/disk", "internal/guest/binary", "internal/lazyregexp", "internal/oci/erofs", "internal/quantity", "internal/runsc", "internal/tuning"},
		"a driver knows its interface, its technology and the guest, never the engine or another driver"},
	{"internal/runsc", []string{"internal/tuning"}, "the only door to gVisor; whoever opens it wants gVisor and no more"},
	{"internal/attack/programs", nil, "texts of programs, for whoever has a cell to execute them in"},
	{"internal/attack", []string{"api", "internal/attack/programs", "internal/home", "internal/host", "value"},
		"attacks what any engine offers, from outside; it knows no part of one"},
	{"internal/cell/celltest", []string{"api", "internal/attack/programs", "internal/cell", "internal/oci"},
		"the suite judges any driver, so it knows none; oci makes its root file system"},

	{"internal/oci/erofs", nil, "a file format, of use without images"},
	{"internal/oci", []string{"api", "internal/loopback", "internal/oci/erofs"}, "images and layers, of use without cells"},
	{"internal/image/dockerfile", []string{"api", "internal/lazyregexp", "internal/oci"}, "what a Dockerfile says, in the configuration of images; it does nothing of it"},
	{"internal/image/copier", nil, "what COPY puts where, from trees that are only read"},
	{"internal/image", []string{"api", "internal/cell", "internal/image/...", "internal/lazyregexp", "internal/oci"}, "images are built in cells; how they reach an index is passed in"},
	{"internal/regular", nil, "opens files of this host; what they are is for others"},
	{"internal/compose", []string{"api", "internal/regular", "internal/yamlfile"}, "what a compose file says; what becomes of it is for others"},
	{"internal/buildcontext", []string{"api", "internal/compose", "internal/regular"}, "reads a Dockerfile and what is around it, for an engine that may be elsewhere"},
	{"internal/egress", []string{"api", "internal/withheld"}, "a policy engine that must be readable alone"},
	{"internal/withheld", []string{"api", "internal/lazyregexp", "internal/localca", "internal/secret"},
		"few lines put values into requests and take them out of answers; they know hosts and headers, and neither cells nor connections"},
	{"internal/secret", []string{"api"}, "few lines handle secrets in clear, and nothing else is near them"},

	{"internal/blob", []string{"api", "internal/disk"}, "bytes by their content and directories of them; stores are below"},
	{"internal/blob/file", []string{"api", "internal/blob"}, "a store knows its interface"},
	{"internal/blob/s3", []string{"api", "internal/blob", "internal/blob/file", "internal/lazyregexp", "internal/quantity"}, "a store elsewhere, whose cache is a store of files"},
	{"internal/blob/s3/s3test", nil, "runs servers for tests, and knows nothing of what is kept there"},
	{"internal/journal", []string{"api"}, "the interface knows no database"},
	{"internal/cache", []string{"api"}, "keys and policy; where entries are kept is behind its interface"},
	{"internal/catalog", []string{"api"}, "deployed tasks; the same"},
	{"internal/journal/tables", []string{"api", "internal/cache", "internal/catalog", "internal/journal"},
		"what the rows of any SQL database say; which database it is, is behind an interface"},
	{"internal/journal/postgres", []string{"api", "internal/journal", "internal/journal/tables", "internal/loopback"},
		"a database with the tables on a server: how it is reached, written, and waited for"},
	{"internal/journal/postgres/pgtest", nil, "runs servers for tests, and knows nothing of what is kept there"},
	{"internal/journal/sqlite", []string{"api", "internal/journal", "internal/journal/tables", "internal/tuning"},
		"one file with the tables: how it is opened, written and kept whole"},
	{"internal/blob/blobtest", []string{"api", "internal/blob"}, "a suite judges any implementation, so it knows none"},
	{"internal/journal/journaltest", []string{"api", "internal/journal"}, "the same"},
	{"internal/cache/cachetest", []string{"api", "internal/cache"}, "the same"},
	{"internal/catalog/catalogtest", []string{"api", "internal/catalog"}, "the same"},
	{"internal/schedule", []string{"api", "internal/catalog", "internal/journal", "value"}, "plans starts of tasks, and makes runs through what it is given"},
	{"internal/signal", []string{"api"}, "gives what was sent to the run that waited for it"},
	{"internal/webhook", []string{"api", "internal/catalog", "internal/journal", "value"}, "checks who calls, and makes runs through what it is given"},
	{"internal/owner", []string{"api", "internal/blob", "internal/denied", "internal/journal", "value"}, "stands before any service, and knows of what is behind it only whose it is"},
	{"internal/notify", []string{"api", "internal/journal", "internal/webhook", "value"}, "sends what the journal holds, to where it is let; it knows no run"},
	{"internal/servicetest", []string{"api"}, "the same: the engine in process, and behind server and client"},

	{"internal/engine/admission", []string{"api"}, "who waits for whom is decided without knowing what a run does"},
	{"internal/engine/replay", []string{"api", "internal/journal"}, "what need not be done again is decided from records alone"},
	{"internal/engine/runlog", []string{"api", "internal/quantity"}, "the file with what a run prints; it knows no run"},
	{"internal/engine", []string{"api", "internal/blob", "internal/budget", "internal/cache", "internal/engine/...", "internal/journal", "internal/lazyregexp", "internal/quantity", "internal/tuning"},
		"the engine knows kinds and stores by interface only"},
	{"internal/budget", nil, "how what is decoded is paid for; whoever decodes for others imports it"},
	{"internal/sandbox/layout", nil, "where a run and its cell meet; each of its parts asks here"},
	{"internal/sandbox/autoio", []string{"internal/tuning"}, "the Python program in a cell, which shares no Go with the host"},
	{"internal/sandbox/files", []string{"api"}, "where files are in types and values; it opens none"},
	{"internal/sandbox/check", []string{"api", "internal/sandbox/files", "internal/withheld"}, "judges a task before anything starts; what only the host knows is passed in"},
	{"internal/sandbox/tree", []string{"api", "internal/sandbox/files"}, "reads files of the host for cells, and knows neither inputs nor cells"},
	{"internal/sandbox/inputs", []string{"api", "internal/sandbox/check", "internal/sandbox/files", "internal/sandbox/layout", "internal/sandbox/tree"},
		"the values and files of one run as a cell has them; it starts none"},
	{"internal/sandbox/environ", []string{"api", "internal/cell", "internal/sandbox/layout"}, "which variables a program has, and when; secrets come from the attempt"},
	{"internal/sandbox/ready", []string{"api", "internal/cell", "internal/sandbox/autoio", "internal/sandbox/environ", "internal/sandbox/layout", "internal/sandbox/streams",
		"internal/sandbox/traceback", "internal/sandbox/tree", "internal/tuning"}, "does in a cell what needs no run, so it knows neither runs nor their inputs"},
	{"internal/sandbox/sandboxtest", []string{"api"}, "what the tests of these packages share"},
	{"internal/sandbox/outputs", []string{"api", "internal/budget", "internal/cell", "internal/sandbox/files", "internal/sandbox/layout"},
		"takes hostile entries from a cell; it knows neither programs nor why they ended"},
	{"internal/sandbox/report", []string{"api", "internal/budget", "internal/cell", "internal/sandbox/files", "internal/sandbox/layout", "internal/sandbox/outputs", "internal/sandbox/streams",
		"internal/sandbox/traceback"}, "reads what code can forge; what it means for a run is for the attempt to say"},
	{"internal/sandbox/streams", []string{"internal/secret"}, "what a program prints, whoever runs it"},
	{"internal/sandbox/traceback", []string{"api", "internal/lazyregexp", "internal/sandbox/layout", "internal/sandbox/streams"}, "reads hostile text, and nothing else is near it"},
	{"internal/sandbox", []string{"api", "internal/cell", "internal/cell/pool", "internal/sandbox/...", "internal/secret", "internal/tuning", "internal/withheld"},
		"a kind meets the engine at the Runner interface, never by import"},
	{"internal/session", []string{"api", "internal/cell", "internal/journal", "internal/lazyregexp", "internal/sandbox", "internal/sandbox/environ", "internal/session/...", "internal/withheld"},
		"keeps cells, which a kind makes for it, and records what becomes of them"},
	{"internal/orchestrator", []string{"api", "py"}, "the same; it brings the interpreter, and calls tools through what it is given"},
	{"internal/worker/wire", []string{"api"}, "both sides of a worker's stream link it"},
	{"internal/worker", []string{"api", "internal/worker/wire"}, "a kind; functions are in other processes, and the protocol leads there"},

	{"internal/agent/model", []string{"api", "internal/secret"}, "a kind; the providers of models are elsewhere, and their protocols lead there"},
	{"internal/agent/gateway", []string{"api", "internal/agent/model", "internal/agent/question", "internal/budget", "internal/lazyregexp"}, "what programs in cells ask a model; it starts runs through what it is given"},
	{"internal/agent/modeltest", []string{"internal/yamlfile"}, "stands in for a provider, so it knows nothing of us"},

	{"internal/session/contexts", []string{"api", "internal/lazyregexp"}, "programs in a cell and what they say, which is hostile; who starts them is behind an interface"},

	{"internal/typeschema", []string{"value"}, "types as other programs describe them"},
	{"internal/toolsearch", nil, "names and descriptions, whatever tools are behind them"},
	{"internal/agent/question", []string{"api"}, "how questions to a model are calls, whoever asks"},
	{"internal/agent/callertest", []string{"api", "internal/agent/question"}, "what the tests of agents and of code generation share"},
	{"internal/agent/codegen", []string{"api", "internal/agent/box", "internal/agent/question", "internal/lazyregexp", "internal/orchestrator"}, "a kind; it reaches its model, its agents and its cells by calls of what it is given"},
	{"internal/agent", []string{"api", "internal/agent/question", "internal/orchestrator", "internal/toolsearch", "internal/typeschema", "py"}, "the loop of a model that acts; it reaches models and tools through what it is given, and acts by the code that orchestrators run"},
	{"internal/agent/box", []string{"api", "internal/lazyregexp", "internal/regular"}, "runs agents that others make, in any service of sessions; it knows neither our own agents nor cells"},
	{"internal/evaluation", []string{"api"}, "evaluates orchestrators and keeps nothing; the interpreter and what is called are behind interfaces"},
	{"internal/evaluator", []string{"api", "internal/evaluation", "internal/worker/wire"},
		"the same for another process; failures of functions are those of a worker's"},
	{"internal/interpreter", []string{"api", "internal/denied", "internal/evaluation", "internal/orchestrator", "internal/worker"},
		"puts the parts together that need no home, on every system"},
	{"internal/denied", []string{"api"}, "refuses everything; what is offered instead is for those that embed it"},

	{"internal/compat/monty", []string{"py", "py/graph", "value"},
		"another system's protocol over the interpreter, which it knows as an embedder does"},

	{"internal/compat/e2b", []string{"api", "internal/lazyregexp"}, "another system's protocol over any service of sessions"},

	{"internal/mcp/server", []string{"api", "internal/toolsearch", "internal/typeschema", "value"}, "a face of any service, for clients of MCP"},
	{"internal/mcp/client", []string{"api", "internal/secret"}, "a kind; its servers are elsewhere, and what their programs run in is behind an interface"},

	{"internal/server/page", []string{"api", "value"}, "what people see of a service; it renders, and asks for what any client may"},

	{"internal/duplex", nil, "passes bytes between connections, and knows what neither of them is"},
	{"internal/scope", []string{"api", "internal/denied", "internal/egress"},
		"what a cell may ask of the engine: it holds any service, and compares policies of the network"},
	{"internal/server", []string{"api", "internal/budget", "internal/duplex", "internal/lazyregexp", "internal/loopback", "internal/server/page"}, "a face of any service, over HTTP"},
	{"client", []string{"api", "internal/blob", "internal/disk", "internal/loopback", "internal/worker", "internal/worker/wire"},
		"the other end of the server: files cross as blobs, and functions of its process are a worker's"},

	{"internal/node", []string{"api", "client", "internal/duplex", "internal/loopback"}, "asks other nodes for what they hold; who holds what is passed in"},
	{"internal/localca", []string{"internal/lazyregexp"}, "signs certificates for names below localhost; who trusts it, and which key it has, is for others"},
	{"internal/memory", nil, "how much memory there is, for whoever divides it"},
	{"internal/metrics", []string{"api"}, "what is counted; where the numbers come from is passed in"},
	{"internal/cellway", []string{"api", "internal/budget", "internal/home", "internal/scope", "internal/server"},
		"a server for one attempt: it joins a scope with the face of it, and knows neither engine nor cells"},
	{"internal/doctor", []string{"api", "internal/blob", "internal/cell", "internal/disk", "internal/home", "internal/image", "internal/journal",
		"internal/journal/tables", "internal/quantity"}, "looks at every part of a home that can be damaged, and works on none"},
	{"internal/app", []string{"api", "internal/agent", "internal/agent/codegen", "internal/agent/gateway", "internal/agent/model", "internal/blob", "internal/blob/file", "internal/blob/s3", "internal/budget", "internal/cache", "internal/catalog", "internal/cell", "internal/cell/gvisor", "internal/cell/pool",
		"internal/cellway", "internal/compat/e2b", "internal/compat/monty", "internal/disk", "internal/doctor", "internal/egress", "internal/engine", "internal/evaluation", "internal/evaluator", "internal/home", "internal/host", "internal/image", "internal/interpreter",
		"internal/journal", "internal/journal/postgres", "internal/journal/sqlite", "internal/journal/tables", "internal/localca", "internal/mcp/client", "internal/mcp/server", "internal/memory", "internal/metrics", "internal/node", "internal/notify", "internal/orchestrator", "internal/owner", "internal/prune", "internal/quantity", "internal/runsc",
		"internal/sandbox", "internal/schedule", "internal/scope", "internal/secret", "internal/server", "internal/session", "internal/signal", "internal/tuning", "internal/webhook", "internal/worker"}, "the one place where parts are put together"},
	{"internal/app/apptest", nil, "makes homes, without the system that works on them"},
	{"internal/home", []string{"api", "internal/disk"}, "one directory and who may use it; what the files in it mean is for the stores"},
	{"internal/prune", []string{"api", "internal/blob", "internal/cache", "internal/home", "internal/journal"}, "removes what is old from the stores of a home, which it knows by interface"},
	{"internal/host", []string{"api", "internal/home", "internal/prune"}, "what a face may ask of the engine of this machine, without linking one"},
	{"internal/quantity", nil, "sizes and durations as people write them"},
	{"internal/yamlfile", []string{"api"}, "YAML of people, with the place of what is wrong in it; what keys mean is for others"},
	{"internal/taskfile", []string{"api", "internal/quantity", "internal/regular", "internal/yamlfile"}, "reads tasks that people write; it runs none"},
	{"internal/cli", []string{"api", "client", "internal/agent/box", "internal/attack", "internal/buildcontext", "internal/catalog", "internal/duplex", "internal/home", "internal/host", "internal/lazyregexp", "internal/mcp/server", "internal/quantity", "internal/taskfile"},
		"a face that builds on every system: it speaks to the engine that it is given, or through the client to a server"},
	{"", []string{"api", "client", "internal/buildcontext"}, "the Go SDK over any service: it builds on every system, so it imports no engine"},
	{"embed", []string{"", "api", "client", "internal/app", "internal/host"}, "the engine in the process of a Go program: the one door from the SDK to the composition root"},
	{"embed/interpreter", []string{"", "client", "internal/interpreter"}, "the same of what needs no home; apart, so that it links no gVisor, and embed no interpreter where it has no engine"},
	{"cmd/glovebox", []string{"internal/app", "internal/cli", "internal/host"}, "gives the command line the engine of this system, if there is one"},

	{"internal/archtest", nil, "reads files"},
	{"bench/report", nil, "shows what was measured, whatever it is"},
	{"bench/peer", nil, "runs others; it knows nothing of Glovebox, so that it favours nobody"},
	{"bench/py", []string{"bench/report", "py", "value"}, "measures what an embedder measures"},
	{"conformance/py", []string{"py", "py/syntax", "value"}, "judges the interpreter by other people's programs, as an embedder has it"},
	{"bench/journal", []string{"api", "bench/report", "internal/blob/file", "internal/engine", "internal/journal", "internal/journal/sqlite", "internal/journal/tables", "internal/orchestrator", "internal/worker"},
		"measures the engine with one part after the other taken out, which no face can do"},
	{"bench/tuning", []string{"api", "bench/report", "internal/app", "internal/host", "internal/cell/gvisor", "internal/runsc", "internal/tuning"},
		"switches mechanisms while the system runs, which no face can do"},
	{"bench/agent", []string{"", "bench/report", "embed"}, "measures agents as a program in Go has them"},
	{"bench/session", []string{"api", "bench/peer", "bench/report", "internal/app", "internal/host", "internal/runsc"}, "measures sessions where they are, without what a server adds"},
	{"bench/value", []string{"api", "bench/report", "value"}, "measures programs from outside, so that it can hold two of them against each other"},
	{"bench", []string{"", "api", "bench/peer", "bench/report", "embed"}, "measures what a user measures: the program and the Go SDK"},
	{"examples/agents/model", []string{"internal/agent/modeltest"}, "stands in for a provider, which users do not write"},
	{"examples/...", []string{"", "embed", "value"}, "examples show the public face only"},
}

// pyLeaf is what a library of one subject inside py may import.
func pyLeaf(more ...string) []string {
	return append(more, "py/internal/budget", "py/internal/raise")
}

// confined says what some packages may import of the standard library. Tests
// may import more.
type confined struct {
	pkgs   []string // below this module; "/..." as in rule
	except []string // of those
	may    []string // of the standard library
	reason string
}

// confinements has a row for the packages that stand between a program and the
// process it runs in.
var confinements = []confined{
	{
		pkgs: []string{"py", "py/..."}, except: []string{"py/internal/difftest"},
		may: []string{
			"bytes", "cmp", "compress/flate", "compress/gzip", "compress/zlib", "context", "embed", "errors", "fmt", "hash", "hash/crc32",
			"hash/maphash", "html", "io", "math", "math/big", "math/bits",
			"slices", "strconv", "strings", "sync", "time", "unicode", "unicode/utf8",
			"encoding", "encoding/base32", "encoding/base64", "encoding/binary", "encoding/hex",
			"crypto/hmac", "crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha3", "crypto/sha512",
		},
		reason: "what py cannot import, no program can reach: no files, network, processes, environment, reflection or unsafe memory",
	},
}

// home says where a module, or a dangerous package of the standard library,
// may be imported: in one package, or a few that are named.
type home struct {
	path   string   // a module, or a package of the standard library
	pkgs   []string // below this module; "/..." as in rule; "*" is everywhere
	tests  bool     // only in test files and in the test suites named in pkgs
	reason string   // why it is here, and not written by hand or elsewhere
}

// homes has one row for every direct requirement of go.mod, and rows for the
// packages of the standard library that reach outside the process.
var homes = []home{
	{"github.com/BurntSushi/toml", []string{"internal/cli"}, false, "PEP 723 blocks are TOML"},
	{"github.com/anthropics/anthropic-sdk-go", []string{"internal/agent/model"}, false, "the messages of Anthropic, by its own SDK"},
	{"github.com/aws/aws-sdk-go-v2", []string{"internal/blob/s3", "internal/withheld"}, false, "signatures of AWS, retries and connections of S3"},
	{"github.com/aws/aws-sdk-go-v2/config", []string{"internal/blob/s3"}, false, "credentials, from all the places where programs for S3 look for them"},
	{"github.com/aws/aws-sdk-go-v2/service/s3", []string{"internal/blob/s3"}, false, "the protocol of S3"},
	{"github.com/aws/smithy-go", []string{"internal/blob/s3"}, false, "what a store says is wrong"},
	{"github.com/cenkalti/backoff/v5", []string{"internal/engine", "client", "internal/image"}, false, "the waiting between attempts, of tasks and of requests"},
	{"github.com/cli/browser", []string{"internal/cli"}, false, "starts the browser of the person at this host, whatever system it is"},
	{"github.com/coder/websocket", []string{"internal/compat/monty"}, false, "WebSockets, over which clients of Monty reach a server"},
	{"github.com/compose-spec/compose-go/v2", []string{"internal/compose"}, false, "Docker's own reading of variables and of files of them"},
	{"github.com/danielgtaylor/huma/v2", []string{"internal/server"}, false, "routes whose OpenAPI document is that of their types"},
	{"github.com/erofs/go-erofs", []string{"internal/oci"}, false, "reads root file systems back, independently of what wrote them"},
	{"github.com/goccy/go-yaml", []string{"internal/compose", "internal/taskfile", "internal/yamlfile"}, false, "files of people are YAML, with positions for what is wrong in them"},
	{"github.com/google/go-containerregistry", []string{"internal/oci"}, false, "registries, layouts and archives"},
	{"github.com/google/jsonschema-go", []string{"internal/mcp/server", "internal/typeschema"}, false, "schemas of the arguments and answers of tools"},
	{"github.com/klauspost/compress", []string{"internal/oci"}, false, "layers: fast gzip, and zstd, which the standard library lacks"},
	{"github.com/jackc/pgx/v5", []string{"internal/journal/postgres"}, false, "the protocol of Postgres, with statements that are sent together"},
	{"github.com/mattn/go-shellwords", []string{"internal/compose"}, false, "a command in one string becomes the words that it does in Docker"},
	{"github.com/moby/buildkit", []string{"internal/image/dockerfile"}, false, "Docker's own parser of Dockerfiles, and of the variables in them"},
	{"github.com/moby/patternmatcher", []string{"internal/buildcontext"}, false, "Docker's own reading of .dockerignore"},
	{"github.com/moby/sys/user", []string{"internal/image"}, false, "who USER and --chown are, by /etc/passwd of an image, as Docker finds it out"},
	{"github.com/modelcontextprotocol/go-sdk", []string{"internal/mcp/client", "internal/mcp/server"}, false, "the protocol of coding agents, by those who define it"},
	{"github.com/openai/openai-go/v3", []string{"internal/agent/model"}, false, "the chat completions of OpenAI and many others, by its own SDK"},
	{"github.com/opencontainers/cgroups", []string{"internal/cell/gvisor"}, false, "cgroups of both versions"},
	{"github.com/opencontainers/runtime-spec", []string{"internal/runsc"}, false, "the types of gVisor's configuration"},
	{"github.com/pressly/goose/v3", []string{"internal/journal/postgres", "internal/journal/sqlite"}, false, "numbered migrations"},
	{"github.com/prometheus/client_golang", []string{"internal/metrics", "internal/server"}, false, "metrics says what is counted, server shows it"},
	{"github.com/robfig/cron/v3", []string{"internal/schedule"}, false, "cron expressions, and the times that they stand for"},
	{"github.com/spf13/cobra", []string{"internal/cli"}, false, "commands, flags, completion"},
	{"github.com/standard-webhooks/standard-webhooks/libraries", []string{"internal/webhook"}, false, "signatures of webhooks, by those who define them"},
	{"golang.org/x/sync", []string{"internal/budget"}, false, "a fair queue for memory"},
	{"golang.org/x/sys", []string{"*"}, false, "system calls that the standard library does not have"},
	{"golang.org/x/time", []string{"internal/webhook"}, false, "how often a hook may start something"},
	{"golang.org/x/term", []string{"internal/cli"}, false, "hidden prompts, and the width of a terminal"},
	{"google.golang.org/protobuf", []string{"internal/compat/monty", "internal/runsc"}, false, "the encoding of fields, and what gVisor describes layers with"},
	{"gvisor.dev/gvisor", []string{"internal/runsc"}, false, "the isolation; its Go API moves, so one package wraps it"},

	{"modernc.org/sqlite", []string{"internal/journal/sqlite"}, false, "the database, without cgo"},

	{"github.com/google/go-cmp", []string{"*"}, true, "readable differences"},
	{"github.com/rogpeppe/go-internal", []string{"internal/agent/box", "internal/agent/codegen", "internal/server/page"}, false, "differences of texts, in O(n log n) whatever they are; in tests, scripts that drive the real binary"},
	{"pgregory.net/rapid", []string{"*"}, true, "properties"},

	{"os/exec", []string{"internal/image", "internal/guest", "internal/blob/s3/s3test", "internal/journal/postgres/pgtest", "internal/mcp/client", "internal/runsc", "internal/cell/gvisor", "internal/cell/celltest", "bench", "bench/tuning", "bench/peer",
		"bench/py", "bench/value", "py/internal/difftest"}, false,
		"a program that is started on the host is a way past the cell"},
	{"net/http", []string{"internal/attack", "internal/agent/gateway", "internal/agent/model", "internal/agent/modeltest", "internal/app", "internal/blob/s3", "internal/blob/s3/s3test", "internal/cellway", "internal/compat/e2b", "internal/compat/monty", "internal/egress", "internal/image", "internal/mcp/client", "internal/mcp/server", "internal/node", "internal/oci", "internal/server", "internal/server/page", "internal/notify", "internal/webhook", "internal/withheld", "client", "bench/peer", "bench/value", "examples/agents/model"}, false,
		"only images, models, MCP servers, blobs elsewhere, receivers of notifications, the egress of a cell, and a server with its client need the network"},
	{"unsafe", []string{"internal/guest"}, false, "memory safety is a layer of the isolation"},
	{"plugin", nil, false, "nothing is loaded at run time"},
}

// binaries are the programs whose linked packages are listed beside their
// source, so that a review sees what a change pulls in.
var binaries = []binary{
	{"cmd/glovebox", false},
	{"cmd/glovebox-guest", true},
}

type binary struct {
	pkg string
	std bool // list the standard library too
}

// portables are the packages that build on every system, and what none of them
// may link: a program that only uses a server carries no engine.
var portables = []string{"./", "./api", "./client", "./embed", "./cmd/glovebox", "./internal/cli"}

// engineParts are the packages and modules that only an engine needs.
var engineParts = []string{"gvisor.dev/gvisor", module + "/internal/app", module + "/internal/engine", module + "/internal/runsc", module + "/py", "modernc.org/sqlite"}

// systems are those that portables build for, beside linux.
var systems = []string{"darwin", "windows"}
