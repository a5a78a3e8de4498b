package resolve

import "github.com/glovebox-dev/glovebox/py/syntax"

// bind notes that the scope gives a name a value. The statement is one that
// Info.By names, or nil.
func (in *Info) bind(name string, flags Flags, by syntax.Stmt) {
	s := in.scope
	name = s.Mangle(name)
	if s.Kind == ModuleScope {
		in.write(s.note(name, Bound|flags), by)
		return
	}
	sym := s.note(name, flags)
	if sym.Flags&AsGlobal != 0 {
		in.write(in.Module.note(name, Bound|Nested), by)
		return
	}
	in.write(sym, by)
	in.place(s, sym)
}

// imply binds a name that the source doesn't write.
func (in *Info) imply(name string, flags Flags) {
	in.place(in.scope, in.scope.note(name, flags))
}

// write notes one more place that binds the name.
func (in *Info) write(sym *Symbol, by syntax.Stmt) {
	if sym.Flags&written != 0 {
		sym.Flags |= rewritten
		return
	}
	sym.Flags |= written
	if by != nil {
		in.binders = append(in.binders, by)
		sym.by = int32(len(in.binders))
	}
}

// place gives a name that the scope binds a slot, when it needs one and has none.
func (in *Info) place(s *Scope, sym *Symbol) {
	if sym.Flags&(Bound|AsNonlocal) != 0 {
		return
	}
	sym.Flags |= Bound
	switch s.Kind {
	case FunctionScope, GeneratorScope:
		sym.Index = int32(s.Frame.Add(sym.Name))
	case ComprehensionScope:
		sym.Index = int32(s.Frame.borrow(sym.Name))
	}
}

// use notes that a name is read.
func (in *Info) use(name string) {
	s := in.scope
	if s.Kind == ModuleScope {
		return // see Global
	}
	s.note(s.Mangle(name), Used)
	if name == "super" && s.Class != "" && s.Kind != ClassScope {
		s.note("__class__", Used)
	}
}

// bindWalrus binds the target of a := expression, which belongs to the scope
// around all comprehensions.
func (in *Info) bindWalrus(target *syntax.Name) {
	inner := in.scope
	name := inner.Mangle(target.ID)
	for in.scope.Kind == ComprehensionScope || in.scope.Kind == GeneratorScope {
		if sym := in.scope.find(name); sym != nil && sym.IsOwn() {
			in.fail(target.Start, "assignment expression cannot rebind comprehension iteration variable '%s'", name)
		}
		if in.scope.Kind == GeneratorScope {
			in.scope.note(name, AsNonlocal).at = target.Start
		}
		in.scope = in.scope.Parent
	}
	if in.scope != inner {
		in.bindOutside(inner, name, target.Start)
	}
	in.bind(target.ID, Walrus, nil)
	in.scope = inner
}

// bindOutside settles how the scopes between a := expression and the variable
// reach it.
func (in *Info) bindOutside(inner *Scope, name string, at syntax.Pos) {
	if in.scope.Kind == ClassScope {
		in.fail(at, "assignment expression within a comprehension cannot be used in a class body")
		return
	}
	sym := in.scope.find(name)
	if in.scope.Kind != ModuleScope && (sym == nil || sym.Flags&AsGlobal == 0) {
		return
	}
	for s := inner; s != in.scope; s = s.Parent {
		if s.Kind == GeneratorScope {
			s.note(name, AsGlobal).Flags &^= AsNonlocal
			in.Module.note(name, Nested)
		}
	}
}

// declareGlobal does a global statement.
func (in *Info) declareGlobal(st *syntax.Global) {
	for _, name := range st.Names {
		name = in.scope.Mangle(name)
		if in.scope.Kind == ModuleScope {
			in.Module.note(name, Bound)
			continue
		}
		in.declare(name, st.Start, AsGlobal, "global")
		in.Module.note(name, Bound|Nested)
	}
}

// declareNonlocal does a nonlocal statement.
func (in *Info) declareNonlocal(st *syntax.Nonlocal) {
	for _, name := range st.Names {
		if in.scope.Kind == ModuleScope {
			in.fail(st.Start, "nonlocal declaration not allowed at module level")
			return
		}
		name = in.scope.Mangle(name)
		in.declare(name, st.Start, AsNonlocal, "nonlocal").at = st.Start
	}
}

// declare notes a declaration, which has to come before the name is mentioned.
func (in *Info) declare(name string, at syntax.Pos, flag Flags, word string) *Symbol {
	if sym := in.scope.find(name); sym != nil {
		switch {
		case sym.Flags&Parameter != 0:
			in.fail(at, "name '%s' is parameter and %s", name, word)
		case sym.Flags&(AsGlobal|AsNonlocal) != 0 && sym.Flags&flag == 0:
			in.fail(at, "name '%s' is nonlocal and global", name)
		case sym.Flags&Bound != 0:
			in.fail(at, "name '%s' is assigned to before %s declaration", name, word)
		case sym.Flags&Used != 0:
			in.fail(at, "name '%s' is used prior to %s declaration", name, word)
		}
	}
	return in.scope.note(name, flag)
}
