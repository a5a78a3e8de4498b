package image

import (
	"context"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// BaseFinding says where the base of a new image comes from on this host. It is
// fatal if there is none and no image is kept, since then every run is refused.
// The registry is only asked, which takes seconds at most, when all hangs on it.
func (s *Service) BaseFinding(ctx context.Context) cell.Finding {
	f := cell.Finding{Subject: "image base"}
	_, err := s.ids()
	if err == nil {
		f.OK, f.Detail = true, "a registry; without one, a Debian mirror through mmdebstrap"
		return f
	}
	missing := api.AsError(err)
	f.Remedy = missing.Hint
	if s.keepsImage() {
		f.Detail = "a registry; without one, only the images that are kept, and those on disk (--base, --image): " + missing.Message
		return f
	}
	if why := s.registryTrouble(ctx); why != "" {
		f.Fatal, f.Detail = true, fmt.Sprintf("none: no registry can be reached (%s), no image is kept, and %s", why, missing.Message)
		f.Remedy += "; or make a registry reachable"
		return f
	}
	f.Detail = "a registry; without one, only images on disk (--base, --image): " + missing.Message
	return f
}

// keepsImage reports whether runs can be served from the store. It takes an
// unreadable store for an empty one; another finding reports it.
func (s *Service) keepsImage() bool {
	if images, err := s.List(); err == nil && len(images) > 0 {
		return true
	}
	_, _, kept := s.keptBase(Spec{Platform: platform()})
	return kept
}

// registryTrouble says why the default base cannot be had from its registry, or
// nothing.
func (s *Service) registryTrouble(ctx context.Context) string {
	if why := s.registryDown(); why != "" {
		return why
	}
	if _, err := s.openImage(ctx, fmt.Sprintf(defaultRegistryBase, defaultPython), oci.Options{}); err != nil {
		return withoutReference(err)
	}
	return ""
}
