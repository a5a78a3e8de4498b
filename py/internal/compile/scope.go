package compile

import "github.com/glovebox-dev/glovebox/py/syntax"

// scopeKind is what a scope belongs to.
type scopeKind uint8

const (
	moduleScope scopeKind = iota
	functionScope
	classScope
	comprehensionScope // inlined into the unit around it
)

// scope is a region of the source with names of its own.
type scope struct {
	kind      scopeKind
	generator bool
	async     bool
	classCell int    // of a class whose methods use super(): the register of the cell, else 0
	params    int    // of a function: the first so many registers
	class     string // name of the innermost class around, for private names
	parent    *scope
	frame     *frame // of the unit that the scope belongs to
	own       frame
	symbols   []symbol
	index     map[string]int32 // of symbols, when these are many
}

// frame holds the named registers of a unit.
type frame struct {
	names []string
	idle  []int // registers of comprehensions that are over
}

// symbol is what a scope knows about a name.
type symbol struct {
	name  string
	flags symbolFlags
	ref   ref // where the name is found; set when a bound local, or on first use
	at    syntax.Pos
}

type symbolFlags uint16

const (
	bound symbolFlags = 1 << iota // this scope gives the name a value
	parameter
	global   // declared global
	nonlocal // declared nonlocal
	used     // read in this scope
	nested   // read or written by a scope in another unit below
	wanted   // by a nonlocal declaration below, which at holds
	captured // a local that lives in a cell
	unbinds  // a local that del or the end of an except clause unbinds
	walrus   // a local that an expression may bind
)

// ref says where the value of a name is.
type ref struct {
	kind   refKind
	loose  bool // a local that something unbinds
	walrus bool // a local that an expression binds
	index  int
}

type refKind uint8

const (
	unresolved refKind = iota
	local              // in register index
	cell               // in the cell in register index
	free               // in captured cell index
	globalSlot
	builtin
	className // in the namespace of the class body
)

// indexFrom is the number of symbols or constants above which a map is quicker
// than looking along.
const indexFrom = 24

// lookup returns the symbol of a name, or nil. It is valid until the next note.
func (s *scope) lookup(name string) *symbol {
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return &s.symbols[i]
		}
		return nil
	}
	for i := range s.symbols {
		if s.symbols[i].name == name {
			return &s.symbols[i]
		}
	}
	return nil
}

// note adds flags to a name and returns its symbol, valid until the next note.
func (s *scope) note(name string, flags symbolFlags) *symbol {
	if sym := s.lookup(name); sym != nil {
		sym.flags |= flags
		return sym
	}
	if s.symbols == nil {
		s.symbols = make([]symbol, 0, 8)
	}
	s.symbols = append(s.symbols, symbol{name: name, flags: flags})
	n := len(s.symbols)
	if s.index != nil {
		s.index[name] = int32(n - 1)
	} else if n > indexFrom {
		s.index = make(map[string]int32, 2*n)
		for i := range s.symbols {
			s.index[s.symbols[i].name] = int32(i)
		}
	}
	return &s.symbols[n-1]
}

// isLocal says whether the scope itself holds the variable.
func (sym *symbol) isLocal() bool {
	return sym.flags&bound != 0 && sym.flags&(global|nonlocal) == 0
}

// register gives the frame one more named register.
func (f *frame) register(name string) int {
	if f.names == nil {
		f.names = make([]string, 0, 6)
	}
	f.names = append(f.names, name)
	return len(f.names) - 1
}

// borrow returns a register for a variable of a comprehension: one of the same
// name that is idle, else a new one, or any idle one when registers are many.
func (f *frame) borrow(name string) int {
	for i, r := range f.idle {
		if f.names[r] == name || len(f.names) > manyNames {
			f.idle[i] = f.idle[len(f.idle)-1]
			f.idle = f.idle[:len(f.idle)-1]
			return r
		}
	}
	return f.register(name)
}

// manyNames is the number of named registers above which comprehensions share
// registers whatever their names.
const manyNames = 40

// mangle returns the name by which a class knows a private name.
func (s *scope) mangle(name string) string {
	if s.class == "" || len(name) < 3 || name[0] != '_' || name[1] != '_' {
		return name
	}
	return mangled(s.class, name)
}
