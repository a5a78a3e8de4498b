package image

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// The default base of a registry, by Python version, and the version that is
// taken when the spec names none.
const (
	defaultRegistryBase = "docker.io/library/python:%s-slim-bookworm"
	defaultPython       = "3.12"
)

// registryPatience is how long the default registry has to answer before the
// Debian mirror is taken instead.
const registryPatience = 5 * time.Second

// suite is a Debian release and the Python in it.
type suite struct {
	name, python string
	epoch        int64 // the day of the release, the time of all files that a build makes; Unix seconds
}

func suites() []suite {
	return []suite{
		{"bookworm", "3.11", 1686355200},
		{"trixie", "3.13", 1754697600},
	}
}

// baseRecord is a base whose layers are in the store.
type baseRecord struct {
	Base   Base        `json:"base"`
	Config oci.Config  `json:"config"`
	Layers []oci.Layer `json:"layers"`
	Why    string      `json:"why"` // the choice in one line
}

// base gives the base of spec, from the store where it was resolved before.
func (s *Service) base(ctx context.Context, spec Spec, auth oci.Options, progress func(api.Progress)) (*baseRecord, error) {
	key, rec, kept := s.keptBase(spec)
	if kept {
		return rec, nil
	}
	release, err := s.store.only(ctx, "base-"+key)
	if err != nil {
		return nil, err
	}
	defer release()
	if _, rec, kept = s.keptBase(spec); kept {
		return rec, nil
	}
	rec, err = s.chooseBase(ctx, spec, auth, progress)
	if err != nil {
		return nil, err
	}
	return rec, s.store.write("bases", key+".json", rec)
}

// keptBase looks for the base of spec in the store, where key names it.
func (s *Service) keptBase(spec Spec) (key string, rec *baseRecord, kept bool) {
	key, rec = digestJSON([]any{builderVersion, spec.Base, basePython(spec), spec.Platform}), &baseRecord{}
	return key, rec, s.store.read("bases", key+".json", rec) && s.store.hasLayers(rec.Layers)
}

// basePython is the Python version as far as it decides about the base.
func basePython(spec Spec) string {
	if spec.Base != "" {
		return ""
	}
	return spec.Python
}

func (s *Service) chooseBase(ctx context.Context, spec Spec, auth oci.Options, progress func(api.Progress)) (*baseRecord, error) {
	if name, ok := strings.CutPrefix(spec.Base, "debian"); ok && (name == "" || name[0] == ':') {
		su, err := suiteNamed(strings.TrimPrefix(name, ":"))
		if err != nil {
			return nil, err
		}
		return s.debianBase(ctx, su, "the task asks for it", progress)
	}
	if spec.Base != "" {
		return s.pullBase(ctx, spec.Base, auth, progress)
	}
	return s.defaultBase(ctx, spec, auth, progress)
}

// defaultBase tries the registry for a short time and then the mirror.
func (s *Service) defaultBase(ctx context.Context, spec Spec, auth oci.Options, progress func(api.Progress)) (*baseRecord, error) {
	python := spec.Python
	if python == "" {
		python = defaultPython
	}
	why := s.registryDown()
	if why == "" {
		rec, err := s.pullBase(ctx, fmt.Sprintf(defaultRegistryBase, python), auth, progress)
		if err == nil || !fallsBack(err) {
			return rec, explainMissingPython(err, python)
		}
		why = withoutReference(err)
		s.rememberRegistryDown(why)
	}
	su, ok := suiteWithPython(spec.Python)
	if !ok {
		return nil, api.Errorf(api.BaseUnavailable, "no base with Python %s can be had: no registry can be reached (%s), and the Debian mirror has only %s", spec.Python, why, pythonsOfSuites()).
			WithHint("ask for one of these versions, or name a base (--base, or Image.from_base in Python)").
			WithDetails(api.Details{Field: "image.python", Got: spec.Python, Expected: pythonsOfSuites()})
	}
	return s.debianBase(ctx, su, "no registry can be reached ("+why+")", progress)
}

// withoutReference is the message of err without the reference before it.
func withoutReference(err error) string {
	message := api.AsError(err).Message
	if _, why, found := strings.Cut(message, ": "); found {
		return why
	}
	return message
}

// fallsBack says whether the mirror can stand in after err.
func fallsBack(err error) bool {
	e := api.AsError(err)
	return e.Code == api.RegistryUnavailable || e.Code == api.RegistryDenied
}

func explainMissingPython(err error, python string) error {
	if err == nil || !errors.Is(err, &api.Error{Code: api.ImageNotFound}) {
		return err
	}
	return api.Errorf(api.BaseUnavailable, "no base with Python %s exists: %w", python, err).
		WithHint("ask for another Python version, or name a base (--base, or Image.from_base in Python)").
		WithDetails(api.Details{Field: "image.python", Got: python})
}

func suiteNamed(name string) (suite, error) {
	all := suites()
	if name == "" {
		return all[0], nil
	}
	if i := slices.IndexFunc(all, func(s suite) bool { return s.name == name }); i >= 0 {
		return all[i], nil
	}
	return suite{}, badField("base", "debian:"+name, "debian:bookworm or debian:trixie")
}

func suiteWithPython(version string) (suite, bool) {
	for _, s := range suites() {
		if version == "" || version == s.python || strings.HasPrefix(version, s.python+".") {
			return s, true
		}
	}
	return suite{}, false
}

func pythonsOfSuites() string {
	var out []string
	for _, s := range suites() {
		out = append(out, s.python+" ("+s.name+")")
	}
	return strings.Join(out, ", ")
}

// registryDown says why the default registry was given up in this process, or
// nothing.
func (s *Service) registryDown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.noRegistry
}

func (s *Service) rememberRegistryDown(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noRegistry = why
}

// pullBase takes a base from a registry or from disk.
func (s *Service) pullBase(ctx context.Context, ref string, auth oci.Options, progress func(api.Progress)) (*baseRecord, error) {
	kind := refKind(ref)
	opened, err := s.openImage(ctx, ref, auth)
	if err != nil {
		return nil, err
	}
	why := fmt.Sprintf("base: %s from %s", shortRef(ref), sourceOf(kind, ref))
	progress(api.Progress{Stage: "base", Message: why})
	layers, err := s.fetchLayers(ctx, opened, progress)
	if err != nil {
		return nil, err
	}
	return &baseRecord{Base: Base{Kind: kind, Ref: ref, Digest: opened.Digest}, Config: opened.Config, Layers: layers, Why: why}, nil
}

// openImage resolves ref. Only the default registry is given little time: a
// registry that somebody named has as long as its own time-outs.
func (s *Service) openImage(ctx context.Context, ref string, auth oci.Options) (*oci.Image, error) {
	if !strings.HasPrefix(ref, "docker.io/library/python:") && !strings.HasPrefix(ref, debianInRegistry) {
		return s.open(ctx, ref, auth)
	}
	short, cancel := context.WithTimeout(ctx, registryPatience)
	defer cancel()
	// The image outlives the short time: its layers are read under their own.
	opened, err := s.open(short, ref, auth)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		return nil, api.Errorf(api.RegistryUnavailable, "docker.io did not answer in %s", registryPatience)
	}
	return opened, err
}

// fetchLayers brings all layers of an image into the store.
func (s *Service) fetchLayers(ctx context.Context, img *oci.Image, progress func(api.Progress)) ([]oci.Layer, error) {
	var total, done int64
	for _, l := range img.Layers {
		total += max(l.Size, 0)
	}
	var out []oci.Layer
	for _, l := range img.Layers {
		stored, err := s.store.blobs.Fetch(ctx, l)
		if err != nil {
			return nil, err
		}
		done += max(l.Size, 0)
		progress(api.Progress{Stage: "base", Message: "pulling " + shortRef(img.Ref), Done: done, Total: total})
		out = append(out, stored)
	}
	return out, nil
}

// hasLayers says whether every layer is in the store.
func (s *store) hasLayers(layers []oci.Layer) bool {
	return len(layers) > 0 && !slices.ContainsFunc(layers, func(l oci.Layer) bool { return !s.blobs.Has(l.Digest) })
}

// refKind tells references into a registry from paths.
func refKind(ref string) string {
	for _, p := range []string{"oci:", "archive:", "/", "./", "../"} {
		if strings.HasPrefix(ref, p) {
			return "file"
		}
	}
	return "registry"
}

func shortRef(ref string) string { return strings.TrimPrefix(ref, "docker.io/library/") }

func sourceOf(kind, ref string) string {
	if kind == "file" {
		return "disk"
	}
	host, _, found := strings.Cut(ref, "/")
	if !found || !strings.ContainsAny(host, ".:") && host != "localhost" {
		return "docker.io"
	}
	return host
}
