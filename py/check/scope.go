package check

import "github.com/glovebox-dev/glovebox/py/syntax"

// scopeKind is what makes a scope.
type scopeKind uint8

const (
	moduleScope scopeKind = iota
	functionScope
	classScope
	comprehensionScope
)

// scope holds the names that a module, function, class or comprehension binds.
type scope struct {
	kind   scopeKind
	yields bool // a function that is a generator
	parent *scope
	vars   []variable
	index  map[string]*binding // of vars, once they are many
}

// kinds returns what the variable holds when it is read. One that is only ever
// None is read where a test keeps the program from using it.
func (b *binding) kinds() kinds {
	if b.bound != 1 || b.holds.only(isNone) {
		return anything
	}
	return b.holds
}

// variable is a name of a scope. Most scopes have few, and a program may have
// very many scopes, so a list comes before a map.
type variable struct {
	name string
	*binding
}

const manyVariables = 8

// binding is one variable. What it holds is known only when it is bound once.
type binding struct {
	bound  int   // how often the source binds it
	used   bool  // whether anything reads it
	holds  kinds // of the value, as far as it is known yet
	def    *syntax.Def
	lambda *syntax.Lambda
	class  *syntax.Class
	module string // that it was imported from as a whole
	member string // of a module, with that: what was imported
}

// find returns the variable of this scope, or nil.
func (s *scope) find(name string) *binding {
	if s.index != nil {
		return s.index[name]
	}
	for i := range s.vars {
		if s.vars[i].name == name {
			return s.vars[i].binding
		}
	}
	return nil
}

// set makes the name mean this variable, unless it means one already.
func (s *scope) set(name string, b *binding) {
	if s.find(name) != nil {
		return
	}
	s.vars = append(s.vars, variable{name, b})
	switch {
	case s.index != nil:
		s.index[name] = b
	case len(s.vars) > manyVariables:
		s.index = make(map[string]*binding, 2*len(s.vars))
		for _, v := range s.vars {
			s.index[v.name] = v.binding
		}
	}
}

// variable returns the variable of this scope, made when it is new.
func (s *scope) variable(name string) *binding {
	b := s.find(name)
	if b == nil {
		b = &binding{holds: anything}
		s.set(name, b)
	}
	return b
}

func (s *scope) bind(name string) *binding {
	b := s.variable(name)
	b.bound++
	return b
}

// module returns the outermost scope.
func (s *scope) module() *scope {
	for s.parent != nil {
		s = s.parent
	}
	return s
}

// owner is the scope that a walrus binds in: comprehensions have none.
func (s *scope) owner() *scope {
	for s.kind == comprehensionScope {
		s = s.parent
	}
	return s
}

// lookup finds the variable that a name means here, or nil. The names of a
// class are seen by its own body only.
func (s *scope) lookup(name string) *binding {
	for at := s; at != nil; at = at.parent {
		if at.kind == classScope && at != s {
			continue
		}
		if b := at.find(name); b != nil && b.bound > 0 {
			return b
		}
	}
	return nil
}

// inMethod reports whether this is the scope of a function inside a class, for
// which Python keeps the class under the name __class__.
func (s *scope) inMethod() bool {
	for at := s; at.parent != nil; at = at.parent {
		if at.kind == functionScope && at.parent.kind == classScope {
			return true
		}
	}
	return false
}

// enclosing finds the variable that nonlocal means, or nil.
func (s *scope) enclosing(name string) *binding {
	for at := s.parent; at != nil && at.kind != moduleScope; at = at.parent {
		if at.kind != functionScope {
			continue
		}
		if b := at.find(name); b != nil {
			return b
		}
	}
	return nil
}

// visible lists names that can be read here, for suggestions. It stops at a
// number that is cheap to compare with.
func (s *scope) visible() []string {
	const enough = 500
	var names []string
	for at := s; at != nil; at = at.parent {
		for i := range at.vars {
			if len(names) == enough {
				return names
			}
			names = append(names, at.vars[i].name)
		}
	}
	return names
}
