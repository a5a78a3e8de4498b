package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// Prompt tells a model how to write a program: the dialect, how the result is
// returned, the limits, inputs and tools. It is made from the tables that the
// checker reads.
func Prompt(o Options) string {
	var b strings.Builder
	if o.Pieces {
		b.WriteString("Write Python in pieces. They run one after the other in a sandbox without files, network or operating system.\n")
		b.WriteString("Each piece finds the variables, functions and classes of those before, also of one that failed: do not repeat them.\n")
	} else {
		b.WriteString("Write one Python program. It runs in a sandbox without files, network or operating system.\n")
	}
	promptResult(&b, o)
	promptDialect(&b, o)
	promptLimits(&b, o.Limits)
	promptInputs(&b, o.Inputs)
	promptTools(&b, o)
	return b.String()
}

func promptResult(b *strings.Builder, o Options) {
	if o.Pieces {
		b.WriteString("\nThe value of the last expression of a piece is its result")
	} else {
		b.WriteString("\nThe value of the last expression is the result")
	}
	if o.Output.Kind != "" && o.Output.Kind != value.KindAny {
		fmt.Fprintf(b, "; it must be of type %s", o.Output)
	}
	if o.Pieces {
		b.WriteString(". A piece may also end without one.\n")
		return
	}
	b.WriteString(". End with that expression, not with print, an assignment, return or a definition that nothing calls.\n")
}

func promptDialect(b *strings.Builder, o Options) {
	if o.Dialect == Strict {
		b.WriteString("\nThe language is a small part of Python 3.11. Available: ")
		for i, a := range available {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(a.name)
		}
		b.WriteString(".\n")
	} else {
		b.WriteString("\nThe language is Python 3.11: classes, exceptions, generators, decorators, match, async and all else that is not excluded here.\n")
		promptModules(b, o.Modules)
		promptWorld(b, o)
	}
	promptForbidden(b, o.Dialect)
	fmt.Fprintf(b, "\nThe built-in functions and exceptions are Python's, without %s.\n", strings.Join(missingNames(o.Dialect), ", "))
}

func promptModules(b *strings.Builder, modules Modules) {
	if modules == nil || len(modules.Names()) == 0 {
		b.WriteString("There are no modules to import.\n")
		return
	}
	fmt.Fprintf(b, "Modules: %s.\n", strings.Join(modules.Names(), ", "))
}

func promptForbidden(b *strings.Builder, d Dialect) {
	b.WriteString("\nNot available; a program that uses any of this is refused before it runs:\n")
	for c, r := range constructs {
		if r.allowed(d) || d == Strict && implied(construct(c)) {
			continue
		}
		fmt.Fprintf(b, "- %s (%s): %s\n", r.name, r.example, r.workaround)
	}
}

// implied reports whether a program without import and try statements cannot
// meet the construct.
func implied(c construct) bool {
	switch c {
	case exceptStar, starImport, relativeImport, unbundledImport:
		return true
	}
	return false
}

// missingNames lists the built-in functions of Python that are not there.
func missingNames(d Dialect) []string {
	var names []string
	if d == Strict {
		for name := range extendedOnly {
			names = append(names, name)
		}
	}
	for _, m := range missing {
		if !m.rare {
			names = append(names, m.names...)
		}
	}
	slices.Sort(names)
	return names
}

func promptLimits(b *strings.Builder, l Limits) {
	var words []string
	if l.Memory > 0 {
		words = append(words, bytesInWords(l.Memory)+" of memory")
	}
	if l.Time > 0 {
		words = append(words, timeInWords(l.Time)+" of computing (waiting for tools does not count)")
	}
	if l.Depth > 0 {
		words = append(words, fmt.Sprintf("%d calls deep", l.Depth))
	}
	if l.Calls > 0 {
		words = append(words, fmt.Sprintf("%d calls of tools", l.Calls))
	}
	if l.Output > 0 {
		words = append(words, bytesInWords(l.Output)+" of printed text")
	}
	if len(words) > 0 {
		fmt.Fprintf(b, "\nLimits, which cannot be caught: %s.\n", strings.Join(words, ", "))
	}
}

func bytesInWords(n int64) string {
	units := [...]string{"bytes", "KiB", "MiB", "GiB"}
	unit := 0
	for n >= 1024 && n%1024 == 0 && unit < len(units)-1 {
		n /= 1024
		unit++
	}
	return fmt.Sprintf("%d %s", n, units[unit])
}

func timeInWords(d time.Duration) string {
	if d%time.Second == 0 {
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return d.String()
}

func promptInputs(b *strings.Builder, inputs []value.Param) {
	if len(inputs) == 0 {
		return
	}
	b.WriteString("\nInputs, defined before the program begins:\n")
	for _, p := range inputs {
		fmt.Fprintf(b, "%s: %s\n", p.Name, p.Type)
	}
}

func promptTools(b *strings.Builder, o Options) {
	if len(o.Tools) == 0 {
		b.WriteString("\nThere are no tools.\n")
		return
	}
	b.WriteString("\nTools, defined already; do not define or import them:\n```python\n")
	for _, t := range o.Tools {
		b.WriteString(t.Stub() + "\n")
	}
	b.WriteString("```\n")
	if slices.ContainsFunc(o.Tools, func(t tool.Tool) bool { return t.Async }) {
		b.WriteString("Await each call of an async tool.\n")
	}
	promptCalls(b, o.Tools[0].Name)
	if handles(o) {
		promptHandles(b)
	}
}

// promptCalls says how to call a tool more than once at a time.
func promptCalls(b *strings.Builder, name string) {
	fmt.Fprintf(b, "Calls run at the same time with gather: results = await gather(%s(...), %[1]s(...))\n", name)
	fmt.Fprintf(b, "To call a tool for each item, at most 8 at a time: results = glovebox_map(%s, items, concurrency=8, return_exceptions=False)\n", name)
}

func promptHandles(b *strings.Builder) {
	b.WriteString("File, Dir and DataFrame are opaque handles: pass them from tool to tool. They cannot be read, made or taken apart.\n")
}

// handles reports whether a program meets a File, Dir or DataFrame.
func handles(o Options) bool {
	if slices.ContainsFunc(o.Inputs, func(p value.Param) bool { return p.Type.Files() }) || o.Output.Files() {
		return true
	}
	return slices.ContainsFunc(o.Tools, func(t tool.Tool) bool {
		return t.Result.Files() || slices.ContainsFunc(t.Params, func(p tool.Param) bool { return p.Type.Files() })
	})
}
