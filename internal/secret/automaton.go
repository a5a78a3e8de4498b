package secret

// automaton finds words in a stream of bytes, whatever their letters' case, in
// time proportional to the stream, after Aho and Corasick. A node is a prefix
// of some word. Most words share little with others, so the nodes of a word
// follow each other, and only forks are in a map.
type automaton struct {
	nodes []node     // nodes[0] is the root
	first [256]int32 // the children of the root, by letters of both cases
	forks map[fork]int32
}

type node struct {
	fail  int32 // the longest proper suffix that is a prefix too
	depth int32 // the length of the prefix
	match int32 // the length of the longest word that ends here, or 0
	char  byte  // the last byte
	apart bool  // it is not the child of the node before it
	forks bool  // it has children in the map of forks
}

type fork struct {
	at   int32
	char byte
}

// newAutomaton returns an automaton for words, in which size bytes differ.
func newAutomaton(words [][]byte, size int) *automaton {
	a := &automaton{nodes: make([]node, 1, 1+size), forks: map[fork]int32{}}
	for _, word := range words {
		a.add(word)
	}
	a.link()
	return a
}

func (a *automaton) add(word []byte) {
	at := int32(0)
	for i, c := range word {
		next := a.child(at, fold(c))
		if next == 0 {
			next = a.grow(at, fold(c), int32(i+1))
		}
		at = next
	}
	a.nodes[at].match = int32(len(word))
}

func (a *automaton) grow(parent int32, c byte, depth int32) int32 {
	next := int32(len(a.nodes))
	apart := parent == 0 || parent != next-1
	a.nodes = append(a.nodes, node{char: c, depth: depth, apart: apart})
	switch {
	case parent == 0:
		a.first[c] = next
		a.first[upper(c)] = next
	case apart:
		a.nodes[parent].forks = true
		a.forks[fork{parent, c}] = next
	}
	return next
}

// child returns the child of at by c, or 0.
func (a *automaton) child(at int32, c byte) int32 {
	if at == 0 {
		return a.first[c]
	}
	if a.chained(at) && a.nodes[at+1].char == c {
		return at + 1
	}
	if a.nodes[at].forks {
		return a.forks[fork{at, c}]
	}
	return 0
}

// chained reports whether the node after at is its child.
func (a *automaton) chained(at int32) bool {
	return int(at)+1 < len(a.nodes) && !a.nodes[at+1].apart
}

// leaf reports whether no word continues after at.
func (a *automaton) leaf(at int32) bool { return !a.nodes[at].forks && !a.chained(at) }

// link sets the failure links, by depth.
func (a *automaton) link() {
	forked := map[int32][]int32{}
	for from, to := range a.forks {
		forked[from.at] = append(forked[from.at], to)
	}
	var level, deeper []int32
	for c, next := range a.first {
		if next != 0 && byte(c) == fold(byte(c)) {
			level = append(level, next)
		}
	}
	for len(level) > 0 {
		for _, at := range level {
			children := deeper[len(deeper):]
			if a.chained(at) {
				children = append(children, at+1)
			}
			children = append(children, forked[at]...)
			for _, next := range children {
				a.linkNode(at, next)
			}
			deeper = append(deeper, children...)
		}
		level, deeper = deeper, level[:0]
	}
}

func (a *automaton) linkNode(parent, at int32) {
	n := &a.nodes[at]
	n.fail = a.step(a.nodes[parent].fail, n.char)
	n.match = max(n.match, a.nodes[n.fail].match)
}

// step follows one folded byte.
func (a *automaton) step(at int32, c byte) int32 {
	for {
		if next := a.child(at, c); next != 0 || at == 0 {
			return next
		}
		at = a.nodes[at].fail
	}
}

// fold returns the small letter of an ASCII letter, and other bytes as they are.
func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// upper returns the capital letter of an ASCII letter, and other bytes as they are.
func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}
