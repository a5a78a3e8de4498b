package resolve

// enter begins the scope of a node.
func (in *Info) enter(node any, kind ScopeKind) *Scope {
	s := &Scope{Kind: kind, Parent: in.scope, Class: in.scope.Class, Async: in.scope.Async}
	s.Frame = &s.own
	if kind == ComprehensionScope {
		s.Frame = in.scope.Frame
	}
	if in.of == nil {
		in.of = make(map[any]*Scope, len(in.file.Source)/sourcePerScope)
	}
	in.of[node] = s
	in.Scopes = append(in.Scopes, s)
	in.scope = s
	return s
}

// sourcePerScope is how many bytes of source a scope has in a usual program: a
// map that is made for all scopes does not grow while the program is walked.
const sourcePerScope = 200

// leave ends the scope: it settles which of its variables live in cells, and
// hands the names that it doesn't bind to the scope around it.
func (in *Info) leave() {
	s := in.scope
	in.scope = s.Parent
	for i := range s.symbols {
		sym := &s.symbols[i]
		switch {
		case s.Kind == ClassScope:
			in.leaveClassName(s, sym)
		case sym.IsOwn():
			s.settle(sym)
		case sym.Flags&AsGlobal == 0:
			in.pass(s, sym)
		case sym.Flags&wanted != 0: // by a nonlocal below, which no global is for
			in.fail(sym.at, "no binding for nonlocal '%s' found", sym.Name)
		}
	}
}

// settle decides where a local variable lives.
func (s *Scope) settle(sym *Symbol) {
	sym.Kind, sym.Var = Local, sym
	if sym.Flags&Nested != 0 {
		sym.Kind = Cell
	}
	if sym.Flags&outside != 0 {
		sym.Flags |= rewritten
	}
	if s.Kind == ComprehensionScope {
		s.Frame.idle = append(s.Frame.idle, int(sym.Index))
	}
}

// pass hands a name up that the scope doesn't bind.
func (in *Info) pass(s *Scope, sym *Symbol) {
	demand := sym.demand()
	if s.Parent.Kind == ModuleScope {
		if s.Kind != ComprehensionScope || sym.Flags&Nested != 0 {
			i := in.Module.number(sym.Name)
			in.module.symbols[i].Flags |= Nested
			sym.up = int32(i + 1)
		}
		if demand != 0 {
			in.fail(sym.at, "no binding for nonlocal '%s' found", sym.Name)
		}
		return
	}
	flags := Nested
	if s.Kind == ComprehensionScope && s.Parent.Kind != ClassScope {
		flags = sym.Flags & (Used | Nested)
	}
	i := s.Parent.number(sym.Name)
	to := &s.Parent.symbols[i]
	to.Flags |= flags | demand
	if demand != 0 {
		to.at = sym.at
	}
	sym.up = int32(i + 1)
}

// demand returns the flags that nonlocal declarations hand up.
func (sym *Symbol) demand() Flags {
	flags := sym.Flags & (wanted | outside)
	if sym.Flags&AsNonlocal != 0 {
		flags |= wanted
		if sym.Flags&written != 0 {
			flags |= outside
		}
	}
	return flags
}

// leaveClassName hands names up from a class, whose own names its functions
// don't see.
func (in *Info) leaveClassName(s *Scope, sym *Symbol) {
	own := sym.Flags&Used != 0 && sym.Flags&(Bound|AsGlobal) == 0
	if sym.Name == "__class__" && sym.Flags&Nested != 0 {
		s.ClassCell = -1
		if own || sym.Flags&AsNonlocal != 0 {
			in.pass(s, sym) // for the body itself it is the class around
		}
		return
	}
	in.Module.note(sym.Name, Nested) // a name of the class may mean the global
	if own || sym.Flags&(Nested|AsNonlocal) != 0 {
		in.pass(s, sym)
	}
}

// finish says what every name means that its own scope doesn't hold. A scope
// comes after the one around it, so that it takes over what is known there.
func (in *Info) finish() {
	for _, s := range in.Scopes {
		if s.Kind == ComprehensionScope && s.Parent == in.Module {
			in.mention(s)
		}
	}
	for i := range in.module.symbols {
		in.settleGlobal(i)
	}
	in.Count = len(in.module.symbols)
	for _, s := range in.Scopes {
		for i := range s.symbols {
			in.settleRest(s, &s.symbols[i])
		}
	}
}

// mention gives the module symbols for the names that its comprehensions read.
func (in *Info) mention(s *Scope) {
	for i := range s.symbols {
		if sym := &s.symbols[i]; !sym.IsOwn() {
			sym.up = int32(in.Module.number(sym.Name) + 1)
		}
	}
}

// settleRest settles a symbol that settle did not.
func (in *Info) settleRest(s *Scope, sym *Symbol) {
	sym.ID = int32(in.Count)
	in.Count++
	switch {
	case sym.Var != nil:
	case sym.Flags&AsGlobal != 0:
		in.global(sym, in.Global(sym.Name))
	case s.Kind == ClassScope && sym.IsOwn():
		sym.Kind, sym.Var = ClassName, sym
	default:
		in.inherit(s, sym)
	}
}

// inherit takes over what a name means in the scope around.
func (in *Info) inherit(s *Scope, sym *Symbol) {
	p, up := s.Parent, sym.up
	for p.Kind == ClassScope {
		if sym.Name == "__class__" && p.ClassCell > 0 && s.Kind != ComprehensionScope {
			sym.Kind = Free
			return
		}
		if up > 0 {
			up = p.symbols[up-1].up
		}
		p = p.Parent
	}
	switch {
	case up == 0:
		in.global(sym, in.Global(sym.Name))
		return
	case p.Kind == ModuleScope:
		in.global(sym, int(up-1))
		return
	}
	from := &p.symbols[up-1]
	sym.Kind, sym.Index, sym.Var = from.Kind, from.Index, from.Var
	if s.Frame != p.Frame && (from.Kind == Local || from.Kind == Cell) {
		sym.Kind = Free
	}
}

// global makes a symbol mean a name of the module, given by its index.
func (in *Info) global(sym *Symbol, i int) {
	g := &in.module.symbols[i]
	sym.Kind, sym.Index, sym.Var = g.Kind, g.Index, g.Var
}

// Global returns the index of the module's symbol of a name. The module's own
// mentions of names that it doesn't bind are not noted before somebody asks.
func (in *Info) Global(name string) int {
	n := len(in.module.symbols)
	i := in.module.number(name)
	if i == n {
		in.settleGlobal(i)
	}
	return i
}

// settleGlobal says what a name of the module means.
func (in *Info) settleGlobal(i int) {
	sym := &in.module.symbols[i]
	sym.Kind, sym.Index, sym.ID = Global, int32(i), int32(i)
	switch {
	case sym.Flags&Bound != 0:
		sym.Var = sym
	case in.options.Builtin != nil && in.options.Builtin(sym.Name):
		sym.Kind = Builtin
	}
}
