package check

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
)

// IsBuiltin reports whether every program has the name without defining it: the
// built-ins, and __name__, which the module itself has.
func IsBuiltin(name string) bool { return name == "__name__" || builtins.Is(name) }

// extendedOnly are built-ins that strict programs do not have, with what to use
// instead.
var extendedOnly = map[string]string{
	"dir": "test for one attribute with hasattr(x, name)", "globals": "keep the values in a dict of your own",
	"id": "compare with is", "vars": "keep the values in a dict of your own",
}

// isBuiltin is IsBuiltin for programs of a dialect.
func isBuiltin(name string, d Dialect) bool {
	return IsBuiltin(name) && (d != Strict || extendedOnly[name] == "")
}

// missing are built-ins of Python that programs here do not have, with what to
// use instead. Nobody expects the rare ones, so the prompt does not name them.
var missing = [...]struct {
	rare  bool
	names []string
	hint  string
}{
	{false, []string{"eval"}, "parse the text yourself: int(text), float(text), text.split(), or json.loads(text) in the extended dialect"},
	{true, []string{"__build_class__"}, "write a class statement"},
	{false, []string{"exec", "compile"}, "write the code into the program itself"},
	{false, []string{"open"}, "the sandbox has no files: take the content as an input, or call a tool"},
	{false, []string{"input"}, "no one can answer: use the declared inputs, which are variables already"},
	{false, []string{"locals"}, "keep the values in a dict of your own"},
	{false, []string{"exit", "quit"}, "end the program with its result, or raise an exception"},
	{false, []string{"bytearray", "memoryview"}, "use bytes, or a list of ints"},
	{false, []string{"complex"}, "use two floats"},
	{false, []string{"breakpoint", "help"}, "there is no console: use print"},
	{true, []string{"copyright", "credits", "license"}, "there is no console: use print"},
	{true, []string{"aiter", "anext"}, "use a for loop and await each call inside it"},
	{true, []string{"__import__"}, "use an import statement with a bundled module"},
	{true, []string{"__doc__"}, "keep the text in a variable"},
	{true, []string{"__debug__"}, "it is always True: leave it out"},
	{true, []string{"__builtins__", "__class__", "__dict__", "__file__", "__loader__", "__package__", "__path__", "__spec__"},
		"programs cannot look into the interpreter"},
}

// NameHint says what to use instead of a built-in of Python that programs here
// do not have, or returns "" for every other name.
func NameHint(name string) string {
	for _, m := range missing {
		if slices.Contains(m.names, name) {
			return m.hint
		}
	}
	return ""
}
