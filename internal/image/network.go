package image

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image/dockerfile"
)

// network is what a step of a kind may reach. Commands are written by the
// author of a task for his image; what packages do is written by others, and
// gets more than indexes and mirrors only if the spec says so.
func (b *build) network(kind string) api.Network {
	further := api.Network{}
	if kind == kindCommand {
		further = b.s.config.Network
	}
	if named := b.order.spec.Network; named != nil {
		further = *named
	}
	if further.Public {
		return further
	}
	mirrors := slices.DeleteFunc(slices.Clone(b.info.Mirrors), b.unnamable)
	allow := slices.Concat(b.indexes.hosts(), mirrors, referenceHosts(b.order.spec.Packages), further.Allow)
	slices.Sort(allow)
	return api.Network{Allow: slices.Compact(allow)}
}

// unnamable reports whether no policy can allow a host, such as an address. A
// base may have sources like that, and they must not keep it from being used.
func (b *build) unnamable(host string) bool {
	_, err := b.s.config.Egress(api.Network{Allow: []string{host}}, func(api.Connection) {})
	return err != nil
}

// referenceHosts are the hosts of direct references.
func referenceHosts(packages []string) []string {
	var out []string
	for _, p := range packages {
		req, err := ParseRequirement(p, true)
		if err != nil || req.URL == "" {
			continue
		}
		if u, err := url.Parse(strings.TrimPrefix(req.URL, gitPrefix)); err == nil {
			out = append(out, allowHost(u))
			if u.Hostname() == "github.com" && u.String() != req.URL {
				out = append(out, "api.github.com") // which uv asks for the commit
			}
		}
	}
	return out
}

// permit refuses a spec that reaches further than the engine allows. Nothing
// is refused before it could be built.
func (s *Service) permit(spec Spec) error {
	if spec.Dockerfile != "" {
		if _, err := dockerfile.Parse(spec.Dockerfile, dockerOptions(spec)); err != nil {
			return err
		}
	}
	if spec.Network != nil {
		if _, err := s.config.Egress(*spec.Network, func(api.Connection) {}); err != nil {
			return inImage(err)
		}
		if err := s.within("network", *spec.Network); err != nil {
			return err
		}
	}
	set, err := readIndexes(s.getenv)
	if err != nil {
		return err
	}
	named, err := set.with(spec)
	if err != nil {
		return err
	}
	if err := s.within("index_url", api.Network{Allow: hostsBeside(named.hosts(), set.hosts())}); err != nil {
		return err
	}
	return s.within("packages", api.Network{Allow: hostsBeside(referenceHosts(spec.Packages), named.hosts())})
}

func hostsBeside(hosts, known []string) []string {
	return slices.DeleteFunc(slices.Clone(hosts), func(h string) bool { return slices.Contains(known, h) })
}

// inImage makes an error about a network one about that of an image.
func inImage(err error) error {
	e := *api.AsError(err)
	e.Message = "image." + e.Message
	e.Details.Field = "image." + e.Details.Field
	return &e
}

// within refuses a field that reaches beyond the policy of the engine.
func (s *Service) within(field string, n api.Network) error {
	if n.None() {
		return nil
	}
	err := s.config.Within(n, s.config.Network)
	if err == nil {
		return nil
	}
	return api.Errorf(api.InvalidTask, "image field %s reaches further than builds may here: %s", field, api.AsError(err).Message).
		WithHint("the operator of this engine decides it: glovebox serve --build-network").
		WithDetails(api.Details{Field: "image." + field, Expected: networkText(s.config.Network), Got: networkText(n)})
}

// networkText is a network as flags have it.
func networkText(n api.Network) string {
	switch {
	case n.Public:
		return "public"
	case len(n.Allow) == 0:
		return "none"
	}
	return strings.Join(n.Allow, ",")
}

// neverReached reports whether a host is refused whatever is allowed: programs
// look for the metadata service of a cloud and go on without it.
func (s *Service) neverReached(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return s.config.Never(host)
}
