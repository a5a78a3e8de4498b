package check

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// raises are the exceptions that problems come true as. A problem of another
// code is no exception that code can catch.
var raises = map[Code][]string{
	UnknownName: {"NameError"}, UnavailableName: {"NameError"}, UnknownTool: {"NameError"},
	WrongCall: {"TypeError"}, WrongType: {"TypeError"}, NeedlessAwait: {"TypeError"},
	UnknownMember: {"AttributeError", "ImportError"}, OpaqueHandle: {"AttributeError"}, NotGranted: {"RuntimeError"},
}

// levelOf is the level of a finding at the current statement: a warning where the
// code catches what the problem raises, as code does that probes for a feature.
func (c *checker) levelOf(code Code) Level {
	if code == Unreachable || code == NeverCalled {
		return Warning
	}
	for _, class := range raises[code] {
		if slices.ContainsFunc(c.caught, func(by catches) bool { return by.class(class) }) {
			return Warning
		}
	}
	return Finding
}

// catches are the exceptions that a statement catches, by the names of their
// classes.
type catches struct {
	all   bool // of them, as far as can be known
	names []string
}

func (by catches) class(name string) bool { return by.all || slices.Contains(by.names, name) }

// catchesOf says what the handlers of a try statement catch.
func (c *checker) catchesOf(handlers []*syntax.Handler) (by catches) {
	for _, h := range handlers {
		if h.Type == nil {
			return catches{all: true}
		}
		c.addClasses(&by, h.Type)
	}
	return by
}

// addClasses adds the classes of an expression. One that is computed may be any.
func (c *checker) addClasses(by *catches, e syntax.Expr) {
	name, ok := e.(*syntax.Name)
	if tuple, several := e.(*syntax.Tuple); several {
		for _, item := range tuple.Items {
			c.addClasses(by, item)
		}
		return
	}
	switch v := c.variableNamed(name); {
	case c.origin(e) != "": // of a module, which none of what is raised is of
	case !ok, v != nil && c.classOf(v) == nil:
		by.all = true
	case v != nil: // a class of the program: what is raised is none of its instances
	case name.ID == "Exception", name.ID == "BaseException":
		by.all = true
	default:
		by.names = append(by.names, name.ID)
	}
}

func (c *checker) variableNamed(name *syntax.Name) *resolve.Symbol {
	if name == nil {
		return nil
	}
	return c.lookup(name.ID)
}

// suppressedBy says what contextlib.suppress catches.
func (c *checker) suppressedBy(manager syntax.Expr) (by catches) {
	call, ok := manager.(*syntax.Call)
	if !ok || c.origin(call.Fn) != "contextlib.suppress" {
		return by
	}
	for _, e := range call.Args {
		c.addClasses(&by, e)
	}
	return by
}
