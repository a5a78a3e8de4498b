package resolve

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// ScopeKind is what a scope belongs to.
type ScopeKind uint8

// The kinds of scopes.
const (
	ModuleScope ScopeKind = iota
	FunctionScope
	ClassScope
	ComprehensionScope // of a list, set or dict: part of the frame around it
	GeneratorScope     // of a generator expression: a function of one parameter, its iterator
)

// Scope is a region of the source with names of its own.
type Scope struct {
	Kind      ScopeKind
	Generator bool   // a function that yields, or a generator expression
	Async     bool   // an async function, or a generator expression that awaits
	Class     string // name of the innermost class around, for private names
	ClassCell int    // of a class whose functions need it as __class__: the slot of its cell; 0 for others
	Parent    *Scope // nil for the module
	Frame     *Frame // where its locals are
	own       Frame
	symbols   []Symbol
	index     map[string]int32 // of symbols, when these are many
}

// Frame holds the names of the slots of a unit: a module, a function, a class
// body or a generator expression.
type Frame struct {
	Names []string
	idle  []int // slots of comprehensions that are over
}

// The names of slots that no program can write.
const (
	IteratorParam  = ".0"         // the parameter of a generator expression
	NamespaceParam = ".namespace" // the parameter of a class body
)

// AnnotationsName is the name under which a class keeps its annotations.
const AnnotationsName = "__annotations__"

// Kind is where the value of a name is.
type Kind uint8

// The kinds of names.
const (
	Global    Kind = iota // among the variables of the module
	Local                 // in the slot Index
	Cell                  // in the cell in the slot Index
	Free                  // in the cell of a scope around
	Builtin               // nothing binds it, and it is a built-in
	ClassName             // in the namespace of the class body
)

// Symbol is what a scope knows about a name.
type Symbol struct {
	Name  string
	Var   *Symbol    // the variable; nil when no scope around binds the name
	Index int32      // of a Local or Cell: its slot; of a Global or Builtin: of its symbol in the module
	ID    int32      // different for each symbol of a program, from 0
	up    int32      // the symbol in the scope around that this one leads to, plus one
	by    int32      // the definition or import that binds it, see Info.By, plus one
	at    syntax.Pos // of the nonlocal declaration
	Flags Flags
	Kind  Kind
}

// Flags say how a scope uses a name.
type Flags uint16

// The flags.
const (
	Bound      Flags = 1 << iota // this scope gives the name a value
	Parameter                    // a call gives it a value
	AsGlobal                     // declared global
	AsNonlocal                   // declared nonlocal
	Used                         // read in this scope
	Nested                       // read or written by a scope in another frame below
	Unbinds                      // something unbinds it: del, or the end of an except clause
	Walrus                       // an expression binds it
	wanted                       // by a nonlocal declaration below, which at holds
	written                      // the source binds it; __doc__ and the like are bound without
	rewritten                    // and more than once
	outside                      // a scope below binds it, where it is declared nonlocal
)

// Has reports whether the symbol has one of the flags.
func (sym *Symbol) Has(f Flags) bool { return sym.Flags&f != 0 }

// Written reports whether the source binds the variable at all.
func (sym *Symbol) Written() bool { return sym.Flags&written != 0 }

// WrittenOnce reports whether the source binds the variable in one place only.
func (sym *Symbol) WrittenOnce() bool { return sym.Flags&(written|rewritten) == written }

// IsOwn reports whether the scope itself holds the variable.
func (sym *Symbol) IsOwn() bool {
	return sym.Flags&Bound != 0 && sym.Flags&(AsGlobal|AsNonlocal) == 0
}

// Symbols returns the names that the scope mentions, in the order of the source.
// Parameters come first.
func (s *Scope) Symbols() []Symbol { return s.symbols }

// Lookup returns the symbol of a name that is mentioned here, or nil. A private
// name has to be mangled.
func (s *Scope) Lookup(name string) *Symbol {
	for {
		if sym := s.find(name); sym != nil || s.Kind != ComprehensionScope {
			return sym
		}
		s = s.Parent // the target of :=
	}
}

// Function returns the scope itself, or that around all comprehensions which it
// belongs to: the one that := binds in.
func (s *Scope) Function() *Scope {
	for s.Kind == ComprehensionScope || s.Kind == GeneratorScope {
		s = s.Parent
	}
	return s
}

// Unit returns the scope itself, or that around the comprehensions which run in
// its frame.
func (s *Scope) Unit() *Scope {
	for s.Kind == ComprehensionScope {
		s = s.Parent
	}
	return s
}

// indexFrom is the number of symbols above which a map is quicker than looking
// along.
const indexFrom = 24

// find returns the symbol of a name in this scope, or nil. It is valid until the
// next note.
func (s *Scope) find(name string) *Symbol {
	if i := s.position(name); i >= 0 {
		return &s.symbols[i]
	}
	return nil
}

// position returns the index of the symbol of a name, or -1.
func (s *Scope) position(name string) int {
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return int(i)
		}
		return -1
	}
	symbols := s.symbols
	for i := range symbols {
		if symbols[i].Name == name {
			return i
		}
	}
	return -1
}

// note adds flags to a name and returns its symbol, valid until the next note.
func (s *Scope) note(name string, flags Flags) *Symbol {
	sym := &s.symbols[s.number(name)]
	sym.Flags |= flags
	return sym
}

// number returns the index of the symbol of a name, made when it is new.
func (s *Scope) number(name string) int {
	if i := s.position(name); i >= 0 {
		return i
	}
	if s.symbols == nil {
		s.symbols = make([]Symbol, 0, 8)
	}
	s.symbols = append(s.symbols, Symbol{Name: name})
	n := len(s.symbols)
	if s.index != nil {
		s.index[name] = int32(n - 1)
	} else if n > indexFrom {
		s.index = make(map[string]int32, 2*n)
		for i := range s.symbols {
			s.index[s.symbols[i].Name] = int32(i)
		}
	}
	return n - 1
}

// Add gives the frame one more slot.
func (f *Frame) Add(name string) int {
	if f.Names == nil {
		f.Names = make([]string, 0, 6)
	}
	f.Names = append(f.Names, name)
	return len(f.Names) - 1
}

// borrow returns a slot for a variable of a comprehension: one of the same name
// that is idle, otherwise a new one, or any idle one when slots are many.
func (f *Frame) borrow(name string) int {
	for i, slot := range f.idle {
		if f.Names[slot] == name || len(f.Names) > manySlots {
			f.idle[i] = f.idle[len(f.idle)-1]
			f.idle = f.idle[:len(f.idle)-1]
			return slot
		}
	}
	return f.Add(name)
}

// manySlots is the number of slots above which comprehensions share slots
// whatever their names.
const manySlots = 40

// Mangle returns the name by which a class knows a private name, and every other
// name as it is.
func (s *Scope) Mangle(name string) string {
	if s.Class == "" || len(name) < 3 || name[0] != '_' || name[1] != '_' {
		return name
	}
	return mangled(s.Class, name)
}

func mangled(class, name string) string {
	class = strings.TrimLeft(class, "_")
	if class == "" || strings.HasSuffix(name, "__") || strings.Contains(name, ".") {
		return name
	}
	return "_" + class + name
}
