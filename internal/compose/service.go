package compose

import (
	"path/filepath"

	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

// service reads the one service. The environment goes over the files of it,
// whatever stands first.
func (r *reader) service(n yamlfile.Node) *Service {
	s := &Service{Path: r.Path, Env: map[string]string{}}
	var environment yamlfile.Node
	r.ObjectOf(r.supported(n, "a service", ofService), "a service", yamlfile.Fields{
		"image":        func(n yamlfile.Node) { s.Image = r.image(n) },
		"build":        func(n yamlfile.Node) { s.Build = r.build(n) },
		"command":      func(n yamlfile.Node) { s.Command = r.argv(n, "command") },
		"entrypoint":   func(n yamlfile.Node) { s.Entrypoint = r.argv(n, "entrypoint") },
		"environment":  func(n yamlfile.Node) { environment = n },
		"env_file":     func(n yamlfile.Node) { r.envFiles(s.Env, n) },
		"working_dir":  func(n yamlfile.Node) { s.Dir = r.text(n) },
		"user":         func(n yamlfile.Node) { s.User = r.text(n) },
		"network_mode": r.networkMode,
	})
	if environment != nil {
		r.assignments(s.Env, environment, "environment")
	}
	if r.Err == nil && s.Image == "" && s.Build == nil {
		r.Fail(n, "the service has neither image nor build").WithHint("name an image of a registry, or the directory of a Dockerfile")
	}
	if s.Build != nil {
		s.Image = "" // what Docker would call the result
	}
	return s
}

// image reads a reference into a registry. A path would be one of the engine.
func (r *reader) image(n yamlfile.Node) string {
	ref := r.text(n)
	if _, path := api.ImagePath(ref); path && r.Err == nil {
		r.Fail(n, "the image %s of a service is a path, expected a reference into a registry", value.Quote(ref)).
			WithHint("give a layout or an archive with --image, without a compose file")
	}
	return ref
}

// networkMode takes the one that a cell has anyway.
func (r *reader) networkMode(n yamlfile.Node) {
	if mode := r.text(n); mode != "none" && r.Err == nil {
		r.Fail(n, "network_mode %s of a service has no place here", value.Quote(mode)).WithHint("%s", network)
	}
}

// build reads the directory of a Dockerfile, or a mapping.
func (r *reader) build(n yamlfile.Node) *Build {
	b := &Build{Context: ".", Args: map[string]string{}}
	if _, mapping := n.(ast.MapNode); !mapping {
		b.Context = r.local(n)
		b.Dockerfile = "Dockerfile"
		return b
	}
	r.ObjectOf(r.supported(n, "build", keys{}), "build", yamlfile.Fields{
		"context":           func(n yamlfile.Node) { b.Context = r.local(n) },
		"dockerfile":        func(n yamlfile.Node) { b.Dockerfile = r.local(n) },
		"dockerfile_inline": func(n yamlfile.Node) { b.Inline = r.text(n) },
		"target":            func(n yamlfile.Node) { b.Target = r.text(n) },
		"args":              func(n yamlfile.Node) { r.assignments(b.Args, n, "args") },
	})
	switch {
	case b.Dockerfile != "" && b.Inline != "" && r.Err == nil:
		r.Fail(n, "build has both dockerfile and dockerfile_inline").WithHint("keep one of them")
	case b.Dockerfile == "" && b.Inline == "":
		b.Dockerfile = "Dockerfile"
	}
	return b
}

// local reads a path that does not lead out of the directory it is of.
func (r *reader) local(n yamlfile.Node) string {
	path := filepath.Clean(filepath.FromSlash(r.text(n)))
	if !filepath.IsLocal(path) && r.Err == nil {
		r.Fail(n, "%s leads out of the directory that it is of", value.Quote(path)).
			WithHint("a compose file takes nothing from outside of its directory, and a Dockerfile is in its context: put the file there")
	}
	return path
}
