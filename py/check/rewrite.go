package check

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// rewrite returns what to write instead of a construct, in the words of the
// program itself, or "" where only the general workaround can be given.
func rewrite(source string, node any) string {
	switch n := node.(type) {
	case *syntax.AugAssign:
		return rewriteAugmented(source, n)
	case *syntax.Assign:
		return rewriteSubscript(source, n)
	case *syntax.Assert:
		return rewriteAssert(source, n)
	case *syntax.NamedExpr:
		return rewriteWalrus(source, n)
	case *syntax.Delete:
		return rewriteDelete(source, n)
	case *syntax.Set:
		return rewriteSet(source, n.Start)
	case *syntax.Comprehension:
		return rewriteSet(source, n.Start)
	}
	return ""
}

// between returns the source before and after the last mark that stands
// between two expressions of a statement; after runs to its end.
func between(source string, first, second syntax.Pos, mark string) (before, after string, ok bool) {
	if second < first {
		return "", "", false
	}
	i := strings.LastIndex(source[first:second], mark)
	if i < 0 {
		return "", "", false
	}
	before = strings.TrimSpace(source[first : int(first)+i])
	after = span(source, first+syntax.Pos(i+len(mark)), "")
	short := before != "" && len(before) <= maxExcerpt && !strings.ContainsAny(before, "\n\r\\")
	return before, after, short && after != ""
}

func rewriteAugmented(source string, n *syntax.AugAssign) string {
	target, value, ok := between(source, n.Target.Pos(), n.Value.Pos(), n.Op.String()+"=")
	if !ok {
		return ""
	}
	sum := fmt.Sprintf("%s %s %s", target, n.Op, operand(value, n))
	if sub, ok := n.Target.(*syntax.Subscript); ok {
		if object, index, ok := splitSubscript(source, sub, target); ok {
			return fmt.Sprintf("for a dict use %s.update({%s: %s}); build lists anew", object, index, sum)
		}
		return ""
	}
	return fmt.Sprintf("use %s = %s", target, sum)
}

// operand puts the value in parentheses where the operator binds tighter.
func operand(value string, n *syntax.AugAssign) string {
	switch v := n.Value.(type) {
	case *syntax.Name, *syntax.Constant, *syntax.JoinedStr, *syntax.Call, *syntax.Attribute, *syntax.Subscript,
		*syntax.List, *syntax.Dict, *syntax.Set, *syntax.Await:
		return value
	case *syntax.Comprehension:
		return value
	case *syntax.Tuple:
		if v.Parens {
			return value
		}
	case *syntax.Binary:
		if v.Op == syntax.Mul && (n.Op == syntax.Add || n.Op == syntax.Sub) {
			return value
		}
	}
	return "(" + value + ")"
}

// splitSubscript takes the text of object[index] apart. Slices stay whole.
func splitSubscript(source string, sub *syntax.Subscript, text string) (object, index string, ok bool) {
	if _, slice := sub.Index.(*syntax.Slice); slice || !strings.HasSuffix(text, "]") {
		return "", "", false
	}
	i := strings.LastIndexByte(source[sub.Start:sub.Index.Pos()], '[')
	if i <= 0 || i >= len(text)-1 {
		return "", "", false
	}
	object, index = strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:len(text)-1])
	if tuple, ok := sub.Index.(*syntax.Tuple); ok && !tuple.Parens {
		if len(tuple.Items) == 1 && !strings.HasSuffix(index, ",") {
			index += ","
		}
		index = "(" + index + ")"
	}
	return object, index, true
}

func rewriteSubscript(source string, n *syntax.Assign) string {
	sub, ok := n.Targets[0].(*syntax.Subscript)
	if !ok {
		return ""
	}
	target, value, ok := between(source, sub.Start, n.Value.Pos(), "=")
	if !ok {
		return ""
	}
	object, index, ok := splitSubscript(source, sub, target)
	if !ok {
		return ""
	}
	if strings.HasPrefix(index, "-") { // of a list, most probably
		return fmt.Sprintf("build a list anew instead of changing %s", target)
	}
	if _, ok := sub.Index.(*syntax.Constant); ok && index[0] >= '0' && index[0] <= '9' { // of a list or a dict
		return fmt.Sprintf("build a list anew instead of changing %s; for a dict use %s.update({%s: %s})", target, object, index, value)
	}
	return fmt.Sprintf("build dicts as literals or with %s.update({%s: %s}); use .append() for lists", object, index, value)
}

func rewriteAssert(source string, n *syntax.Assert) string {
	const word = len("assert")
	cond, message, ok := span(source, n.Start+syntax.Pos(word), ""), "", true
	if n.Message != nil {
		cond, message, ok = between(source, n.Start, n.Message.Pos(), ",")
		cond = strings.TrimSpace(cond[min(word, len(cond)):])
	}
	if !ok || cond == "" {
		return ""
	}
	return fmt.Sprintf("use if not (%s): raise AssertionError(%s)", cond, message)
}

func rewriteWalrus(source string, n *syntax.NamedExpr) string {
	name, value, ok := strings.Cut(span(source, n.Start, ",:"), ":=")
	if !ok {
		return ""
	}
	return fmt.Sprintf("use a separate assignment before it: %s = %s", strings.TrimSpace(name), strings.TrimSpace(value))
}

func rewriteDelete(source string, n *syntax.Delete) string {
	if len(n.Targets) != 1 {
		return ""
	}
	switch target := n.Targets[0].(type) {
	case *syntax.Name:
		return "leave the variable alone, or assign None to it"
	case *syntax.Subscript:
		if object, index, ok := splitSubscript(source, target, span(source, target.Start, "")); ok {
			return fmt.Sprintf("use %s.pop(%s)", object, index)
		}
	}
	return ""
}

func rewriteSet(source string, start syntax.Pos) string {
	first := int(start) + 1
	end, ok := spanEnd(source, first, "")
	if !ok || end >= len(source) || source[end] != '}' {
		return ""
	}
	return fmt.Sprintf("use lists: [%s], or set([%[1]s])", strings.TrimSpace(source[first:end]))
}
