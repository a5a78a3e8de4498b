package box

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Spec is the session that the job asks for.
func (j Job) Spec() (api.SessionSpec, error) {
	spec, o := j.Session, j.Options
	if o.Tools != nil && !j.Agent.tools {
		return spec, api.Errorf(api.RequestInvalid, "%s cannot be started with some of its tools only", j.Agent.Product).
			WithDetails(api.Details{Field: "tools", Got: strings.Join(o.Tools, ","), Expected: "none"})
	}
	hosts := j.Agent.Hosts
	spec.Env = maps.Clone(spec.Env)
	if spec.Env == nil {
		spec.Env = map[string]string{}
	}
	for name, value := range j.Agent.Env {
		if _, given := spec.Env[name]; !given {
			spec.Env[name] = value
		}
	}
	if o.Asks != nil {
		hosts, spec.Asks = nil, o.Asks
		for _, name := range j.Agent.models {
			if o.Asks.Model.Name != "" {
				spec.Env[name] = o.Asks.Model.Name
			}
		}
	}
	if o.BaseURL != "" {
		host, err := hostOf(o.BaseURL)
		if err != nil {
			return spec, err
		}
		if o.Asks == nil {
			hosts = []string{host}
		}
		if o.Asks == nil && j.Agent.baseURL != "" {
			spec.Env[j.Agent.baseURL] = o.BaseURL
		}
	}
	if !j.Installed && spec.Snapshot == "" && spec.Image.Ref == "" && spec.Image.Dockerfile == "" {
		spec.Image = j.Agent.image(spec.Image)
	}
	if !spec.Network.Public && len(hosts) > 0 {
		spec.Network.Allow = slices.Concat(hosts, spec.Network.Allow)
	}
	spec.Secrets = j.secrets()
	spec.Resources = j.resources()
	return spec, nil
}

// secrets adds the key of the model, unless another secret is in its place.
func (j Job) secrets() []api.SecretRef {
	given := slices.Clone(j.Session.Secrets)
	if j.Options.Asks != nil || slices.ContainsFunc(given, func(s api.SecretRef) bool { return slices.Contains(j.Agent.Keys, s.Env) }) {
		return given
	}
	name := j.Options.Key
	if name == "" {
		name = j.Agent.Keys[0]
	}
	return append(given, api.SecretRef{Name: name, Env: j.Agent.Keys[0]})
}

func (j Job) resources() api.Resources {
	r := j.Session.Resources
	if r.CPU == 0 {
		r.CPU = j.Agent.CPU
	}
	if r.Memory == 0 {
		r.Memory = j.Agent.Memory
	}
	return r
}

// hostOf is what the network has to allow for a server of models.
func hostOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil {
		return "", api.Errorf(api.RequestInvalid, "the address of the model is %s, expected a URL such as https://models.example.com", value.Quote(address)).
			WithDetails(api.Details{Field: "model_url", Got: address, Expected: "https://HOST[:PORT][/PATH]"})
	}
	return u.Host, nil
}
