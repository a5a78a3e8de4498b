package image

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// watched is a service whose cells connect to hosts when their programs run,
// under the network that they were given.
type watched struct {
	*Service
	networks []api.Network // of the cells, in their order
	reaches  []string      // hosts that each program tries
	audit    func(api.Connection)
}

func watch(t *testing.T, reaches ...string) *watched {
	t.Helper()
	w := &watched{reaches: reaches}
	answer := says("pip compile", sixLock, 0)
	cells := &fakeCells{program: func(ctx context.Context, cmd cell.Command) (cell.Exit, error) {
		for _, host := range w.reaches {
			last := w.networks[len(w.networks)-1]
			w.audit(api.Connection{Host: host, Port: 443, Allowed: last.Public && host != "169.254.169.254" || slices.Contains(last.Allow, host)})
		}
		return answer(ctx, cmd)
	}}
	w.Service = fakeService(t, t.TempDir(), cells)
	w.config.Egress = func(n api.Network, audit func(api.Connection)) (func(context.Context, net.Conn), error) {
		w.audit = audit
		return noNetwork(n, nil)
	}
	return w
}

// ensure notes the network of each cell that is started.
func (w *watched) ensure(t *testing.T, spec api.ImageSpec) (*Image, error) {
	t.Helper()
	spec.Base = writeBase(t, oci.Config{}, debianLike())
	given := w.config.Egress
	w.config.Egress = func(n api.Network, audit func(api.Connection)) (func(context.Context, net.Conn), error) {
		if len(n.Allow) == 1 && n.Allow[0] == "mirror.example" || spec.Network != nil && cmp.Equal(n, *spec.Network) && !n.Public {
			return noNetwork(n, nil) // only asked whether it can be
		}
		w.networks = append(w.networks, n)
		return given(n, audit)
	}
	defer func() { w.config.Egress = given }()
	return w.Ensure(t.Context(), spec, nil)
}

// TestNetworkOfSteps: commands reach the hosts that the author and the operator
// choose, packages only the indexes unless the author says so.
func TestNetworkOfSteps(t *testing.T) {
	indexes := []string{fileHost, "mirror.example", "pypi.org"}
	with := func(hosts ...string) api.Network {
		return api.Network{Allow: slices.Sorted(slices.Values(append(hosts, indexes...)))}
	}
	public := api.Network{Public: true}
	for name, tt := range map[string]struct {
		engine          api.Network
		spec            *api.Network
		python, command api.Network
	}{
		"nothing said":          {public, nil, with(), public},
		"a host for the image":  {public, &api.Network{Allow: []string{"x.example"}}, with("x.example"), with("x.example")},
		"none for the image":    {public, &api.Network{}, with(), with()},
		"a host of the engine":  {api.Network{Allow: []string{"x.example"}}, nil, with(), with("x.example")},
		"none of the engine":    {api.Network{}, nil, with(), with()},
		"everything is allowed": {public, &public, public, public},
	} {
		t.Run(name, func(t *testing.T) {
			w := watch(t)
			w.config.Network = tt.engine
			if _, err := w.ensure(t, api.ImageSpec{Packages: []string{"six"}, Commands: []string{"true"}, Network: tt.spec}); err != nil {
				t.Fatal(err)
			}
			if tt.spec != nil && tt.spec.Public {
				w.networks = w.networks[1:] // asked whether it can be
			}
			if diff := cmp.Diff([]api.Network{tt.python, tt.command}, w.networks); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A command that lacks a host has not done its work, whatever its status says.
func TestRefusedConnectionFailsTheStep(t *testing.T) {
	none, list := &api.Network{}, &api.Network{Allow: []string{"ok.example"}}
	for name, tt := range map[string]struct {
		network *api.Network
		reaches string
		hint    string // empty: the step is good
	}{
		"refused":           {none, "get.example", "--build-network get.example, or network=[\"get.example\"]"},
		"beside others":     {list, "get.example", "--build-network ok.example,get.example, or network=[\"ok.example\", \"get.example\"]"},
		"allowed":           {list, "ok.example", ""},
		"nothing said":      {nil, "get.example", ""},
		"a search for a VM": {nil, "169.254.169.254", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := watch(t, tt.reaches).ensure(t, api.ImageSpec{Commands: []string{"curl it || true"}, Network: tt.network})
			e := api.AsError(err)
			switch {
			case tt.hint == "" && err != nil:
				t.Error(err)
			case tt.hint != "" && (e == nil || e.Code != api.BuildFailed || !strings.Contains(e.Message, tt.reaches) || !strings.Contains(e.Hint, tt.hint)):
				t.Errorf("error %+v, want build_failed with %s and the hint %s", e, tt.reaches, tt.hint)
			}
		})
	}
	w := watch(t, "get.example")
	w.config.Network = api.Network{Allow: []string{"ok.example"}}
	_, err := w.ensure(t, api.ImageSpec{Commands: []string{"curl it"}})
	if e := api.AsError(err); e == nil || !strings.Contains(e.Hint, "ask the operator") || !strings.Contains(e.Hint, "--build-network ok.example,get.example") {
		t.Errorf("under an operator's policy: %+v", e)
	}
}

// B10: no spec reaches further than the operator lets it, by any of its fields.
func TestBuildsStayWithinThePolicyOfTheEngine(t *testing.T) {
	for field, spec := range map[string]api.ImageSpec{
		"image.network":   {Commands: []string{"x"}, Network: &api.Network{Allow: []string{"x.example"}}},
		"image.index_url": {Packages: []string{"six"}, IndexURL: "https://x.example/simple"},
		"image.packages":  {Packages: []string{"six @ git+https://x.example/six"}, AllowURLs: true},
	} {
		s := fakeService(t, t.TempDir(), &fakeCells{})
		s.config.Network = api.Network{Allow: []string{"other.example"}}
		for name, err := range map[string]error{"check": s.Check(spec), "ensure": ensureOnly(t, s, spec)} {
			if e := api.AsError(err); e == nil || e.Code != api.InvalidTask || e.Details.Field != field || !strings.Contains(e.Hint, "--build-network") {
				t.Errorf("%s of %s: %+v", name, field, e)
			}
		}
		s.config.Network = api.Network{Allow: []string{"x.example"}}
		if err := s.Check(spec); err != nil {
			t.Errorf("%s that is allowed: %v", field, err)
		}
	}
}

func ensureOnly(t *testing.T, s *Service, spec api.ImageSpec) error {
	_, err := s.Ensure(t.Context(), spec, nil)
	return err
}

// S01: credentials in a URL are refused, and not repeated.
func TestIndexURLsOfASpec(t *testing.T) {
	for _, bad := range []string{"https://u:c4n4ry@x.example/simple", "https://c4n4ry@x.example", "ftp://x.example", "x.example", "https://x.example/?a=b", "https://x.example/ b", "https://x.example/\nb"} {
		for _, spec := range []api.ImageSpec{{IndexURL: bad}, {ExtraIndexURLs: []string{bad}}} {
			_, err := Canonical(spec)
			if e := api.AsError(err); e == nil || e.Code != api.InvalidTask || !strings.Contains(e.Details.Field, "index_url") || strings.Contains(e.Error()+e.Hint+e.Details.Got, "c4n4ry") {
				t.Errorf("%q: %+v", bad, e)
			}
		}
	}
	if _, err := Canonical(api.ImageSpec{ExtraIndexURLs: slices.Repeat([]string{"https://x.example"}, maxIndexes+1)}); err == nil {
		t.Error("any number of indexes is accepted")
	}
}

// A spec names indexes, the engine gives its own credentials to its own only,
// and the host fetches nothing from where a spec leads it.
func TestIndexesOfASpec(t *testing.T) {
	own, err := readIndexes(func(k string) string {
		return map[string]string{"HOME": t.TempDir(), "PIP_INDEX_URL": "https://u:p@own.example/simple", "PIP_EXTRA_INDEX_URL": "https://extra.example/simple"}[k]
	})
	if err != nil {
		t.Fatal(err)
	}
	list := func(spec Spec) []string {
		t.Helper()
		set, err := own.with(spec)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, i := range set.list {
			out = append(out, i.cellURL())
			if (i.user != nil) != (i.url.Host == "own.example") {
				t.Errorf("%s has the credentials %v", i.url, i.user != nil)
			}
			if set.realURL(i.cellURL()) != i.url.String() {
				t.Errorf("%s stands for %s", i.cellURL(), set.realURL(i.cellURL()))
			}
		}
		return out
	}
	for name, tt := range map[string]struct {
		spec Spec
		want []string
	}{
		"none":      {Spec{}, []string{"http://index-0.glovebox.internal/simple", "https://extra.example/simple"}},
		"main":      {Spec{IndexURL: "https://x.example/simple"}, []string{"https://x.example/simple"}},
		"further":   {Spec{ExtraIndexURLs: []string{"https://x.example/simple"}}, []string{"http://index-0.glovebox.internal/simple", "https://x.example/simple", "https://extra.example/simple"}},
		"its own":   {Spec{IndexURL: "https://own.example/other"}, []string{"http://index-named-0.glovebox.internal/other"}},
		"both ways": {Spec{IndexURL: "https://x.example", ExtraIndexURLs: []string{"https://own.example/simple"}}, []string{"https://x.example", "http://index-named-1.glovebox.internal/simple"}},
	} {
		if diff := cmp.Diff(tt.want, list(tt.spec)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, bad := range []string{"http://x.example/simple", "https://127.0.0.1/simple", "https://169.254.169.254/latest", "https://localhost/x", "https://intranet/x", "http://own.example/simple"} {
		if _, err := own.with(Spec{IndexURL: bad}); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
			t.Errorf("%s: %v, want invalid_task", bad, err)
		}
	}
}

// Packages of one index are not taken for those of another.
func TestIndexesAreInTheKeys(t *testing.T) {
	base := writeBase(t, oci.Config{}, debianLike())
	cells := &fakeCells{program: says("pip compile", sixLock+"    # from https://x.example/simple\n", 0)}
	s := fakeService(t, t.TempDir(), cells)
	seen := map[string]bool{}
	for _, spec := range []api.ImageSpec{{}, {IndexURL: "https://x.example/simple"}, {ExtraIndexURLs: []string{"https://x.example/simple"}}, {Network: &api.Network{}}} {
		spec.Base, spec.Packages = base, []string{"six"}
		img, err := s.Ensure(t.Context(), spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		if key := img.Lock.Steps[0].Key; seen[key] {
			t.Errorf("%+v has the key of another", spec)
		} else {
			seen[key] = true
		}
		if from := img.Lock.Packages[0].Index; from != "https://x.example/simple" {
			t.Errorf("the lock says that six is from %q", from)
		}
		if !slices.Contains(cells.env, "UV_INDEX_STRATEGY=first-index") {
			t.Errorf("uv runs with %q", cells.env)
		}
	}
}

// uv takes no hashes for a commit, which names its content by itself. Anything
// less than a commit is not locked.
func TestCommitsAreLocked(t *testing.T) {
	const sum = "65486e4383f9f411da95937451205d3c7b61b9e1"
	base := writeBase(t, oci.Config{}, debianLike())
	cells := &fakeCells{program: says("pip compile", sixLock+"x @ git+https://x.example/x.git@"+sum+"#subdirectory=y\n", 0)}
	img, err := fakeService(t, t.TempDir(), cells).Ensure(t.Context(), api.ImageSpec{Base: base, Packages: []string{"six", "x @ git+https://x.example/x.git"}, AllowURLs: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(img.Lock.Packages); n != 2 || img.Lock.Packages[1].URL != "git+https://x.example/x.git@"+sum+"#subdirectory=y" {
		t.Errorf("locked %+v", img.Lock.Packages)
	}
	var installs []string
	for _, line := range cells.ran {
		if _, args, ok := strings.Cut(line, "pip install "); ok {
			installs = append(installs, args)
		}
	}
	if len(installs) != 2 || !strings.HasPrefix(installs[0], "--require-hashes") || !strings.HasSuffix(installs[1], "commits.txt") {
		t.Errorf("installed by %q", installs)
	}
	for _, bad := range []string{"x @ git+https://x.example/x.git@v1", "x @ git+https://x.example/x.git@" + sum[1:], "x @ git+https://x.example/x.git", "x @ https://x.example/x@" + sum} {
		if got, err := parseLock(bad+"\n", indexes{}); err == nil {
			t.Errorf("%s is locked as %+v", bad, got)
		}
	}
}
