package taskfile

import (
	"maps"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// environment reads what tasks have in common: the policies of every task but
// orchestrators, and the cell of those that run in one.
func (r *reader) environment(n node) api.Task {
	var t api.Task
	if n == nil {
		return t
	}
	known := r.cellFields(&t)
	known["timeout"] = func(n node) { t.Timeout = r.duration(n) }
	known["retries"] = func(n node) { t.Retries = r.count(n) }
	known["cache"] = func(n node) { t.Cache = r.cache(n) }
	known["preload"] = func(n node) { t.Preload = r.modules(n) }
	r.Object(n, "environment", known)
	return t
}

// cellFields say what a program finds around it. Variables and resources are
// laid over what is there already, the rest replaces it.
func (r *reader) cellFields(t *api.Task) yamlfile.Fields {
	return yamlfile.Fields{
		"image":     func(n node) { t.Image = r.image(n) },
		"resources": func(n node) { r.resources(&t.Resources, n) },
		"env":       func(n node) { r.env(t, n) },
		"secrets": func(n node) {
			t.Secrets = r.secrets(n)
			t.Network = t.Network.With(t.Secrets)
		},
		"network": func(n node) { t.Network = r.network(n).With(t.Secrets) },
	}
}

// image reads REF, or a mapping that says what to build.
// Paths in it are relative to the file.
func (r *reader) image(n node) api.ImageSpec {
	s, err := r.imageSpec(n).Absolute(filepath.Dir(r.Path))
	if err != nil {
		r.Fail(n, "%s", api.AsError(err).Message)
	}
	return s
}

func (r *reader) imageSpec(n node) api.ImageSpec {
	var s api.ImageSpec
	if _, mapping := n.(ast.MapNode); !mapping {
		s.Ref = r.Str(n)
		return s
	}
	r.Object(n, "image", yamlfile.Fields{
		"ref":              func(n node) { s.Ref = r.Str(n) },
		"name":             func(n node) { s.Name = r.Str(n) },
		"base":             func(n node) { s.Base = r.Str(n) },
		"python":           func(n node) { s.Python = r.Word(n) },
		"packages":         func(n node) { s.Packages = r.Words(n, "packages") },
		"system_packages":  func(n node) { s.SystemPackages = r.Words(n, "system_packages") },
		"commands":         func(n node) { s.Commands = r.Words(n, "commands") },
		"allow_urls":       func(n node) { s.AllowURLs = r.boolean(n) },
		"index_url":        func(n node) { s.IndexURL = r.Str(n) },
		"extra_index_urls": func(n node) { s.ExtraIndexURLs = r.Words(n, "extra_index_urls") },
		"network":          func(n node) { network := r.network(n); s.Network = &network },
		"build_args":       func(n node) { s.BuildArgs = r.Strings(n, "build_args") },
		"build_secrets":    func(n node) { s.BuildSecrets = r.Strings(n, "build_secrets") },
		"target":           func(n node) { s.Target = r.Str(n) },
		"registry":         func(n node) { s.Registry = r.Str(n) },
		"registry_secret":  func(n node) { s.RegistrySecret = r.Str(n) },
	})
	return s
}

// modules reads the names of modules.
func (r *reader) modules(n node) []string {
	list := append([]string{}, r.Words(n, "preload")...)
	if err := (&api.Task{Code: "pass", Preload: list}).CheckPreload(); err != nil {
		r.Fail(n, "%s", api.AsError(err).Message)
	}
	return list
}

func (r *reader) resources(res *api.Resources, n node) {
	r.Object(n, "resources", yamlfile.Fields{
		"cpu":        func(n node) { res.CPU = r.number(n) },
		"memory":     func(n node) { res.Memory = r.size(n) },
		"disk":       func(n node) { res.Disk = r.size(n) },
		"pids":       func(n node) { res.PIDs = r.limit(n) },
		"open_files": func(n node) { res.OpenFiles = r.limit(n) },
	})
}

func (r *reader) runLimits(l *api.RunLimits, n node) {
	r.Object(n, "limits of a sandbox", yamlfile.Fields{
		"outputs":      func(n node) { l.Outputs = r.size(n) },
		"output_files": func(n node) { l.OutputFiles = r.limit(n) },
		"logs":         func(n node) { l.Logs = r.size(n) },
	})
}

func (r *reader) orchestratorLimits(l *api.OrchestratorLimits, n node) {
	r.Object(n, "limits of an orchestrator", yamlfile.Fields{
		"memory":   func(n node) { l.Memory = r.size(n) },
		"depth":    func(n node) { l.Depth = r.limit(n) },
		"time":     func(n node) { l.Time = r.duration(n) },
		"steps":    func(n node) { l.Steps = int64(r.limit(n)) },
		"output":   func(n node) { l.Output = int(r.size(n)) },
		"calls":    func(n node) { l.Calls = r.limit(n) },
		"parallel": func(n node) { l.Parallel = r.limit(n) },
	})
}

func (r *reader) env(t *api.Task, n node) {
	if t.Env == nil {
		t.Env = map[string]string{}
	}
	maps.Copy(t.Env, r.Strings(n, "env"))
}

// secrets reads a list of NAME, which becomes a file, NAME=VARIABLE, or
// {name, env, file, hosts, inject, allow, max_request, max_response}.
func (r *reader) secrets(n node) []api.SecretRef {
	refs := []api.SecretRef{}
	for _, item := range r.Items(n, "secrets") {
		refs = append(refs, r.secret(item))
	}
	return refs
}

func (r *reader) secret(n node) api.SecretRef {
	var s api.SecretRef
	if _, mapping := n.(ast.MapNode); mapping {
		r.Object(n, "a secret", yamlfile.Fields{
			"name": func(n node) { s.Name = r.Str(n) },
			"env":  func(n node) { s.Env = r.Str(n) },
			"file": func(n node) { s.File = r.Str(n) },

			"hosts":        func(n node) { s.Hosts = r.Words(n, "hosts") },
			"inject":       func(n node) { s.Inject = r.Str(n) },
			"allow":        func(n node) { s.Allow = r.Words(n, "allow") },
			"max_request":  func(n node) { s.MaxRequest = r.size(n) },
			"max_response": func(n node) { s.MaxResponse = r.size(n) },
		})
	} else {
		variable := false
		s.Name, s.Env, variable = strings.Cut(r.Str(n), "=")
		if r.Err == nil && variable && s.Env == "" {
			r.Fail(n, "the secret names no variable after =")
		}
	}
	if r.Err == nil && s.Name == "" {
		r.Fail(n, "the secret has no name").WithHint("write NAME=VARIABLE, or NAME for a file")
	}
	return s
}

// network reads none, public, a domain or a list of domains.
func (r *reader) network(n node) api.Network {
	if _, list := n.(*ast.SequenceNode); list {
		return api.Network{Allow: r.Words(n, "network")}
	}
	switch word := r.Str(n); word {
	case "none", "":
		return api.Network{}
	case "public":
		return api.Network{Public: true}
	default:
		return api.Network{Allow: []string{word}}
	}
}
