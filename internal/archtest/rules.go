// Package archtest holds the rules of who may import whom, and the tests that
// enforce them. The rules are data: to change one is to change a line here,
// with its reason.
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
	{"api", nil, "everything imports api, so it imports nothing"},

	{"py/syntax", nil, "the text of a program and its tree, of use to other tools"},
	{"py/tool", []string{"api"}, "what a host tells about its tools, in the types of the whole system"},
	{"py/check", []string{"api", "py/syntax", "py/tool"}, "judges a tree; it never runs one"},
	{"py/lib", nil, "carries the text of modules, which is compiled like any program"},
	{"py/internal/code", nil, "the instructions: all that the compiler and the machine share"},
	{"py/internal/compile", []string{"py/internal/code", "py/syntax"}, "turns a tree into instructions, and knows no values and no machine"},
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
	{"py/internal/unidata", pyLeaf("py/internal/text"), "the same; normal forms keep surrogates that are alone"},
	{"py/internal/calendar", pyLeaf("py/internal/regex", "py/internal/text"), "the same; strptime is a pattern"},
	{"py/internal/machine", []string{"api", "py/internal/...", "py/lib", "py/syntax", "py/tool"},
		"runs instructions; it compiles bundled modules, and knows neither dialects nor who started it"},
	{"py/internal/difftest", nil, "compares the language with CPython, in tests only"},
	{"py", []string{"api", "py/check", "py/internal/compile", "py/internal/machine", "py/lib", "py/syntax", "py/tool"},
		"the face of the interpreter; of this module it needs the types that cross the boundary, and nothing else"},

	{"internal/guest/wire", nil, "both sides of the protocol link it, so it stays as small as the guest"},
	{"internal/guest", []string{"internal/guest/wire"}, "the guest runs beside hostile code: every line in it is attack surface"},
	{"cmd/glovebox-guest", []string{"internal/guest"}, "the guest binary is the guest and nothing else"},

	{"internal/cell", []string{"api", "internal/guest/wire"}, "the interface knows no driver"},
	{"internal/cell/pool", []string{"api"}, "keeps what takes long to start; what that is, is passed in"},
	{"internal/guest/binary", nil, "it only carries bytes"},
	{"internal/cell/gvisor", []string{"api", "internal/cell", "internal/guest/binary", "internal/runsc"},
		"a driver knows its interface, its technology and the guest, never the engine or another driver"},
	{"internal/runsc", nil, "the only door to gVisor; whoever opens it wants gVisor and no more"},
	{"internal/cell/celltest", []string{"api", "internal/cell", "internal/oci"},
		"the suite judges any driver, so it knows none; oci makes its root file system"},

	{"internal/oci/erofs", nil, "a file format, of use without images"},
	{"internal/oci", []string{"api", "internal/oci/erofs"}, "images and layers, of use without cells"},
	{"internal/image", []string{"api", "internal/cell", "internal/oci"}, "images are built in cells; how they reach an index is passed in"},
	{"internal/egress", []string{"api"}, "a policy engine that must be readable alone"},
	{"internal/secret", []string{"api"}, "few lines handle secrets in clear, and nothing else is near them"},

	{"internal/blob", []string{"api"}, "bytes by their content and directories of them; stores are below"},
	{"internal/blob/file", []string{"api", "internal/blob"}, "a store knows its interface"},
	{"internal/journal", []string{"api"}, "the interface knows no database"},
	{"internal/cache", []string{"api"}, "keys and policy; where entries are kept is behind its interface"},
	{"internal/catalog", []string{"api"}, "deployed tasks; the same"},
	{"internal/journal/sqlite", []string{"api", "internal/cache", "internal/catalog", "internal/journal"},
		"one file for journal, cache and catalog, so it knows the three interfaces, and nobody who calls them"},
	{"internal/blob/blobtest", []string{"api", "internal/blob"}, "a suite judges any implementation, so it knows none"},
	{"internal/journal/journaltest", []string{"api", "internal/journal"}, "the same"},
	{"internal/cache/cachetest", []string{"api", "internal/cache"}, "the same"},
	{"internal/catalog/catalogtest", []string{"api", "internal/catalog"}, "the same"},
	{"internal/servicetest", []string{"api"}, "the same: the engine in process, and behind server and client"},

	{"internal/engine", []string{"api", "internal/blob", "internal/cache", "internal/journal"},
		"the engine knows kinds and stores by interface only"},
	{"internal/sandbox", []string{"api", "internal/cell", "internal/cell/pool", "internal/secret"}, "a kind meets the engine at the Runner interface, never by import"},
	{"internal/orchestrator", []string{"api", "py"}, "the same; it brings the interpreter, and calls tools through what it is given"},
	{"internal/worker/wire", []string{"api"}, "both sides of a worker's stream link it"},
	{"internal/worker", []string{"api", "internal/worker/wire"}, "a kind; functions are in other processes, and the protocol leads there"},

	{"internal/scope", []string{"api", "internal/egress"},
		"what a cell may ask of the engine: it holds any service, and compares policies of the network"},
	{"internal/server", []string{"api"}, "a face of any service, over HTTP"},
	{"client", []string{"api", "internal/blob", "internal/worker", "internal/worker/wire"},
		"the other end of the server: files cross as blobs, and functions of its process are a worker's"},

	{"internal/app", []string{"api", "internal/blob", "internal/blob/file", "internal/catalog", "internal/cell", "internal/cell/gvisor", "internal/cell/pool",
		"internal/egress", "internal/engine", "internal/image", "internal/journal", "internal/journal/sqlite", "internal/orchestrator",
		"internal/quantity", "internal/runsc", "internal/sandbox", "internal/scope", "internal/secret", "internal/server", "internal/worker"}, "the one place where parts are put together"},
	{"internal/app/apptest", nil, "makes homes, without the system that works on them"},
	{"internal/quantity", nil, "sizes and durations as people write them"},
	{"internal/taskfile", []string{"api", "internal/quantity"}, "reads tasks that people write; it runs none"},
	{"internal/cli", []string{"api", "client", "internal/app", "internal/catalog", "internal/cell", "internal/quantity", "internal/taskfile"},
		"a face: it speaks to the composition root, or through the client to a server"},
	{"", []string{"api", "client", "internal/app", "internal/runsc"}, "the Go face: the same"},
	{"cmd/glovebox", []string{"internal/cli", "internal/runsc"}, "asks whether this is a re-execution, then hands over"},

	{"internal/archtest", nil, "reads files"},
	{"bench/report", nil, "shows what was measured, whatever it is"},
	{"bench/peer", nil, "runs others; it knows nothing of Glovebox, so that it favours nobody"},
	{"bench/py", []string{"api", "bench/report", "py"}, "measures what an embedder measures"},
	{"conformance/py", []string{"api", "py", "py/syntax"}, "judges the interpreter by other people's programs, as an embedder has it"},
	{"bench/journal", []string{"api", "bench/report", "py", "internal/blob/file", "internal/engine", "internal/journal", "internal/journal/sqlite", "internal/orchestrator", "internal/worker"},
		"measures the engine with one part after the other taken out, which no face can do"},
	{"bench", []string{"", "api", "bench/peer", "bench/report"}, "measures what a user measures: the program and the Go SDK"},
	{"examples/...", []string{"", "api"}, "examples show the public face only"},
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
			"hash/maphash", "html", "io", "iter", "maps", "math", "math/big", "math/bits",
			"slices", "strconv", "strings", "sync", "time", "unicode", "unicode/utf8",
			"encoding", "encoding/base32", "encoding/base64", "encoding/binary", "encoding/hex",
			"crypto/hmac", "crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha3", "crypto/sha512", "crypto/subtle",
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
	{"github.com/cenkalti/backoff/v5", []string{"internal/engine", "client"}, false, "the waiting between attempts, of tasks and of requests"},
	{"github.com/danielgtaylor/huma/v2", []string{"internal/server"}, false, "routes whose OpenAPI document is that of their types"},
	{"github.com/erofs/go-erofs", []string{"internal/oci"}, false, "reads root file systems back, independently of what wrote them"},
	{"github.com/goccy/go-yaml", []string{"internal/taskfile"}, false, "task files are YAML, with positions for what is wrong in them"},
	{"github.com/google/go-containerregistry", []string{"internal/oci"}, false, "registries, layouts and archives"},
	{"github.com/klauspost/compress", []string{"internal/oci"}, false, "layers: fast gzip, and zstd, which the standard library lacks"},
	{"github.com/opencontainers/cgroups", []string{"internal/cell/gvisor"}, false, "cgroups of both versions"},
	{"github.com/opencontainers/runtime-spec", []string{"internal/runsc"}, false, "the types of gVisor's configuration"},
	{"github.com/pressly/goose/v3", []string{"internal/journal/sqlite"}, false, "numbered migrations"},
	{"github.com/prometheus/client_golang", []string{"internal/app", "internal/server"}, false, "metrics: app says what, server shows them"},
	{"github.com/spf13/cobra", []string{"internal/cli"}, false, "commands, flags, completion"},
	{"golang.org/x/sync", []string{"internal/engine", "internal/image"}, false, "a fair queue for cells; identical builds become one"},
	{"golang.org/x/sys", []string{"*"}, false, "system calls that the standard library does not have"},
	{"golang.org/x/term", []string{"internal/cli"}, false, "hidden prompts, and the width of a terminal"},
	{"gvisor.dev/gvisor", []string{"internal/runsc"}, false, "the isolation; its Go API moves, so one package wraps it"},

	{"modernc.org/sqlite", []string{"internal/journal/sqlite"}, false, "the database, without cgo"},

	{"github.com/google/go-cmp", []string{"*"}, true, "readable differences"},
	{"github.com/rogpeppe/go-internal", []string{"*"}, true, "scripts that drive the real binary"},
	{"pgregory.net/rapid", []string{"*"}, true, "properties"},

	{"os/exec", []string{"internal/image", "internal/oci", "internal/guest", "internal/runsc", "internal/cell/gvisor", "internal/cell/celltest", "bench", "bench/peer",
		"bench/py", "py/internal/difftest"}, false,
		"a program that is started on the host is a way past the cell"},
	{"net/http", []string{"internal/egress", "internal/image", "internal/oci", "internal/server", "client"}, false,
		"only images, the way out of a cell, and a server with its client need the network"},
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
