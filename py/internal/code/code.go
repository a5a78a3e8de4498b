// Package code is the form in which a compiled program is handed from the
// compiler to the machine: units of instructions for a register machine, with
// constants as plain Go values. It is all that the two share.
//
// # Units
//
// A Module has one Code for itself and one for each function, lambda, class body
// and generator expression in it. A Code has instructions, constants, tables of
// handlers and lines, and says which cells it captures when it is made into a
// function.
//
// # Registers
//
// A unit of code has at most MaxRegs registers. The first are its parameters in
// the order of Code.Params, then its other named variables, then temporaries,
// which are used as a stack. Calls put the arguments on top of the temporaries,
// where they are the first registers of the callee's frame: nothing is copied.
// For each instruction Code.Tops says how many registers are in use there, so
// that a snapshot holds no dead values.
//
// # Variables
//
// A local is in a register. A variable that a function inside uses as well is in
// a cell: the register holds the cell, and Code.Captures says for each cell that
// the inner function needs whether it is in a register of the function that makes
// it or among that one's own captured cells. Globals are in numbered slots of the
// module, built-ins are constants, and the names of a class body are in a
// namespace.
//
// # Instructions
//
// An instruction is a word of 32 bits: an opcode and three operands of eight
// bits, or one of eight and one of sixteen. Some are followed by a word of data.
// A test is followed by the jump that it decides. op.go says what each one does.
//
// For "total += price * 2" in a function, with total in register 0 and price in
// register 1, Module.Text prints the place of each instruction, its Tops, its
// opcode and its operands:
//
//	0  [2] MulI 2 1 2
//	1  [3] IAdd 0 0 2
//
// Read code.go first, then op.go; text.go prints code for people and tests.
package code

import (
	"cmp"
	"slices"
)

// MaxRegs is the number of registers that a frame may use.
const MaxRegs = 250

// Module is a compiled program or bundled module.
type Module struct {
	Name    string // of the file, for tracebacks
	Source  string
	Globals []string // names of the global slots; inputs and tools come first
	Main    *Code    // runs the module and returns the value of its last expression
	Codes   []*Code  // every unit, Main first, in the order of the source
}

// Code is one unit: a function, lambda, class body, generator expression, or
// the module itself.
type Code struct {
	Name       string // "f", "<lambda>", "<genexpr>", "<module>"
	QualName   string // "C.f", "f.<locals>.g"
	Doc        string
	HasDoc     bool
	Index      int // in Module.Codes
	Flags      Flags
	PosOnly    int       // parameters before the /
	Pos        int       // positional parameters, PosOnly included
	KwOnly     int       // keyword-only parameters
	Params     []string  // Pos, then KwOnly, then *args, then **kwargs: registers 0, 1, ...
	Locals     int       // named registers, parameters included; they are unbound when the frame begins
	Regs       int       // registers
	LocalNames []string  // of the named registers; a comprehension's variables keep their name
	Captures   []Capture // cells of enclosing units, by index of Free
	Instrs     []Instr
	Tops       []uint8  // beside Instrs: the number of registers that are live before the instruction, named ones included
	Lines      []LineAt // ascending
	Consts     []any
	Handlers   []Handler  // inner before outer
	Handling   []Handling // inner before outer

	Annotations []Annotation // of the parameters and "return", of a program only
	Spots       []Spot       // ascending; only where the compiler was asked for them
}

// Spot says which part of the source an instruction is from: a call, or a name
// that is read.
type Spot struct {
	PC, Start, End int32
	Callee         bool // a name that is called
}

// SpotAt returns the spot of an instruction.
func (c *Code) SpotAt(pc int) (Spot, bool) {
	i, found := slices.BinarySearchFunc(c.Spots, int32(pc), func(s Spot, pc int32) int { return cmp.Compare(s.PC, pc) })
	if !found {
		return Spot{}, false
	}
	return c.Spots[i], true
}

// Flags are properties of a Code.
type Flags uint8

// The flags.
const (
	VarArgs   Flags = 1 << iota // has *args
	VarKw                       // has **kwargs
	Generator                   // contains yield
	Coroutine                   // async def; with Generator an asynchronous generator
	ClassBody
	Main // the code of a module
)

// Capture says where a function finds the cell for one of its free variables
// when it is made: in a register of the unit that makes it, or among that
// unit's own captured cells.
type Capture struct {
	Name  string
	Local bool
	Index int
}

// LineAt says that the instructions from PC on come from Line.
type LineAt struct {
	PC   int32
	Line int32
}

// Handler says that an exception raised by an instruction in [Start, End) puts
// the exception in R[Reg] and continues at Target.
type Handler struct {
	Start, End, Target int32
	Reg                uint8
}

// Annotation is what the source says of a parameter.
type Annotation struct {
	Name   string
	Text   string
	IsText bool // a text that stays one
}

// Handling says that instructions in [Start, End) handle the exception in
// R[Reg], if there is one: it is the context of those that they raise.
type Handling struct {
	Start, End int32
	Reg        uint8
}

// Constants are: nil for None, bool, int64, *big.Int, float64, string, []byte,
// Ellipsis, Tuple, *Code, Builtin, and Intrinsic.
type (
	// Ellipsis is the value "...".
	Ellipsis struct{}
	// Tuple is a tuple of constants.
	Tuple []any
	// Builtin is the built-in object of that name.
	Builtin string
	// Intrinsic is a function of the machine that programs cannot name.
	Intrinsic string
)

// Line returns the line of the instruction at pc.
func (c *Code) Line(pc int) int {
	lo, hi := 0, len(c.Lines)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if int(c.Lines[mid].PC) <= pc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0
	}
	return int(c.Lines[lo-1].Line)
}
