package check

import (
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
)

// call walks a call and returns the kinds of its result.
func (c *checker) call(n *syntax.Call) kinds {
	c.ungranted(n)
	switch fn := n.Fn.(type) {
	case *syntax.Name:
		return c.callName(n, fn)
	case *syntax.Attribute:
		return c.callMember(n, fn)
	}
	c.value(n.Fn)
	c.arguments(n)
	return anything
}

// arguments walks the arguments and returns the kinds of those by position,
// then of those by keyword.
func (c *checker) arguments(n *syntax.Call) []kinds {
	ks := make([]kinds, 0, len(n.Args)+len(n.Keywords))
	for _, e := range n.Args {
		ks = append(ks, c.expr(e))
	}
	for i := range n.Keywords {
		ks = append(ks, c.expr(n.Keywords[i].Value))
	}
	return ks
}

func (c *checker) callName(n *syntax.Call, fn *syntax.Name) kinds {
	if v := c.lookup(fn.ID); v != nil {
		c.of(v).used = true
		return c.callVariable(n, fn, v)
	}
	if t := c.tools[fn.ID]; t != nil {
		return c.callTool(n, t)
	}
	if isBuiltin(fn.ID, c.options.Dialect) {
		return c.callBuiltin(n, fn.ID)
	}
	c.unknown(fn, true)
	c.arguments(n)
	return anything
}

func (c *checker) callTool(n *syntax.Call, t *tool.Tool) kinds {
	ks := c.arguments(n)
	c.bindCall(n, ks, c.toolSignature(t))
	result := kindsOf(t.Result) & isData
	switch {
	case t.Async && c.options.Dialect == Strict:
		return isPending | result // it waits unless it is awaited
	case t.Async:
		return isPending
	}
	return result
}

// callVariable walks the call of something that the program defines. What it
// calls is known if the name is bound once, to a function or class as written.
func (c *checker) callVariable(n *syntax.Call, fn *syntax.Name, v *resolve.Symbol) kinds {
	ks := c.arguments(n)
	if !v.WrittenOnce() {
		return anything
	}
	def, class, known := c.defOf(v), c.classOf(v), c.of(v)
	switch {
	case def != nil && len(def.Decorators) == 0:
		return c.callDef(n, ks, def)
	case known.lambda != nil:
		c.bindCall(n, ks, c.paramsSignature(fn.ID, known.lambda.Params, 0))
	case class != nil:
		return c.callClass(n, ks, class)
	case c.kindsOfVariable(v).only(isData):
		c.find(WrongCall, n.Start, "", "%s is %s and cannot be called", shorten(fn.ID), known.holds)
	}
	return anything
}

func (c *checker) callDef(n *syntax.Call, ks []kinds, def *syntax.Def) kinds {
	c.bindCall(n, ks, c.paramsSignature(def.Name, def.Params, 0))
	generator := c.names.Of(def).Generator
	switch {
	case def.Async && generator:
		return isOther
	case def.Async:
		return isPending
	case generator:
		return isLazy
	}
	return anything
}

// callClass compares a call with __init__, where nothing else can decide what
// the class is called with.
func (c *checker) callClass(n *syntax.Call, ks []kinds, class *syntax.Class) kinds {
	if len(class.Decorators)+len(class.Bases)+len(class.Keywords) > 0 {
		return anything
	}
	body := c.names.Of(class)
	if variableOf(body.Lookup("__new__")) != nil {
		return anything
	}
	var init *syntax.Def
	if v := variableOf(body.Lookup("__init__")); v != nil {
		init = c.defOf(v)
	}
	if init == nil || len(init.Decorators) > 0 {
		return isOwn
	}
	if p := init.Params; p != nil && len(p.List) > 0 && p.List[0].Kind <= syntax.Ordinary {
		c.bindCall(n, ks, c.paramsSignature(class.Name, p, 1))
	}
	return isOwn
}

// callMember walks the call of a method, or of a function of a module.
func (c *checker) callMember(n *syntax.Call, fn *syntax.Attribute) kinds {
	module := c.moduleOf(fn.X)
	if module == "" {
		return c.callMethod(n, fn)
	}
	c.member(module, fn)
	ks := c.arguments(n)
	if module == "asyncio" && fn.Name == "gather" {
		c.gathered(n, ks)
		return isPending
	}
	return anything
}

func (c *checker) callMethod(n *syntax.Call, fn *syntax.Attribute) kinds {
	k := c.object(fn)
	c.arguments(n)
	switch {
	case k.only(isHandle):
		c.opaque(k, fn.NameAt, "has no methods")
	case k.only(isStr):
		return strMethodKinds(fn.Name)
	case k.only(isList):
		return listMethodKinds(fn.Name)
	}
	return anything
}

func strMethodKinds(name string) kinds {
	switch name {
	case "capitalize", "casefold", "center", "expandtabs", "format", "join", "ljust", "lower", "lstrip", "removeprefix",
		"removesuffix", "replace", "rjust", "rstrip", "strip", "swapcase", "title", "translate", "upper", "zfill":
		return isStr
	case "split", "rsplit", "splitlines":
		return isList
	case "partition", "rpartition":
		return isTuple
	case "count", "find", "index", "rfind", "rindex":
		return isInt
	case "startswith", "endswith", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "istitle", "isdecimal",
		"isnumeric", "isidentifier":
		return isBool
	case "encode":
		return isBytes
	}
	return anything
}

func listMethodKinds(name string) kinds {
	switch name {
	case "append", "extend", "insert", "remove", "clear", "sort", "reverse":
		return isNone
	case "index", "count":
		return isInt
	case "copy":
		return isList
	}
	return anything
}
