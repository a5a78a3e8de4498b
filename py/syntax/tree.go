package syntax

// Pos is a place in the source: a byte offset. File.Position gives its line
// and column.
type Pos int32

// Position is a line and a column. Both count from 1; columns count code
// points, as an editor shows them.
type Position struct {
	Line, Column int
}

// File is a parsed program.
type File struct {
	Name   string // of the file, for messages
	Source string // with "\n" at the ends of its lines, without a byte order mark
	Body   []Stmt
	lines  []int32 // byte offset at which each line begins
}

// Stmt is a statement.
type Stmt interface {
	Pos() Pos
	stmt()
}

// Expr is an expression.
type Expr interface {
	Pos() Pos
	expr()
}

// At is the place where a node begins. Every node embeds it.
type At struct{ Start Pos }

// Pos returns the place where the node begins.
func (a At) Pos() Pos { return a.Start }

// Statements.
type (
	// ExprStmt is an expression on a line of its own.
	ExprStmt struct {
		At
		X Expr
	}

	// Assign is targets[0] = targets[1] = ... = Value.
	Assign struct {
		At
		Targets []Expr // Name, Attribute, Subscript, Tuple, List, Starred inside the last two
		Value   Expr
	}

	// AugAssign is Target Op= Value.
	AugAssign struct {
		At
		Target Expr // Name, Attribute or Subscript
		Op     BinaryOp
		Value  Expr
	}

	// AnnAssign is Target: Annotation [= Value].
	AnnAssign struct {
		At
		Target     Expr // Name, Attribute or Subscript
		Annotation Expr
		Value      Expr // or nil
	}

	// If is an if statement; elif is an If alone in Else.
	If struct {
		At
		Cond Expr
		Body []Stmt
		Else []Stmt
	}

	// For is a for loop.
	For struct {
		At
		Target Expr
		Iter   Expr
		Body   []Stmt
		Else   []Stmt
		Async  bool
	}

	// While is a while loop.
	While struct {
		At
		Cond Expr
		Body []Stmt
		Else []Stmt
	}

	// Break leaves the innermost loop.
	Break struct{ At }
	// Continue begins the next round of the innermost loop.
	Continue struct{ At }
	// Pass does nothing.
	Pass struct{ At }

	// Def is a function definition.
	Def struct {
		At         // of "def", "async", or of the first decorator's name line
		Name       string
		NameAt     Pos
		Params     *Params
		Returns    Expr // or nil
		Body       []Stmt
		Decorators []Expr
		Async      bool
	}

	// Class is a class definition.
	Class struct {
		At
		Name       string
		NameAt     Pos
		Bases      []Expr    // Starred included
		Keywords   []Keyword // metaclass=..., and arguments of __init_subclass__
		Body       []Stmt
		Decorators []Expr
	}

	// Return leaves the function.
	Return struct {
		At
		Value Expr // or nil
	}

	// Raise is raise [Value [from Cause]].
	Raise struct {
		At
		Value Expr // or nil
		Cause Expr // or nil
	}

	// Try is a try statement.
	Try struct {
		At
		Body     []Stmt
		Handlers []*Handler
		Else     []Stmt
		Finally  []Stmt
		Star     bool // except*
	}

	// With is a with statement.
	With struct {
		At
		Items []WithItem
		Body  []Stmt
		Async bool
	}

	// Assert is assert Cond[, Message].
	Assert struct {
		At
		Cond    Expr
		Message Expr // or nil
	}

	// Delete is del Targets.
	Delete struct {
		At
		Targets []Expr
	}

	// Global is global Names.
	Global struct {
		At
		Names []string
	}

	// Nonlocal is nonlocal Names.
	Nonlocal struct {
		At
		Names []string
	}

	// Import is import Names.
	Import struct {
		At
		Names []Alias
	}

	// ImportFrom is from Module import Names; Names is one Alias "*" for all.
	ImportFrom struct {
		At
		Module string // with its dots in front when relative
		Names  []Alias
	}

	// Match is a match statement.
	Match struct {
		At
		Subject Expr
		Cases   []*Case
	}

	// TypeAlias is type Name = Value (Python 3.12). Type parameters are refused
	// by the parser.
	TypeAlias struct {
		At
		Name  string
		Value Expr
	}
)

// Handler is one except clause.
type Handler struct {
	At
	Type Expr   // or nil for a bare except
	Name string // or ""
	Body []Stmt
}

// WithItem is one context manager of a with statement.
type WithItem struct {
	Context Expr
	Target  Expr // or nil
}

// Alias is one imported name.
type Alias struct {
	At
	Name string // dotted for Import
	As   string // or ""
}

// Case is one case of a match statement.
type Case struct {
	At
	Pattern Pattern
	Guard   Expr // or nil
	Body    []Stmt
}

// Pattern is a pattern of a case.
type Pattern interface {
	Pos() Pos
	pattern()
}

// Patterns.
type (
	// ValuePattern compares with ==: a literal, a negative or complex number,
	// or a dotted name.
	ValuePattern struct {
		At
		Value Expr
	}
	// SingletonPattern compares with is: None, True or False.
	SingletonPattern struct {
		At
		Value Expr // *Constant
	}
	// SequencePattern is [a, b, *rest] or (a, b).
	SequencePattern struct {
		At
		Items []Pattern // at most one StarPattern
	}
	// MappingPattern is {key: pattern, **Rest}.
	MappingPattern struct {
		At
		Keys     []Expr
		Patterns []Pattern
		Rest     string // or ""
	}
	// ClassPattern is Class(positional, name=keyword).
	ClassPattern struct {
		At
		Class    Expr // Name or Attribute
		Items    []Pattern
		Names    []string
		Keywords []Pattern
	}
	// StarPattern is *Name inside a sequence; Name is "" for *_.
	StarPattern struct {
		At
		Name string
	}
	// AsPattern is Pattern as Name; a capture has no Pattern, the wildcard _
	// has neither.
	AsPattern struct {
		At
		Pattern Pattern // or nil
		Name    string  // or ""
	}
	// OrPattern is a | b.
	OrPattern struct {
		At
		Items []Pattern
	}
)

// Params are the parameters of a function, in the order of the source.
type Params struct {
	List []Param
}

// ParamKind says how an argument reaches a parameter.
type ParamKind uint8

// The kinds of parameters, in the order in which they may stand.
const (
	PositionalOnly ParamKind = iota // before /
	Ordinary
	VarPositional // *args
	KeywordOnly   // after * or *args
	VarKeyword    // **kwargs
)

// Param is one parameter.
type Param struct {
	At
	Name       string
	Kind       ParamKind
	Annotation Expr // or nil
	Default    Expr // or nil
}

// Expressions.
type (
	// Name is a name that is read, written or deleted.
	Name struct {
		At
		ID string
	}

	// Constant is a literal other than an f-string. Value is nil (None), bool,
	// int64, *big.Int (beyond int64), float64, complex128 (only an imaginary
	// literal), string (WTF-8), []byte or Ellipsis.
	Constant struct {
		At
		Value any
	}

	// JoinedStr is an f-string, implicitly concatenated neighbours included.
	JoinedStr struct {
		At
		Parts []Expr // *Constant of string, or *FormattedValue
	}

	// FormattedValue is {Value=!Conversion:Spec} of an f-string. The text of
	// "{x=}" is in a Constant before it.
	FormattedValue struct {
		At
		Value      Expr
		Conversion byte       // 0, 's', 'r' or 'a'; 'r' is set for "{x=}" without a spec
		Spec       *JoinedStr // or nil
	}

	// Binary is X Op Y.
	Binary struct {
		At
		Op   BinaryOp
		X, Y Expr
	}

	// Unary is Op X.
	Unary struct {
		At
		Op UnaryOp
		X  Expr
	}

	// BoolOp is Values[0] and Values[1] and ...; Or selects or.
	BoolOp struct {
		At
		Or     bool
		Values []Expr
	}

	// Compare is X Ops[0] Rest[0] Ops[1] Rest[1] ...
	Compare struct {
		At
		X    Expr
		Ops  []CompareOp
		Rest []Expr
	}

	// Call is Fn(Args, Keywords). Args and Keywords are each in the order of
	// the source; a Starred in Args is *x, a Keyword without a name is **x.
	Call struct {
		At
		Fn       Expr
		Args     []Expr
		Keywords []Keyword
		End      Pos // behind the last parenthesis
	}

	// Attribute is X.Name.
	Attribute struct {
		At
		X      Expr
		Name   string
		NameAt Pos
	}

	// Subscript is X[Index]; Index is a Tuple for X[a, b] and may be or hold a
	// Slice.
	Subscript struct {
		At
		X     Expr
		Index Expr
	}

	// Slice is Low:High:Step inside a Subscript.
	Slice struct {
		At
		Low, High, Step Expr // each may be nil
	}

	// Tuple is a tuple display, with or without parentheses.
	Tuple struct {
		At
		Items  []Expr
		Parens bool
	}

	// List is a list display.
	List struct {
		At
		Items []Expr
	}

	// Set is a set display.
	Set struct {
		At
		Items []Expr
	}

	// Dict is a dict display; a nil key is **value.
	Dict struct {
		At
		Keys   []Expr
		Values []Expr
	}

	// Comprehension is a list, set or dict comprehension or a generator
	// expression.
	Comprehension struct {
		At
		Kind    ComprehensionKind
		Elem    Expr // the element; the key of a dict
		Value   Expr // the value of a dict; nil otherwise
		Clauses []*Clause
	}

	// Lambda is a lambda expression.
	Lambda struct {
		At
		Params *Params
		Body   Expr
	}

	// IfExp is Then if Cond else Else.
	IfExp struct {
		At
		Cond, Then, Else Expr
	}

	// Starred is *X in a call, a display or a target.
	Starred struct {
		At
		X Expr
	}

	// NamedExpr is Target := Value.
	NamedExpr struct {
		At
		Target *Name
		Value  Expr
	}

	// Await is await X.
	Await struct {
		At
		X Expr
	}

	// Yield is yield [X], or yield from X.
	Yield struct {
		At
		X    Expr // or nil
		From bool
	}
)

// Ellipsis is the value of the literal "...".
type Ellipsis struct{}

// Keyword is a keyword argument; without a name it is **Value.
type Keyword struct {
	At
	Name  string // or ""
	Value Expr
}

// Clause is "for Target in Iter if Conds[0] if Conds[1] ...".
type Clause struct {
	At
	Target Expr
	Iter   Expr
	Conds  []Expr
	Async  bool
}

// ComprehensionKind is what a comprehension makes.
type ComprehensionKind uint8

// The kinds of comprehensions.
const (
	ListComp ComprehensionKind = iota
	SetComp
	DictComp
	GeneratorExp
)

// BinaryOp is an arithmetic or bitwise operator.
type BinaryOp uint8

// The binary operators.
const (
	Add BinaryOp = iota
	Sub
	Mul
	MatMul
	Div
	FloorDiv
	Mod
	Pow
	LShift
	RShift
	BitAnd
	BitOr
	BitXor
)

var binaryText = [...]string{"+", "-", "*", "@", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"}

// String returns the operator as it is written.
func (op BinaryOp) String() string { return binaryText[op] }

// UnaryOp is a unary operator.
type UnaryOp uint8

// The unary operators.
const (
	Neg UnaryOp = iota
	Pos1
	Invert
	Not
)

var unaryText = [...]string{"-", "+", "~", "not"}

// String returns the operator as it is written.
func (op UnaryOp) String() string { return unaryText[op] }

// CompareOp is a comparison operator.
type CompareOp uint8

// The comparison operators.
const (
	Eq CompareOp = iota
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
)

var compareText = [...]string{"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"}

// String returns the operator as it is written.
func (op CompareOp) String() string { return compareText[op] }

func (*ExprStmt) stmt()   {}
func (*Assign) stmt()     {}
func (*AugAssign) stmt()  {}
func (*AnnAssign) stmt()  {}
func (*If) stmt()         {}
func (*For) stmt()        {}
func (*While) stmt()      {}
func (*Break) stmt()      {}
func (*Continue) stmt()   {}
func (*Pass) stmt()       {}
func (*Def) stmt()        {}
func (*Class) stmt()      {}
func (*Return) stmt()     {}
func (*Raise) stmt()      {}
func (*Try) stmt()        {}
func (*With) stmt()       {}
func (*Assert) stmt()     {}
func (*Delete) stmt()     {}
func (*Global) stmt()     {}
func (*Nonlocal) stmt()   {}
func (*Import) stmt()     {}
func (*ImportFrom) stmt() {}
func (*Match) stmt()      {}
func (*TypeAlias) stmt()  {}

func (*Name) expr()           {}
func (*Constant) expr()       {}
func (*JoinedStr) expr()      {}
func (*FormattedValue) expr() {}
func (*Binary) expr()         {}
func (*Unary) expr()          {}
func (*BoolOp) expr()         {}
func (*Compare) expr()        {}
func (*Call) expr()           {}
func (*Attribute) expr()      {}
func (*Subscript) expr()      {}
func (*Slice) expr()          {}
func (*Tuple) expr()          {}
func (*List) expr()           {}
func (*Set) expr()            {}
func (*Dict) expr()           {}
func (*Comprehension) expr()  {}
func (*Lambda) expr()         {}
func (*IfExp) expr()          {}
func (*Starred) expr()        {}
func (*NamedExpr) expr()      {}
func (*Await) expr()          {}
func (*Yield) expr()          {}

func (*ValuePattern) pattern()     {}
func (*SingletonPattern) pattern() {}
func (*SequencePattern) pattern()  {}
func (*MappingPattern) pattern()   {}
func (*ClassPattern) pattern()     {}
func (*StarPattern) pattern()      {}
func (*AsPattern) pattern()        {}
func (*OrPattern) pattern()        {}
