package cli

import (
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// parseNetwork reads none, public, or domains with commas. The domains
// themselves are checked by the policy that they become.
func parseNetwork(name, flag string) (api.Network, error) {
	switch strings.TrimSpace(flag) {
	case "none":
		return api.Network{}, nil
	case "public":
		return api.Network{Public: true}, nil
	case "":
		return api.Network{}, usage("--%s is empty", name).hint("write none, public, or domains such as pypi.org,*.example.com")
	}
	var n api.Network
	for domain := range strings.SplitSeq(flag, ",") {
		domain = strings.TrimSpace(domain)
		if domain == "none" || domain == "public" || domain == "" {
			return n, usage("--%s %s mixes domains with %q", name, flag, domain).hint("write none, public, or domains with commas")
		}
		n.Allow = append(n.Allow, domain)
	}
	return n, nil
}

// parseEnv reads KEY=VALUE, and KEY, whose value is looked up.
func parseEnv(name string, flags []string, lookup func(string) (string, bool)) (map[string]string, error) {
	env := map[string]string{}
	for _, flag := range flags {
		key, value, given := strings.Cut(flag, "=")
		if key == "" {
			return nil, usage("%s %s has no name", name, flag).hint("write: %s KEY=VALUE, or %s KEY", name, name)
		}
		if !given {
			found, ok := lookup(key)
			if !ok {
				return nil, usage("%s %s: there is no such variable in the environment", name, key).hint("write: %s %s=VALUE", name, key)
			}
			value = found
		}
		env[key] = value
	}
	return env, nil
}

// parseSecrets reads NAME=VARIABLE, and NAME, which becomes a file. What follows an @ is
// for a secret that the program does not get: its hosts, with commas, and among them
// where it goes (header:..., query:..., aws-sigv4) and which requests are allowed (GET /v1/*).
func parseSecrets(flags []string) ([]api.SecretRef, error) {
	var refs []api.SecretRef
	for _, flag := range flags {
		place, terms, withheld := strings.Cut(flag, "@")
		name, variable, given := strings.Cut(place, "=")
		if name == "" || given && variable == "" {
			return nil, usage("--secret %s is incomplete", flag).hint("write: --secret NAME=VARIABLE, or --secret NAME, with @HOST to withhold it")
		}
		ref := api.SecretRef{Name: name, Env: variable}
		if withheld {
			parseTerms(&ref, terms)
		}
		if withheld && !ref.Withheld() {
			return nil, usage("--secret %s names no host after @", flag).hint("write: --secret NAME=VARIABLE@HOST")
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

func parseTerms(ref *api.SecretRef, terms string) {
	for term := range strings.SplitSeq(terms, ",") {
		term = strings.TrimSpace(term)
		switch {
		case term == "placeholder" || term == "aws-sigv4" || strings.HasPrefix(term, "header:") || strings.HasPrefix(term, "query:"):
			ref.Inject = term
		case strings.Contains(term, " "):
			ref.Allow = append(ref.Allow, term)
		case term != "":
			ref.Hosts = append(ref.Hosts, term)
		}
	}
}
