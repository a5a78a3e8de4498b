package realtest

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// B06 and B02: what cannot be installed is a typed error with the tool's own
// words, and leaves the store as it was.
func TestRealFailures(t *testing.T) {
	realHome(t)
	s := realService(t, nil)
	if _, err := s.Ensure(t.Context(), api.ImageSpec{}, nil); err != nil {
		t.Fatal(err)
	}
	before := tree(t, realHome(t))
	for name, tt := range map[string]struct {
		spec       api.ImageSpec
		code       api.Code
		pkg        string
		suggestion string
		log        string // part of the tool's words
	}{
		"unknown package":     {api.ImageSpec{Packages: []string{"numpyy"}}, api.InvalidPackage, "numpyy", "numpy", "not found"},
		"name of a module":    {api.ImageSpec{Packages: []string{"cv2"}}, api.InvalidPackage, "cv2", "opencv-python", "not found"},
		"unknown version":     {api.ImageSpec{Packages: []string{"six==99.9"}}, api.InvalidPackage, "six", "", "six==99.9"},
		"contradiction":       {api.ImageSpec{Packages: []string{"scipy==1.9.0", "numpy==2.1.0"}}, api.ResolutionFailed, "", "", "numpy"},
		"same package":        {api.ImageSpec{Packages: []string{"numpy==1.26.0", "numpy==2.0"}}, api.ResolutionFailed, "", "", "numpy"},
		"unknown deb":         {api.ImageSpec{SystemPackages: []string{"libgl11"}}, api.InvalidPackage, "libgl11", "libgl1", "Unable to locate"},
		"unknown deb version": {api.ImageSpec{SystemPackages: []string{"curl=1.2.3-4"}}, api.InvalidPackage, "curl", "", "1.2.3-4"},
		"failing command":     {api.ImageSpec{Commands: []string{"echo words; exit 7"}}, api.BuildFailed, "", "", "words"},
		"command elsewhere":   {api.ImageSpec{Network: &api.Network{}, Commands: []string{"python3 -c \"import urllib.request as u; u.urlopen('http://example.com/')\""}}, api.BuildFailed, "", "", "403"},
		"python nowhere":      {api.ImageSpec{Python: "3.12"}, api.BaseUnavailable, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Ensure(t.Context(), tt.spec, nil)
			e := api.AsError(err)
			if e == nil || e.Code != tt.code || e.Details.Package != tt.pkg || e.Details.Suggestion != tt.suggestion {
				t.Fatalf("error %+v, want %s of %q, suggestion %q", e, tt.code, tt.pkg, tt.suggestion)
			}
			if !strings.Contains(e.Details.Log, tt.log) {
				t.Errorf("log %q does not have %q", e.Details.Log, tt.log)
			}
			t.Logf("%v\n  hint: %s", e, e.Hint)
			if diff := before.diff(tree(t, realHome(t))); diff != "" {
				t.Errorf("the failed build changed the store:\n%s", diff)
			}
		})
	}
}

// Commands see what the steps before them installed, and a changed last step
// reuses the layers of the earlier ones.
func TestRealSteps(t *testing.T) {
	realHome(t)
	s := realService(t, nil)
	spec := api.ImageSpec{
		Packages: []string{"six"}, SystemPackages: []string{"file"},
		Commands: []string{"python -c 'import six; print(six.__version__)' > /opt/six", "file -b /opt/six > /opt/kind; rm /etc/issue"},
	}
	img, err := s.Ensure(t.Context(), spec, show(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, api.AsError(err).Details.Log)
	}
	// Each cell has its guest in /run/glovebox.
	if got := runIn(t, img, "/bin/sh", "-c", "cat /opt/kind; ls /etc/issue 2>/dev/null; ls /run/glovebox 2>/dev/null | grep -v '^guest$'; ls /work/cache 2>/dev/null; exit 0"); got != "ASCII text" {
		t.Errorf("the image has %q, want ASCII text and nothing of the build", got)
	}
	changed := spec
	changed.Commands = []string{spec.Commands[0], "echo other > /opt/kind"}
	var steps []string
	other, err := s.Ensure(t.Context(), changed, func(p api.Progress) {
		for _, kind := range []string{"apt: ", "python: ", "command: "} {
			if strings.HasPrefix(p.Message, kind) {
				steps = append(steps, p.Message)
			}
		}
	})
	if err != nil || len(steps) != 1 || !strings.HasPrefix(steps[0], "command: echo other") {
		t.Errorf("steps %q, error %v; want the last command only", steps, err)
	}
	if err == nil && other.ID == img.ID {
		t.Error("two specs have one image")
	}
	for _, i := range []string{img.ID, other.ID} {
		if err := s.Remove(i); err != nil {
			t.Error(err)
		}
	}
}

// A base says nothing about the host that made it, and is the same on another.
func TestRealBaseHoldsNothingOfItsHost(t *testing.T) {
	realHome(t)
	img, err := realService(t, nil).Ensure(t.Context(), api.ImageSpec{Base: "debian"}, show(t))
	if err != nil {
		t.Fatal(err)
	}
	root, closer, err := oci.OpenRootFS(img.RootFS)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	for _, name := range []string{"etc/resolv.conf", "etc/hostname"} {
		if _, err := fs.Lstat(root, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is in the base (%v)", name, err)
		}
	}
}
