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

// parseSecrets reads NAME=VARIABLE, and NAME, which becomes a file.
func parseSecrets(flags []string) ([]api.SecretRef, error) {
	var refs []api.SecretRef
	for _, flag := range flags {
		name, variable, given := strings.Cut(flag, "=")
		if name == "" || given && variable == "" {
			return nil, usage("--secret %s is incomplete", flag).hint("write: --secret NAME=VARIABLE, or --secret NAME")
		}
		refs = append(refs, api.SecretRef{Name: name, Env: variable})
	}
	return refs, nil
}
