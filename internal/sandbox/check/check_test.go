package check

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/value"
)

// testHost refuses an image and a network.
func testHost() Host {
	return Host{
		Within: func(inner, outer api.Network) error {
			if !outer.Public && !slices.Contains(outer.Allow, strings.TrimSuffix(inner.Allow[0], ":443")) {
				return api.Errorf(api.InvalidTask, "not within")
			}
			return nil
		},
		Image: func(spec api.ImageSpec) error {
			if spec.Ref == "bad ref" {
				return api.Errorf(api.InvalidTask, "image field ref is bad")
			}
			return nil
		},
		Network: func(policy api.Network) error {
			if slices.Contains(policy.Allow, "https://x") {
				return api.Errorf(api.InvalidTask, "network.allow[0] is a URL")
			}
			return nil
		},
	}
}

// held is a secret that is withheld for a host.
func held(host, inject string) []api.SecretRef {
	return []api.SecretRef{{Name: "a", Env: "A", Hosts: []string{host}, Inject: inject}}
}

func TestTask(t *testing.T) {
	fine := func() *api.Task { return &api.Task{Code: "x = 1"} }
	tests := []struct {
		name   string
		change func(*api.Task)
		code   api.Code
		words  []string
	}{
		{"tools", func(k *api.Task) { k.Orchestrator = &api.Orchestrator{} }, api.InvalidTask, []string{"orchestrator", "kind"}},
		{"model", func(k *api.Task) { k.Model = &api.Model{} }, api.InvalidTask, []string{"model", "kind"}},
		{"agent", func(k *api.Task) { k.Agent = &api.Agent{} }, api.InvalidTask, []string{"agent", "kind"}},
		{"function", func(k *api.Task) { k.Function = &api.Function{ID: "f"} }, api.InvalidTask, []string{"function", "kind"}},
		{"code and command", func(k *api.Task) { k.Command = []string{"ls"} }, api.InvalidTask, []string{"code and command are mutually exclusive"}},
		{"verbatim without code", func(k *api.Task) { k.Code, k.Verbatim = "", true }, api.InvalidTask, []string{"verbatim"}},
		{"file without code", func(k *api.Task) { k.Code, k.File = "", "a.py" }, api.InvalidTask, []string{"file", `"a.py"`}},
		{"auto-IO with arguments", func(k *api.Task) { k.Arguments = []string{"a"} }, api.InvalidTask, []string{"arguments", "auto-IO"}},
		{"name", func(k *api.Task) { k.Name = "a b" }, api.InvalidTask, []string{`name is "a b"`}},
		{"name of a directory", func(k *api.Task) { k.Name = ".." }, api.InvalidTask, []string{"name"}},
		{"name beyond ASCII", func(k *api.Task) { k.Name = "é" }, api.InvalidTask, []string{"name"}},
		{"file with a directory", func(k *api.Task) { k.File = "../etl.py" }, api.InvalidTask, []string{"file", "../etl.py", "file name"}},
		{"NUL in argv", func(k *api.Task) { k.Code, k.Command = "", []string{"a", "b\x00"} }, api.InvalidTask, []string{"command[1]", "NUL"}},
		{"empty program", func(k *api.Task) { k.Code, k.Command = "", []string{""} }, api.InvalidTask, []string{"command[0]"}},
		{"long argument", func(k *api.Task) { k.Code, k.Command = "", []string{strings.Repeat("x", 128<<10)} }, api.InvalidTask, []string{"command[0]", "128 KiB"}},
		{"much argv", func(k *api.Task) {
			k.Code, k.Command = "", []string{"x"}
			k.Arguments = slices.Repeat([]string{strings.Repeat("x", 100<<10)}, 10)
		}, api.InvalidTask, []string{"command is"}},
		{"much env", func(k *api.Task) {
			k.Env = map[string]string{}
			for i := range 10 {
				k.Env[strings.Repeat("A", i+1)] = strings.Repeat("x", 100<<10)
			}
		}, api.InvalidTask, []string{"env is"}},
		{"bad UTF-8 in argv", func(k *api.Task) { k.Verbatim, k.Arguments = true, []string{"\xff"} }, api.InvalidTask, []string{"arguments[0]", "UTF-8"}},
		{"keyword as input", func(k *api.Task) { k.Signature.Inputs = sandboxtest.Params(t, "class:int") }, api.InvalidTask, []string{`"class"`, "keyword"}},
		{"file name as variable", func(k *api.Task) { k.Signature.Inputs = sandboxtest.Params(t, "solution.py:File") }, api.InvalidTask, []string{`"solution.py"`, "identifier"}},
		{"duplicate", func(k *api.Task) { k.Signature.Outputs = sandboxtest.Params(t, "a:int", "a:str") }, api.InvalidTask, []string{`"a"`, "twice"}},
		{"file in a union", func(k *api.Task) { k.Signature.Inputs = sandboxtest.Params(t, "a:list[Union[File, int]]") }, api.InvalidType, []string{"input a", "Union[File, int]"}},
		{"optional union with a file", func(k *api.Task) { k.Signature.Inputs = sandboxtest.Params(t, "a:Union[File, Dir, None]") }, api.InvalidType, []string{"input a"}},
		{"file in a union as output", func(k *api.Task) { k.Signature.Outputs = sandboxtest.Params(t, "a:Union[File, int]") }, api.InvalidType, []string{"output a"}},
		{"nested files as output", func(k *api.Task) { k.Signature.Outputs = sandboxtest.Params(t, "a:list[list[File]]") }, api.InvalidType, []string{"output a", "list[list[File]]"}},
		{"optional files in a list as output", func(k *api.Task) { k.Signature.Outputs = sandboxtest.Params(t, "a:list[Optional[File]]") }, api.InvalidType, []string{"output a"}},
		{"mixed tuple as output", func(k *api.Task) { k.Signature.Outputs = sandboxtest.Params(t, "a:tuple[File, int]") }, api.InvalidType, []string{"output a"}},
		{"unknown type", func(k *api.Task) {
			k.Signature.Inputs = []value.Param{{Name: "a", Type: value.Type{Kind: "complex"}}}
		}, api.InvalidType, []string{"complex"}},
		{"env name", func(k *api.Task) { k.Env = map[string]string{"A=B": "c"} }, api.InvalidTask, []string{"env", `"A=B"`}},
		{"env without name", func(k *api.Task) { k.Env = map[string]string{"": "c"} }, api.InvalidTask, []string{"env"}},
		{"env value", func(k *api.Task) { k.Env = map[string]string{"A": "\x00"} }, api.InvalidTask, []string{"env.A", "NUL"}},
		{"secret name", func(k *api.Task) { k.Secrets = []api.SecretRef{{Name: "a/b"}} }, api.InvalidTask, []string{"secrets[0].name", `"a/b"`}},
		{"secret twice in one variable", func(k *api.Task) {
			k.Secrets = []api.SecretRef{{Name: "a", Env: "X"}, {Name: "b", Env: "X"}}
		}, api.InvalidTask, []string{"secrets[1].env", `"X"`}},
		{"secret over env", func(k *api.Task) {
			k.Env, k.Secrets = map[string]string{"X": "1"}, []api.SecretRef{{Name: "a", Env: "X"}}
		}, api.InvalidTask, []string{"secrets[0].env", `"X"`}},
		{"secret twice in one file", func(k *api.Task) {
			k.Secrets = []api.SecretRef{{Name: "a"}, {Name: "b", File: "a"}}
		}, api.InvalidTask, []string{"secrets[1].file", `"a"`}},
		{"secret in a directory", func(k *api.Task) { k.Secrets = []api.SecretRef{{Name: "a", File: "../x"}} }, api.InvalidTask, []string{"secrets[0].file"}},
		{"secret in no variable", func(k *api.Task) { k.Secrets = []api.SecretRef{{Name: "a", Env: "1A"}} }, api.InvalidTask, []string{"secrets[0].env", `"1A"`}},
		{"secret in PATH", func(k *api.Task) { k.Secrets = []api.SecretRef{{Name: "a", Env: "PATH"}} }, api.InvalidTask, []string{"secrets[0].env", `"PATH"`}},
		{"secret as both", func(k *api.Task) { k.Secrets = []api.SecretRef{{Name: "a", File: "x", Env: "X"}} }, api.InvalidTask, []string{"secrets[0]"}},
		{"inject without hosts", func(k *api.Task) { k.Secrets = []api.SecretRef{{Name: "a", Inject: "header:A: {}"}} }, api.InvalidTask, []string{"secrets[0].inject"}},
		{"sizes without hosts", func(k *api.Task) { k.Secrets = []api.SecretRef{{Name: "a", MaxRequest: 1}} }, api.InvalidTask, []string{"secrets[0].max_request"}},
		{"host of a secret that is not allowed", func(k *api.Task) {
			k.Secrets, k.Network = held("b.org", ""), api.Network{Allow: []string{"a.org"}}
		}, api.InvalidTask, []string{"secrets[0].hosts[0]", `"b.org"`}},
		{"withheld once", func(k *api.Task) {
			k.Secrets, k.Network = append(held("a.org", ""), api.SecretRef{Name: "a", Env: "B"}), api.Network{Public: true}
		}, api.InvalidTask, []string{"secrets[1].hosts"}},
		{"path of a host", func(k *api.Task) { k.Secrets = held("https://a.org/v1", "") }, api.InvalidTask, []string{"secrets[0].hosts[0]"}},
		{"address as a host", func(k *api.Task) { k.Secrets = held("10.0.0.1", "") }, api.InvalidTask, []string{"secrets[0].hosts[0]"}},
		{"all hosts", func(k *api.Task) { k.Secrets = held("*", "") }, api.InvalidTask, []string{"secrets[0].hosts[0]"}},
		{"all hosts of a domain of the world", func(k *api.Task) { k.Secrets = held("*.com", "") }, api.InvalidTask, []string{"secrets[0].hosts[0]"}},
		{"port of a host", func(k *api.Task) { k.Secrets = held("a.org:0", "") }, api.InvalidTask, []string{"secrets[0].hosts[0]", "port"}},
		{"inject by another word", func(k *api.Task) { k.Secrets = held("a.org", "body:{}") }, api.InvalidTask, []string{"secrets[0].inject"}},
		{"inject without a value", func(k *api.Task) { k.Secrets = held("a.org", "header:A: b") }, api.InvalidTask, []string{"secrets[0].inject", "{}"}},
		{"inject into the host", func(k *api.Task) { k.Secrets = held("a.org", "header:host: {}") }, api.InvalidTask, []string{"secrets[0].inject"}},
		{"inject a line", func(k *api.Task) { k.Secrets = held("a.org", "header:A: {}\r\nB: c") }, api.InvalidTask, []string{"secrets[0].inject"}},
		{"rule without a path", func(k *api.Task) {
			k.Secrets = []api.SecretRef{{Name: "a", Hosts: []string{"a.org"}, Allow: []string{"GET"}}}
		}, api.InvalidTask, []string{"secrets[0].allow[0]"}},
		{"negative CPU", func(k *api.Task) { k.Resources.CPU = -1 }, api.InvalidTask, []string{"resources.cpu is -1"}},
		{"CPU that is no number", func(k *api.Task) { k.Resources.CPU = math.NaN() }, api.InvalidTask, []string{"resources.cpu"}},
		{"endless CPU", func(k *api.Task) { k.Resources.CPU = math.Inf(1) }, api.InvalidTask, []string{"resources.cpu"}},
		{"negative memory", func(k *api.Task) { k.Resources.Memory = -5 }, api.InvalidTask, []string{"resources.memory is -5"}},
		{"one byte of memory", func(k *api.Task) { k.Resources.Memory = 1 }, api.InvalidTask, []string{"resources.memory is 1"}},
		{"absurd disk", func(k *api.Task) { k.Resources.Disk = math.MaxInt64 }, api.InvalidTask, []string{"resources.disk"}},
		{"negative pids", func(k *api.Task) { k.Resources.PIDs = -1 }, api.InvalidTask, []string{"resources.pids"}},
		{"few files", func(k *api.Task) { k.Resources.OpenFiles = 1 }, api.InvalidTask, []string{"resources.open_files"}},
		{"negative outputs", func(k *api.Task) { k.Limits.Outputs = -1 }, api.InvalidTask, []string{"limits.outputs"}},
		{"negative logs", func(k *api.Task) { k.Limits.Logs = -1 }, api.InvalidTask, []string{"limits.logs"}},
		{"negative timeout", func(k *api.Task) { k.Timeout = -time.Second }, api.InvalidTask, []string{"timeout is -1s"}},
		{"negative retries", func(k *api.Task) { k.Retries = -1 }, api.InvalidTask, []string{"retries is -1"}},
		{"cache", func(k *api.Task) { k.Cache = "yes" }, api.InvalidTask, []string{`cache is "yes"`, "override"}},
		{"network", func(k *api.Task) { k.Network.Allow = []string{"https://x"} }, api.InvalidTask, []string{"network.allow[0]"}},
		{"image", func(k *api.Task) { k.Image.Ref = "bad ref" }, api.InvalidTask, []string{"image"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			host := testHost()
			task := fine()
			if err := host.Task(task); err != nil {
				t.Fatalf("before the change: %v", err)
			}
			tt.change(task)
			e := sandboxtest.WantError(t, host.Task(task), tt.code, tt.words...)
			if e.Outcome != api.NotStarted || e.Hint == "" {
				t.Errorf("outcome %s, hint %q", e.Outcome, e.Hint)
			}
		})
	}
}

func TestTaskIsAccepted(t *testing.T) {
	host := testHost()
	for name, task := range map[string]*api.Task{
		"entrypoint":          {},
		"file names as names": {Command: []string{"pytest"}, Signature: api.Signature{Inputs: sandboxtest.Params(t, "solution.py:File", "tests.py:File")}},
		"everything": {
			Name: "a-b.c_1", Code: "x", File: "json.py", Verbatim: true, Arguments: []string{"--", ""},
			Env:       map[string]string{"LOG": ""},
			Secrets:   []api.SecretRef{{Name: "a"}, {Name: "a", Env: "A"}, {Name: "b", Hosts: []string{"*.a.org", "http://b.org:8080"}, Inject: "header:X-Key: {}", Allow: []string{"* /v1/*"}}},
			Resources: api.Resources{CPU: 0.5, Memory: 64 << 20}, Timeout: time.Second, Retries: 3, Cache: api.CacheDisable,
			Network: api.Network{Public: true},
		},
	} {
		if err := host.Task(task); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMemoryOfCellsIsBounded(t *testing.T) {
	host := testHost()
	host.MaxMemory = 1 << 30
	for memory, refused := range map[int64]bool{0: false, 1 << 30: false, 1<<30 + 1: true} {
		err := host.Task(&api.Task{Code: "x", Resources: api.Resources{Memory: memory}})
		if refused {
			sandboxtest.WantError(t, err, api.InvalidTask, "resources.memory", "1073741825", "1073741824")
		} else if err != nil {
			t.Errorf("%d bytes: %v", memory, err)
		}
	}
}
