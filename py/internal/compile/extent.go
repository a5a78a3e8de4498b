package compile

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// The tree knows where all expressions begin, and where names, attributes and
// calls end. The end of others is found in the source, for tracebacks alone: an
// expression whose end is not found has no spot, and its line is shown as a whole.

// mark notes where the next instruction is from, if its end is found.
func (u *unit) mark(start syntax.Pos, last syntax.Expr) {
	if !u.c.options.Spots {
		return
	}
	if end, ok := u.extent(last); ok {
		u.spot(start, u.closed(start, end))
	}
}

// markSubscript is mark of X[Index].
func (u *unit) markSubscript(e *syntax.Subscript) {
	if !u.c.options.Spots {
		return
	}
	if end, ok := u.subscriptEnd(e); ok {
		u.spot(e.Start, end)
	}
}

// extent is the end of an expression.
func (u *unit) extent(e syntax.Expr) (syntax.Pos, bool) {
	switch e := e.(type) {
	case *syntax.Name:
		return e.Start + syntax.Pos(len(e.ID)), true
	case *syntax.Call:
		return e.End, true
	case *syntax.Attribute:
		return e.NameAt + syntax.Pos(len(e.Name)), true
	case *syntax.Binary:
		return u.extent(e.Y)
	case *syntax.Unary:
		return u.extent(e.X)
	case *syntax.Compare:
		return u.extent(e.Rest[len(e.Rest)-1])
	case *syntax.Subscript:
		return u.subscriptEnd(e)
	case *syntax.Constant:
		return u.literalEnd(e.Start)
	}
	return 0, false
}

// literalEnd is the end of a number, of a name such as None, or of a string of
// one piece.
func (u *unit) literalEnd(start syntax.Pos) (syntax.Pos, bool) {
	rest := u.c.file.Source[start:]
	n := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	switch {
	case n < 0:
		return start + syntax.Pos(len(rest)), rest != ""
	case rest[n] != '\'' && rest[n] != '"':
		return start + syntax.Pos(n), n > 0
	}
	quote := rest[n]
	for i := n + 1; i < len(rest) && rest[i] != '\n' && i-n < maxLiteral; i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == quote && i > n+1:
			return start + syntax.Pos(i+1), true
		case rest[i] == quote:
			return 0, false // it may have three
		}
	}
	return 0, false
}

// maxLiteral bounds how far the end of a string is looked for.
const maxLiteral = 256

func (u *unit) subscriptEnd(e *syntax.Subscript) (syntax.Pos, bool) {
	end, ok := u.extent(e.Index)
	if !ok {
		return 0, false
	}
	end = u.closed(e.Start, end)
	if int(end) < len(u.c.file.Source) && u.c.file.Source[end] == ']' {
		return end + 1, true
	}
	return 0, false
}

// closed moves an end behind the parentheses that were opened since start.
func (u *unit) closed(start, end syntax.Pos) syntax.Pos {
	source := u.c.file.Source
	if end-start > maxLiteral {
		return end
	}
	open := strings.Count(source[start:end], "(") - strings.Count(source[start:end], ")")
	for ; open > 0 && int(end) < len(source) && source[end] == ')'; open-- {
		end++
	}
	return end
}

// spot notes where the next instruction is from, if somebody wants to know.
func (u *unit) spot(start, end syntax.Pos) {
	if u.c.options.Spots {
		u.code.Spots = append(u.code.Spots, code.Spot{PC: int32(len(u.instrs)), Start: int32(start), End: int32(end)})
	}
}
