package check

import (
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// variable is what the checker finds out about one variable of the program,
// besides what its symbol says.
type variable struct {
	used   bool           // whether anything reads it
	holds  kinds          // of the value, as far as it is known yet
	lambda *syntax.Lambda // if that is its value
}

// resolve finds out what the names of the program mean, and reports what is no
// Python for its names alone, such as a nonlocal that has no binding.
func (c *checker) resolve() {
	inputs := make([]string, len(c.options.Inputs))
	for i, p := range c.options.Inputs {
		inputs[i] = p.Name
	}
	inputs = append(inputs, c.options.Names...)
	if err := c.names.File(c.file, resolve.Options{Predeclared: inputs}); err != nil {
		c.refused(err)
	}
	c.here = c.names.Module
	c.variables = make([]variable, c.names.Count)
	for i := range c.variables {
		c.variables[i].holds = anything
	}
	for _, p := range c.options.Inputs {
		c.of(c.here.Lookup(p.Name)).holds = kindsOf(p.Type) & isData
	}
}

// refused reports the error of package resolve, unless the guard has refused the
// same place: an import of everything is no construct of ours either.
func (c *checker) refused(err error) {
	e, ok := err.(*syntax.Error)
	if !ok || c.report.names(e.Pos.Line, e.Pos.Column) || c.report.omits() {
		return
	}
	c.report.Problems = append(c.report.Problems, OfSyntax(e))
}

// of returns what is known of a variable.
func (c *checker) of(v *resolve.Symbol) *variable { return &c.variables[v.ID] }

// lookup finds the variable that a name means here, or nil.
func (c *checker) lookup(name string) *resolve.Symbol {
	return variableOf(c.here.Lookup(c.here.Mangle(name)))
}

// variableOf returns the variable that a symbol stands for, or nil when nothing
// in the source binds it. A nonlocal without a variable counts as one.
func variableOf(sym *resolve.Symbol) *resolve.Symbol {
	switch {
	case sym == nil:
		return nil
	case sym.Var != nil && sym.Var.Written():
		return sym.Var
	case sym.Has(resolve.AsNonlocal) && sym.Written():
		return sym
	}
	return nil
}

// kindsOfVariable returns what the variable holds when it is read. That is known
// only when it is bound once. One that is only ever None is read where a test
// keeps the program from using it.
func (c *checker) kindsOfVariable(v *resolve.Symbol) kinds {
	if k := c.of(v).holds; v.WrittenOnce() && !k.only(isNone) {
		return k
	}
	return anything
}

// record notes what a variable holds, where it is bound only once.
func (c *checker) record(name string, k kinds) *variable {
	scope := c.here.Function()
	v := variableOf(scope.Lookup(scope.Mangle(name)))
	if v == nil {
		return new(variable)
	}
	if v.WrittenOnce() {
		c.of(v).holds = k
	}
	return c.of(v)
}

// defOf returns the function that a variable is, if it is that for certain.
func (c *checker) defOf(v *resolve.Symbol) *syntax.Def {
	def, _ := c.names.By(v).(*syntax.Def)
	return def
}

// classOf returns the class that a variable is, if it is that for certain.
func (c *checker) classOf(v *resolve.Symbol) *syntax.Class {
	class, _ := c.names.By(v).(*syntax.Class)
	return class
}

// importOf returns the module that a variable is, or the member of which module,
// if it is that for certain.
func (c *checker) importOf(v *resolve.Symbol) (module, member string) {
	switch st := c.names.By(v).(type) {
	case *syntax.Import:
		for _, alias := range st.Names {
			if resolve.ImportTarget(alias) == v.Name && (alias.As != "" || alias.Name == v.Name) {
				return alias.Name, ""
			}
		}
	case *syntax.ImportFrom:
		for _, alias := range st.Names {
			if resolve.ImportTarget(alias) == v.Name {
				return "", st.Module + "." + alias.Name
			}
		}
	}
	return "", ""
}

// inMethod reports whether a scope is in a function inside a class, for which
// Python keeps the class under the name __class__.
func inMethod(s *resolve.Scope) bool {
	for ; s.Parent != nil; s = s.Parent {
		if s.Kind == resolve.FunctionScope && s.Parent.Kind == resolve.ClassScope {
			return true
		}
	}
	return false
}

// visible lists names that can be read here, for suggestions. It stops at a
// number that is cheap to compare with.
func visible(s *resolve.Scope) []string {
	const enough = 500
	var names []string
	for ; s != nil; s = s.Parent {
		symbols := s.Symbols()
		for i := range symbols {
			if len(names) == enough {
				return names
			}
			if symbols[i].Written() || symbols[i].Has(resolve.AsGlobal|resolve.AsNonlocal) {
				names = append(names, symbols[i].Name)
			}
		}
	}
	return names
}
