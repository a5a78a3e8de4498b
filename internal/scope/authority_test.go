package scope

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// owner is a task with some of everything.
var owner = api.Task{
	Name: "owner", StartsRuns: true,
	Secrets: []api.SecretRef{{Name: "own", Env: "OWN"}, {Name: "held", Env: "HELD", Hosts: []string{"a.org"}, Allow: []string{"GET /*"}}},
	Network: api.Network{Allow: []string{"a.org"}},
	Image:   api.ImageSpec{Name: "mine", Base: "registry.example/base", Commands: []string{"make"}, RegistrySecret: "pull"},
}

func within(tools ...api.Task) api.Task {
	return api.Task{Name: "flow", Kind: api.KindOrchestrator, Code: "1", Orchestrator: &api.Orchestrator{Tools: tools}}
}

// Authority does not grow on the way down, however deep it is hidden (attack
// C03), and neither does it by deploying first, nor by what others deployed.
func TestAuthorityDoesNotGrow(t *testing.T) {
	secret := func(name string) []api.SecretRef { return []api.SecretRef{{Name: name, File: "elsewhere"}} }
	for _, c := range []struct {
		name string
		task api.Task
		want string // in the refusal; empty lets it pass
	}{
		{"nothing", code, ""},
		{"its own secret in another place", api.Task{Code: "x", Secrets: secret("own")}, ""},
		{"its own network", api.Task{Code: "x", Network: api.Network{Allow: []string{"a.org:443"}}}, ""},
		{"starting runs", api.Task{Code: "x", StartsRuns: true}, ""},
		{"orchestrator", within(code, within(api.Task{Code: "x", Secrets: secret("own")})), ""},
		{"another secret", api.Task{Code: "x", Secrets: secret("other")}, `the secret "other"`},
		{"secret by another case", api.Task{Code: "x", Secrets: secret("OWN")}, "the secret"},
		{"wider network", api.Task{Code: "x", Network: api.Network{Public: true}}, "more of the network"},
		{"another host", api.Task{Code: "x", Network: api.Network{Allow: []string{"a.org", "b.org"}}}, "b.org"},
		{"a withheld secret on its terms", api.Task{Code: "x", Secrets: []api.SecretRef{{Name: "held", Env: "Y", Hosts: []string{"a.org"}, Allow: []string{"GET /*"}}}}, ""},
		{"a withheld secret in clear", api.Task{Code: "x", Secrets: secret("held")}, "otherwise than its own task"},
		{"a withheld secret for another host", api.Task{Code: "x", Secrets: []api.SecretRef{{Name: "held", Hosts: []string{"b.org"}, Allow: []string{"GET /*"}}}}, "otherwise than its own task"},
		{"a withheld secret for more", api.Task{Code: "x", Secrets: []api.SecretRef{{Name: "held", Hosts: []string{"a.org"}}}}, "otherwise than its own task"},
		{"function", api.Task{Kind: api.KindFunction, Function: &api.Function{ID: "f"}}, "functions"},
		{"secret of a tool", within(api.Task{Name: "leak", Code: "x", Secrets: secret("other")}), "tool leak"},
		{"network of a tool of a tool", within(within(api.Task{Name: "leak", Code: "x", Network: api.Network{Public: true}})), "tool flow: tool leak"},
		{"mcp", api.Task{Kind: api.KindMCP, MCP: &api.MCPTool{Server: api.MCPServer{URL: "https://tools.example.com"}, Tool: "t"}}, "MCP servers"},
		{"model", api.Task{Kind: api.KindModel, Model: &api.Model{Protocol: api.ProtocolOpenAI, Name: "m"}}, "models"},
		{"a model to ask", within(api.Task{Name: "ask", Code: "x", Asks: &api.Asks{}}), "a model to ask"},
		{"agent as a tool", within(api.Task{Name: "a", Kind: api.KindAgent, Agent: &api.Agent{}}), "models"},
		{"function as a tool", within(api.Task{Name: "f", Kind: api.KindFunction, Function: &api.Function{ID: "f"}}), "functions"},
	} {
		f := newFake()
		s := f.scope(&owner)
		c.task.Name = strings.ReplaceAll(c.name, " ", "-")
		_, given := s.Submit(t.Context(), api.Submission{Task: &c.task})
		_, deploying := s.Deploy(t.Context(), api.Deployment{Tasks: []api.Task{c.task}})
		f.deploy(&c.task)
		_, byName := s.Submit(t.Context(), api.Submission{Name: c.task.Name})
		for how, err := range map[string]error{"given": given, "deploying": deploying, "by name": byName} {
			if c.want == "" {
				if err != nil {
					t.Errorf("%s, %s: %v", c.name, how, err)
				}
				continue
			}
			wantCode(t, c.name+", "+how, err, api.Unauthorized)
			if err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v", c.name, how, err)
			}
		}
		if started := len(f.submitted) + len(f.deployed); c.want != "" && started != 0 {
			t.Errorf("%s: %d came through", c.name, started)
		}
	}
}

// TestDeployedVersionIsFixed: the version that runs is the one that was
// checked.
func TestDeployedVersionIsFixed(t *testing.T) {
	f := newFake()
	f.deploy(&code)
	s := f.scope(&owner)
	if _, err := s.Submit(t.Context(), api.Submission{Name: "code"}); err != nil {
		t.Fatal(err)
	}
	if got := f.submitted[0]; got.Name != "code@3" || got.Task != nil {
		t.Errorf("submitted %+v", got)
	}
	_, err := s.Submit(t.Context(), api.Submission{Name: "none"})
	wantCode(t, "none", err, api.NotFound)
}

// Images lead to hosts that the cell cannot reach, with what it does not have
// (attack C03).
func TestImages(t *testing.T) {
	for _, c := range []struct {
		name string
		spec api.ImageSpec
		want bool
	}{
		{"default", api.ImageSpec{}, true},
		{"packages", api.ImageSpec{Python: "3.12", Packages: []string{"numpy"}, SystemPackages: []string{"tree"}, Base: "debian:trixie"}, true},
		{"its own", owner.Image, true},
		{"here already", api.ImageSpec{Ref: "known"}, true},
		{"here already, under a name", api.ImageSpec{Ref: "known", Name: "taken"}, true},
		{"another", api.ImageSpec{Ref: "evil.example/image"}, false},
		{"path", api.ImageSpec{Ref: "/etc/image"}, false},
		{"another base", api.ImageSpec{Base: "evil.example/base"}, false},
		{"path as a base", api.ImageSpec{Base: "oci:/etc"}, false},
		{"a base that begins like Debian", api.ImageSpec{Base: "debian.evil.example/base"}, false},
		{"its own with more", api.ImageSpec{Base: owner.Image.Base, Commands: []string{"curl"}, RegistrySecret: "pull"}, false},
		{"commands", api.ImageSpec{Commands: []string{"curl"}}, false},
		{"packages by URL", api.ImageSpec{Packages: []string{"x @ https://evil.example/x.whl"}, AllowURLs: true}, false},
		{"another index", api.ImageSpec{Packages: []string{"x"}, IndexURL: "https://evil.example/simple"}, false},
		{"a further index", api.ImageSpec{Packages: []string{"x"}, ExtraIndexURLs: []string{"https://evil.example/simple"}}, false},
		{"network", api.ImageSpec{Packages: []string{"x"}, Network: &api.Network{Allow: []string{"evil.example"}}}, false},
		{"all of the network", api.ImageSpec{Packages: []string{"x"}, Network: &api.Network{Public: true}}, false},
		{"no network", api.ImageSpec{Packages: []string{"x"}, Network: &api.Network{}}, true},
		{"push", api.ImageSpec{Registry: "evil.example/image"}, false},
		{"a Dockerfile, which names images", api.ImageSpec{Dockerfile: "FROM scratch"}, false},
		{"credentials", api.ImageSpec{RegistrySecret: "other"}, false},
		{"credentials for what is here", api.ImageSpec{Ref: "known", RegistrySecret: "other"}, false},
	} {
		f := newFake()
		f.known["known"] = true
		s := f.scope(&owner)
		_, building := s.BuildImage(t.Context(), c.spec, nil)
		_, running := s.Submit(t.Context(), api.Submission{Task: &api.Task{Code: "x", Image: c.spec}})
		hidden := within(api.Task{Name: "tool", Code: "x", Image: c.spec})
		_, below := s.Submit(t.Context(), api.Submission{Task: &hidden})
		for how, err := range map[string]error{"building": building, "running": running, "as a tool": below} {
			if c.want && err != nil {
				t.Errorf("%s, %s: %v", c.name, how, err)
			}
			if !c.want {
				wantCode(t, c.name+", "+how, err, api.Unauthorized)
			}
		}
		if c.want && c.spec.Name == "taken" && (f.built[0].Name != "" || f.submitted[0].Task.Image.Name != "" || f.submitted[1].Task.Orchestrator.Tools[0].Image.Name != "") {
			t.Error("a cell names images")
		}
		if c.name == "here already, under a name" && hidden.Orchestrator.Tools[0].Image.Name == "" {
			t.Error("the task of the caller was changed")
		}
	}
	public := api.Task{Network: api.Network{Public: true}}
	s := newFake().scope(&public)
	if _, err := s.BuildImage(t.Context(), api.ImageSpec{Commands: []string{"curl"}}, nil); err != nil {
		t.Errorf("commands with the public network: %v", err)
	}
	_, err := s.BuildImage(t.Context(), api.ImageSpec{Ref: "ghcr.io/private/image"}, nil)
	wantCode(t, "an image that the credentials of the host open", err, api.Unauthorized)
}

// A cell cannot fill the disk with images (attack C06).
func TestImagesAreCounted(t *testing.T) {
	s := newFake().scope(&owner)
	for i := range maxImages {
		for range 2 {
			if _, err := s.BuildImage(t.Context(), api.ImageSpec{Packages: []string{strings.Repeat("x", i+1)}}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, err := s.Submit(t.Context(), api.Submission{Task: &api.Task{Code: "x", Image: api.ImageSpec{Packages: []string{"one-more"}}}})
	wantCode(t, "one too many", err, api.LimitExceeded)
}

// A name means for others what it meant before (attack C04).
func TestDeployedNamesAreKept(t *testing.T) {
	f := newFake()
	f.deploy(&api.Task{Name: "billing", Code: "honest"})
	s := f.scope(&owner)
	deploy := func(env string, tasks ...api.Task) error {
		_, err := s.Deploy(t.Context(), api.Deployment{Environment: env, Tasks: tasks})
		return err
	}
	free, same, evil := api.Task{Name: "free", Code: "x"}, api.Task{Name: "billing", Code: "honest"}, api.Task{Name: "billing", Code: "evil"}
	wantCode(t, "another task", deploy("", free, evil), api.Unauthorized)
	if len(f.deployed) != 0 {
		t.Errorf("deployed %+v", f.deployed)
	}
	for _, err := range []error{deploy("", free), deploy("", same), deploy("new", free, same)} {
		if err != nil {
			t.Error(err)
		}
	}
}

// Schedules and hooks would start runs when that of the cell has ended (attack C05).
func TestSchedulesAreRefused(t *testing.T) {
	f := newFake()
	for _, d := range []api.Deployment{{Schedules: []api.ScheduleSpec{{Name: "later", Task: "free", Cron: "@hourly"}}}, {Hooks: []api.HookSpec{{Name: "hook", Task: "free"}}}} {
		d.Tasks = []api.Task{{Name: "free", Code: "x"}}
		_, err := f.scope(&owner).Deploy(t.Context(), d)
		wantCode(t, "a schedule or a hook", err, api.Unauthorized)
	}
	if len(f.deployed) != 0 {
		t.Errorf("deployed %+v", f.deployed)
	}
}

// A cell learns how to call what is deployed, and not what is in it.
func TestDeployedTasksAreNotShown(t *testing.T) {
	f := newFake()
	f.deploy(&api.Task{Name: "billing", Env: map[string]string{"KEY": "hunter2"}, Signature: api.Signature{Inputs: []value.Param{{Name: "x"}}}})
	s := f.scope(&owner)
	version, err := s.Task(t.Context(), "billing")
	if err != nil || version.Task != nil || len(version.Signature.Inputs) != 1 {
		t.Errorf("got %+v, %v", version, err)
	}
	versions, err := s.Versions(t.Context(), "billing")
	if err != nil || versions[0].Task != nil {
		t.Errorf("got %+v, %v", versions, err)
	}
	if f.tasks["billing"].Task == nil {
		t.Error("the catalog was changed")
	}
	made, err := s.Deploy(t.Context(), api.Deployment{Tasks: []api.Task{code}})
	if err != nil || made[0].Task != nil {
		t.Errorf("got %+v, %v", made, err)
	}
}

// TestDefaultsThatAreFilesAreNotShown hides the digests of files that are
// defaults, as the code of functions is: a digest is permission to read the
// bytes.
func TestDefaultsThatAreFilesAreNotShown(t *testing.T) {
	f := newFake()
	file := value.Param{Name: "_bundle", Type: value.Type{Kind: value.KindFile}}
	file, err := file.WithDefault(value.File{Path: "bundle.zip", SHA256: strings.Repeat("a", 64)})
	if err != nil {
		t.Fatal(err)
	}
	number, err := value.Param{Name: "n", Type: value.Type{Kind: value.KindInt}}.WithDefault(1)
	if err != nil {
		t.Fatal(err)
	}
	private := api.Task{Name: "private", Code: "x", Signature: api.Signature{Inputs: []value.Param{number, file}}}
	f.deploy(&private)
	f.record = &api.Run{ID: "child", Signature: &private.Signature, Inputs: []byte(`{"n":2,"_bundle":{"path":"bundle.zip","sha256":"aaaa"}}`)}
	s := f.scope(&owner)
	version, err := s.Task(t.Context(), "private")
	if err != nil {
		t.Fatal(err)
	}
	below, err := s.Run(t.Context(), "child")
	if err != nil {
		t.Fatal(err)
	}
	if string(below.Inputs) != `{"n":2}` {
		t.Errorf("inputs %s", below.Inputs)
	}
	for _, inputs := range [][]value.Param{version.Signature.Inputs, below.Signature.Inputs} {
		if len(inputs) != 1 || inputs[0].Name != "n" || string(inputs[0].Default) != "1" {
			t.Errorf("got %+v", inputs)
		}
	}
	own, err := s.Run(t.Context(), "me")
	if err != nil || len(own.Signature.Inputs) != 2 || len(f.record.Signature.Inputs) != 2 {
		t.Errorf("its own: %+v, %v", own, err)
	}
}

// TestCellsNotifyNobody (attack A16): a message to an address of its choice is a way
// past the network of a cell.
func TestCellsNotifyNobody(t *testing.T) {
	task := code
	task.Notify = []api.Notify{{URL: "https://evil.example/x", Secret: "own"}}
	f := newFake()
	s := f.scope(&owner)
	_, err := s.Deploy(t.Context(), api.Deployment{Tasks: []api.Task{task}})
	wantCode(t, "deploying", err, api.Unauthorized)
	if _, err := s.Submit(t.Context(), api.Submission{Task: &task}); err != nil {
		t.Fatal(err)
	}
	if len(f.deployed) != 0 || len(f.submitted) != 1 || f.submitted[0].Parent == "" { // which notifies nobody
		t.Errorf("deployed %+v, submitted %+v", f.deployed, f.submitted)
	}
}
