package check

import (
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/value"
)

// callBuiltin walks the call of a built-in function or class.
func (c *checker) callBuiltin(n *syntax.Call, name string) kinds {
	ks := c.arguments(n)
	switch name {
	case "gather":
		c.gathered(n, ks)
		return isPending
	case "glovebox_map":
		c.mapped(n)
		return isList
	case "isinstance", "type", "callable", "hasattr", "getattr", "setattr":
		return builtinKinds(name)
	}
	for i, e := range n.Args {
		if ks[i].only(isPending) {
			c.unawaited(e, "is used before it is awaited")
		}
		if ks[i].only(isHandle) && looksInside(name) {
			c.opaque(ks[i], e.Pos(), "cannot be passed to "+name)
		}
	}
	if len(n.Keywords) == 0 && name == "type" && len(n.Args) != 1 {
		return anything
	}
	return builtinKinds(name)
}

// looksInside reports whether a built-in needs more of its argument than that
// it is there.
func looksInside(name string) bool {
	switch name {
	case "len", "iter", "list", "tuple", "dict", "set", "frozenset", "sorted", "sum", "enumerate", "reversed", "int", "float",
		"bytes", "abs", "round", "next", "all", "any":
		return true
	}
	return false
}

// builtinKinds returns the kinds of what a built-in returns.
func builtinKinds(name string) kinds {
	switch name {
	case "len", "int", "ord", "hash":
		return isInt
	case "float":
		return isFloat
	case "str", "repr", "ascii", "bin", "hex", "oct", "chr", "format":
		return isStr
	case "bool", "isinstance", "issubclass", "callable", "hasattr", "all", "any":
		return isBool
	case "bytes":
		return isBytes
	case "list", "sorted":
		return isList
	case "dict":
		return isDict
	case "tuple", "divmod":
		return anything // divmod of an object may return anything; so may a tuple's subclass
	case "set", "frozenset":
		return isSet
	case "range":
		return isRange
	case "enumerate", "zip", "map", "filter":
		return isLazy
	case "print", "setattr", "delattr":
		return isNone
	}
	return anything
}

// gathered reports a list of calls that is passed to gather as it is. Plain
// values are no mistake: they count as calls that are done.
func (c *checker) gathered(n *syntax.Call, ks []kinds) {
	for i, e := range n.Args {
		if ks[i].only(isList | isTuple | isLazy | isRange) {
			c.find(WrongCall, e.Pos(), "unpack it: gather(*calls)", "gather takes calls one by one, and this is %s", ks[i].article())
		}
	}
}

// mapped checks the tool that glovebox_map is to call, where it is named.
func (c *checker) mapped(n *syntax.Call) {
	if len(n.Args) == 0 {
		return
	}
	constant, ok := n.Args[0].(*syntax.Constant)
	if !ok {
		return
	}
	name, ok := constant.Value.(string)
	if !ok || c.tools[name] != nil {
		return
	}
	hint := "the tools are " + c.toolNames()
	names := make([]string, len(c.options.Tools))
	for i, t := range c.options.Tools {
		names[i] = t.Name
	}
	if near := value.Nearest(shorten(name), names); near != "" {
		hint = "did you mean " + near + "?"
	}
	c.find(UnknownTool, constant.Start, hint, "there is no tool %s", shorten(name))
}
