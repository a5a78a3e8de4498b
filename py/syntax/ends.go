package syntax

import "strings"

// Ends returns where the statements of a source end, as far as they can be read:
// each where the line of the next one begins. open says that further lines could
// still belong to the last one, as an else does. Lines have to end with "\n".
func Ends(source string) (ends []int, open bool) {
	if _, err := clean(source); err != nil {
		return nil, false
	}
	p := newParser(source, false)
	p.next()
	for p.tok != endOfFile && p.tok != failed {
		p.statement()
		if p.tok == failed {
			break
		}
		ends = append(ends, lineFrom(source, p.start))
	}
	return ends, len(ends) > 0 && p.tok == endOfFile && isCompound(p.stmts.take(0, 0))
}

// Begins reports whether the beginning of a line shows that it begins a statement
// of a module, and does not go on with the one before.
func Begins(line string) bool {
	if line == "" || strings.IndexByte(" \t\f\r\n#\\", line[0]) >= 0 {
		return false
	}
	n := 0
	for n < len(line) && classes[line[n]]&wordPart != 0 {
		n++
	}
	for _, clause := range []string{"elif", "else", "except", "finally"} {
		if line[:n] == clause || n == len(line) && strings.HasPrefix(clause, line) {
			return false
		}
	}
	return true
}

// lineFrom returns where the line of a statement begins, with the empty lines
// before it that it is joined with by backslashes.
func lineFrom(source string, at int) int {
	for at >= 3 && source[at-3:at] == "\n\\\n" {
		at -= 2
	}
	return at
}

// isCompound reports whether the last of some statements is one that more lines
// can belong to.
func isCompound(body []Stmt) bool {
	switch body[len(body)-1].(type) {
	case *If, *For, *While, *Try, *With, *Def, *Class, *Match:
		return true
	}
	return false
}
