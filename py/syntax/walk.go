package syntax

import "fmt"

// Inspect calls f for a node and, if f returns true, for the nodes inside it,
// in the order of the source. A node is a Stmt, an Expr, a Pattern, a *Handler,
// a *Case or a *Clause. The recursion is as deep as the tree, whose height
// Parse bounds.
func Inspect(node any, f func(node any) bool) {
	if !f(node) {
		return
	}
	switch n := node.(type) {
	case Stmt:
		inspectStmt(n, f)
	case Expr:
		inspectExpr(n, f)
	case Pattern:
		inspectPattern(n, f)
	case *Handler:
		inspectOpt(n.Type, f)
		InspectAll(n.Body, f)
	case *Case:
		Inspect(n.Pattern, f)
		inspectOpt(n.Guard, f)
		InspectAll(n.Body, f)
	case *Clause:
		Inspect(n.Target, f)
		Inspect(n.Iter, f)
		InspectAll(n.Conds, f)
	default:
		panic(fmt.Sprintf("syntax: %T is not a node", node))
	}
}

// InspectAll inspects each node of a list; nil elements are skipped.
func InspectAll[T any](list []T, f func(node any) bool) {
	for _, n := range list {
		if any(n) != nil {
			Inspect(n, f)
		}
	}
}

// inspectOpt inspects an expression that may be missing.
func inspectOpt(x Expr, f func(any) bool) {
	if x != nil {
		Inspect(x, f)
	}
}

func inspectStmt(s Stmt, f func(any) bool) {
	switch s := s.(type) {
	case *ExprStmt:
		Inspect(s.X, f)
	case *Assign:
		InspectAll(s.Targets, f)
		Inspect(s.Value, f)
	case *AugAssign:
		Inspect(s.Target, f)
		Inspect(s.Value, f)
	case *AnnAssign:
		Inspect(s.Target, f)
		Inspect(s.Annotation, f)
		inspectOpt(s.Value, f)
	case *Return:
		inspectOpt(s.Value, f)
	case *Raise:
		inspectOpt(s.Value, f)
		inspectOpt(s.Cause, f)
	case *Assert:
		Inspect(s.Cond, f)
		inspectOpt(s.Message, f)
	case *Delete:
		InspectAll(s.Targets, f)
	case *TypeAlias:
		Inspect(s.Value, f)
	default:
		inspectCompound(s, f)
	}
}

func inspectCompound(s Stmt, f func(any) bool) {
	switch s := s.(type) {
	case *If:
		Inspect(s.Cond, f)
		InspectAll(s.Body, f)
		InspectAll(s.Else, f)
	case *For:
		Inspect(s.Target, f)
		Inspect(s.Iter, f)
		InspectAll(s.Body, f)
		InspectAll(s.Else, f)
	case *While:
		Inspect(s.Cond, f)
		InspectAll(s.Body, f)
		InspectAll(s.Else, f)
	case *Def:
		InspectAll(s.Decorators, f)
		inspectParams(s.Params, f)
		inspectOpt(s.Returns, f)
		InspectAll(s.Body, f)
	case *Class:
		InspectAll(s.Decorators, f)
		InspectAll(s.Bases, f)
		inspectKeywords(s.Keywords, f)
		InspectAll(s.Body, f)
	case *Try:
		InspectAll(s.Body, f)
		InspectAll(s.Handlers, f)
		InspectAll(s.Else, f)
		InspectAll(s.Finally, f)
	case *With:
		for _, item := range s.Items {
			Inspect(item.Context, f)
			inspectOpt(item.Target, f)
		}
		InspectAll(s.Body, f)
	case *Match:
		Inspect(s.Subject, f)
		InspectAll(s.Cases, f)
	}
}

func inspectParams(p *Params, f func(any) bool) {
	for i := range p.List {
		inspectOpt(p.List[i].Annotation, f)
		inspectOpt(p.List[i].Default, f)
	}
}

func inspectKeywords(list []Keyword, f func(any) bool) {
	for i := range list {
		Inspect(list[i].Value, f)
	}
}

func inspectExpr(x Expr, f func(any) bool) {
	switch x := x.(type) {
	case *Binary:
		Inspect(x.X, f)
		Inspect(x.Y, f)
	case *Unary:
		Inspect(x.X, f)
	case *BoolOp:
		InspectAll(x.Values, f)
	case *Compare:
		Inspect(x.X, f)
		InspectAll(x.Rest, f)
	case *Call:
		Inspect(x.Fn, f)
		InspectAll(x.Args, f)
		inspectKeywords(x.Keywords, f)
	case *Attribute:
		Inspect(x.X, f)
	case *Subscript:
		Inspect(x.X, f)
		Inspect(x.Index, f)
	case *Slice:
		inspectOpt(x.Low, f)
		inspectOpt(x.High, f)
		inspectOpt(x.Step, f)
	case *IfExp:
		Inspect(x.Then, f)
		Inspect(x.Cond, f)
		Inspect(x.Else, f)
	case *Starred:
		Inspect(x.X, f)
	case *NamedExpr:
		Inspect(x.Target, f)
		Inspect(x.Value, f)
	case *Await:
		Inspect(x.X, f)
	case *Yield:
		inspectOpt(x.X, f)
	case *Lambda:
		inspectParams(x.Params, f)
		Inspect(x.Body, f)
	default:
		inspectDisplay(x, f)
	}
}

func inspectDisplay(x Expr, f func(any) bool) {
	switch x := x.(type) {
	case *Tuple:
		InspectAll(x.Items, f)
	case *List:
		InspectAll(x.Items, f)
	case *Set:
		InspectAll(x.Items, f)
	case *Dict:
		for i := range x.Keys {
			inspectOpt(x.Keys[i], f)
			Inspect(x.Values[i], f)
		}
	case *Comprehension:
		Inspect(x.Elem, f)
		inspectOpt(x.Value, f)
		InspectAll(x.Clauses, f)
	case *JoinedStr:
		InspectAll(x.Parts, f)
	case *FormattedValue:
		Inspect(x.Value, f)
		if x.Spec != nil {
			Inspect(x.Spec, f)
		}
	}
}

func inspectPattern(x Pattern, f func(any) bool) {
	switch x := x.(type) {
	case *ValuePattern:
		Inspect(x.Value, f)
	case *SingletonPattern:
		Inspect(x.Value, f)
	case *SequencePattern:
		InspectAll(x.Items, f)
	case *MappingPattern:
		for i := range x.Keys {
			Inspect(x.Keys[i], f)
			Inspect(x.Patterns[i], f)
		}
	case *ClassPattern:
		Inspect(x.Class, f)
		InspectAll(x.Items, f)
		InspectAll(x.Keywords, f)
	case *AsPattern:
		if x.Pattern != nil {
			Inspect(x.Pattern, f)
		}
	case *OrPattern:
		InspectAll(x.Items, f)
	}
}
