package image

import (
	"context"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// TestBaseFinding: runs are refused, and that is said, only where neither a
// registry nor a mirror gives a base and no image is kept.
func TestBaseFinding(t *testing.T) {
	here := func() (idRange, error) { return idRange{}, nil }
	noIDs := func() (idRange, error) {
		return idRange{}, api.Errorf(api.BaseUnavailable, "this user has no subordinate ids").WithHint("let root run: usermod")
	}
	answers := func(context.Context, string, oci.Options) (*oci.Image, error) { return &oci.Image{}, nil }
	silent := func(context.Context, string, oci.Options) (*oci.Image, error) {
		return nil, api.Errorf(api.RegistryUnavailable, "docker.io/library/python:3.12: the registry could not be reached: no route")
	}
	for _, test := range []struct {
		name           string
		ids            func() (idRange, error)
		open           func(context.Context, string, oci.Options) (*oci.Image, error)
		kept           bool
		ok, fatal      bool
		detail, remedy string
	}{
		{"a mirror", here, silent, false, true, false, "a Debian mirror through mmdebstrap", ""},
		{"only a registry", noIDs, answers, false, false, false, "no subordinate ids", "usermod"},
		{"only kept images", noIDs, silent, true, false, false, "only the images that are kept", "usermod"},
		{"nothing", noIDs, silent, false, false, true, "(the registry could not be reached: no route), no image is kept, and this user has no subordinate ids", "usermod"},
		{"no program", mmdebstrapIDs, silent, false, false, true, "mmdebstrap is not installed", "apt-get install mmdebstrap"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("PATH", t.TempDir())
			s := fakeService(t, t.TempDir(), &fakeCells{})
			if test.kept {
				base := writeBase(t, oci.Config{}, debianLike())
				if _, err := s.Ensure(t.Context(), api.ImageSpec{Base: base}, nil); err != nil {
					t.Fatal(err)
				}
			}
			s.ids, s.open = test.ids, test.open
			f := s.BaseFinding(t.Context())
			if f.OK != test.ok || f.Fatal != test.fatal || !strings.Contains(f.Detail, test.detail) || !strings.Contains(f.Remedy, test.remedy) {
				t.Errorf("%+v", f)
			}
			if !f.Fatal {
				return
			}
			if _, err := s.Ensure(t.Context(), api.ImageSpec{}, nil); api.AsError(err).Code != api.BaseUnavailable {
				t.Errorf("a build ends with %v", err)
			}
		})
	}
}
