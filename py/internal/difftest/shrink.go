package difftest

// shrink makes a program smaller as long as it still differs. The function
// differ judges many candidates at once, because asking CPython costs a process.
func shrink(program *node, differ func([]string) []bool) *node {
	for {
		smaller := candidates(program)
		sources := make([]string, len(smaller))
		for i, c := range smaller {
			sources[i] = c.source()
		}
		next := firstTrue(differ(sources))
		if next < 0 {
			return program
		}
		program = smaller[next]
	}
}

func firstTrue(list []bool) int {
	for i, b := range list {
		if b {
			return i
		}
	}
	return -1
}

// candidates are the programs that are one step smaller, the smallest first.
func candidates(n *node) []*node {
	var found []*node
	if n.kind == blockKind {
		for i := range n.kids {
			found = append(found, n.without(i))
		}
	}
	for _, kid := range n.kids {
		if kid.kind == n.kind {
			found = append(found, kid)
		}
	}
	if plain := literals[n.kind]; len(n.kids) > 0 && len(plain) > 0 {
		found = append(found, &node{kind: n.kind, text: plain[0]})
	}
	for i, kid := range n.kids {
		for _, c := range candidates(kid) {
			found = append(found, n.with(i, c))
		}
	}
	return found
}

func (n *node) without(i int) *node {
	kids := append([]*node{}, n.kids[:i]...)
	return &node{kind: n.kind, kids: append(kids, n.kids[i+1:]...)}
}

func (n *node) with(i int, kid *node) *node {
	kids := append([]*node{}, n.kids...)
	kids[i] = kid
	return &node{kind: n.kind, text: n.text, holes: n.holes, kids: kids}
}
