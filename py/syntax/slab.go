package syntax

// slab hands out nodes of one type from blocks, so that a tree costs few
// allocations. A tree is dropped as a whole, so the blocks waste nothing.
type slab[T any] struct{ free []T }

// next returns a new node; size is how many to allocate when there is none.
func (s *slab[T]) next(size int) *T {
	if len(s.free) == 0 {
		s.free = make([]T, size)
	}
	node := &s.free[0]
	s.free = s.free[1:]
	return node
}

// A pile collects the elements of lists that are still being read. A list
// begins at the length the pile has, and take cuts it off again.
type pile[T any] struct {
	items []T
	free  []T
}

// push adds an element.
func (p *pile[T]) push(item T) {
	if p.items == nil {
		p.items = make([]T, 0, 8)
	}
	p.items = append(p.items, item)
}

// take returns the elements from a mark on as a slice of their own.
func (p *pile[T]) take(mark, size int) []T {
	n := len(p.items) - mark
	if n == 0 {
		return nil
	}
	if len(p.free) < n {
		p.free = make([]T, max(n, size))
	}
	list := p.free[:n:n]
	p.free = p.free[n:]
	copy(list, p.items[mark:])
	clear(p.items[mark:])
	p.items = p.items[:mark]
	return list
}

// nodes are the blocks of the most frequent nodes, and the piles of lists.
type nodes struct {
	size       int // of a block
	names      slab[Name]
	constants  slab[Constant]
	calls      slab[Call]
	attributes slab[Attribute]
	subscripts slab[Subscript]
	binaries   slab[Binary]
	compares   slab[Compare]
	assigns    slab[Assign]
	statements slab[ExprStmt]

	stmts    pile[Stmt]
	exprs    pile[Expr]
	keywords pile[Keyword]
	ops      pile[CompareOp]
}
