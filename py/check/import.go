package check

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func (c *checker) imports(s *syntax.Import) {
	for _, alias := range s.Names {
		c.record(resolve.ImportTarget(alias), isModule)
	}
}

// importFrom checks the names that are imported from a bundled module.
func (c *checker) importFrom(s *syntax.ImportFrom) {
	if s.Module == futureModule {
		return
	}
	members := c.members(s.Module)
	if members == nil {
		return
	}
	for _, alias := range s.Names {
		if alias.Name == "*" || slices.Contains(members, alias.Name) {
			continue
		}
		if _, submodule := c.options.Modules.Members(s.Module + "." + alias.Name); !submodule {
			c.noMember(s.Module, alias.Name, members, alias.Start)
		}
	}
}

// members returns the public names of a bundled module, or nil.
func (c *checker) members(module string) []string {
	if c.options.Modules == nil {
		return nil
	}
	names, _ := c.options.Modules.Members(module)
	return names
}

// moduleOf returns the module that an expression names, or "".
func (c *checker) moduleOf(e syntax.Expr) string {
	name, ok := e.(*syntax.Name)
	if !ok {
		return ""
	}
	v := c.lookup(name.ID)
	if v == nil {
		return ""
	}
	module, _ := c.importOf(v)
	if module != "" {
		c.of(v).used = true
	}
	return module
}

// member checks module.name.
func (c *checker) member(module string, e *syntax.Attribute) {
	members := c.members(module)
	if members == nil || slices.Contains(members, e.Name) || strings.HasPrefix(e.Name, "__") {
		return
	}
	if _, submodule := c.options.Modules.Members(module + "." + e.Name); !submodule {
		c.noMember(module, e.Name, members, e.NameAt)
	}
}

func (c *checker) noMember(module, name string, members []string, at syntax.Pos) {
	if c.report.omits() {
		return
	}
	hint := memberHint(module, name)
	if near := nearestName(name, members); hint == "" && near != "" {
		hint = "did you mean " + near + "?"
	}
	c.find(UnknownMember, at, hint, "module %s has no %s", shorten(module), shorten(name))
}
