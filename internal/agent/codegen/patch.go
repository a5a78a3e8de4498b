package codegen

import (
	"slices"
	"strings"
)

// splice puts functions in the place of those of the same name in a file of tests,
// and those that are new at its end. It goes by lines: what it makes is Python if
// both were laid out as Python is, and else the next run of the tests says so.
func splice(tests string, patches []patch) string {
	lines := strings.Split(strings.TrimRight(tests, "\n"), "\n")
	for _, p := range patches {
		if strings.TrimSpace(p.Code) == "" {
			continue
		}
		code := strings.Split(strings.TrimRight(unfenced(p.Code), "\n"), "\n")
		from, to, indent := functionIn(lines, bareTest(p.Test))
		if from < 0 {
			lines = append(append(lines, "", ""), code...)
			continue
		}
		lines = slices.Replace(lines, from, to, reindent(code, indent)...)
	}
	return oneNewline(strings.Join(lines, "\n"))
}

// bareTest is the name of the function of a test: without the file, the class and
// the parameters that reports name.
func bareTest(name string) string {
	name, _, _ = strings.Cut(strings.TrimSpace(name), "[")
	if i := strings.LastIndex(name, "::"); i >= 0 {
		name = name[i+2:]
	}
	return strings.TrimSuffix(name, "()")
}

// functionIn finds the lines of a function with its decorators: from, and to before
// what follows it.
func functionIn(lines []string, name string) (from, to int, indent string) {
	at := slices.IndexFunc(lines, func(line string) bool {
		words := strings.TrimPrefix(strings.TrimSpace(line), "async ")
		rest, ok := strings.CutPrefix(words, "def "+name)
		return ok && strings.HasPrefix(strings.TrimSpace(rest), "(")
	})
	if at < 0 {
		return -1, -1, ""
	}
	indent = indentOf(lines[at])
	from = at
	for from > 0 && indentOf(lines[from-1]) == indent && strings.HasPrefix(strings.TrimSpace(lines[from-1]), "@") {
		from--
	}
	to = at + 1
	for to < len(lines) && !ends(lines[to], indent) {
		to++
	}
	for to > at+1 && strings.TrimSpace(lines[to-1]) == "" { // the space before what follows stays
		to--
	}
	return from, to, indent
}

// ends reports whether a line is no part of a function that is indented so.
func ends(line, indent string) bool {
	text := strings.TrimSpace(line)
	return text != "" && len(indentOf(line)) <= len(indent) && !strings.HasPrefix(text, ")") && !strings.HasPrefix(text, "]")
}

func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// reindent moves code to an indentation.
func reindent(code []string, indent string) []string {
	own := indentOf(code[0])
	moved := make([]string, len(code))
	for i, line := range code {
		if line = strings.TrimPrefix(line, own); line != "" {
			line = indent + line
		}
		moved[i] = line
	}
	return moved
}
