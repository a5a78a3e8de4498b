package scope

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/egress"
)

// checkGiven holds a task that the code of a cell made to the authority of the
// cell, and returns it as it is to run.
func (s *Scope) checkGiven(task *api.Task) (*api.Task, error) {
	checked := *task
	var err error
	if checked.Image, err = s.checkImage(task.Image); err != nil {
		return nil, err
	}
	if task.Orchestrator != nil {
		given := *task.Orchestrator
		given.Tools = make([]api.Task, len(task.Orchestrator.Tools))
		for i := range given.Tools {
			tool, err := s.checkGiven(&task.Orchestrator.Tools[i])
			if err != nil {
				return nil, ofTool(task.Orchestrator.Tools[i].Name, err)
			}
			given.Tools[i] = *tool
		}
		checked.Orchestrator = &given
	}
	return &checked, s.checkPowers(task)
}

// checkDeployed does the same with a deployed task, except for its image, which
// the user who deployed it chose.
func (s *Scope) checkDeployed(task *api.Task) error {
	if task.Orchestrator != nil {
		for i := range task.Orchestrator.Tools {
			if err := s.checkDeployed(&task.Orchestrator.Tools[i]); err != nil {
				return ofTool(task.Orchestrator.Tools[i].Name, err)
			}
		}
	}
	return s.checkPowers(task)
}

func ofTool(name string, err error) error {
	e := *api.AsError(err)
	e.Message = "tool " + name + ": " + e.Message
	return &e
}

// checkPowers refuses what the task of the cell does not have itself.
func (s *Scope) checkPowers(task *api.Task) error {
	if err := checkKind(task.KindOf()); err != nil {
		return err
	}
	if task.Asks != nil {
		return refused("give a run a model to ask, which the host pays").WithDetails(api.Details{Field: "asks"}).
			WithHint("ask the model from outside of a cell and hand the cell what it answered")
	}
	for _, ref := range task.Secrets {
		if err := s.checkGivenSecret(ref); err != nil {
			return err
		}
	}
	if err := egress.Within(task.Network, s.task.Network); err != nil {
		e := api.AsError(err)
		return refused("give a run more of the network than its own task has: %s", e.Message).WithDetails(e.Details).
			WithHint("give the network to the task that starts the runs, too")
	}
	return nil
}

// checkKind refuses what does not run in cells, or is paid with keys that no cell has.
func checkKind(kind api.TaskKind) error {
	switch kind {
	case api.KindFunction:
		return refused("start functions, which run in processes outside of cells").
			WithDetails(api.Details{Field: "kind", Got: string(kind), Expected: "sandbox or orchestrator"}).
			WithHint("run the function in a cell, or call it from outside of one and hand the cell what it gave")
	case api.KindModel, api.KindAgent, api.KindCodegen:
		return refused("ask models, which the host pays").
			WithDetails(api.Details{Field: "kind", Got: string(kind), Expected: "sandbox or orchestrator"}).
			WithHint("ask the model from outside of a cell and hand the cell what it answered")
	case api.KindMCP:
		return refused("call tools of MCP servers, which the host reaches").
			WithDetails(api.Details{Field: "kind", Got: string(kind), Expected: "sandbox or orchestrator"}).
			WithHint("call the tool from outside of a cell and hand the cell what it answered")
	}
	return nil
}

// checkGivenSecret lets a run have a withheld secret only as its own task has it: with
// other hosts, or without any, it would get the value.
func (s *Scope) checkGivenSecret(ref api.SecretRef) error {
	err := s.checkSecret("secrets", ref.Name)
	if err == nil {
		return nil
	}
	withheld := func(own api.SecretRef) bool { return own.Name == ref.Name && own.Withheld() }
	switch i := slices.IndexFunc(s.task.Secrets, withheld); {
	case i < 0:
		return err
	case slices.ContainsFunc(s.task.Secrets, func(own api.SecretRef) bool { return withheld(own) && sameTerms(own, ref) }):
		return nil
	}
	return refused("give a run the secret %q otherwise than its own task has it", ref.Name).
		WithHint("give it with the same hosts, inject, allow and sizes").WithDetails(api.Details{Field: "secrets", Got: ref.Name})
}

func sameTerms(a, b api.SecretRef) bool {
	return slices.Equal(a.Hosts, b.Hosts) && a.Inject == b.Inject && slices.Equal(a.Allow, b.Allow) && a.MaxRequest == b.MaxRequest && a.MaxResponse == b.MaxResponse
}

// checkSecret lets a cell use the value of a secret that is its own.
func (s *Scope) checkSecret(field, name string) error {
	if slices.ContainsFunc(s.task.Secrets, func(own api.SecretRef) bool { return own.Name == name && !own.Withheld() }) {
		return nil
	}
	return refused("give a run the secret %q, which its own task does not have", name).
		WithHint("give the secret to the task that starts the runs, too").WithDetails(api.Details{Field: field, Got: name})
}

// checkImage refuses images that would have to be fetched from where the cell
// cannot go, or with what it does not have, and images beyond a bound. Names of
// images are for people outside: the name that a cell gives to one is left out,
// so that it cannot take a name from another.
func (s *Scope) checkImage(spec api.ImageSpec) (api.ImageSpec, error) {
	if reflect.DeepEqual(spec, s.task.Image) {
		return spec, nil
	}
	spec.Name = ""
	if field, ok := s.reachingOut(spec); !ok && !s.engine.KnownImage(spec) {
		return spec, refused("have an image made with %s that is neither here already nor that of its own task", field).
			WithHint("make the image from outside of cells first, with glovebox image build").WithDetails(api.Details{Field: "image." + field})
	}
	if spec.RegistrySecret != "" {
		if err := s.checkSecret("image.registry_secret", spec.RegistrySecret); err != nil {
			return spec, err
		}
	}
	return spec, s.countImage(spec)
}

// reachingOut finds a field by which the making of an image reaches more than
// the indexes of packages, which every build reaches, and the task of the cell.
func (s *Scope) reachingOut(spec api.ImageSpec) (field string, ok bool) {
	debian := spec.Base == "" || spec.Base == "debian" || strings.HasPrefix(spec.Base, "debian:")
	switch {
	case spec.Ref != "":
		return "ref", false
	case spec.Dockerfile != "" || len(spec.BuildSecrets) > 0: // it names images and secrets
		return "dockerfile", false
	case !debian:
		return "base", false
	case spec.Registry != "":
		return "registry", false
	case spec.RegistrySecret != "":
		return "registry_secret", false
	case spec.AllowURLs && !s.task.Network.Public:
		return "allow_urls", false
	case len(spec.Commands) > 0 && !s.task.Network.Public:
		return "commands", false
	case spec.Network != nil && egress.Within(*spec.Network, s.task.Network) != nil:
		return "network", false
	case (spec.IndexURL != "" || len(spec.ExtraIndexURLs) > 0) && !s.task.Network.Public:
		return "index_url", false
	}
	return "", true
}

// countImage bounds the images that are made because the cell asks for them.
func (s *Scope) countImage(spec api.ImageSpec) error {
	if s.engine.KnownImage(spec) {
		return nil
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return api.Errorf(api.Internal, "encode an image: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.images[string(text)] {
		return nil
	}
	if len(s.images) == maxImages {
		return api.Errorf(api.LimitExceeded, "the cell has had %d images made", maxImages).
			WithHint("make the images from outside of cells first, or use fewer").WithDetails(api.Details{Field: "image", Limit: maxImages})
	}
	s.images[string(text)] = true
	return nil
}
