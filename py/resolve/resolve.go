// Package resolve decides what every name of a program means.
//
// Python decides by the text alone, before anything runs, where the value of a
// name is kept: whatever a body assigns to anywhere is local to the whole body,
// also before the assignment. So one walk over the tree is enough, and
// everything that comes after it, the checker as well as the compiler, reads
// what the walk found instead of deciding again.
//
// # Scopes
//
// A scope is a stretch of the source with names of its own. There are five
// kinds: the module, the bodies of functions (lambdas included) and of classes,
// comprehensions, and generator expressions. Scopes lie within each other, and a
// name that a scope does not bind is looked for in the scopes around it. Three
// parts of a definition belong to the scope around it and not to its own: the
// decorators, the defaults of parameters and the bases of a class, all of which
// are worked out when the definition is reached. The same holds for the first
// thing that a comprehension iterates over.
//
// # What binds a name
//
// A scope binds a name if somewhere in it, but not in a scope inside it, the
// name is
//
//   - assigned to, by =, an augmented assignment, an annotated one, or :=,
//   - the target of a for, a with or a comprehension, or a capture of a pattern,
//   - bound by def, class, import or type,
//   - a parameter,
//   - the name of an except clause, which unbinds it again when it ends,
//   - or deleted: del makes a name local as an assignment does.
//
// An annotation without a value binds too: after "x: int" the name is local,
// although it has no value yet. Annotations themselves are read in classes only,
// and not even there after "from __future__ import annotations".
//
// Four rules bend this:
//
//   - "global x" makes x the variable of the module, in this scope alone.
//   - "nonlocal x" makes x the variable of the nearest function around that
//     binds it. Without such a function the program is no Python.
//   - The target of := in a comprehension belongs to the scope around all the
//     comprehensions, so that "any((hit := x) > 3 for x in xs)" leaves hit to
//     the function.
//   - The names of a class are seen by its own body only, not by the methods
//     and comprehensions in it. These look past it.
//
// Two more names are there without being written: a function in a class that
// uses super has the class as __class__, and a class body binds __qualname__
// and, where they apply, __doc__ and __annotations__.
//
// A private name, such as __x in class C, means _C__x. Symbols have that form;
// Scope.Mangle makes it.
//
// # What a name means
//
// After File each scope has a Symbol for every name that it or, on the way to
// where it is bound, a scope inside it mentions. Symbol.Kind says where the
// value is:
//
//   - Local: in a slot of the frame that runs the scope.
//   - Cell: in a cell, which a slot of the frame holds, because a function
//     inside uses it as well and may live longer.
//   - Free: in a cell that a function around made.
//   - ClassName: in the namespace of the class body.
//   - Global: among the variables of the module. The module's own names are
//     global, too. Whether a global is ever bound, the symbol says.
//   - Builtin: nothing binds it, and there is a built-in of that name.
//
// Symbol.Var leads from any mention to the variable itself, so that two names
// are the same variable if and only if their Var is the same.
//
// In this example
//
//	def counter(start):           # counter is Global
//	    count = start             # count is a Cell, start is Local
//	    def step(n=start):        # n is Local; its default is read in counter
//	        nonlocal count
//	        count += n            # count is Free, and its Var is counter's
//	        return count
//	    print([i for i in "ab"])  # i is Local in a slot of counter's frame,
//	    return step               # and print is Builtin
//
// # Frames
//
// Functions, classes and generator expressions run in frames, whose slots are
// numbered from 0: first the parameters in the order in which calls fill them,
// then the other locals in the order in which the source binds them. A
// comprehension runs in the frame around it, and its variables have slots there,
// which it shares with comprehensions that are over. Frame.Names is all that the
// compiler needs for its registers.
//
// # Reading order
//
// scope.go has the tables, bind.go the rules for one name, walk.go and
// walkexpr.go the walk, and finish.go what is decided when all is known.
package resolve

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Options are what a program is resolved with.
type Options struct {
	Predeclared []string               // variables of the module that are bound before it begins
	Builtin     func(name string) bool // whether there is a built-in of that name; may be nil
}

// Info is what is known of the names of one program. The zero Info is ready for
// File, and must not be copied after it.
type Info struct {
	Module          *Scope
	Scopes          []*Scope // every scope but the module's, each after the one around it
	Count           int      // of symbols; their IDs are below it
	LateAnnotations bool     // the program asks that annotations are kept as texts

	of      map[any]*Scope
	binders []syntax.Stmt // see By
	file    *syntax.File
	options Options
	scope   *Scope        // where the walk is
	err     *syntax.Error // the first one
	module  Scope
	room    room
}

// room is memory that most programs need, so that it is allocated at once.
type room struct {
	symbols [indexFrom]Symbol // of the module
	scopes  [8]*Scope
	binders [8]syntax.Stmt
}

// File resolves a program. Its error is a *syntax.Error: a global or nonlocal
// that Python refuses, a parameter that is there twice, and the like. The scopes
// are complete all the same.
func (in *Info) File(file *syntax.File, o Options) error {
	in.file, in.options = file, o
	in.Module = &in.module
	in.module.symbols, in.module.Frame = in.room.symbols[:0], &in.module.own
	in.Scopes, in.binders = in.room.scopes[:0], in.room.binders[:0]
	in.scope = in.Module
	in.LateAnnotations = asksForTexts(file.Body)
	for _, name := range o.Predeclared {
		in.bind(name, 0, nil)
	}
	in.body(file.Body)
	in.finish()
	if in.err != nil {
		return in.err
	}
	return nil
}

// Of returns the scope of a *syntax.Def, *syntax.Class, *syntax.Lambda or
// *syntax.Comprehension.
func (in *Info) Of(node any) *Scope { return in.of[node] }

// By returns the Def, Class, Import or ImportFrom that binds a variable. It is nil
// unless the source binds the variable once, and by one of these.
func (in *Info) By(v *Symbol) syntax.Stmt {
	if v.by == 0 || !v.WrittenOnce() {
		return nil
	}
	return in.binders[v.by-1]
}

// asksForTexts reports whether annotations are to be kept as texts.
func asksForTexts(body []syntax.Stmt) bool {
	for _, st := range body {
		from, ok := st.(*syntax.ImportFrom)
		if !ok || from.Module != "__future__" {
			continue
		}
		for _, a := range from.Names {
			if a.Name == "annotations" {
				return true
			}
		}
	}
	return false
}

// fail records an error, unless there was one before.
func (in *Info) fail(at syntax.Pos, format string, args ...any) {
	if in.err != nil {
		return
	}
	in.err = &syntax.Error{Class: "SyntaxError", Message: fmt.Sprintf(format, args...), Pos: in.file.Position(at)}
}
