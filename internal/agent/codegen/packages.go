package codegen

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

//go:embed stdlib.txt
var stdlibNames string

// stdlib are the modules that every Python has.
var stdlib = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(stdlibNames) {
		all[name] = true
	}
	return all
}()

var importPattern = lazyregexp.New(`(?m)^[ \t]*(?:from[ \t]+([A-Za-z_]\w*)[\w.]*[ \t]+import\b|import[ \t]+([A-Za-z_][\w., \t]*))`)

// maxModules bounds what is looked for.
const maxModules = 200

// imported returns the modules of others that code imports, in order. It may find
// more than there are, in texts; never fewer, but for those that no line names.
func imported(code string) []string {
	found := []string{}
	add := func(name string) {
		name, _, _ = strings.Cut(strings.TrimSpace(name), ".")
		name, _, _ = strings.Cut(name, " ") // import x as y
		if name != "" && !stdlib[name] && name != "solution" && !slices.Contains(found, name) && len(found) < maxModules {
			found = append(found, name)
		}
	}
	for _, m := range importPattern().FindAllStringSubmatch(code, -1) {
		add(m[1])
		for name := range strings.SplitSeq(m[2], ",") {
			add(name)
		}
	}
	slices.Sort(found)
	return found
}

// request is a script whose packages are asked for, and the modules that need them.
type request struct {
	solution *solution
	modules  []string
}

// findPackages asks which packages have the modules that scripts import. A module
// whose name is that of a declared package needs no question.
func (g *generation) findPackages(ctx context.Context, all ...*solution) error {
	var open []request
	for _, s := range all {
		declared := slices.Concat(g.spec.Script.Image.Packages, s.packages)
		modules := slices.DeleteFunc(imported(s.code), func(module string) bool {
			return s.asked[module] || slices.ContainsFunc(declared, func(p string) bool { return bareName(p) == bareName(module) })
		})
		if len(modules) > 0 {
			open = append(open, request{s, modules})
		}
	}
	return g.askPackages(ctx, open...)
}

func (g *generation) askPackages(ctx context.Context, open ...request) error {
	type answer struct {
		Packages []string `json:"packages"`
	}
	answers := make([]answer, len(open))
	questions := make([]*asking, len(open))
	for i, r := range open {
		prompt := fmt.Sprintf("A Python script imports the modules %s, which are not of the standard library. Installed are: %s.\n"+
			"Name the packages on PyPI that have these modules, without versions unless the script needs one.",
			strings.Join(r.modules, ", "), strings.Join(append([]string{"the standard library"}, g.imageOf(r.solution).Packages...), ", "))
		questions[i] = &asking{text: prompt, schema: packagesSchema, into: &answers[i]}
	}
	if len(open) == 0 {
		return nil
	}
	g.progress("packages", "asking for packages")
	if err := g.ask(ctx, questions...); err != nil {
		return err
	}
	for i, r := range open {
		for _, module := range r.modules {
			r.solution.asked[module] = true
		}
		r.solution.packages = merge(r.solution.packages, g.notDeclared(packageNames(answers[i].Packages)))
	}
	return nil
}

// notDeclared leaves out what the image of the script has anyway.
func (g *generation) notDeclared(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(g.spec.Script.Image.Packages, func(p string) bool { return bareName(p) == bareName(name) })
	})
}

// packageNames are those of a list that can be names of packages, and are no
// modules that every Python has.
func packageNames(given []string) []string {
	return names(given, func(name string) bool { return packagePattern().MatchString(name) && !stdlib[name] })
}

func systemPackageNames(given []string) []string {
	return names(given, systemPackagePattern().MatchString)
}

func names(given []string, fits func(string) bool) []string {
	var all []string
	for _, name := range given {
		if name = strings.ReplaceAll(strings.TrimSpace(name), " ", ""); fits(name) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// merge adds what is new, up to the bound.
func merge(have, more []string) []string {
	for _, name := range more {
		if len(have) < maxPackages && !slices.ContainsFunc(have, func(h string) bool { return bareName(h) == bareName(name) }) {
			have = append(have, name)
		}
	}
	return have
}

// bareName is the name of a package in its normal form, without versions.
func bareName(requirement string) string {
	name := requirement
	if i := strings.IndexAny(requirement, "[<>=!~;@ "); i >= 0 {
		name = requirement[:i]
	}
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
}
