// Package graph has values of a program as they are, for hosts that want more
// than package api describes: an object that two lists hold is one object, a
// dict has keys of any kind, a tuple is no list, and an instance tells its class.
//
// A Graph is an arena of nodes. What a node holds stands before it, so that a
// host reads and writes a graph in one pass; a container within itself is a
// Cycle there.
package graph

import "math/big"

// Kind says what a node is.
type Kind uint8

// The kinds of nodes.
const (
	None Kind = iota
	Ellipsis
	NotImplemented
	Bool       // Int is 1 or 0
	Int        // Int
	Big        // Big, beyond 64 bits
	Float      // Float
	Str        // Text
	Bytes      // Text
	Decimal    // Text, as str() gives it
	List       // Items
	Tuple      // Items
	NamedTuple // Text is the name of the type; Names and Items
	Dict       // Items: key, value, key, value
	Set        // Items
	FrozenSet  // Items
	Moment     // Time: a value.Date, TimeOfDay, DateTime or Timedelta; Text is the name of its zone
	Zone       // Int is the offset in seconds; Text its name
	Exception  // Text is the class; Names has the message, if there is one
	BuiltinType
	Class    // Text, Data; of the program: ID; of the host: Host, and Items: name, value, name, value
	Instance // Items: the class, then name, value, name, value; ID, Data; of the host: Host. Text is how a host names one that comes back
	Module   // of the host: Text is its name; Host, and Items as of a class
	Function // of the host: Text is its name; Names has its documentation, if there is one
	Builtin  // a built-in function: Text
	Path     // Text
	File     // an open file: Text is its path, Names has its mode, and Int is where it stands
	Repr     // of what is none of these: Text; it does not enter
	Cycle    // a container that this node is in: Text stands for it; it does not enter
)

// Node is one value.
type Node struct {
	Kind  Kind
	Data  bool // a dataclass, or an instance of one
	Int   int64
	Float float64
	Big   *big.Int
	Text  string
	Names []string
	Items []uint32 // nodes before this one
	Time  any

	Classes []string // of an exception that leaves: its class and those above
	ID      uint64   // of a class or an instance: the same object has the same one, and comes back by it
	Host    string   // of a class or an instance of the host: what it is known by there
}

// Graph is an arena of nodes.
type Graph struct{ Nodes []Node }

// Add adds a node and returns its number.
func (g *Graph) Add(n Node) uint32 {
	g.Nodes = append(g.Nodes, n)
	return uint32(len(g.Nodes) - 1)
}

// Ref is a value: a node of a graph.
type Ref struct {
	Graph *Graph
	Root  uint32
}

// Node returns the node itself.
func (r Ref) Node() Node { return r.Graph.Nodes[r.Root] }

// Pair is an argument that is passed by name.
type Pair struct {
	Name  string
	Value uint32
}
