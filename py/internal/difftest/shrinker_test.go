package difftest

import "slices"

const (
	judged   = 60  // candidates in one batch
	maxCalls = 150 // calls of the judge for one program
)

// shrink makes a program smaller as long as it still differs. The function
// differ judges many candidates in one batch, because asking CPython costs a process.
func shrink(program *node, differ func([]string) []bool) *node {
	calls := 0
	for {
		next := (*node)(nil)
		for some := range slices.Chunk(candidates(program), judged) {
			if calls++; calls > maxCalls {
				return program
			}
			sources := make([]string, len(some))
			for i, c := range some {
				sources[i] = c.source()
			}
			if i := firstTrue(differ(sources)); i >= 0 {
				next = some[i]
				break
			}
		}
		if next == nil {
			return program
		}
		program = next
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
		for size := len(n.kids); size > 0; size /= 2 {
			for i := 0; i+size <= len(n.kids); i += size {
				found = append(found, n.without(i, size))
			}
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

func (n *node) without(i, size int) *node {
	return &node{kind: n.kind, kids: slices.Concat(n.kids[:i], n.kids[i+size:])}
}

func (n *node) with(i int, kid *node) *node {
	kids := slices.Clone(n.kids)
	kids[i] = kid
	return &node{kind: n.kind, text: n.text, holes: n.holes, kids: kids}
}
