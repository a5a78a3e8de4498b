package image

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

const sixLock = "six==1.17.0 \\\n    --hash=sha256:4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274 \\\n" +
	"    --hash=sha256:ff70335d468e7eb6ec65b95b99d3a2836546063f63acc5171de367e834932a81\n"

func TestEnsureBuilds(t *testing.T) {
	base := writeBase(t, oci.Config{Env: []string{"A=b"}, Cmd: []string{"bash"}, WorkingDir: "/x"}, debianLike())
	cells := &fakeCells{program: says("pip compile", sixLock, 0)}
	s := fakeService(t, t.TempDir(), cells)
	spec := api.ImageSpec{Base: base, Packages: []string{"six"}, SystemPackages: []string{"curl"}, Commands: []string{"one", "two"}}
	img, err := s.Ensure(t.Context(), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !img.Built || img.Python != "/usr/bin/python3" || img.WorkingDir != "/x" || img.Name != img.Lock.Spec.DefaultName() {
		t.Errorf("image %+v", img)
	}
	if want := []string{"A=b", "PATH=/opt/venv/bin:" + defaultPath, "VIRTUAL_ENV=/opt/venv"}; !slices.Equal(img.Env, want) {
		t.Errorf("environment %q, want %q", img.Env, want)
	}
	var kinds []string
	for _, st := range img.Lock.Steps {
		kinds = append(kinds, st.Kind+" "+st.Text)
	}
	if diff := cmp.Diff([]string{"apt curl", "python six", "command one", "command two"}, kinds); diff != "" {
		t.Errorf("steps:\n%s", diff)
	}
	want := Package{Name: "six", Version: "1.17.0", Hashes: []string{
		"sha256:4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274",
		"sha256:ff70335d468e7eb6ec65b95b99d3a2836546063f63acc5171de367e834932a81"}}
	if diff := cmp.Diff([]Package{want}, img.Lock.Packages); diff != "" {
		t.Errorf("locked packages:\n%s", diff)
	}
	if len(img.Lock.SystemPackages) != len(tools())+1 || img.Lock.Python != "3.11" {
		t.Errorf("lock %+v", img.Lock)
	}
	for _, c := range cells.specs {
		if c.Resources != stepResources() || c.Wall != stepTime || c.Serve == nil {
			t.Errorf("cell %+v", c)
		}
	}
	if cells.open != 0 {
		t.Errorf("%d cells were not closed", cells.open)
	}
}

// A second run of the same spec starts without touching the network or a cell,
// in another process too.
func TestEnsureAgainUsesNothing(t *testing.T) {
	base, dir := writeBase(t, oci.Config{}, debianLike()), t.TempDir()
	spec := api.ImageSpec{Base: base, Commands: []string{"x"}}
	first, err := fakeService(t, dir, &fakeCells{}).Ensure(t.Context(), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	cells := &fakeCells{}
	s := fakeService(t, dir, cells)
	s.open = func(context.Context, string, oci.Options) (*oci.Image, error) {
		return nil, errors.New("an image was opened")
	}
	spec.Name = "other"
	again, err := s.Ensure(t.Context(), spec, nil)
	if err != nil || again.ID != first.ID || again.Built || cells.started.Load() != 0 {
		t.Errorf("%+v, %v, %d cells; want %s from the store", again, err, cells.started.Load(), first.ID)
	}
	if rec, err := s.Inspect("other"); err != nil || rec.ID != first.ID {
		t.Errorf("the new name gives %v, %v", rec, err)
	}
}

func TestChangedLastStepReusesEarlierOnes(t *testing.T) {
	base := writeBase(t, oci.Config{}, debianLike())
	cells := &fakeCells{}
	s := fakeService(t, t.TempDir(), cells)
	var bases []string
	for _, last := range []string{"b", "c"} {
		_, err := s.Ensure(t.Context(), api.ImageSpec{Base: base, Commands: []string{"a", last}}, func(p api.Progress) {
			if p.Stage == "base" && strings.HasPrefix(p.Message, "base:") {
				bases = append(bases, p.Message)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(bases) != 1 {
		t.Errorf("the base is told about as %q, want once, when it is taken", bases)
	}
	var ran []string
	for _, line := range cells.ran {
		ran = append(ran, line[strings.LastIndexByte(line, ' ')+1:])
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(ran, want) {
		t.Errorf("ran %q, want %q", ran, want)
	}
}

// B06: concurrent equal builds are one build, among services as among calls.
func TestConcurrentBuildsAreOne(t *testing.T) {
	base, dir := writeBase(t, oci.Config{}, debianLike()), t.TempDir()
	cells := &fakeCells{}
	var wait sync.WaitGroup
	ids := make([]string, 8)
	for i := range ids {
		s := fakeService(t, dir, cells)
		for range 2 {
			wait.Go(func() {
				img, err := s.Ensure(context.Background(), api.ImageSpec{Base: base, Commands: []string{"x"}}, nil)
				if err != nil {
					t.Error(err)
					return
				}
				ids[i] = img.ID
			})
		}
	}
	wait.Wait()
	if n := cells.started.Load(); n != 1 || len(slices.Compact(ids)) != 1 {
		t.Errorf("%d builds gave %q, want one", n, ids)
	}
}

// A failed or cancelled build leaves the store as it was.
func TestFailedBuildLeavesNothing(t *testing.T) {
	base, dir := writeBase(t, oci.Config{}, debianLike()), t.TempDir()
	cells := &fakeCells{}
	s := fakeService(t, dir, cells)
	if _, err := s.Ensure(t.Context(), api.ImageSpec{Base: base, Commands: []string{"ok"}}, nil); err != nil {
		t.Fatal(err)
	}
	before := listFiles(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cells.program = func(ctx context.Context, cmd cell.Command) (cell.Exit, error) {
		switch cmd.Argv[len(cmd.Argv)-1] {
		case "fail":
			_, _ = io.WriteString(cmd.Stderr, "line\nlast words\x1b[31m\n")
			return cell.Exit{Code: 3}, nil
		case "hang":
			cancel()
			<-ctx.Done()
			return cell.Exit{}, api.Errorf(api.Canceled, "killed")
		}
		return cell.Exit{}, nil
	}
	_, err := s.Ensure(ctx, api.ImageSpec{Base: base, Commands: []string{"fine", "fail"}}, nil)
	e := api.AsError(err)
	if e == nil || e.Code != api.BuildFailed || e.Details.ExitCode != 3 || e.Details.Got != "fail" || !strings.Contains(e.Message, "last words") || strings.Contains(e.Details.Log, "\x1b") {
		t.Errorf("error %+v", e)
	}
	if _, err := s.Ensure(ctx, api.ImageSpec{Base: base, Commands: []string{"fine", "hang"}}, nil); !errors.Is(err, &api.Error{Code: api.Canceled}) {
		t.Errorf("error %v, want canceled", err)
	}
	if diff := cmp.Diff(before, listFiles(t, dir)); diff != "" {
		t.Errorf("the store changed:\n%s", diff)
	}
	if cells.open != 0 {
		t.Errorf("%d cells were not closed", cells.open)
	}
}

// listFiles lists all files but the locks of processes.
func listFiles(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".lock" {
			out = append(out, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPackagesNeedAnInstaller(t *testing.T) {
	bare := writeBase(t, oci.Config{}, []entry{{name: "bin/sh", content: "sh"}})
	s := fakeService(t, t.TempDir(), &fakeCells{})
	_, err := s.Ensure(t.Context(), api.ImageSpec{Base: bare, SystemPackages: []string{"curl"}}, nil)
	if e := api.AsError(err); e == nil || e.Code != api.InvalidTask || !strings.Contains(e.Message, "no apt") {
		t.Errorf("error %v", err)
	}
	_, err = s.Ensure(t.Context(), api.ImageSpec{Base: bare, Packages: []string{"six"}}, nil)
	if e := api.AsError(err); e == nil || e.Code != api.InvalidTask || !strings.Contains(e.Message, "no Python") {
		t.Errorf("error %v", err)
	}
	_, err = s.Ensure(t.Context(), api.ImageSpec{Base: bare, Python: "3.12"}, nil)
	if e := api.AsError(err); e == nil || e.Code != api.BaseUnavailable || !strings.Contains(e.Message, "no Python") {
		t.Errorf("error %v", err)
	}
}

// S01: credentials of an index never reach a cell, a layer, a lock or an error.
func TestIndexCredentialsStayOnTheHost(t *testing.T) {
	const canary = "c4n4ry"
	base := writeBase(t, oci.Config{}, debianLike())
	for name, log := range map[string]struct {
		text   string
		status int
	}{"good": {sixLock, 0}, "bad": {"error: No solution found", 1}} {
		t.Run(name, func(t *testing.T) {
			cells, dir := &fakeCells{program: says("pip compile", log.text, log.status)}, t.TempDir()
			s := fakeService(t, dir, cells)
			var allowed []string
			s.config.Egress = func(n api.Network, _ func(api.Connection)) (func(context.Context, net.Conn), error) {
				allowed = n.Allow
				return noNetwork(n, nil)
			}
			s.getenv = func(k string) string {
				return map[string]string{
					"PIP_INDEX_URL": "https://user:" + canary + "@index.example/simple", "UV_INDEX": "extra=https://" + canary + "@more.example/simple",
				}[k]
			}
			var said []string
			_, err := s.Ensure(t.Context(), api.ImageSpec{Base: base, Packages: []string{"six"}}, func(p api.Progress) { said = append(said, p.Message) })
			if (err != nil) != (log.status != 0) {
				t.Fatal(err)
			}
			everything := strings.Join(slices.Concat(cells.ran, cells.env, said, allowed), " ") + string(cells.put)
			if err != nil {
				everything += err.Error() + api.AsError(err).Details.Log
			}
			if strings.Contains(everything, canary) {
				t.Errorf("the credentials are in %s", everything)
			}
			if !strings.Contains(everything, "http://index-0.glovebox.internal/simple") || slices.Contains(allowed, "index.example") {
				t.Errorf("the index is not relayed: %s, allowed %q", everything, allowed)
			}
			for _, f := range listFiles(t, dir) {
				text, err := os.ReadFile(filepath.Join(dir, f))
				if err != nil || strings.Contains(string(text), canary) {
					t.Errorf("%s has the credentials (%v)", f, err)
				}
			}
		})
	}
}
