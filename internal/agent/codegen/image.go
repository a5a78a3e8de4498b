package codegen

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

//go:embed imports.py
var importsProgram string

// stepTimeout bounds what only looks at something.
const stepTimeout = 5 * time.Minute

// testFramework is in the image of every script that has tests.
const testFramework = "pytest"

// inCell is a program of ours in a cell as that of the script, but without its
// network and its secrets: code that a model wrote runs beside it.
func (g *generation) inCell(name, program, output string, inputs ...value.Param) *api.Task {
	s := &g.spec.Script
	image := s.Image
	image.Packages, image.SystemPackages = slices.Clone(image.Packages), slices.Clone(image.SystemPackages)
	return &api.Task{
		Name: name, Code: program, Image: image, Resources: s.Resources, Env: s.Env, Timeout: stepTimeout, Retries: s.Retries, Cache: s.Cache,
		Signature: api.Signature{Inputs: inputs, Outputs: []value.Param{text(output)}},
	}
}

func text(name string) value.Param {
	return value.Param{Name: name, Type: value.Type{Kind: value.KindStr}}
}

// imageOf is the image that a script runs in, and its tests.
func (g *generation) imageOf(s *solution) api.ImageSpec {
	image := g.spec.Script.Image
	image.Packages = slices.Concat(image.Packages, s.packages)
	if !g.spec.SkipTests && !slices.Contains(image.Packages, testFramework) {
		image.Packages = append(image.Packages, testFramework)
	}
	image.SystemPackages = slices.Concat(image.SystemPackages, s.system)
	return image
}

// build builds the images of scripts, and sees that what they import is there. A
// package that does not exist is replaced by the one that the model names.
func (g *generation) build(ctx context.Context, all ...*solution) error {
	for try := 1; len(all) > 0; try++ {
		g.progress("image", "building the image")
		batch := make([]*call, len(all))
		for i, s := range all {
			var err error
			if batch[i], err = g.building(s); err != nil {
				return err
			}
		}
		if err := g.calls.all(ctx, batch...); err != nil {
			return err
		}
		again, err := g.missing(ctx, all, batch, try == maxTries)
		if err != nil {
			return err
		}
		all = again
	}
	return nil
}

// building is the call that has the image of a script built, and looks for the
// modules that it imports.
func (g *generation) building(s *solution) (*call, error) {
	modules, err := json.Marshal(imported(s.code))
	if err != nil {
		return nil, api.Errorf(api.Internal, "the modules of the script: %w", err)
	}
	s.built = s.needs()
	task := g.inCell("image", importsProgram, "missing", text("request"))
	task.Image = g.imageOf(s)
	return &call{task: task, inputs: map[string]any{"request": string(modules)}}, nil
}

// notFound are the modules that a script imports and its image does not have.
func notFound(answer api.Answer) (modules []string, err error) {
	given, _ := answer.Value.(string)
	if err := json.Unmarshal([]byte(given), &modules); err != nil {
		return nil, api.Errorf(api.BadOutput, "the imports of the script are not known: %w", err)
	}
	return modules, nil
}

// missing returns the scripts whose images are to be built again, with other
// packages.
func (g *generation) missing(ctx context.Context, all []*solution, batch []*call, last bool) (again []*solution, err error) {
	for i, s := range all {
		var modules []string
		switch answer := batch[i].answer; {
		case answer.Err != nil && wrongPackage(answer.Err) && last:
			return nil, endedf("no image could be built: %s", answer.Err.Message)
		case answer.Err != nil && wrongPackage(answer.Err):
			if err := g.replace(ctx, s, answer.Err); err != nil {
				return nil, err
			}
			again = append(again, s)
			continue
		case answer.Err != nil:
			return nil, answer.Err
		default:
			if modules, err = notFound(answer); err != nil {
				return nil, err
			}
		}
		if len(modules) == 0 || last { // the tests will show what is missing
			continue
		}
		before := len(s.packages)
		if err := g.askPackages(ctx, request{s, modules}); err != nil {
			return nil, err
		}
		if len(s.packages) > before {
			again = append(again, s)
		}
	}
	return again, nil
}

// wrongPackage reports whether other packages may help.
func wrongPackage(e *api.Error) bool {
	return slices.Contains([]api.Code{api.InvalidPackage, api.ResolutionFailed, api.BuildFailed}, e.Code)
}

// replace takes a package that cannot be installed out, and the one in that the
// model names instead. Without a name nothing can be done.
func (g *generation) replace(ctx context.Context, s *solution, e *api.Error) error {
	bad := e.Details.Package
	own := func(name string) bool { return bad != "" && bareName(name) == bareName(bad) }
	list, names := &s.packages, packageNames
	if slices.ContainsFunc(s.system, own) {
		list, names = &s.system, systemPackageNames
	}
	switch {
	case slices.ContainsFunc(*list, own):
	case slices.ContainsFunc(slices.Concat(g.spec.Script.Image.Packages, g.spec.Script.Image.SystemPackages), own):
		return e // it was declared, which no model can mend
	default:
		return endedf("no image could be built: %s", e.Message)
	}
	*list = slices.DeleteFunc(*list, own)
	var answer struct {
		Replacement *string `json:"replacement"`
	}
	prompt := fmt.Sprintf("The package %s cannot be installed:\n%s\n\nThe script:\n%s\n\nName the package that it should be, or null if the script needs none.",
		bad, value.Shorten(e.Message, maxQuoted), fence("python", s.code))
	if err := g.ask(ctx, &asking{text: prompt, schema: replacementSchema, into: &answer}); err != nil {
		return err
	}
	g.note("The package %s cannot be installed. The model replaces it by %s.", bad, value.Quote(deref(answer.Replacement)))
	*list = merge(*list, names([]string{deref(answer.Replacement)}))
	return nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
