package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// The bounds of hooks.
const (
	maxName  = 128 // bytes
	maxHooks = 1000
)

// wrong is the error of a definition.
func wrong(field, got, expected string) *api.Error {
	return api.AsError(api.WrongField(field, got, expected))
}

// PrepareDeployment checks the hooks of a deployment, and returns what stores
// them.
func (s *Service) PrepareDeployment(ctx context.Context, d *api.Deployment) (commit func(context.Context) error, err error) {
	if len(d.Hooks) > maxHooks {
		return nil, wrong("hooks", strconv.Itoa(len(d.Hooks))+" hooks", "at most "+strconv.Itoa(maxHooks))
	}
	specs := slices.Clone(d.Hooks)
	seen := map[string]bool{}
	for i := range specs {
		spec := &specs[i]
		if seen[spec.Name] {
			return nil, wrong(fmt.Sprintf("hooks[%d].name", i), strconv.Quote(spec.Name)+", as another one is", "a name for each hook")
		}
		seen[spec.Name] = true
		if err := s.check(ctx, d, spec); err != nil {
			e := *api.AsError(err)
			e.Message = "hook " + value.Shorten(spec.Name, maxName) + ": " + e.Message
			return nil, &e
		}
	}
	return func(ctx context.Context) error { return s.put(ctx, d.Environment, specs) }, nil
}

// check holds a hook to its promises, and to the inputs of its task.
func (s *Service) check(ctx context.Context, d *api.Deployment, spec *api.HookSpec) error {
	switch {
	case !catalog.ValidName(spec.Name):
		return wrong("name", fmt.Sprintf("%.200q", spec.Name), "at most 128 letters, digits, '.', '_' and '-', not beginning with '-'")
	case spec.Secret == "":
		return wrong("secret", "empty", "the name of a stored secret").WithHint("store one with: glovebox secret set NAME")
	case !slices.Contains([]api.HookSignature{"", api.HookStandard, api.HookGitHub}, spec.Signature):
		return wrong("signature", value.Quote(value.Shorten(string(spec.Signature), maxName)), "standard or github")
	}
	for _, pointer := range spec.Fields {
		if _, err := pointerSteps(pointer); err != nil {
			return err
		}
	}
	signature, err := s.signature(ctx, d, spec.Task)
	if err != nil {
		return err
	}
	return checkInputs(signature, spec)
}

// signature is that of the task of a hook, which may be deployed with it.
func (s *Service) signature(ctx context.Context, d *api.Deployment, ref string) (api.Signature, error) {
	for i := range d.Tasks {
		if d.Tasks[i].Name == ref {
			return d.Tasks[i].Signature, nil
		}
	}
	version, err := s.config.Task(ctx, ref)
	if err != nil {
		return api.Signature{}, err
	}
	return version.Signature, nil
}

// checkInputs makes sure that each input that needs a value has one source, and
// that there are no others.
func checkInputs(signature api.Signature, spec *api.HookSpec) error {
	constants := map[string]json.RawMessage{}
	if len(spec.Inputs) > 0 {
		if err := json.Unmarshal(spec.Inputs, &constants); err != nil {
			return wrong("inputs", "no object", "an object by name")
		}
	}
	sources := map[string]int{}
	for name := range constants {
		sources[name]++
	}
	for name := range spec.Fields {
		sources[name]++
	}
	if spec.Body != "" {
		sources[spec.Body]++
	}
	for _, p := range signature.Inputs {
		switch n := sources[p.Name]; {
		case n > 1:
			return wrong(p.Name, "it has several of inputs, fields and body", "one of them for each input")
		case n == 0 && p.Default == nil:
			return wrong(p.Name, "nothing gives it a value", "inputs, fields or body for each input without a default")
		case n > 0 && p.Type.Files():
			return wrong(p.Name, "it is of type "+p.Type.String(), "an input that is no file")
		}
		delete(sources, p.Name)
	}
	for name := range sources {
		return wrong(name, "the task has no input by this name", "inputs that the task declares")
	}
	for _, p := range signature.Inputs {
		if text, ok := constants[p.Name]; ok {
			if _, err := value.DecodeInput(p, text); err != nil {
				return api.AsError(err)
			}
		}
	}
	return nil
}

// decodeInputs reads inputs as a task declares them.
func decodeInputs(signature api.Signature, text json.RawMessage) (value.Fields, error) {
	fields, err := value.Decode("input", signature.Inputs, text)
	if err != nil {
		return fields, api.AsError(err)
	}
	if fields.HoldFiles() { // those of defaults are kept with the task
		return fields, wrong("inputs", "files", "values that are no files")
	}
	if fields, err = fields.Complete(signature.Inputs); err != nil {
		return fields, api.AsError(err)
	}
	return fields, nil
}

// put stores hooks as they are deployed, and forgets others of the environment.
func (s *Service) put(ctx context.Context, environment string, specs []api.HookSpec) error {
	known, err := s.config.Store.Hooks(ctx)
	if err != nil {
		return api.AsError(err)
	}
	now := s.config.Now().UTC().Round(0)
	var changed []journal.HookRecord
	for _, spec := range specs {
		h := journal.HookRecord{Hook: api.Hook{HookSpec: spec, Environment: environment, Created: now, Changed: now}, DeclaredPaused: spec.Paused}
		if i := slices.IndexFunc(known, func(old journal.HookRecord) bool { return old.Name == spec.Name }); i >= 0 {
			old := known[i]
			if old.DeclaredPaused == spec.Paused {
				h.Paused = old.Paused // what a person did stays until the file says something else
			}
			h.Created = old.Created
			if reflect.DeepEqual(old.HookSpec, h.HookSpec) && old.DeclaredPaused == h.DeclaredPaused && old.Environment == environment {
				continue
			}
		}
		changed = append(changed, h)
	}
	var remove []string
	for _, old := range known {
		mine := environment != "" && old.Environment == environment
		if mine && !slices.ContainsFunc(specs, func(spec api.HookSpec) bool { return spec.Name == old.Name }) {
			remove = append(remove, old.Name)
		}
	}
	if len(changed) == 0 && len(remove) == 0 {
		return nil
	}
	return s.config.Store.PutHooks(ctx, changed, remove)
}
