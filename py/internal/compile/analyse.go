package compile

import (
	"math"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// analyse makes the scopes.
func (c *compiler) analyse() {
	c.top.frame = &c.top.own
	c.scope = &c.top
	for _, name := range c.options.Predeclared {
		c.top.note(name, bound).ref = c.newSlot(name)
	}
	c.seeBody(c.file.Body)
	c.placeGlobals()
}

// placeGlobals gives the names of the module their slots, or registers when no
// other unit needs them.
func (c *compiler) placeGlobals() {
	c.out.Globals = slices.Grow(c.out.Globals, len(c.top.symbols))
	for i := range c.top.symbols {
		sym := &c.top.symbols[i]
		switch {
		case sym.flags&bound == 0 || sym.ref.kind != unresolved:
		case c.options.Private && sym.flags&nested == 0 && len(c.top.own.names) < maxModuleLocals && !c.isBuiltin(sym.name):
			sym.ref = ref{kind: local, index: c.top.own.register(sym.name), loose: sym.flags&unbinds != 0, walrus: sym.flags&walrus != 0}
		default:
			sym.ref = c.newSlot(sym.name)
		}
	}
}

// maxModuleLocals is the number of named registers of a module.
const maxModuleLocals = 120

// enter begins the scope of a node.
func (c *compiler) enter(node any, kind scopeKind) *scope {
	s := &scope{kind: kind, parent: c.scope, class: c.scope.class, async: c.scope.async}
	s.frame = &s.own
	if kind == comprehensionScope {
		s.frame = c.scope.frame
	}
	if c.scopes == nil {
		c.scopes = make(map[any]*scope)
	}
	c.scopes[node] = s
	c.scope = s
	return s
}

// leave ends the scope: it settles which of its variables live in cells, and
// hands the names that it doesn't bind to the scope around it.
func (c *compiler) leave() {
	s := c.scope
	c.scope = s.parent
	for i := range s.symbols {
		sym := &s.symbols[i]
		switch {
		case s.kind == classScope:
			c.leaveClassName(s, sym)
		case sym.isLocal():
			s.settle(sym)
		case sym.flags&global == 0:
			c.pass(s, sym)
		case sym.flags&wanted != 0: // by a nonlocal below, which no global is for
			c.fail(sym.at, "no binding for nonlocal '%s' found", sym.name)
		}
	}
}

// settle decides where a local variable lives.
func (s *scope) settle(sym *symbol) {
	if sym.flags&nested != 0 {
		sym.flags |= captured
		sym.ref.kind = cell
	}
	sym.ref.loose = sym.flags&unbinds != 0
	sym.ref.walrus = sym.flags&walrus != 0
	if s.kind == comprehensionScope {
		s.frame.idle = append(s.frame.idle, sym.ref.index)
	}
}

// pass hands a name up that the scope doesn't bind.
func (c *compiler) pass(s *scope, sym *symbol) {
	p := s.parent
	if p.kind == moduleScope {
		if s.kind != comprehensionScope || sym.flags&nested != 0 {
			c.top.note(sym.name, nested)
		}
		if sym.flags&(nonlocal|wanted) != 0 {
			c.fail(sym.at, "no binding for nonlocal '%s' found", sym.name)
		}
		return
	}
	flags := nested
	if s.kind == comprehensionScope && p.kind != classScope {
		flags = sym.flags & (used | nested)
	}
	if sym.flags&(nonlocal|wanted) != 0 {
		flags |= wanted
	}
	to := p.note(sym.name, flags)
	if flags&wanted != 0 {
		to.at = sym.at
	}
}

// leaveClassName hands names up from a class, whose own names its functions
// don't see.
func (c *compiler) leaveClassName(s *scope, sym *symbol) {
	if sym.name == "__class__" && sym.flags&nested != 0 {
		s.classCell = -1
		return
	}
	own := sym.flags&used != 0 && sym.flags&(bound|global) == 0
	c.top.note(sym.name, nested) // a name of the class may mean the global
	if own || sym.flags&(nested|nonlocal) != 0 {
		c.pass(s, sym)
	}
}

// bind notes that the scope gives a name a value.
func (c *compiler) bind(name string, flags symbolFlags) {
	s := c.scope
	name = s.mangle(name)
	if s.kind == moduleScope {
		s.note(name, bound|flags)
		return
	}
	sym := s.note(name, flags)
	if sym.flags&global != 0 {
		c.top.note(name, bound|nested)
		return
	}
	if sym.flags&(bound|nonlocal) != 0 {
		return
	}
	sym.flags |= bound
	switch s.kind {
	case functionScope:
		sym.ref = ref{kind: local, index: s.frame.register(name)}
	case comprehensionScope:
		sym.ref = ref{kind: local, index: s.frame.borrow(name)}
	}
}

// newSlot adds a global.
func (c *compiler) newSlot(name string) ref {
	c.out.Globals = append(c.out.Globals, name)
	if len(c.out.Globals) > math.MaxUint16 {
		c.fail(0, "too many global names")
	}
	return ref{kind: globalSlot, index: len(c.out.Globals) - 1}
}

// use notes that a name is read.
func (c *compiler) use(name string) {
	s := c.scope
	if s.kind == moduleScope {
		return
	}
	s.note(s.mangle(name), used)
	if name == "super" && s.class != "" && s.kind != classScope {
		s.note("__class__", used)
	}
}

// bindWalrus binds the target of a := expression, which belongs to the scope
// around all comprehensions.
func (c *compiler) bindWalrus(target *syntax.Name) {
	inner := c.scope
	name := inner.mangle(target.ID)
	for c.scope.kind == comprehensionScope || c.scope.isGenerator() {
		if sym := c.scope.lookup(name); sym != nil && sym.isLocal() {
			c.fail(target.Start, "assignment expression cannot rebind comprehension iteration variable '%s'", name)
		}
		if c.scope.isGenerator() {
			c.scope.note(name, nonlocal).at = target.Start
		}
		c.scope = c.scope.parent
	}
	if c.scope != inner {
		c.bindOutside(inner, name, target.Start)
	}
	c.bind(target.ID, walrus)
	c.scope = inner
}

// bindOutside settles how the scopes between a := expression and the variable
// reach it.
func (c *compiler) bindOutside(inner *scope, name string, at syntax.Pos) {
	if c.scope.kind == classScope {
		c.fail(at, "assignment expression within a comprehension cannot be used in a class body")
		return
	}
	sym := c.scope.lookup(name)
	if c.scope.kind != moduleScope && (sym == nil || sym.flags&global == 0) {
		return
	}
	for s := inner; s != c.scope; s = s.parent {
		if s.isGenerator() {
			sym := s.note(name, global)
			sym.flags &^= nonlocal
			c.top.note(name, nested)
		}
	}
}

// isGenerator says whether the scope is that of a generator expression.
func (s *scope) isGenerator() bool {
	return s.kind == functionScope && s.params == 1 && s.own.names[0] == iterParam
}

// iterParam is the name of the only parameter of a generator expression.
const iterParam = ".0"

// declareGlobal handles a global statement.
func (c *compiler) declareGlobal(st *syntax.Global) {
	for _, name := range st.Names {
		name = c.scope.mangle(name)
		if c.scope.kind == moduleScope {
			c.top.note(name, bound)
			continue
		}
		c.declare(name, st.Start, global, "global")
		c.top.note(name, bound|nested)
	}
}

// declareNonlocal handles a nonlocal statement.
func (c *compiler) declareNonlocal(st *syntax.Nonlocal) {
	for _, name := range st.Names {
		if c.scope.kind == moduleScope {
			c.fail(st.Start, "nonlocal declaration not allowed at module level")
			return
		}
		name = c.scope.mangle(name)
		c.declare(name, st.Start, nonlocal, "nonlocal")
		c.scope.lookup(name).at = st.Start
	}
}

func (c *compiler) declare(name string, at syntax.Pos, flag symbolFlags, word string) {
	if sym := c.scope.lookup(name); sym != nil {
		switch {
		case sym.flags&parameter != 0:
			c.fail(at, "name '%s' is parameter and %s", name, word)
		case sym.flags&(global|nonlocal) != 0 && sym.flags&flag == 0:
			c.fail(at, "name '%s' is nonlocal and global", name)
		case sym.flags&bound != 0:
			c.fail(at, "name '%s' is assigned to before %s declaration", name, word)
		case sym.flags&used != 0:
			c.fail(at, "name '%s' is used prior to %s declaration", name, word)
		}
	}
	c.scope.note(name, flag)
}

// mangled returns the private name as the class knows it.
func mangled(class, name string) string {
	class = strings.TrimLeft(class, "_")
	if class == "" || strings.HasSuffix(name, "__") || strings.Contains(name, ".") {
		return name
	}
	return "_" + class + name
}
