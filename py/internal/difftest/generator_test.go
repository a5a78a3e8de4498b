package difftest

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// node is a piece of a program: a template and what fills its holes.
type node struct {
	kind  kind
	text  string
	kids  []*node
	holes [][]int // begin and end of each hole in text
}

var hole = regexp.MustCompile(`<([ifsbLWDTB])(?:\+([a-z]+))?>`)

// calls finds the templates that call what a program defines.
var calls = regexp.MustCompile(`func2?\(|gen\(`)

// generator makes programs; the same seed makes the same program.
type generator struct {
	*rand.Rand
	scope []byte // variables that templates brought in
	depth int
	inDef bool // in the body of a function, which must not call itself
}

// generate makes a program of about size statements.
func generate(seed uint64, size int) *node {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
	program := &node{kind: blockKind}
	for _, k := range []byte(kinds) {
		for _, name := range globals[kind(k)] {
			program.kids = append(program.kids, &node{kind: stmtKind, text: name + " = " + g.pick(literals[kind(k)])})
		}
	}
	for range size {
		program.kids = append(program.kids, g.top())
	}
	return program
}

// top makes a statement of the program itself. Most are guarded, so that an
// error does not end the program at its first line.
func (g *generator) top() *node {
	if g.IntN(20) == 0 {
		return g.statement()
	}
	const guard = "try:\n    <B>\nexcept Exception as e: print(type(e).__name__, e)"
	n := &node{kind: stmtKind, text: guard, holes: [][]int{hole.FindStringIndex(guard)}}
	n.kids = []*node{{kind: blockKind, kids: []*node{g.statement()}}}
	return n
}

func (g *generator) pick(list []string) string { return list[g.IntN(len(list))] }

func (g *generator) statement() *node {
	g.depth++
	defer func() { g.depth-- }()
	text := g.pick(statements)
	outer := g.inDef
	g.inDef = outer || strings.HasPrefix(text, "def ")
	defer func() { g.inDef = outer }()
	return g.fill(stmtKind, text)
}

// expression makes one of a kind, and once in forty of another: what types do
// not fit is as much of the language as what they do.
func (g *generator) expression(k kind) *node {
	if g.IntN(40) == 0 {
		k = kind(kinds[g.IntN(len(kinds))])
	}
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 5 || g.IntN(5) == 0 {
		return &node{kind: k, text: g.leaf(k)}
	}
	text := g.pick(templates[k])
	for g.inDef && calls.MatchString(text) {
		text = g.pick(templates[k])
	}
	return g.fill(k, text)
}

func (g *generator) leaf(k kind) string {
	var names []string
	for _, v := range g.scope {
		if variables[v] == k {
			names = append(names, string(v))
		}
	}
	if len(names) > 0 && g.IntN(3) > 0 {
		return g.pick(names)
	}
	if g.IntN(2) == 0 {
		return g.pick(globals[k])
	}
	return g.pick(literals[k])
}

func (g *generator) fill(k kind, text string) *node {
	n := &node{kind: k, text: text}
	for _, at := range hole.FindAllStringSubmatchIndex(text, -1) {
		outer := g.scope
		if at[4] >= 0 {
			g.scope = append(slices.Clone(outer), text[at[4]:at[5]]...)
		}
		n.holes = append(n.holes, at[:2])
		n.kids = append(n.kids, g.kid(kind(text[at[2]])))
		g.scope = outer
	}
	return n
}

func (g *generator) kid(k kind) *node {
	if k != blockKind {
		return g.expression(k)
	}
	block := &node{kind: blockKind}
	for range 1 + g.IntN(2) {
		if g.depth < 4 {
			block.kids = append(block.kids, g.statement())
		}
	}
	return block
}

// source is the whole program.
func (n *node) source() string { return setting + n.render() + "\n" }

func (n *node) render() string {
	if n.kind == blockKind {
		return n.block()
	}
	var out strings.Builder
	last := 0
	for i, at := range n.holes {
		out.WriteString(n.text[last:at[0]])
		out.WriteString(n.fit(i))
		last = at[1]
	}
	out.WriteString(n.text[last:])
	return out.String()
}

func (n *node) block() string {
	if len(n.kids) == 0 {
		return "pass"
	}
	lines := make([]string, len(n.kids))
	for i, kid := range n.kids {
		lines[i] = kid.render()
	}
	return strings.Join(lines, "\n")
}

// fit renders a kid for its hole: blocks are indented as the hole is.
func (n *node) fit(i int) string {
	text := n.kids[i].render()
	if n.kids[i].kind != blockKind {
		return text
	}
	line := strings.LastIndexByte(n.text[:n.holes[i][0]], '\n') + 1
	return strings.ReplaceAll(text, "\n", "\n"+n.text[line:n.holes[i][0]])
}
