package machine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/lib"
)

// scanReceivers are the values whose methods are called.
var scanReceivers = []string{
	"'ab c'", "''", "'é x'", "b'ab c'", "b''", "[3, 1, 2]", "[]", "{1: 2}", "{}", "{1, 2}", "set()", "frozenset((1,))", "(1, 2)", "()",
	"5", "0", "-3", "2**70", "2.5", "0.0", "nan", "True", "range(5)", "range(0)", "range(-2**62, 2**62 - 1)", "range(-2**63, 2**63 - 1, 3)", "{1: 2}.keys()", "{1: 2}.items()",
	"(x for x in (1, 2))", "iter([1])", "zip([1], [2])", "slice(1, None)", "len", "int", "(lambda: 0)", "ValueError('x')", "property(len)",
	"Decimal('1.5')", "Decimal(0)", "Fraction(1, 3)", "datetime.datetime(2024, 1, 2)", "datetime.date(2024, 1, 2)", "datetime.time(1, 2)",
	"datetime.timedelta(1)", "collections.deque([1, 2])", "collections.Counter('ab')", "collections.OrderedDict(a=1)",
	"collections.defaultdict(list)", "re.compile('a*')", "re.match('(a)?', 'a')", "random.Random(1)", "hashlib.sha256()",
}

// scanOperators are operators and the like as functions.
var scanOperators = []string{
	"(lambda a, b: a + b)", "(lambda a, b: a - b)", "(lambda a, b: a * b)", "(lambda a, b: a / b)", "(lambda a, b: a // b)",
	"(lambda a, b: a % b)", "(lambda a, b: a ** b)", "(lambda a, b: a << b)", "(lambda a, b: a >> b)", "(lambda a, b: a & b)",
	"(lambda a, b: a | b)", "(lambda a, b: a ^ b)", "(lambda a, b: a < b)", "(lambda a, b: a == b)", "(lambda a, b: a in b)", "(lambda a, b: a @ b)",
	"(lambda a, b, c=None: 'abcdé'[a:b:c])", "(lambda a, b, c=None: [1, 2, 3][a:b:c])",
	"(lambda a, b, c=None: [1, 2, 3].__setitem__(slice(a, b, c), [9]))", "(lambda a, b: ('%' + str(a) + 'd') % b)",
	"(lambda a, b: ('%*.*f') % (a, b, 1.5))", "(lambda a, b: f'{a:{b}}')", "(lambda a, b: f'{a:.{b}f}')", "(lambda a, b: f'{a:0{b},}')",
	"(lambda a, b: f'{a:>{b}}')", "(lambda a, b=1, c=1: list(range(a, b, c)))", "(lambda a, b=1, c=1: b in range(a, b, c))",
	"(lambda a, b=0: random.setstate(a))",
}

// scanTargets lists all that a program can call: what the registry and the
// bundled modules have, so that what is new is scanned too.
func scanTargets(t *testing.T) []scanTarget {
	var targets []scanTarget
	for name := range known.builtins {
		targets = append(targets, scanTarget{callee: name})
	}
	for _, callee := range scanOperators {
		targets = append(targets, scanTarget{callee: callee})
	}
	for _, receiver := range scanReceivers {
		targets = append(targets, scanMethods(t, receiver)...)
	}
	for _, name := range slices.Concat(NativeModules(), lib.Names()) {
		if !strings.HasPrefix(name, "_") {
			targets = append(targets, scanModule(t, name)...)
		}
	}
	slices.SortFunc(targets, func(a, b scanTarget) int {
		return cmp.Or(strings.Compare(a.module, b.module), strings.Compare(a.callee, b.callee))
	})
	return slices.Compact(targets)
}

// scanMethods lists the attributes of the class of a value.
func scanMethods(t *testing.T, receiver string) []scanTarget {
	m := scanStart(t, scanStartOf("", false, 0, 0)+receiver)
	var targets []scanTarget
	for _, c := range ClassOf(m.Result()).mro {
		for i := c.attrs.Next(0); i >= 0; i = c.attrs.Next(i + 1) {
			targets = append(targets, scanTarget{callee: fmt.Sprintf("(%s).%s", receiver, c.attrs.entries[i].key.Str().s)})
		}
	}
	return targets
}

// scanModule lists what a module defines, and what its classes do.
func scanModule(t *testing.T, name string) []scanTarget {
	m := scanStart(t, "import "+name)
	mod := m.modules[name]
	if mod == nil {
		t.Fatalf("no module %s", name)
	}
	var targets []scanTarget
	add := func(member string, v Value) {
		if strings.HasPrefix(member, "_") || !m.IsCallable(v) {
			return
		}
		targets = append(targets, scanTarget{name, name + "." + member})
		if c := v.Class(); c != nil {
			for i := c.attrs.Next(0); i >= 0; i = c.attrs.Next(i + 1) {
				targets = append(targets, scanTarget{name, fmt.Sprintf("%s.%s.%s", name, member, c.attrs.entries[i].key.Str().s)})
			}
		}
	}
	for i := mod.attrs.Next(0); i >= 0; i = mod.attrs.Next(i + 1) {
		add(mod.attrs.entries[i].key.Str().s, mod.attrs.entries[i].value)
	}
	if mod.code != nil {
		for i, v := range mod.globals {
			add(mod.code.code.Globals[i], v)
		}
	}
	return targets
}

func scanStart(t *testing.T, source string) *Machine {
	m := New(testProgram(t, source), scanLimits, libraryHost)
	m.Start(context.Background())
	if m.Status() != Done {
		t.Fatalf("%s: %v", source, describeFailure(m))
	}
	return m
}
