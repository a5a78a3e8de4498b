package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/glovebox-dev/glovebox/api"
)

// warmFake is a server that keeps cells.
type warmFake struct {
	fakeService
	asked []api.WarmRequest
	built []api.ImageSpec
	pools []api.WarmPool
}

func (f *warmFake) KeepWarm(_ context.Context, r api.WarmRequest) (*api.WarmPool, error) {
	f.asked = append(f.asked, r)
	pool := api.WarmPool{Image: "sha256:0123456789abcdef", Asked: r.Cells, Wanted: r.Cells, Idle: 1, Starting: r.Cells - 1}
	if r.Task != nil {
		pool.Python, pool.Preload, pool.Resources = r.Task.Code != "", r.Task.Preload, r.Task.Resources
	}
	return &pool, nil
}

func (f *warmFake) WarmPools(context.Context) ([]api.WarmPool, error) { return f.pools, nil }

func (f *warmFake) BuildImage(_ context.Context, spec api.ImageSpec, _ func(api.Progress)) (*api.ImageInfo, error) {
	if spec.Name == "bad" {
		return nil, api.Errorf(api.BuildFailed, "it does not build")
	}
	f.built = append(f.built, spec)
	return &api.ImageInfo{}, nil
}

func warm(t *testing.T, f *warmFake, args ...string) printed {
	t.Helper()
	return serviceCommand(t, f, append([]string{"warm"}, args...)...)
}

func TestWarmAsks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	source := write("etl.py", "# /// script\n# dependencies = [\"numpy\"]\n# ///\nx = 1\n")
	tasks := write("stats.yaml", "environment: {preload: [json]}\ntasks:\n  a: {code: x = 1}\n  b: {command: [x]}\n  o: {kind: orchestrator, code: a(), tools: [a]}\n")
	std := api.Resources{CPU: 1, Memory: 1 << 30}
	for name, c := range map[string]struct {
		args []string
		want []api.WarmRequest
	}{
		"python": {[]string{"--cells", "2", "--preload", "json", "--preload", "re", "-p", "numpy", "--memory", "512Mi", "-e", "LANG=C", "--network", "public"},
			[]api.WarmRequest{{Cells: 2, Task: &api.Task{
				Code: "pass", Preload: []string{"json", "re"}, Image: api.ImageSpec{Packages: []string{"numpy"}}, Env: map[string]string{"LANG": "C"},
				Resources: api.Resources{CPU: 1, Memory: 512 << 20}, Network: api.Network{Public: true},
			}}}},
		"command": {[]string{"--cells", "1", "--", "sh", "-c", "x"}, []api.WarmRequest{{Cells: 1, Task: &api.Task{Command: []string{"sh", "-c", "x"}, Resources: std}}}},
		"source": {[]string{source, "--cells", "1"}, []api.WarmRequest{{Cells: 1, Task: &api.Task{
			Code: "# /// script\n# dependencies = [\"numpy\"]\n# ///\nx = 1\n", File: "etl.py", Image: api.ImageSpec{Packages: []string{"numpy"}}, Resources: std,
		}}}},
		"file of tasks": {[]string{tasks, "--cells", "3"}, []api.WarmRequest{
			{Cells: 3, Task: &api.Task{Name: "a", Kind: api.KindSandbox, Code: "x = 1", Preload: []string{"json"}}},
			{Cells: 3, Task: &api.Task{Name: "b", Kind: api.KindSandbox, Command: []string{"x"}}},
		}},
		"deployed":   {[]string{"stats.a", "--cells", "1"}, []api.WarmRequest{{Name: "stats.a@4", Cells: 1}}},
		"taken back": {[]string{"--cells", "0"}, []api.WarmRequest{{Task: &api.Task{Code: "pass", Resources: std}}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &warmFake{}
			f.tasks = map[string]*api.TaskVersion{"stats.a": {Name: "stats.a", Version: 4, Task: &api.Task{Code: "x = 1", Image: api.ImageSpec{Ref: "r"}}}}
			if got := warm(t, f, c.args...); got.status != 0 {
				t.Fatalf("status %d: %s", got.status, got.err)
			}
			if diff := cmp.Diff(c.want, f.asked, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if built := len(f.built); name != "taken back" && built != len(c.want) || name == "taken back" && built != 0 {
				t.Errorf("%d images were built", built)
			}
		})
	}
}

func TestWarmRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string // in what is said
		code int
	}{
		{[]string{"--preload", "json"}, "how many cells shall be ready is not said", 2},
		{[]string{"stats.a"}, "how many cells shall be ready is not said", 2},
		{[]string{"--", "x"}, "how many cells shall be ready is not said", 2},
		{[]string{"--cells", "1", "--"}, "there is no command after --", 2},
		{[]string{"a", "b", "--cells", "1"}, `unexpected argument "b"`, 2},
		{[]string{"a", "--cells", "1", "--", "x"}, "both a and a command", 2},
		{[]string{"--cells", "-1"}, "--cells is -1, expected 0 to 1000", 2},
		{[]string{"--cells", "1001"}, "--cells is 1001", 2},
		{[]string{"stats.a", "--cells", "1", "--cpu", "2"}, "stats.a says by itself what its cells are like", 2},
		{[]string{"x.yaml", "--cells", "1", "-p", "numpy"}, "x.yaml says by itself what its cells are like", 2},
		{[]string{"stats.a", "--cells", "1"}, "not_found", 125},
		{[]string{"absent.yaml", "--cells", "1"}, "invalid_task: read absent.yaml", 2},
		{[]string{"absent.py", "--cells", "1"}, "no such file", 2},
	} {
		f := &warmFake{}
		got := warm(t, f, c.args...)
		if got.status != c.code || !strings.Contains(got.err, c.want) || len(f.asked) > 0 {
			t.Errorf("%q: status %d, asked %v: %s", c.args, got.status, f.asked, got.err)
		}
	}
}

// TestWarmNeedsAServer: without a server, cells would end with the command.
func TestWarmNeedsAServer(t *testing.T) {
	for _, args := range [][]string{{"warm"}, {"warm", "--cells", "1"}} {
		got := run(t, &fakeService{}, args...)
		if got.status != 2 || !strings.Contains(got.err, "there is no server that could keep cells") || !strings.Contains(got.err, "GLOVEBOX_URL") {
			t.Errorf("%q: %d, %s", args, got.status, got.err)
		}
	}
}

func TestWarmLists(t *testing.T) {
	f := &warmFake{pools: []api.WarmPool{
		{Image: "sha256:0123456789abcdef", ImageName: "stats", Python: true, Preload: []string{"numpy", "json"}, Network: true,
			Asked: 2, Wanted: 3, Idle: 2, Starting: 1, Memory: 25 << 20, Taken: 7, Cold: 1, Died: 4},
		{Image: "sha256:0123456789abcdef", Resources: api.Resources{CPU: 0.5, Memory: 64 << 20}, Error: api.Errorf(api.IsolationUnavailable, "no room\x1b[2J")},
	}}
	want := `IMAGE         PROGRAM             CPU  MEMORY    NETWORK  ASKED  WANTED  READY  STARTING  HOLD      TAKEN  COLD  DIED
stats         python, numpy json  1    1.0 GiB   yes      2      3       2      1         25.0 MiB  7      1     4
0123456789ab  commands            0.5  64.0 MiB  no       0      0       0      0         0 B       0      0     0  isolation_unavailable: no room�[2J
`
	if diff := cmp.Diff(want, warm(t, f).out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := warm(t, f, "--json").out; !strings.HasPrefix(got, `[{"image":"sha256:0123456789abcdef","image_name":"stats","resources":{},"network":true,`) {
		t.Errorf("got %s", got)
	}
	f.pools = nil
	if got := warm(t, f, "--json").out; got != "[]\n" {
		t.Errorf("got %s", got)
	}
}

func TestWarmTellsWhyNot(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.yaml")
	if err := os.WriteFile(path, []byte("tasks:\n  a: {code: x, image: {name: bad}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &warmFake{}
	if got := warm(t, f, path, "--cells", "1"); got.status == 0 || !strings.Contains(got.err, "build_failed") || len(f.asked) > 0 {
		t.Errorf("status %d, asked %v: %s", got.status, f.asked, got.err)
	}
}

func TestRunPreloads(t *testing.T) {
	service := &fakeService{result: resultOf(int64(1), "int")}
	run(t, service, "run", "--preload", "json", "--preload", "xml.etree", "-c", "x = 1", "-o", "x:int")
	if diff := cmp.Diff([]string{"json", "xml.etree"}, service.submitted[0].Task.Preload); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
