package realtest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image"
)

// B06: an index that is down is a retryable error, whether the cell or the
// host reaches it.
func TestRealIndexDown(t *testing.T) {
	realHome(t)
	for name, url := range map[string]string{"by name": "https://index.invalid/simple", "relayed": "http://127.0.0.1:1/simple"} {
		s := realService(t, func(c *image.Config) {
			c.Getenv = func(k string) string {
				if k == "UV_DEFAULT_INDEX" {
					return url
				}
				return os.Getenv(k)
			}
		})
		_, err := s.Ensure(t.Context(), api.ImageSpec{Packages: []string{"six==1.16.0"}}, nil)
		if e := api.AsError(err); !errors.Is(err, &api.Error{Code: api.IndexUnavailable}) || !e.Retryable {
			t.Errorf("%s: %v, want a retryable index_unavailable\n%s", name, err, api.AsError(err).Details.Log)
		}
	}
}

// B06: a package without a wheel is compiled in the cell.
func TestRealExtensionIsCompiled(t *testing.T) {
	realHome(t)
	s := realService(t, nil)
	img, err := s.Ensure(t.Context(), api.ImageSpec{Packages: []string{"crcmod==1.7"}}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, api.AsError(err).Details.Log)
	}
	if got := runIn(t, img, img.Python, "-c", "import crcmod._crcfunext as x; print(x.__file__)"); !strings.HasPrefix(got, "/opt/venv/") {
		t.Errorf("the extension is at %q", got)
	}
	if err := s.Remove(img.ID); err != nil {
		t.Error(err)
	}
}
