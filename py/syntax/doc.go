// Package syntax reads the text of a Python program and makes a tree of it.
//
//	file, err := syntax.Parse("orders.py", source)
//	for _, stmt := range file.Body {
//		fmt.Printf("%v %T\n", file.Position(stmt.Pos()), stmt)
//	}
//
// The language is that of CPython 3.11, and of 3.12 where that only allows more.
// A source that CPython refuses is refused here, with the same message at the
// same place: the messages are what a model reads when it mends its program.
//
// # Passes
//
// Parse goes over the source once. The scanner hands the parser one token at a
// time; the parser descends recursively, one method for each rule of Python's
// grammar, with one token ahead. In the few places where that is not enough,
// attempt tries one reading and comes back for the other. Where an assignment
// may follow, the parser reads an expression first and then asks whether that
// can be a target (target.go).
//
// If that fails, diagnose goes over the source a second time and guesses at
// mistakes, as CPython does: it has rules that only match what is wrong. A good
// program never pays for them.
//
// Some errors CPython finds only after parsing, such as a return outside of a
// function. The parser notes these on its way; all that it needs to know for
// them is what it is inside of: a loop, a function, an async function
// (enclosing.go). What the names of a program mean is the matter of package
// resolve.
//
// # Bounds
//
// The source is hostile. Its size, the number of its functions and classes, the
// nesting of its constructs and the height of its chains are bounded, so that
// every later pass may recurse over the tree and takes time and memory in
// proportion to the source.
//
// # Trees
//
// tree.go has every node. Each embeds At, the byte offset where it begins;
// File.Position makes line and column of it. Nodes that may be missing are nil
// interfaces. Literals are values already: an int64 or a *big.Int, a string in
// which surrogates that are alone stand as WTF-8, and so on (see Constant).
//
// A pass over the tree is a switch over the types of the nodes, with the common
// ones first. There are four: two of package check, one of package resolve and
// one of the compiler. A new kind of node needs a case in each.
//
// # Reading order
//
//	tree.go position.go                           what comes out
//	parse.go                                      Parse, its bounds
//	scan.go token.go line.go                      text to tokens
//	literal.go number.go strings.go fstring.go
//	expression.go operator.go atom.go call.go comprehension.go
//	simple.go assignment.go target.go             statements on one line
//	compound.go params.go try.go                  and those with bodies
//	pattern.go pattern_class.go
//	enclosing.go                                  what may stand where
//	diagnose.go explain.go                        what to say of a bad source
//	slab.go                                       nodes are allocated in slabs
package syntax
